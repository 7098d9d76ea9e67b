//! The webhooks of version `v2`.

pub mod guestbook;
