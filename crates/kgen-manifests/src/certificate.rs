//! Objects of cert-manager, and the secrets that it writes.

use serde_json::Value;

use crate::manifests::Manifests;
use crate::object::{Object, text};

/// The group of cert-manager.
const GROUP: &str = "cert-manager.io";

impl Manifests {
    /// Returns the Certificates of cert-manager.
    pub fn certificates(&self) -> impl Iterator<Item = &Object> {
        self.of_kind(GROUP, "Certificate")
    }

    /// Returns whether cert-manager writes a secret.
    #[must_use]
    pub fn is_certificate_secret(&self, namespace: &str, secret: &str) -> bool {
        !secret.is_empty()
            && self.certificates().any(|certificate| {
                certificate.namespace() == namespace
                    && text(&certificate.value["spec"]["secretName"]) == secret
            })
    }

    /// Returns the names of the volumes of a Deployment that hold secrets of cert-manager.
    #[must_use]
    pub fn certificate_volumes(&self, deployment: &Object) -> Vec<String> {
        let volumes = deployment.pod_spec()["volumes"].as_array();
        volumes
            .into_iter()
            .flatten()
            .filter(|volume| {
                volume_secrets(volume)
                    .any(|secret| self.is_certificate_secret(deployment.namespace(), secret))
            })
            .map(|volume| text(&volume["name"]).to_owned())
            .collect()
    }
}

impl Object {
    /// Returns whether the object belongs to cert-manager.
    #[must_use]
    pub fn is_of_cert_manager(&self) -> bool {
        self.group() == GROUP || self.group().ends_with(".cert-manager.io")
    }
}

/// Returns the secrets of a volume, also those of a projected volume.
fn volume_secrets(volume: &Value) -> impl Iterator<Item = &str> {
    let sources = volume["projected"]["sources"].as_array();
    let projected = sources
        .into_iter()
        .flatten()
        .map(|source| text(&source["secret"]["name"]));
    std::iter::once(text(&volume["secret"]["secretName"])).chain(projected)
}
