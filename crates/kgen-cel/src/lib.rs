#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod calls;
mod cardinality;
mod checker;
mod cost;
mod declarations;
mod declared;
mod environment;
mod evaluate;
mod expression;
mod format_calls;
pub mod go_regex;
pub mod go_text;
pub mod go_time;
mod lexer;
mod library;
pub mod limits;
mod literal;
mod literals;
mod macros;
mod mistake;
mod names;
pub mod object_names;
mod offered;
mod openapi;
mod parse_error;
mod parser;
mod quoted;
mod request;
mod schema;
mod stack;
pub mod text_formats;
mod tree;
mod types;

pub use cardinality::{evaluations, max_parts};
pub use cost::{Unlimited, limiting_keyword};
pub use environment::{Bindings, Environment};
pub use evaluate::{Budget, EvaluateError, Extension, Failure, List, Value};
pub use expression::{Checked, Expression, Program};
pub use lexer::token_at;
pub use library::quantity::{canonical_quantity, compare_quantities};
pub use mistake::{Mistake, MistakeKind};
pub use offered::function_names;
pub use openapi::OpenApi;
pub use parse_error::{ParseError, Position};
pub use schema::{JsonType, Schema};

#[cfg(test)]
mod robustness;
#[cfg(test)]
mod tests;
