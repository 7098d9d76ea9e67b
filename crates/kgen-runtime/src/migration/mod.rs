//! Rewrites all objects of a kind in the stored version, so that an old version can be removed from the CRD.
//!
//! The API server writes an object in the stored version only when a client writes it. A migration sends an empty patch
//! for every object and then removes the old versions from `status.storedVersions` of the CRD. It can be killed at any
//! moment and started again: nothing is removed before every object is rewritten.
//!
//! ```no_run
//! use kgen_runtime::migration::StorageMigration;
//! # use k8s_openapi::api::core::v1::ConfigMap as Widget;
//!
//! # async fn example(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
//! let report = StorageMigration::of::<Widget>(client).run().await?;
//! println!("{} objects were rewritten", report.migrated);
//! # Ok(())
//! # }
//! ```
//!
//! [`Manager::migrate_storage`](crate::manager::Manager::migrate_storage) does the same as the leader of an operator.

mod by_server;
mod definition;
mod object;

use std::fmt;
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _, stream};
use kube::{Client, Resource};
use serde_json::{Value, json};
use thiserror::Error;

use self::definition::Definition;
use self::object::{Outcome, Rewriter};
use crate::client::transport::{Built, request};
use crate::retry::{Backoff, retry_on};

/// The field manager of the patches.
pub(crate) const MANAGER: &str = "kgen-migration";
/// The number of objects that are patched at a time.
const PARALLEL: usize = 8;
/// The number of objects in one answer.
const PAGE: usize = 500;
/// How often the migration starts again because the CRD has changed.
const STARTS: usize = 10;
/// For errors that pass: about half a minute.
const BACKOFF: Backoff = Backoff {
    steps: 9,
    wait: Duration::from_millis(100),
    factor: 2.0,
    jitter: 0.2,
    cap: Duration::from_secs(10),
};

/// A migration of the objects of one kind.
#[derive(Clone)]
#[must_use = "nothing is migrated before `run`"]
pub struct StorageMigration {
    client: Client,
    group: String,
    plural: String,
    version: String,
    through_status: bool,
    by_api_server: bool,
}

impl fmt::Debug for StorageMigration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("StorageMigration")
            .field("resource", &format_args!("{}.{}", self.plural, self.group))
            .field("through_status", &self.through_status)
            .field("by_api_server", &self.by_api_server)
            .finish_non_exhaustive()
    }
}

/// The result of a migration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MigrationReport {
    /// The number of objects that were patched. Those that had the stored version already are among them. If
    /// `status.storedVersions` had only the stored version, it is the number of objects with managers of a version that is not
    /// served, or with kept values of a version that does not exist.
    pub migrated: usize,
    /// The versions that were removed from `status.storedVersions`.
    pub removed_versions: Vec<String>,
}

/// An object that could not be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedObject {
    /// The namespace and name, such as `default/a`.
    pub name: String,
    /// The message of the API server.
    pub reason: String,
}

impl fmt::Display for RefusedObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name, self.reason)
    }
}

/// Why a migration failed. In every case it can be started again.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MigrationError {
    /// A request failed.
    #[error("{}", crate::Causes(.0))]
    Kube(kube::Error),
    /// Some objects could not be rewritten, so `status.storedVersions` is unchanged.
    #[error("{} objects of {resource} could not be rewritten: {}", .objects.len(), listed(.objects))]
    Refused {
        /// Plural and group, as in `widgets.example.com`.
        resource: String,
        /// The objects.
        objects: Vec<RefusedObject>,
    },
    /// The CRD does not have a stored version or a served version.
    #[error("the CRD {0} has no stored or no served version")]
    Definition(String),
    /// The CRD changed again and again.
    #[error("the CRD {0} changed during each of {STARTS} attempts")]
    Restless(String),
    /// The API server does not serve `storagemigration.k8s.io`.
    #[error("the API server does not serve storagemigration.k8s.io")]
    NotServed,
    /// The API server's own migration failed.
    #[error("the StorageVersionMigration {name} failed: {reason}")]
    ByServer {
        /// The name of the object.
        name: String,
        /// The reason in its status.
        reason: String,
    },
}

impl From<kube::Error> for MigrationError {
    fn from(error: kube::Error) -> Self {
        Self::Kube(error)
    }
}

/// Lists the first objects.
fn listed(objects: &[RefusedObject]) -> String {
    let shown = 5;
    let mut texts: Vec<String> = objects.iter().take(shown).map(ToString::to_string).collect();
    if objects.len() > shown {
        texts.push(format!("and {} more", objects.len() - shown));
    }
    texts.join("; ")
}

impl StorageMigration {
    /// Makes a migration of the objects of kind `K`. `client` may read and patch them and the CRD.
    pub fn of<K: Resource<DynamicType = ()>>(client: Client) -> Self {
        Self {
            client,
            group: K::group(&()).into_owned(),
            plural: K::plural(&()).into_owned(),
            version: K::version(&()).into_owned(),
            through_status: false,
            by_api_server: false,
        }
    }

    /// Patches an object through the status subresource if the other patch is refused. Most admission webhooks are not called
    /// there.
    pub fn through_status(mut self) -> Self {
        self.through_status = true;
        self
    }

    /// Lets the API server do the work: creates a `StorageVersionMigration` and waits for it.
    pub fn by_api_server(mut self) -> Self {
        self.by_api_server = true;
        self
    }

    /// Rewrites all objects and removes the other versions from `status.storedVersions`.
    ///
    /// If all objects are stored in the stored version, it only removes the managed fields of versions that are not served, and
    /// the kept values of versions that no longer exist. Run it again after a version is no longer served, and again after it
    /// is removed.
    ///
    /// # Errors
    ///
    /// Fails if an object was refused, if a request failed, or if the CRD changed again and again.
    pub async fn run(self) -> Result<MigrationReport, MigrationError> {
        let mut report = MigrationReport::default();
        for _ in 0..STARTS {
            let definition = Definition::read(&self.get_definition().await?)
                .ok_or_else(|| MigrationError::Definition(self.resource()))?;
            if definition.is_done() {
                // When a version is removed, its managers make every apply fail. Its annotations are stale only then, and
                // the CRD does not tell whether there are any.
                report.migrated = self.rewrite_all(&definition).await?;
                return Ok(report);
            }
            if self.by_api_server {
                by_server::migrate(&self.client, &self.group, &self.plural, &definition.stored).await?;
            } else {
                report.migrated = self.rewrite_all(&definition).await?;
            }
            if self.remove_versions(&definition).await? {
                report.removed_versions = definition.others();
                return Ok(report);
            }
        }
        Err(MigrationError::Restless(self.resource()))
    }

    fn resource(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    fn definition_path(&self) -> String {
        format!(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{}",
            self.resource()
        )
    }

    async fn get_definition(&self) -> Result<Value, kube::Error> {
        let path = self.definition_path();
        retry_on(BACKOFF, passes, || request(&self.client, get(&path, None))).await
    }

    /// Rewrites all objects. Returns their number.
    async fn rewrite_all(&self, definition: &Definition) -> Result<usize, MigrationError> {
        let version = definition
            .path_version(&self.version)
            .ok_or_else(|| MigrationError::Definition(self.resource()))?;
        let rewriter = Rewriter {
            client: &self.client,
            group: &self.group,
            plural: &self.plural,
            version,
            definition,
            through_status: self.through_status,
        };
        let mut count = 0;
        let mut refused = Vec::new();
        let mut next = String::new();
        loop {
            let path = format!(
                "/apis/{}/{version}/{}?limit={PAGE}{next}",
                self.group, self.plural
            );
            let partial = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
            let listed = retry_on(BACKOFF, passes, || {
                request::<Value>(&self.client, get(&path, Some(partial)))
            });
            let page = match listed.await {
                Ok(page) => page,
                // The place in the list is too old, so the list begins again.
                Err(kube::Error::Api(status)) if status.code == 410 && !next.is_empty() => {
                    next.clear();
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let items = page.get("items").and_then(Value::as_array);
            let objects = items.map(Vec::as_slice).unwrap_or_default();
            let rewriting: Vec<_> = objects
                .iter()
                .map(|object| rewriter.rewrite(object).boxed())
                .collect();
            let mut outcomes = stream::iter(rewriting).buffer_unordered(PARALLEL);
            while let Some(outcome) = outcomes.next().await {
                match outcome {
                    Outcome::Rewritten => count += 1,
                    Outcome::Gone | Outcome::Clean => {}
                    Outcome::Refused(object) => {
                        tracing::error!(
                            object = object.name,
                            reason = object.reason,
                            "an object was not rewritten"
                        );
                        refused.push(object);
                    }
                }
            }
            drop(outcomes);
            match page.pointer("/metadata/continue").and_then(Value::as_str) {
                None | Some("") => break,
                Some(token) => next = format!("&continue={}", escaped(token)),
            }
        }
        if refused.is_empty() {
            return Ok(count);
        }
        refused.sort_by(|one, other| one.name.cmp(&other.name));
        refused.dedup();
        Err(MigrationError::Refused {
            resource: self.resource(),
            objects: refused,
        })
    }

    /// Removes the other versions from `status.storedVersions`. Returns `false` if the CRD has changed.
    async fn remove_versions(&self, definition: &Definition) -> Result<bool, MigrationError> {
        // The generation changes with the stored version, also if the list of versions does not.
        let patch = json!([
            {"op": "test", "path": "/metadata/generation", "value": definition.generation},
            {"op": "test", "path": "/status/storedVersions", "value": definition.stored_versions},
            {"op": "replace", "path": "/status/storedVersions", "value": [definition.stored]},
        ]);
        let path = format!("{}/status?fieldManager={MANAGER}", self.definition_path());
        let patched = retry_on(BACKOFF, passes, || {
            request::<Value>(
                &self.client,
                change("PATCH", &path, "application/json-patch+json", &patch),
            )
        });
        match patched.await {
            Ok(_) => Ok(true),
            Err(kube::Error::Api(status)) if matches!(status.code, 400 | 409 | 422) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns whether an error may pass if the request is sent again.
fn passes(error: &kube::Error) -> bool {
    match error {
        kube::Error::Api(status) => status.code == 429 || status.code >= 500,
        kube::Error::HyperError(_) | kube::Error::Service(_) | kube::Error::ReadEvents(_) => true,
        _ => false,
    }
}

/// Builds a request to read something.
fn get(path: &str, accept: Option<&str>) -> Built {
    let mut request = http::Request::get(path);
    if let Some(accept) = accept {
        request = request.header(http::header::ACCEPT, accept);
    }
    request
        .body(Vec::new())
        .map_err(kube::core::request::Error::BuildRequest)
}

/// Builds a request to write something.
fn change(method: &str, path: &str, content_type: &str, body: &Value) -> Built {
    http::Request::builder()
        .method(method)
        .uri(path)
        .header(http::header::CONTENT_TYPE, content_type)
        .body(body.to_string().into_bytes())
        .map_err(kube::core::request::Error::BuildRequest)
}

/// Escapes a value for a query.
fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}
