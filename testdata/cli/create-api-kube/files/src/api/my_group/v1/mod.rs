//! Version `v1` of the group `my-group.example.com`.

pub mod r#type;
