//! The webhooks of version `v1`.

pub mod admiralty;
pub mod tug;
