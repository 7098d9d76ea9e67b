//! +groupName=webapp.example.com
//! The kinds of `webapp.example.com`.

pub mod v1;
pub mod v1beta1;
