//! +groupName=harbor.example.org
pub mod v1;
