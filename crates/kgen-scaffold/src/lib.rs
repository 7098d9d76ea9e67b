//! Creates operator projects and changes them: `kgen init`, `kgen create`, `kgen delete`,
//! `kgen update`.
//!
//! Every command builds a [`Scaffold`] in memory. It contains files to write, lines to add to the user's files, and advice
//! for lines that could not be added. `kgen-build` writes the files.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod api;
mod built_in;
mod conversion;
mod delete;
mod draft;
mod edit;
mod examples;
mod external;
mod from;
mod init;
mod kind;
mod kinds;
mod license;
mod names;
mod names_in_code;
mod project;
mod record;
#[cfg(test)]
mod remote;
mod render;
mod source;
mod update;
mod version;
mod webhook;
mod webhook_manifests;

pub use api::{ApiOptions, Subject, create_api};
pub use delete::{DeleteOptions, delete_api, delete_webhook};
pub use draft::{Advice, Left, Next, Refusal, Scaffold};
pub use external::Foreign;
pub use from::{FromOptions, Originals, init_from};
pub use init::{InitOptions, init};
pub use license::License;
pub use project::Style;
pub use source::KgenSource;
pub use update::update;
pub use webhook::{WebhookOptions, create_webhook};

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
