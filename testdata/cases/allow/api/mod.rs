//! +groupName=pottery.example.org
pub mod v1;
