//! The API of the operator, one module per version.

pub mod v1;
pub mod v1alpha1;
