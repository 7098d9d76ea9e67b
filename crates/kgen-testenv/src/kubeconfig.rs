//! Kubeconfigs: the address of the API server, its certificate authority, and the credentials of a user.
//!
//! All data is inline, so that the text is complete and can be copied anywhere on the machine.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::certificates::CertifiedKey;
use crate::error::{IoContext, Result};

/// The access of one user to one control plane.
///
/// [`ControlPlane::kubeconfig`](crate::ControlPlane::kubeconfig) is the administrator's;
/// [`service_account_kubeconfig`](crate::ControlPlane::service_account_kubeconfig) and
/// [`user_kubeconfig`](crate::ControlPlane::user_kubeconfig) return those of other users.
#[derive(Clone, Debug)]
pub struct Kubeconfig {
    pub(crate) server: String,
    pub(crate) authority: String,
    pub(crate) user: String,
    pub(crate) namespace: String,
    pub(crate) credentials: Credentials,
}

/// The credentials of a user.
#[derive(Clone, Debug)]
pub enum Credentials {
    /// A client certificate, which administrators and components have.
    Certificate(CertifiedKey),
    /// A bearer token, which service accounts have.
    Token(String),
}

impl Kubeconfig {
    /// Returns the address of the API server, such as `https://127.0.0.1:20123`.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns the certificate of the authority that signed the API server's certificate, as PEM text.
    #[must_use]
    pub fn certificate_authority(&self) -> &str {
        &self.authority
    }

    /// Returns the name of the user.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the credentials of the user.
    #[must_use]
    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// Returns the text of the kubeconfig file.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let credentials = match &self.credentials {
            Credentials::Certificate(pair) => format!(
                "    client-certificate-data: {}\n    client-key-data: {}\n",
                STANDARD.encode(&pair.certificate),
                STANDARD.encode(&pair.key)
            ),
            Credentials::Token(token) => format!("    token: {}\n", quoted(token)),
        };
        format!(
            "apiVersion: v1\n\
             kind: Config\n\
             current-context: kgen-testenv\n\
             clusters:\n\
             - name: kgen-testenv\n\
             \x20 cluster:\n\
             \x20   server: {server}\n\
             \x20   certificate-authority-data: {authority}\n\
             users:\n\
             - name: {user}\n\
             \x20 user:\n\
             {credentials}\
             contexts:\n\
             - name: kgen-testenv\n\
             \x20 context:\n\
             \x20   cluster: kgen-testenv\n\
             \x20   user: {user}\n\
             \x20   namespace: {namespace}\n",
            server = self.server,
            authority = STANDARD.encode(&self.authority),
            user = quoted(&self.user),
            namespace = quoted(&self.namespace),
        )
    }

    /// Writes the kubeconfig to a file, for a program that takes `--kubeconfig` or `KUBECONFIG`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        std::fs::write(path, self.to_yaml()).context("write", path)
    }

    /// Returns a client of the `kube` crate for this user.
    ///
    /// It is bound to the current Tokio runtime: create one per test.
    ///
    /// # Errors
    ///
    /// Returns an error if kube rejects the kubeconfig.
    #[cfg(feature = "kube")]
    pub async fn client(&self) -> Result<kube::Client> {
        use crate::error::Error;

        let read = kube::config::Kubeconfig::from_yaml(&self.to_yaml()).map_err(|source| Error::Client {
            source: source.into(),
        })?;
        let config = kube::Config::from_custom_kubeconfig(read, &Default::default())
            .await
            .map_err(|source| Error::Client {
                source: source.into(),
            })?;
        kube::Client::try_from(config).map_err(|source| Error::Client {
            source: source.into(),
        })
    }
}

/// Returns a string as YAML. JSON strings are also YAML strings; the names of service accounts contain colons, so they
/// must be quoted.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_reads_as_yaml_and_keeps_what_went_in() {
        let kubeconfig = Kubeconfig {
            server: "https://127.0.0.1:20000".into(),
            authority: "-----BEGIN CERTIFICATE-----".into(),
            user: "system:serviceaccount:default:foo".into(),
            namespace: "default".into(),
            credentials: Credentials::Token("abc.def".into()),
        };
        let read: serde_json::Value = serde_saphyr::from_str(&kubeconfig.to_yaml()).unwrap();
        assert_eq!(
            read["clusters"][0]["cluster"]["server"],
            "https://127.0.0.1:20000"
        );
        assert_eq!(read["users"][0]["name"], "system:serviceaccount:default:foo");
        assert_eq!(read["users"][0]["user"]["token"], "abc.def");
        assert_eq!(read["contexts"][0]["context"]["user"], read["users"][0]["name"]);
        assert_eq!(read["contexts"][0]["name"], read["current-context"]);
    }
}
