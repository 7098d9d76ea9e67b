//! An in-memory Kubernetes cluster for tests.

pub mod apply;
