//! The API.

pub mod v1alpha1;
