//! What is done about the kinds of `the core of Kubernetes`.

pub mod pod;
