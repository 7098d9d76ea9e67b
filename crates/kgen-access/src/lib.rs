#![doc = include_str!("../README.md")]

mod marker;
mod record;
mod rule;

pub use record::Record;
pub use rule::{Asked, Rule, rules};
