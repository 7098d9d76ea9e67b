//! The controllers of the kinds of `my-group.example.com`.

pub mod r#type;
