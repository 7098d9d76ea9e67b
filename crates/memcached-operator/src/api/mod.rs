//! The API of the operator, one module per version.

pub mod v1alpha1;
