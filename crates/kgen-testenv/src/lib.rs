//! A real Kubernetes control plane for tests.
//!
//! What Go authors have in envtest, for Rust, and more: etcd and kube-apiserver, and if wanted
//! kube-controller-manager, kube-scheduler and nodes played by [kwok](https://kwok.sigs.k8s.io), so that a Deployment gets
//! running pods. Each control plane has free ports, certificates and a folder of its own; it is ready in seconds, several
//! run at once, and all is stopped and removed whatever happens to the test. No container runtime is needed.
//!
//! ```no_run
//! use kgen_testenv::{Component, ControlPlane, Result};
//!
//! #[tokio::test]
//! async fn the_operator_survives_a_restart_of_the_api_server() -> Result<()> {
//!     let Some(control_plane) = ControlPlane::builder().with_nodes(1).start_or_skip().await? else {
//!         return Ok(()); // no binaries and no Go on this machine: said on stderr
//!     };
//!     control_plane.install_crds(std::path::Path::new("config/crd")).await?;
//!     let status = control_plane.kubectl().args(["apply", "-k", "config/rbac"]).status();
//!     assert!(status.is_ok_and(|status| status.success()));
//!
//!     // The operator as a process, with its own service account and nothing more.
//!     let kubeconfig = control_plane.service_account_kubeconfig("foo-system", "foo-operator").await?;
//!     kubeconfig.write_to(control_plane.folder().join("operator.kubeconfig"))?;
//!     // … start it, create a Foo …
//!
//!     control_plane.kill(Component::ApiServer)?;
//!     control_plane.restart(Component::ApiServer).await?;
//!     // … the Foo becomes Ready …
//!     control_plane.stop().await
//! }
//! ```
//!
//! # Where the binaries come from
//!
//! 1. The folder that `KUBEBUILDER_ASSETS` names, as for envtest: etcd, kube-apiserver and kubectl, and for nodes
//!    kube-controller-manager, kube-scheduler and kwok.
//! 2. The cache: `$KGEN_ASSETS`, else `$XDG_CACHE_HOME/kgen/control-plane`, else `~/.cache/kgen/control-plane`.
//! 3. A build with Go 1.26 or newer from the Go module proxy into that cache: once, some ten minutes.
//!
//! # Variables
//!
//! | variable | meaning |
//! |---|---|
//! | `KUBEBUILDER_ASSETS` | folder with ready binaries |
//! | `KGEN_ASSETS` | cache folder |
//! | `KGEN_KUBERNETES` | version, such as `1.36` or `1.36.4`, where the test does not choose |
//! | `KGEN_E2E` | `required`: no binaries is a failure; `off`: skip (see [`skip`]) |
//! | `KGEN_LOGS` | folder in which logs are kept |
//!
//! # Features
//!
//! - `kube`: `ControlPlane::client()` and `Kubeconfig::client()`.
//! - `suite`: a test harness that counts tests as ignored where there are no binaries.
//! - `cli`: the command `kgen-control-plane`.

#[cfg(not(unix))]
compile_error!("kgen-testenv runs on Linux and macOS: there is no kube-apiserver for this platform");

mod assets;
mod builder;
mod certificates;
#[cfg(feature = "cli")]
pub mod command;
mod components;
mod control_plane;
mod error;
mod https;
mod kubeconfig;
mod manifests;
mod notice;
mod process;
mod run_folder;
pub mod skip;
#[cfg(feature = "suite")]
pub mod suite;
mod watchdog;

pub use assets::{Assets, KGEN_ASSETS, KGEN_KUBERNETES, KUBEBUILDER_ASSETS, Release};
pub use builder::{ControlPlaneBuilder, KGEN_LOGS};
pub use certificates::CertifiedKey;
pub use components::Component;
pub use control_plane::ControlPlane;
pub use error::{Error, Result};
pub use kubeconfig::{Credentials, Kubeconfig};
pub use manifests::Manifests;
