//! The webhooks of `webapp.example.com`.

pub mod v2;
