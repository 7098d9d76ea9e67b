//! +groupName=bakery.example.org

pub mod v1;
