//! What generated clients and operators stand on: the generated code says *which*, this crate says *how*.
//!
//! Each module can be used alone.
//!
//! It is built on kube and k8s-openapi and chooses no version of Kubernetes: the operator turns on one `v1_xx` feature of
//! k8s-openapi.

pub mod clock;
pub mod election;
pub mod finalizer;
pub mod health;
pub mod metrics;
pub mod owner;
pub mod queue;
pub mod recorder;
pub mod retry;
pub mod shutdown;

mod random;
