//! Version `v3` of the group `webapp.example.com`.

pub mod guestbook;
