//! +groupName=my-group.example.com
//! The kinds of `my-group.example.com`.

pub mod v1;
