//! A real Kubernetes control plane for tests.
//!
//! It is the Rust counterpart of envtest, with more components: etcd and kube-apiserver, and optionally
//! kube-controller-manager, kube-scheduler and nodes that [kwok](https://kwok.sigs.k8s.io) simulates, so that a
//! Deployment gets running pods. Each control plane has its own ports, certificates and folder. It is ready in seconds,
//! several can run at the same time, and it is always stopped and removed after the test. It does not need a container
//! runtime.
//!
//! ```
//! use kgen_testenv::{Component, ControlPlane};
//!
//! # const CRD: &str = include_str!("../tests/crds/foo.yaml");
//! # const FOO: &str = r#"{
//! #     "apiVersion": "example.com/v1alpha1", "kind": "Foo",
//! #     "metadata": {"name": "first"}, "spec": {"deploymentName": "first", "replicas": 1}
//! # }"#;
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let Some(control_plane) = ControlPlane::start_or_skip().await? else {
//!     return Ok(()); // no binaries and no Go on this machine: reported on stderr
//! };
//! control_plane.install_crds(CRD).await?;
//!
//! let manifest = control_plane.folder().join("first.json");
//! std::fs::write(&manifest, FOO)?;
//! let status = control_plane.kubectl().args(["apply", "--filename"]).arg(&manifest).status()?;
//! assert!(status.success());
//!
//! control_plane.kill(Component::ApiServer)?;
//! control_plane.restart(Component::ApiServer).await?;
//!
//! let output = control_plane.kubectl().args(["get", "foos", "--output=name"]).output()?;
//! assert_eq!(String::from_utf8(output.stdout)?, "foo.example.com/first\n");
//! control_plane.stop().await?;
//! # Ok(())
//! # }
//! ```
//!
//! An operator under test gets a whole cluster and its own service account:
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use std::path::Path;
//! use std::process::Command;
//!
//! use kgen_testenv::ControlPlane;
//!
//! let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
//! control_plane.install_crds(Path::new("config/crd")).await?;
//! control_plane.kubectl().args(["apply", "-k", "config/rbac"]).status()?;
//!
//! let kubeconfig = control_plane.service_account_kubeconfig("foo-system", "foo-operator").await?;
//! let file = control_plane.folder().join("operator.kubeconfig");
//! kubeconfig.write_to(&file)?;
//! let mut operator = Command::new("target/debug/foo-operator").arg("--kubeconfig").arg(&file).spawn()?;
//! // … create a Foo; its Deployment becomes Available, because kwok simulates the nodes …
//! operator.kill()?;
//! control_plane.stop().await?;
//! # Ok(())
//! # }
//! ```
//!
//! With [`ControlPlaneBuilder::record_access`], [`ControlPlane::access`] lists the RBAC markers that a role lacks, and those
//! that nobody needed.
//!
//! # Binaries
//!
//! 1. The folder `KUBEBUILDER_ASSETS`, as for envtest: etcd, kube-apiserver and kubectl, and for nodes
//!    kube-controller-manager, kube-scheduler and kwok.
//! 2. The cache: `$KGEN_ASSETS`, otherwise `$XDG_CACHE_HOME/kgen/control-plane`, otherwise
//!    `~/.cache/kgen/control-plane`.
//! 3. A build with Go 1.26 or newer from the Go module proxy into that cache. It runs once and takes about ten minutes.
//!
//! # Variables
//!
//! | variable | meaning |
//! |---|---|
//! | `KUBEBUILDER_ASSETS` | folder with ready binaries |
//! | `KGEN_ASSETS` | cache folder |
//! | `KGEN_KUBERNETES` | default version, such as `1.36` or `1.36.4` |
//! | `KGEN_E2E` | `required`: missing binaries are a failure; `only`: also skip other tests; `off`: skip (see [`skip`]) |
//! | `KGEN_LOGS` | folder for logs |
//!
//! # Features
//!
//! - `kube`: `ControlPlane::client()` and `Kubeconfig::client()`.
//! - `suite`: a test harness that counts tests as ignored if the binaries are not available.
//! - `cli`: the command `kgen-control-plane`.

/// Tests the examples in the README.
#[cfg(all(doctest, feature = "kube"))]
#[doc = include_str!("../README.md")]
struct Readme;

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
mod serving_certificates;
pub mod skip;
#[cfg(feature = "suite")]
pub mod suite;
mod watchdog;

pub use assets::{Assets, KGEN_ASSETS, KGEN_KUBERNETES, KUBEBUILDER_ASSETS, Release};
pub use builder::{ControlPlaneBuilder, KGEN_LOGS};
pub use certificates::CertifiedKey;
pub use components::Component;
pub use control_plane::{ControlPlane, WebhookInstallation};
pub use error::{Error, Result};
pub use kubeconfig::{Credentials, Kubeconfig};
pub use manifests::Manifests;
pub use serving_certificates::ServingCertificates;
