//! +groupName=maze.example.org

pub mod v1beta2;
