//! The webhooks of `ships.example.org`.

pub mod v1;
