//! Version `v1` of the group `webapp.example.com`.

pub mod guestbook;
pub mod ledger;
