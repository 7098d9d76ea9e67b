//! Version `v1beta1` of the group `webapp.example.com`.

pub mod guestbook;
