//! Where work runs: on this thread, on all of them, or on one with a large stack.
//!
//! Small inputs stay on the calling thread, because starting a thread takes longer than their work. Nothing here knows
//! what the work is.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod large_stacks;
mod shared_out;

pub use large_stacks::{on_large_stack, on_large_stacks};
pub use shared_out::{count, drop_aside, map_all};

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
