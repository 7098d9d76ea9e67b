//! Runs work on the calling thread, on all threads, or on a thread with a large stack.
//!
//! Small inputs stay on the calling thread, because starting a thread takes longer than their work.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod large_stacks;
mod shared_out;

pub use large_stacks::{on_large_stack, on_large_stacks};
pub use shared_out::{count, drop_aside, map_all};

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
