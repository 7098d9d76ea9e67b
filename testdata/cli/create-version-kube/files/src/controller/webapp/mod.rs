//! The controllers of the kinds of `webapp.example.com`.

pub mod guestbook;
