//! +groupName=mill.example.org

pub mod other;
pub mod v1;
