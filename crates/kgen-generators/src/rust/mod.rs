//! Typed Rust: one module per product, and the code that they share.
//!
//! The tree of a run is one folder for each group and version, with a file for each kind and product in it. The modules
//! that hold the tree together are written last ([`modules`]), when it is known which files there are.

pub mod apply;
mod builder;
mod calls;
pub mod client;
pub mod conversion;
mod identifiers;
mod imports;
pub mod informer;
mod layout;
pub mod lister;
mod methods;
pub mod modules;
pub mod object;
mod options;
mod printer;

use std::collections::BTreeSet;

use kgen_check::clients::GroupVersion;
use kgen_diagnostics::{Problem, Problems};

use crate::Artifact;

pub use options::RustOptions;

/// Adds a file that could be printed, or the problem of one that could not.
fn write(
    artifacts: &mut Vec<Artifact>,
    problems: &mut Problems,
    generator: &'static str,
    name: String,
    printed: Result<String, Problem>,
) {
    if let Some(text) = problems.take(printed) {
        artifacts.push(Artifact {
            name,
            generator,
            text,
        });
    }
}

/// The files that groups are declared in, for the first line.
fn sources(groups: &[GroupVersion<'_>]) -> String {
    let names: BTreeSet<&str> = groups
        .iter()
        .flat_map(|group| &group.kinds)
        .map(|kind| kind.rust.source.as_str())
        .collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// A field's name as serde's `camelCase` has it.
fn camel(name: &str) -> String {
    let mut result = String::with_capacity(name.len());
    let mut capital = false;
    for letter in name.chars() {
        if letter == '_' {
            capital = true;
        } else if capital {
            result.extend(letter.to_uppercase());
            capital = false;
        } else {
            result.push(letter);
        }
    }
    let mut letters = result.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
