//! Generates artifacts from a checked API, with one module per generator.
//!
//! A generator takes a [`Checked`] API and its options, and returns artifacts. It uses only the model, not the source
//! text. It does not check the API, and it does not read or write files.
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

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
