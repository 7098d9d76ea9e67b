//! +groupName=webapp.example.com
//! The kinds of `webapp.example.com`.

pub mod v1;
