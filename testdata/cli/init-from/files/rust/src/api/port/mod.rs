//! +groupName=port.example.com
//! The kinds of `port.example.com`.

pub mod v1;
pub mod v2;
