//! A kind, a defaulter and a validator, as in an operator.

use std::sync::Arc;

use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict, field};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// `status` and much of `spec` are missing here on purpose: an operator that is older than its CRD.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Memcached {
    api_version: String,
    kind: String,
    metadata: ObjectMeta,
    pub spec: Spec,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    /// Written even if it was not sent.
    #[serde(default)]
    pub mode: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<Port>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Port {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<i32>,
}

impl k8s_openapi::Resource for Memcached {
    const API_VERSION: &'static str = "cache.example.com/v1";
    const GROUP: &'static str = "cache.example.com";
    const KIND: &'static str = "Memcached";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "memcacheds";
    type Scope = NamespaceResourceScope;
}

impl k8s_openapi::Metadata for Memcached {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// Handlers whose behavior depends on the name of the object.
pub struct Operator;

impl Defaulter for Operator {
    type Object = Memcached;

    async fn default(&self, object: &mut Memcached, request: &Request) -> Verdict {
        misbehave(&request.name).await;
        object.spec.size.get_or_insert(3);
        if object.spec.mode.is_empty() {
            object.spec.mode = "Safe".to_owned();
        }
        for port in &mut object.spec.ports {
            port.port.get_or_insert(11_211);
        }
        let mut verdict = Verdict::default();
        if request.dry_run {
            verdict.warn("nothing is stored");
        }
        verdict
    }
}

impl Validator for Operator {
    type Object = Memcached;

    async fn validate_create(&self, object: &Memcached, request: &Request) -> Verdict {
        misbehave(&request.name).await;
        let mut verdict = Verdict::default();
        let (spec, size) = (field("spec"), object.spec.size.unwrap_or_default());
        if size < 1 {
            verdict.invalid(spec.child("size"), size, "must be at least 1");
        }
        if size > 5 {
            verdict.warn("spec.size above 5 is slow");
        }
        if !["Safe", "Fast"].contains(&object.spec.mode.as_str()) {
            verdict.not_supported(spec.child("mode"), &object.spec.mode, &["Safe", "Fast"]);
        }
        verdict.audit("size", size.to_string());
        verdict
    }

    async fn validate_update(&self, old: &Memcached, new: &Memcached, request: &Request) -> Verdict {
        let mut verdict = self.validate_create(new, request).await;
        if new.spec.size < old.spec.size {
            verdict.forbidden(field("spec").child("size"), "may not shrink");
        }
        verdict
    }

    async fn validate_delete(&self, _object: &Memcached, request: &Request) -> Verdict {
        match request.user_info.username.as_deref() {
            Some("jane") => Verdict::default(),
            _ => Verdict::denied("only jane may do that"),
        }
    }
}

/// A validator that waits for a permit before it decides.
pub struct Gated(pub Arc<Semaphore>);

impl Validator for Gated {
    type Object = Memcached;

    async fn validate_create(&self, _object: &Memcached, _request: &Request) -> Verdict {
        let _open = self.0.acquire().await.unwrap();
        Verdict::default()
    }
}

async fn misbehave(name: &str) {
    match name {
        "panics" => panic!("{name} as told"),
        "hangs" => std::future::pending().await,
        _ => {}
    }
}

/// Returns the object as the API server sends it.
pub fn object(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "cache.example.com/v1", "kind": "Memcached",
        "metadata": { "name": name, "namespace": "default" },
        "spec": spec,
    })
}

/// Returns a review as the API server sends it.
pub fn review(operation: &str, name: &str, object: &Value, old_object: &Value) -> Value {
    json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": format!("uid-of-{name}"),
            "kind": { "group": "cache.example.com", "version": "v1", "kind": "Memcached" },
            "resource": { "group": "cache.example.com", "version": "v1", "resource": "memcacheds" },
            "requestKind": { "group": "cache.example.com", "version": "v1", "kind": "Memcached" },
            "requestResource": { "group": "cache.example.com", "version": "v1", "resource": "memcacheds" },
            "name": name, "namespace": "default", "operation": operation,
            "userInfo": { "username": "joe", "groups": ["system:authenticated"] },
            "object": object, "oldObject": old_object, "dryRun": false,
            "options": { "apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions" },
        },
    })
}

/// Returns a creation.
pub fn create(name: &str, spec: &Value) -> Value {
    review("CREATE", name, &object(name, spec), &Value::Null)
}
