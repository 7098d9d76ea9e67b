//! Kubernetes manifests: YAML with the place of every value, and the objects of a deployment.
//!
//! [`yaml`] reads text into a tree. [`Manifests`] has the objects of several texts and answers how they are connected: the
//! Deployment behind a Service, the roles of a ServiceAccount, the webhooks, the secrets of cert-manager. Nothing here
//! touches the disk; `kgen-build` reads the files and runs kustomize.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod access;
mod certificate;
mod manifests;
mod object;
mod webhook;
mod workload;
pub mod yaml;

pub use access::{Binding, RoleScope};
pub use manifests::Manifests;
pub use object::Object;
pub use webhook::{Webhook, WebhookService};
pub use workload::{WATCH_NAMESPACE, is_watch_flag};

#[cfg(test)]
mod tests;

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
