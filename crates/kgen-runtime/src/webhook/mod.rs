//! Admission webhooks that are served: filling in what was left out, and refusing what is wrong.
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
//!             None => verdict.required(field("data").key("team"), "somebody must care"),
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
//! A [`Conversion`](crate::conversion::Conversion) is served with [`converting`](WebhookServerBuilder::converting), at `/convert`.
//!
//! # What can go wrong, and what then happens
//!
//! | | |
//! |---|---|
//! | a handler panics | the request is denied with an internal error, `controller_runtime_webhook_panics_total` counts it |
//! | a handler takes too long | the request is denied before the API server gives up; the handler's future is dropped |
//! | an object does not fit the Rust type | denied as invalid, with the field and what is wrong |
//! | an object of another kind or version | denied, with what was expected |
//! | something else than an `AdmissionReview` | an HTTP error with a `Status` that says what is wrong |
//! | more connections than allowed | the one that has been idle longest is closed |
//! | more bodies than fit into memory | the unfinished one that has made no progress for longest is answered with 408 |
//! | a body that is too large | 413 |
//! | the certificate is replaced | new connections get the new one, open ones go on |
//! | half of it is replaced, or nonsense | the old one is kept, the log says why |
//!
//! With `panic = "abort"` in the profile a panic ends the process; operators that serve webhooks should keep unwinding.

mod answer;
mod certificates;
mod connection;
mod conversion;
mod deadline;
mod field_error;
mod field_path;
mod handler;
mod patch;
mod request;
mod review;
mod router;
mod server;
mod value_text;
mod verdict;

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::certificates::CertificateError;
pub use self::field_error::{FieldError, FieldErrorKind};
pub use self::field_path::{FieldPath, field};
pub use self::request::{Operation, Request};
pub use self::server::{DEFAULT_CERTIFICATES, WebhookError, WebhookServer, WebhookServerBuilder};
pub use self::verdict::Verdict;

/// What a webhook can be written for: any type of a kind that is known when the program is built.
pub trait AdmissionObject:
    kube::Resource<DynamicType = ()> + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<K> AdmissionObject for K where
    K: kube::Resource<DynamicType = ()> + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// Fills in what was left out of an object, before it is validated and stored.
///
/// It runs before the API server checks the schema and all validation; other webhooks may run after it, and then it may be
/// called again. So it must be idempotent, and must not do anything but change the object.
pub trait Defaulter: Send + Sync + 'static {
    /// The kind.
    type Object: AdmissionObject;

    /// Fills in what was left out. Not called for deletions.
    ///
    /// What it changes becomes a patch; fields that the Rust type does not know are not touched. A verdict that denies is
    /// possible, but checks belong into a [`Validator`], which sees the object as it will be stored.
    fn default(&self, object: &mut Self::Object, request: &Request) -> impl Future<Output = Verdict> + Send;
}

/// Refuses what is wrong. What is not implemented is allowed.
///
/// Each method sees the object as it will be stored, and may be called for a dry run ([`Request::dry_run`]).
pub trait Validator: Send + Sync + 'static {
    /// The kind.
    type Object: AdmissionObject;

    /// Whether this object may be created.
    fn validate_create(
        &self,
        object: &Self::Object,
        request: &Request,
    ) -> impl Future<Output = Verdict> + Send {
        let _ = (object, request);
        async { Verdict::default() }
    }

    /// Whether `old` may become `new`.
    ///
    /// Also called when an object that is being deleted loses a finalizer: refusing that would keep it for ever, so check
    /// `new.meta().deletion_timestamp` before refusing what was already there.
    fn validate_update(
        &self,
        old: &Self::Object,
        new: &Self::Object,
        request: &Request,
    ) -> impl Future<Output = Verdict> + Send {
        let _ = (old, new, request);
        async { Verdict::default() }
    }

    /// Whether this object may be deleted.
    fn validate_delete(
        &self,
        object: &Self::Object,
        request: &Request,
    ) -> impl Future<Output = Verdict> + Send {
        let _ = (object, request);
        async { Verdict::default() }
    }
}
