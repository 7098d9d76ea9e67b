//! The API.

pub mod shared;
pub mod v1;
pub mod v1alpha1;
pub mod v1beta1;
