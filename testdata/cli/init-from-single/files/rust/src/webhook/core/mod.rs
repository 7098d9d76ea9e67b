//! The webhooks of the core group.

pub mod v1;
