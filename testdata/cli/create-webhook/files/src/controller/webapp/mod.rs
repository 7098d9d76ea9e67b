//! What is done about the kinds of `webapp.example.com`.

pub mod guestbook;
pub mod ledger;
