//! Requests of tests to a running control plane: CRDs, tokens, compaction.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::control_plane::ControlPlane;
use crate::control_plane::lifecycle::POLL;
use crate::error::{Error, Result};
use crate::https::Content;
use crate::kubeconfig::{Credentials, Kubeconfig};
use crate::manifests::{Document, Manifests};

/// The path of CRDs.
const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// How long the API server may take to serve a CRD that it has accepted.
const ESTABLISHED_WITHIN: Duration = Duration::from_secs(30);

/// The lifetime of a service account token in a kubeconfig: longer than any test.
const TOKEN_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

impl ControlPlane {
    /// Applies the CRDs in files, folders or text, waits until they are served, and returns their names.
    ///
    /// Documents of other kinds are ignored (a folder of CRDs often has a kustomization), but there must be at least one CRD.
    /// The text is sent unchanged, and unknown fields are rejected. Applying a changed CRD again updates it.
    ///
    /// ```no_run
    /// # async fn example(control_plane: &kgen_testenv::ControlPlane) -> kgen_testenv::Result<()> {
    /// use std::path::Path;
    ///
    /// control_plane.install_crds(Path::new("config/crd")).await?;
    /// control_plane.install_crds(include_str!("../../tests/crds/foo.yaml")).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or if the API server rejects a CRD ([`Error::Refused`], with its message) or
    /// does not serve it.
    pub async fn install_crds(&self, manifests: impl Into<Manifests>) -> Result<Vec<String>> {
        let crds = manifests.into().documents_of(&["CustomResourceDefinition"])?;
        for crd in &crds {
            let path = format!(
                "{CRDS}/{}?fieldManager=kgen-testenv&force=true&fieldValidation=Strict",
                crd.name
            );
            let content = Content {
                kind: "application/apply-patch+yaml",
                bytes: crd.text.clone().into_bytes(),
            };
            self.api("PATCH", &path, Some(content)).await?;
        }
        for crd in &crds {
            self.wait_until_served(crd).await?;
        }
        Ok(crds.into_iter().map(|crd| crd.name).collect())
    }

    /// Waits until a CRD is Established and each served version can be listed. The condition alone is true a moment too
    /// early.
    pub(super) async fn wait_until_served(&self, crd: &Document) -> Result<()> {
        let deadline = Instant::now() + ESTABLISHED_WITHIN;
        loop {
            let found = self.api("GET", &format!("{CRDS}/{}", crd.name), None).await?;
            let missing = match not_established(&found) {
                Some(reason) => reason,
                None => match self.first_unserved(&found).await {
                    Some(path) => format!("{path} is not there"),
                    None => return Ok(()),
                },
            };
            if Instant::now() > deadline || missing.contains("NamesAccepted is False") {
                return Err(Error::NotEstablished {
                    name: crd.name.clone(),
                    reason: missing,
                });
            }
            tokio::time::sleep(POLL).await;
        }
    }

    async fn first_unserved(&self, crd: &Value) -> Option<String> {
        let (group, plural) = (
            crd["spec"]["group"].as_str()?,
            crd["spec"]["names"]["plural"].as_str()?,
        );
        for version in crd["spec"]["versions"].as_array()? {
            if version["served"] == true {
                let path = format!("/apis/{group}/{}/{plural}?limit=1", version["name"].as_str()?);
                // Objects may already exist, and the webhook that converts them to this version may not run yet.
                let is_converted =
                    version["storage"] != true && !crd["spec"]["conversion"]["webhook"].is_null();
                match self.api("GET", &path, None).await {
                    Ok(_) => {}
                    Err(Error::Refused { status, .. }) if is_converted && status != 404 => {}
                    Err(_) => return Some(path),
                }
            }
        }
        None
    }

    /// Returns a token for a service account, from the API server's TokenRequest API. It is valid for at least ten
    /// minutes.
    ///
    /// # Errors
    ///
    /// Returns an error if the service account does not exist. Without a controller manager, default service accounts
    /// do not exist.
    pub async fn service_account_token(
        &self,
        namespace: &str,
        name: &str,
        lifetime: Duration,
    ) -> Result<String> {
        let request = json!({
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "spec": { "expirationSeconds": lifetime.as_secs().max(600) },
        });
        let path = format!("/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token");
        let answer = self.api("POST", &path, Some(Content::json(&request))).await?;
        match answer["status"]["token"].as_str() {
            Some(token) => Ok(token.to_owned()),
            None => Err(Error::Request {
                request: format!("POST {path}"),
                reason: "it has no token".to_owned(),
            }),
        }
    }

    /// Returns a kubeconfig for a service account, so that an operator runs with only its own role.
    ///
    /// # Errors
    ///
    /// Returns an error if the service account does not exist.
    pub async fn service_account_kubeconfig(&self, namespace: &str, name: &str) -> Result<Kubeconfig> {
        let token = self
            .service_account_token(namespace, name, TOKEN_LIFETIME)
            .await?;
        let user = format!("system:serviceaccount:{namespace}:{name}");
        let mut kubeconfig = self
            .layout
            .kubeconfig(&self.authority, &user, Credentials::Token(token));
        kubeconfig.namespace = namespace.to_owned();
        Ok(kubeconfig)
    }

    /// Compacts etcd to the newest revision, and returns that revision.
    ///
    /// etcd answers a watch from an older revision with 410 Gone. The API server answers from its own cache and does
    /// not notice the compaction. To make an operator see the 410, restart the API server afterwards, or start it with
    /// `--watch-cache=false`.
    ///
    /// # Errors
    ///
    /// Returns an error if etcd is not running or rejects the request.
    pub async fn compact_etcd(&self) -> Result<u64> {
        let any_key = STANDARD.encode([0]);
        let range = json!({ "key": any_key, "limit": 1, "keys_only": true });
        let answer = self.etcd("/v3/kv/range", &range).await?;
        // etcd's JSON has 64-bit numbers as strings.
        let revision = answer["header"]["revision"]
            .as_str()
            .and_then(|revision| revision.parse().ok());
        let revision: u64 = revision.ok_or_else(|| Error::Request {
            request: "POST /v3/kv/range".to_owned(),
            reason: format!("etcd did not say its revision: {answer}"),
        })?;
        let compaction = json!({ "revision": revision.to_string(), "physical": true });
        match self.etcd("/v3/kv/compaction", &compaction).await {
            // There were no writes since the last compaction.
            Err(Error::Refused { message, .. }) if message.contains("has been compacted") => Ok(revision),
            other => other.map(|_| revision),
        }
    }

    /// Returns the custom objects of a resource as etcd has them: in the version in which they are stored.
    ///
    /// # Errors
    ///
    /// etcd does not run, refuses, or has something other than JSON.
    pub async fn stored_objects(&self, group: &str, plural: &str) -> Result<Vec<Value>> {
        const PATH: &str = "/v3/kv/range";
        let prefix = format!("/registry/{group}/{plural}/");
        // `0` is the character after `/`.
        let end = STANDARD.encode(format!("/registry/{group}/{plural}0"));
        let mut start = prefix.into_bytes();
        let mut objects = Vec::new();
        loop {
            let range = json!({ "key": STANDARD.encode(&start), "range_end": end, "limit": 500 });
            let answer = self.etcd(PATH, &range).await?;
            let entries = answer["kvs"].as_array().cloned().unwrap_or_default();
            for entry in &entries {
                let bytes = |name: &str| STANDARD.decode(entry[name].as_str().unwrap_or_default());
                let unreadable = |reason: String| Error::Request {
                    request: format!("POST {PATH}"),
                    reason,
                };
                start = bytes("key").map_err(|error| unreadable(error.to_string()))?;
                let value = bytes("value").map_err(|error| unreadable(error.to_string()))?;
                objects.push(serde_json::from_slice(&value).map_err(|error| unreadable(error.to_string()))?);
            }
            if answer["more"] != true || entries.is_empty() {
                return Ok(objects);
            }
            // The next key.
            start.push(0);
        }
    }

    async fn etcd(&self, path: &str, body: &Value) -> Result<Value> {
        self.https
            .json(self.layout.ports.etcd, "POST", path, Some(Content::json(body)))
            .await
    }

    /// Returns a request to the API server as the administrator.
    pub(super) async fn api(
        &self,
        method: &'static str,
        path: &str,
        content: Option<Content>,
    ) -> Result<Value> {
        self.https
            .json(self.layout.ports.api_server, method, path, content)
            .await
    }
}

/// Returns why a CRD is not served yet, from its conditions; `None` if it is served.
fn not_established(crd: &Value) -> Option<String> {
    let conditions = crd["status"]["conditions"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let has = |kind: &str, status: &str| {
        conditions
            .iter()
            .any(|condition| condition["type"] == kind && condition["status"] == status)
    };
    if has("Established", "True") && has("NamesAccepted", "True") {
        return None;
    }
    let described: Vec<String> = conditions
        .iter()
        .map(|condition| {
            let part = |name: &str| condition[name].as_str().unwrap_or_default().to_owned();
            format!("{} is {} ({})", part("type"), part("status"), part("message"))
        })
        .collect();
    Some(if described.is_empty() {
        "it has no conditions yet".to_owned()
    } else {
        described.join(", ")
    })
}
