//! +groupName=harbor.example.org

pub mod new;
pub mod old;
