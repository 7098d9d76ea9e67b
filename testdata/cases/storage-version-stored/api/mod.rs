//! The neighbour of `storage-version`: one version is stored, one is served.
//! +groupName=harbor.example.org

pub mod v1;
pub mod v1beta1;
pub mod v1alpha1;
pub mod v2;
