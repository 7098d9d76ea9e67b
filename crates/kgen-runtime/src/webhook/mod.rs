//! A server for admission webhooks, which set defaults and validate objects.
//!
//! A handler implements [`Defaulter`] or [`Validator`] for one kind. [`WebhookServer`] speaks `admission.k8s.io/v1` with the
//! API server, over TLS, at the path that `kgen webhook` writes into the manifest. Needs the feature `webhook`.
//!
//! ```no_run
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kgen_runtime::metrics::Metrics;
//! use kgen_runtime::shutdown::Shutdown;
//! use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict, WebhookServer, field};
//!
//! struct Team;
//!
//! impl Defaulter for Team {
//!     type Object = ConfigMap;
//!
//!     async fn default(&self, object: &mut ConfigMap, request: &Request) -> Verdict {
//!         let author = request.user_info.username.clone().unwrap_or_default();
//!         let annotations = object.metadata.annotations.get_or_insert_default();
//!         annotations.entry("example.com/author".to_owned()).or_insert(author);
//!         Verdict::default()
//!     }
//! }
//!
//! impl Validator for Team {
//!     type Object = ConfigMap;
//!
//!     async fn validate_create(&self, object: &ConfigMap, _request: &Request) -> Verdict {
//!         let mut verdict = Verdict::default();
//!         match object.data.as_ref().and_then(|data| data.get("team")) {
//!             None => verdict.required(field("data").key("team"), "must name the responsible team"),
//!             // data[team]: Invalid value: "": must not be empty
//!             Some(team) if team.is_empty() => verdict.invalid(field("data").key("team"), team, "must not be empty"),
//!             Some(_) => {}
//!         }
//!         verdict
//!     }
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let shutdown = Shutdown::on_signals()?;
//! let metrics = Metrics::default();
//! let server = WebhookServer::builder()
//!     .certificates("/tmp/k8s-webhook-server/serving-certs")
//!     .metrics(&metrics)
//!     .defaulting(Team) // at /mutate--v1-configmap
//!     .validating(Team) // at /validate--v1-configmap
//!     .listen(([0, 0, 0, 0], 9443).into())
//!     .await?;
//! server.serve(shutdown.token().cancelled_owned()).await;
//! # Ok(())
//! # }
//! ```
//!
//! [`converting`](WebhookServerBuilder::converting) serves a [`Conversion`](crate::conversion::Conversion) at `/convert`.
//!
//! # Failures
//!
//! | failure | result |
//! |---|---|
//! | a handler panics | the request is denied with an internal error; `controller_runtime_webhook_panics_total` counts it |
//! | a handler takes too long | the request is denied before the API server gives up; the handler's future is dropped |
//! | an object cannot be deserialized | denied as invalid, with the field and the reason |
//! | an object has another kind or version | denied, with the expected kind and version |
//! | a request is not an `AdmissionReview` | an HTTP error with a `Status` that contains the reason |
//! | there are too many connections | the one that has been idle longest is closed |
//! | there are more bodies than fit into memory | the one that has made no progress for longest gets the response 408 |
//! | a body is too large | the response is 413 |
//! | the certificate is replaced | new connections use the new one; open connections are kept |
//! | the new certificate is invalid or incomplete | the old one is kept, and the reason is logged |
//!
//! With `panic = "abort"` in the profile, a panic ends the process. Operators with webhooks should not use it.

mod answer;
mod certificates;
mod connection;
mod conversion;
mod deadline;
mod field_path;
mod handler;
mod in_process;
mod patch;
mod request;
mod review;
mod router;
mod server;
mod verdict;

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::certificates::CertificateError;
pub(crate) use self::certificates::Certificates;
pub use self::field_path::{FieldPath, field};
pub use self::in_process::InProcess;
pub use self::request::{Operation, Request};
pub(crate) use self::server::watch_certificates;
pub use self::server::{DEFAULT_CERTIFICATES, WebhookError, WebhookServer, WebhookServerBuilder};
pub use self::verdict::Verdict;
pub use kgen_schema::{ErrorKind as FieldErrorKind, FieldError};

/// A type that webhooks can handle: its kind must be known at compile time.
pub trait AdmissionObject:
    kube::Resource<DynamicType = ()> + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<K> AdmissionObject for K where
    K: kube::Resource<DynamicType = ()> + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// Sets defaults in an object before it is validated and stored.
///
/// The API server calls it before it validates the object. It can call it again after other webhooks have changed the
/// object. So a defaulter must be idempotent, and must not do anything but change the object.
pub trait Defaulter: Send + Sync + 'static {
    /// The kind.
    type Object: AdmissionObject;

    /// Sets defaults. It is not called for deletions.
    ///
    /// Its changes become a patch; fields that the Rust type does not have do not change. It can deny the request, but checks
    /// belong in a [`Validator`], which sees the object that will be stored.
    fn default(&self, object: &mut Self::Object, request: &Request) -> impl Future<Output = Verdict> + Send;
}

/// Validates objects. Operations without an implementation are allowed.
///
/// Each method sees the object that will be stored, and can be called for a dry run ([`Request::dry_run`]).
pub trait Validator: Send + Sync + 'static {
    /// The kind.
    type Object: AdmissionObject;

    /// Validates the creation of an object.
    fn validate_create(
        &self,
        object: &Self::Object,
        request: &Request,
    ) -> impl Future<Output = Verdict> + Send {
        let _ = (object, request);
        async { Verdict::default() }
    }

    /// Validates a change from `old` to `new`.
    ///
    /// It is also called when a finalizer is removed from an object that is being deleted. Denying that would keep the object
    /// forever, so check `new.meta().deletion_timestamp` before you deny a value that has not changed.
    fn validate_update(
        &self,
        old: &Self::Object,
        new: &Self::Object,
        request: &Request,
    ) -> impl Future<Output = Verdict> + Send {
        let _ = (old, new, request);
        async { Verdict::default() }
    }

    /// Validates the deletion of an object.
    fn validate_delete(
        &self,
        object: &Self::Object,
        request: &Request,
    ) -> impl Future<Output = Verdict> + Send {
        let _ = (object, request);
        async { Verdict::default() }
    }
}
