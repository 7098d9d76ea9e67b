//! Webhooks of an operator under test: installs their configurations with a URL on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::control_plane::ControlPlane;
use crate::control_plane::lifecycle::POLL;
use crate::error::{Error, Result};
use crate::https::{Content, HttpsClient};
use crate::manifests::{Document, Manifests};
use crate::serving_certificates::ServingCertificates;

/// The kinds of configurations and their paths.
const KINDS: [(&str, &str); 2] = [
    (
        "MutatingWebhookConfiguration",
        "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    ),
    (
        "ValidatingWebhookConfiguration",
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    ),
];

/// The kind of CRDs, whose conversions are webhooks too, and where they are.
const CRDS: (&str, &str) = (
    "CustomResourceDefinition",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
);

/// The label of the objects that test whether a webhook is reachable. They are never stored.
const PROBE: &str = "kgen-testenv.probe";

/// Webhooks on this machine: the address on which the server has to listen, and its certificate.
///
/// Created by [`ControlPlane::install_webhooks`].
#[derive(Debug)]
pub struct WebhookInstallation {
    certificates: ServingCertificates,
    address: SocketAddr,
    names: Vec<String>,
    reached_within: Duration,
    api: Api,
}

/// The API server, as the administrator.
struct Api {
    https: HttpsClient,
    port: u16,
}

impl std::fmt::Debug for Api {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Api")
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

impl Api {
    async fn apply(&self, path: &str, configuration: &Value) -> Result<Value> {
        let content = Content {
            kind: "application/apply-patch+yaml",
            bytes: configuration.to_string().into_bytes(),
        };
        self.https.json(self.port, "PATCH", path, Some(content)).await
    }
}

impl ControlPlane {
    /// Installs the webhook configurations in files, folders or text, as they are for a cluster, and points them at a server
    /// on this machine: each `clientConfig.service` becomes a URL with the same path, and gets the authority of a new
    /// certificate.
    ///
    /// CRDs with a conversion webhook are installed in the same way, and their versions are served when this returns. CRDs
    /// without one are not installed.
    ///
    /// Documents of other kinds are ignored, but there must be at least one configuration; a `clientConfig` with a URL
    /// is left unchanged. The result has the address on which the server has to listen and the folder of its
    /// certificate. Until the server runs, the API server rejects requests for these webhooks if their `failurePolicy`
    /// is `Fail`.
    ///
    /// ```no_run
    /// # async fn example(control_plane: &kgen_testenv::ControlPlane) -> Result<(), Box<dyn std::error::Error>> {
    /// use std::path::Path;
    /// use std::process::Command;
    ///
    /// let webhooks = control_plane.install_webhooks(Path::new("config/webhook/manifests.yaml")).await?;
    /// let mut operator = Command::new("target/debug/foo-operator")
    ///     .arg(format!("--webhook-address={}", webhooks.address()))
    ///     .arg(format!("--webhook-certificates={}", webhooks.folder().display()))
    ///     .spawn()?;
    /// webhooks.wait_until_reachable().await?;
    /// // … what is wrong is refused …
    /// operator.kill()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or if the API server rejects a configuration ([`Error::Refused`],
    /// with its message).
    pub async fn install_webhooks(&self, manifests: impl Into<Manifests>) -> Result<WebhookInstallation> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let [mutating, validating] = KINDS.map(|(kind, _)| kind);
        let documents = manifests.into().documents_of(&[mutating, validating, CRDS.0])?;
        let folder = format!("webhooks-{}", COUNT.fetch_add(1, Ordering::SeqCst));
        let mut installation = WebhookInstallation {
            certificates: ServingCertificates::new(self.folder().join(folder))?,
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, self.run_folder.claim_port()?)),
            names: Vec::new(),
            reached_within: self.ready_within,
            api: Api {
                https: self.https.clone(),
                port: self.layout.ports.api_server,
            },
        };
        for document in &documents {
            let path = format!(
                "{}/{}?fieldManager=kgen-testenv&force=true&fieldValidation=Strict",
                path_of(&document.kind),
                document.name
            );
            let mut configuration = self.as_the_server_reads_it(document, &path).await?;
            let is_crd = document.kind == CRDS.0;
            if is_crd {
                if configuration["spec"]["conversion"]["webhook"].is_null() {
                    continue;
                }
                // Only the API server writes it.
                configuration
                    .as_object_mut()
                    .map(|fields| fields.remove("status"));
            }
            redirect(
                &mut configuration,
                installation.address,
                installation.certificates.authority(),
            );
            if is_crd {
                self.remove_service(&document.name, &configuration["spec"]["conversion"])
                    .await?;
            }
            installation.api.apply(&path, &configuration).await?;
            installation.names.push(document.name.clone());
            if is_crd {
                self.wait_until_served(document).await?;
            }
        }
        Ok(installation)
    }

    /// Replaces the service of a CRD that already exists. Another field manager may own it, so that an apply would keep it
    /// beside the URL, and the API server allows only one of them.
    async fn remove_service(&self, name: &str, conversion: &Value) -> Result<()> {
        let mut conversion = conversion.clone();
        conversion["webhook"]["clientConfig"]["service"] = Value::Null;
        let content = Content {
            kind: "application/merge-patch+json",
            bytes: json!({ "spec": { "conversion": conversion } })
                .to_string()
                .into_bytes(),
        };
        match self
            .api("PATCH", &format!("{}/{name}", CRDS.1), Some(content))
            .await
        {
            Err(Error::Refused { status: 404, .. }) => Ok(()),
            other => other.map(drop),
        }
    }

    /// Returns the document as JSON. The API server converts it in a dry run, because only the API server knows its
    /// exact meaning.
    async fn as_the_server_reads_it(&self, document: &Document, path: &str) -> Result<Value> {
        let content = Content {
            kind: "application/apply-patch+yaml",
            bytes: document.text.clone().into_bytes(),
        };
        let mut read = self
            .api("PATCH", &format!("{path}&dryRun=All"), Some(content))
            .await?;
        let labels = read["metadata"]["labels"].take();
        let annotations = read["metadata"]["annotations"].take();
        read["metadata"] = json!({ "name": document.name });
        for (name, value) in [("labels", labels), ("annotations", annotations)] {
            if !value.is_null() {
                read["metadata"][name] = value;
            }
        }
        Ok(read)
    }
}

impl WebhookInstallation {
    /// Returns the folder with `tls.crt` and `tls.key` for the server. It is removed with the control plane.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.certificates.folder()
    }

    /// Returns the address on which the server has to listen.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the names of the configurations.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the certificate of the server, and the authority that signed it.
    #[must_use]
    pub fn certificates(&self) -> &ServingCertificates {
        &self.certificates
    }

    /// Gives the server a new certificate, as a cluster does every few months.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be written.
    pub fn replace_certificate(&self) -> Result<()> {
        self.certificates.replace()
    }

    /// Waits until the configurations are in effect and the API server can call the server, with the certificate that
    /// it trusts.
    ///
    /// The API server itself makes the test: a probe configuration of the same kind, installed after the others, makes
    /// it call the server for an object that is never stored. It activates configurations in the order in which they
    /// were installed, so when it calls the probe, the others are active too.
    ///
    /// # Errors
    ///
    /// Returns an error if this takes longer than [`ready_within`](crate::ControlPlaneBuilder::ready_within)
    /// ([`Error::WebhookUnreachable`], with the message of the API server).
    pub async fn wait_until_reachable(&self) -> Result<()> {
        for (kind, path) in KINDS {
            let name = format!("kgen-testenv-probe-{}", self.address.port());
            let path = format!("{path}/{name}");
            let applied = format!("{path}?fieldManager=kgen-testenv&force=true");
            self.api.apply(&applied, &self.probe(kind, &name)).await?;
            let reached = self.wait_until_asked(kind).await;
            self.api.https.json(self.api.port, "DELETE", &path, None).await?;
            reached?;
        }
        Ok(())
    }

    /// Returns a configuration whose webhook is called only for objects with our label.
    fn probe(&self, kind: &str, name: &str) -> Value {
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": kind,
            "metadata": { "name": name },
            "webhooks": [{
                "name": "probe.kgen-testenv.local",
                "clientConfig": {
                    "url": format!("https://{}/kgen-testenv-probe", self.address),
                    "caBundle": STANDARD.encode(self.certificates.authority()),
                },
                "rules": [{
                    "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"],
                }],
                "objectSelector": { "matchLabels": { (PROBE): self.label(kind) } },
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "failurePolicy": "Fail",
                "timeoutSeconds": 5,
            }],
        })
    }

    fn label(&self, kind: &str) -> String {
        format!("{kind}-{}", self.address.port())
    }

    async fn wait_until_asked(&self, kind: &str) -> Result<()> {
        let object = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": { "generateName": "kgen-testenv-probe-", "labels": { (PROBE): self.label(kind) } },
        });
        let deadline = Instant::now() + self.reached_within;
        loop {
            let path = "/api/v1/namespaces/default/configmaps?dryRun=All";
            let answer = self
                .api
                .https
                .json(self.api.port, "POST", path, Some(Content::json(&object)))
                .await;
            let last = match answer {
                Ok(_) => "the configuration is not in effect".to_owned(),
                Err(Error::Refused { message, .. }) if was_answered(&message) => return Ok(()),
                Err(Error::Refused { message, .. }) => message,
                Err(error) => return Err(error),
            };
            if Instant::now() > deadline {
                return Err(Error::WebhookUnreachable {
                    address: self.address,
                    seconds: self.reached_within.as_secs(),
                    last,
                });
            }
            tokio::time::sleep(POLL).await;
        }
    }
}

/// Returns whether the API server got a response from the server. It cannot use the response, because the path does not
/// have a webhook. If there was no response, its message has the failed request (`Post "https://…": connection
/// refused`).
fn was_answered(refusal: &str) -> bool {
    refusal.contains("probe.kgen-testenv.local") && !refusal.contains("Post \"https://")
}

fn path_of(kind: &str) -> &'static str {
    let mut known = KINDS.into_iter().chain([CRDS]);
    known.find(|(name, _)| *name == kind).map_or("", |(_, path)| path)
}

/// Replaces the service of every webhook with `address`.
fn redirect(configuration: &mut Value, address: SocketAddr, authority: &str) {
    let webhooks = match configuration.pointer("/spec/conversion/webhook") {
        Some(_) => configuration
            .pointer_mut("/spec/conversion/webhook")
            .map(std::slice::from_mut),
        None => configuration["webhooks"].as_array_mut().map(Vec::as_mut_slice),
    };
    for webhook in webhooks.into_iter().flatten() {
        let service = &webhook["clientConfig"]["service"];
        if service.is_null() {
            continue;
        }
        let path = service["path"].as_str().unwrap_or("/");
        let slash = if path.starts_with('/') { "" } else { "/" };
        webhook["clientConfig"] = json!({
            "url": format!("https://{address}{slash}{path}"),
            "caBundle": STANDARD.encode(authority),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_become_urls_with_the_same_path() {
        let mut configuration = json!({ "webhooks": [
            { "name": "a", "clientConfig": { "service": { "name": "s", "namespace": "n", "path": "/mutate-a" } } },
            { "name": "b", "clientConfig": { "service": { "name": "s", "namespace": "n" }, "caBundle": "old" } },
            { "name": "c", "clientConfig": { "url": "https://elsewhere.example.com/c" } },
        ] });
        redirect(&mut configuration, ([127, 0, 0, 1], 9443).into(), "pem");
        let configs: Vec<&Value> = (0..3)
            .map(|n| &configuration["webhooks"][n]["clientConfig"])
            .collect();
        assert_eq!(
            configs,
            [
                &json!({ "url": "https://127.0.0.1:9443/mutate-a", "caBundle": "cGVt" }),
                &json!({ "url": "https://127.0.0.1:9443/", "caBundle": "cGVt" }),
                &json!({ "url": "https://elsewhere.example.com/c" }),
            ]
        );
    }

    #[test]
    fn the_conversion_of_a_crd_becomes_a_url() {
        let mut definition = json!({ "spec": { "conversion": { "strategy": "Webhook", "webhook": {
            "clientConfig": { "service": { "name": "s", "namespace": "n", "path": "/convert" } },
            "conversionReviewVersions": ["v1"],
        } } } });
        redirect(&mut definition, ([127, 0, 0, 1], 9443).into(), "pem");
        assert_eq!(
            definition["spec"]["conversion"]["webhook"],
            json!({
                "clientConfig": { "url": "https://127.0.0.1:9443/convert", "caBundle": "cGVt" },
                "conversionReviewVersions": ["v1"],
            })
        );
    }

    #[test]
    fn only_an_answer_counts() {
        let call = "Internal error occurred: failed calling webhook \"probe.kgen-testenv.local\": failed to call webhook: ";
        assert!(was_answered(&format!(
            "{call}the server could not find the requested resource"
        )));
        let refused =
            "Post \"https://127.0.0.1:1/x?timeout=5s\": dial tcp 127.0.0.1:1: connect: connection refused";
        assert!(!was_answered(&format!("{call}{refused}")));
        assert!(!was_answered("namespaces \"default\" not found"));
        assert!(was_answered(
            "admission webhook \"probe.kgen-testenv.local\" denied the request: no"
        ));
    }
}
