//! The webhooks of version `v1`.

pub mod deployment;
