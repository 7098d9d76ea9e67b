//! Rewrites one object, and removes the traces of versions that no longer exist.

use kube::Client;
use serde_json::{Map, Value, json};

use super::definition::Definition;
use super::{BACKOFF, MANAGER, RefusedObject, change, get, passes};
use crate::Causes;
use crate::client::transport::{request, request_opt};
use crate::retry::retry_on;

/// Rewrites objects of one kind.
pub(super) struct Rewriter<'r> {
    pub(super) client: &'r Client,
    pub(super) group: &'r str,
    pub(super) plural: &'r str,
    /// The version in the URLs.
    pub(super) version: &'r str,
    pub(super) definition: &'r Definition,
    pub(super) through_status: bool,
}

/// The result for one object.
pub(super) enum Outcome {
    Rewritten,
    /// Somebody deleted the object.
    Gone,
    Refused(RefusedObject),
}

impl Rewriter<'_> {
    /// Rewrites an object, given its metadata.
    pub(super) async fn rewrite(&self, object: &Value) -> Outcome {
        let text = |name: &str| {
            let value = object.pointer(&format!("/metadata/{name}"));
            value.and_then(Value::as_str).unwrap_or_default()
        };
        let (namespace, name) = (text("namespace"), text("name"));
        let path = match namespace {
            "" => format!("/apis/{}/{}/{}/{name}", self.group, self.version, self.plural),
            _ => format!(
                "/apis/{}/{}/namespaces/{namespace}/{}/{name}",
                self.group, self.version, self.plural
            ),
        };
        let mut result = self.patch(&path, object).await;
        if self.through_status && result.is_err() {
            let target = format!("{path}/status?fieldManager={MANAGER}");
            let body = json!({});
            let patched = retry_on(BACKOFF, passes, || async {
                request::<Value>(self.client, merge_patch(&target, &body)).await
            });
            if patched.await.is_ok() {
                result = Ok(());
            }
        }
        match result {
            Ok(()) => Outcome::Rewritten,
            Err(kube::Error::Api(status)) if status.code == 404 => Outcome::Gone,
            Err(error) => Outcome::Refused(RefusedObject {
                name: match namespace {
                    "" => name.to_owned(),
                    _ => format!("{namespace}/{name}"),
                },
                reason: Causes(&error).to_string(),
            }),
        }
    }

    async fn patch(&self, path: &str, object: &Value) -> Result<(), kube::Error> {
        let target = format!("{path}?fieldManager={MANAGER}");
        let mut current = None;
        for wait in BACKOFF.waits().map(Some).chain([None]) {
            let body = self.changes(current.as_ref().unwrap_or(object));
            let result = request::<Value>(self.client, merge_patch(&target, &body)).await;
            let error = match result {
                Ok(_) => return Ok(()),
                Err(error) => error,
            };
            let is_conflict = matches!(&error, kube::Error::Api(status) if status.code == 409);
            let Some(wait) = wait.filter(|_| is_conflict || passes(&error)) else {
                return Err(error);
            };
            tokio::time::sleep(wait).await;
            if is_conflict {
                let partial = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
                let found = retry_on(BACKOFF, passes, || async {
                    request_opt::<Value>(self.client, get(path, Some(partial))).await
                });
                match found.await? {
                    Some(found) => current = Some(found),
                    None => return Ok(()),
                }
            }
        }
        Ok(())
    }

    /// Returns the merge patch of an object: empty, unless it has traces of versions that no longer exist.
    fn changes(&self, object: &Value) -> Value {
        let mut metadata = Map::new();
        let prefix = format!("{}/conversion-", self.group);
        let annotations = object.pointer("/metadata/annotations").and_then(Value::as_object);
        let stale = annotations
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .filter(|name| {
                let version = name.strip_prefix(&prefix);
                version.is_some_and(|version| !self.definition.versions.iter().any(|known| known == version))
            });
        let stale: Map<String, Value> = stale.map(|name| (name.clone(), Value::Null)).collect();
        if !stale.is_empty() {
            metadata.insert("annotations".to_owned(), Value::Object(stale));
        }
        let managed = object
            .pointer("/metadata/managedFields")
            .and_then(Value::as_array);
        let managed = managed.map(Vec::as_slice).unwrap_or_default();
        let mut kept: Vec<Value> = managed
            .iter()
            .filter(|entry| self.is_served(entry))
            .cloned()
            .collect();
        if kept.len() < managed.len() {
            if kept.is_empty() {
                // Without any entry, the next apply would create an owner of all fields.
                kept.push(json!({
                    "manager": MANAGER,
                    "operation": "Update",
                    "apiVersion": format!("{}/{}", self.group, self.version),
                    "fieldsType": "FieldsV1",
                    "fieldsV1": {"f:metadata": {"f:name": {}}},
                }));
            }
            metadata.insert("managedFields".to_owned(), Value::Array(kept));
            // The list is replaced, so it must not have changed in between.
            if let Some(version) = object.pointer("/metadata/resourceVersion") {
                metadata.insert("resourceVersion".to_owned(), version.clone());
            }
        }
        match metadata.is_empty() {
            true => json!({}),
            false => json!({"metadata": metadata}),
        }
    }

    /// Returns whether the version of an entry of the managed fields is served.
    fn is_served(&self, entry: &Value) -> bool {
        let api_version = entry
            .get("apiVersion")
            .and_then(Value::as_str)
            .unwrap_or_default();
        match api_version.split_once('/') {
            Some((group, version)) if group == self.group => {
                self.definition.served.iter().any(|served| served == version)
            }
            _ => true,
        }
    }
}

fn merge_patch(path: &str, body: &Value) -> crate::client::transport::Built {
    change("PATCH", path, "application/merge-patch+json", body)
}
