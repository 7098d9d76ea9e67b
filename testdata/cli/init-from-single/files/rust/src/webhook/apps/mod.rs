//! The webhooks of `apps`.

pub mod v1;
