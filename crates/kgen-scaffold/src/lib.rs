//! New operator projects, and what they grow by: `kgen init`, `kgen create api`, `kgen create webhook`.
//!
//! Every command makes a [`Scaffold`] in memory: files to write, lines to add to files of the user at the place that parsing
//! finds, and advice where no place was found. Nothing is written here; `kgen-build` carries the plan out.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod api;
mod draft;
mod edit;
mod external;
mod init;
mod kind;
mod kinds;
mod names;
mod names_in_code;
mod project;
mod render;
mod source;
mod webhook;

pub use api::{ApiOptions, Subject, create_api};
pub use draft::{Advice, Scaffold};
pub use init::{InitOptions, init};
pub use project::Style;
pub use source::KgenSource;
pub use webhook::{WebhookOptions, create_webhook};

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
