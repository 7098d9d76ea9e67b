//! Two models in, findings with witnesses out; and the conventions of Kubernetes APIs as lints.
//!
//! [`compare`] walks two resolved models side by side and collects changes. `witness` then tries to prove every claim
//! about values with an object that `kgen-schema` judges. A claim without a witness is only risky. Nothing here reads
//! files or writes text; start reading at `compare/mod.rs`.
//!
//! # Inside
//!
//! ```text
//! two states ─read→ two models ─compare→ changes with goals ─sample, judge→ findings with witnesses
//! ```
//!
//! 1. `kgen-build/src/diff/` finds out what the user's words mean, reads both states, and applies what the user allows.
//! 2. `kgen-diff/src/compare/` walks both models. A change of values has a goal: the object that would prove it.
//! 3. `kgen-sample` builds objects that the old schema accepts. Strings come from automata, and rules are satisfied by trying values.
//! 4. `kgen-diff/src/witness/` asks `kgen-schema` about every object, in both states. A breaking change without a witness is only risky.

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
