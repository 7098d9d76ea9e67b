#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod candidates;
mod formats;
mod judge;
mod language;
mod object;
mod variations;

pub use judge::Judge;
pub use language::{Language, Lengths, Search, includes, pattern_of, shortest};
pub use object::{Leaf, Sampler, Shape, Step};
pub use variations::literals;
