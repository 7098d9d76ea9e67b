//! The webhooks of `port.example.com`.

pub mod v1;
