// Imported by kgen from certificates.cert-manager.io.

use kube::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "cert-manager.io",
    version = "v1",
    kind = "Certificate",
    plural = "certificates",
    singular = "certificate",
    namespaced,
    derive = "PartialEq",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct CertificateSpec {
    pub secret_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dns_names: Option<Vec<String>>,
}
