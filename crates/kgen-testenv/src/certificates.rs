//! The certificates of one control plane: its own certificate authority, and the certificates that it signs.
//!
//! Every control plane makes a new authority, so nothing signed for one is accepted by another. Keys are ECDSA P-256,
//! which takes a millisecond to make.

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};

use crate::error::{Error, Result};

/// A certificate and its private key, both as PEM text.
#[derive(Clone, Debug)]
pub struct CertifiedKey {
    /// The certificate.
    pub certificate: String,
    /// The private key (PKCS#8).
    pub key: String,
}

/// The certificate authority of one control plane.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(crate) own: CertifiedKey,
}

impl Authority {
    /// Returns a new authority with a new key.
    pub(crate) fn new() -> Result<Self> {
        let key = new_key()?;
        let mut parameters = CertificateParams::default();
        parameters
            .distinguished_name
            .push(DnType::CommonName, "kgen-testenv");
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![
            KeyUsagePurpose::KeyCertSign,
            KeyUsagePurpose::DigitalSignature,
            KeyUsagePurpose::CrlSign,
        ];
        let certificate = parameters.self_signed(&key).map_err(Error::certificate("sign"))?;
        let own = CertifiedKey {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        };
        Ok(Self {
            issuer: Issuer::new(parameters, key),
            own,
        })
    }

    /// Returns a certificate that makes its holder the user `name`, in `group` if one is given.
    ///
    /// One group, because rcgen holds one value for each part of a name.
    pub(crate) fn client(&self, name: &str, group: Option<&str>) -> Result<CertifiedKey> {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::CommonName, name);
        if let Some(group) = group {
            parameters
                .distinguished_name
                .push(DnType::OrganizationName, group);
        }
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.sign(parameters)
    }

    /// Returns a certificate for a server that is reached by one of `names` (host names or addresses).
    ///
    /// It may be used by a client too: etcd's JSON gateway calls etcd with the certificate of the server.
    pub(crate) fn server(&self, names: &[&str]) -> Result<CertifiedKey> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let mut parameters = CertificateParams::new(names).map_err(Error::certificate("describe"))?;
        parameters
            .distinguished_name
            .push(DnType::CommonName, "kgen-testenv-server");
        parameters.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        self.sign(parameters)
    }

    fn sign(&self, mut parameters: CertificateParams) -> Result<CertifiedKey> {
        let key = new_key()?;
        parameters.key_usages = vec![
            KeyUsagePurpose::DigitalSignature,
            KeyUsagePurpose::KeyEncipherment,
        ];
        let certificate = parameters
            .signed_by(&key, &self.issuer)
            .map_err(Error::certificate("sign"))?;
        Ok(CertifiedKey {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        })
    }
}

/// Returns a new private key.
pub(crate) fn new_key() -> Result<KeyPair> {
    KeyPair::generate().map_err(Error::certificate("make the key of"))
}
