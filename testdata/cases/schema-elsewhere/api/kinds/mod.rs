//! +groupName=dairy.example.org

pub mod schemas;
pub mod v1;
