//! From a checked API to artifacts: one module per product.
//!
//! Nothing here knows about source text: the model answers every question. A generator takes a [`Checked`] API and its
//! options and returns artifacts; it checks nothing about the API, and it reads and writes no files.
//!
//! [`Checked`]: kgen_check::Checked

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod artifact;
pub mod crd;
mod manifest;
pub mod rbac;
pub mod rust;
pub mod webhook;

pub use artifact::Artifact;

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
