//! What is done about the kinds of `my-group.example.com`.

pub mod r#type;
