//! Version `v2` of the group `webapp.example.com`.

pub mod guestbook;
