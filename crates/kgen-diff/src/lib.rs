//! Two models in, findings with witnesses out; and the conventions of Kubernetes APIs as lints.
//!
//! [`compare`] walks two resolved models side by side and collects changes. `witness` then tries to prove every claim
//! about values with an object that `kgen-schema` judges. A claim without a witness is only risky. Nothing here reads
//! files or writes text; start reading at `compare/mod.rs`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod compare;
mod finding;
pub mod lint;
mod path;
mod witness;

pub use compare::{Difference, Sort, StoredVersions, access, add_stored, between, compare};
pub use finding::{Finding, Level, Reads, Verdict, Witness};
pub use path::shown as shown_path;

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
