//! The API of the operator, a module for each version.

pub mod v1alpha1;
