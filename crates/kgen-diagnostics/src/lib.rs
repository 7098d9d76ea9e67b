//! Problems as data: what is wrong, where, and what to do about it.
//!
//! Every crate of kgen reports through [`Problem`], and nothing but this crate turns one into text. The identity of a
//! problem is its [`Code`], never its message. This crate knows nothing about Rust syntax, markers or manifests.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod allowance;
mod code;
mod files;
mod fix;
mod nearest;
mod origin;
mod paths;
mod policy;
mod problem;
mod render;
mod span;
pub mod words;

pub use allowance::Allowance;
pub use code::Code;
pub use files::{Files, Position, SourceFile, line_starts};
pub use fix::{Applicability, Edit, Fix, Fixes, ResolvedEdit};
pub use nearest::{Letters, Near, distance, near_words, nearest};
pub use origin::TextOrigin;
pub use paths::{absolute, shown, slashes};
pub use policy::{Extent, Policy};
pub use problem::{Problem, Problems, Related, Severity};
pub use render::{Format, Remark, Renderer};
pub use span::{FileId, Span, Spanned};

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
