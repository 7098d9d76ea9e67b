//! Generators of typed Rust, one module per generator, and the code that they share.
//!
//! A run generates one folder per group and version, with one file per kind and generator. The `mod.rs` files are
//! generated last ([`modules`]), when all other files are known.

pub mod apply;
mod builder;
mod calls;
pub mod client;
pub mod conversion;
mod frame;
mod identifiers;
mod imports;
pub mod informer;
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

/// Adds a printed file to the artifacts, or the reason why it could not be printed to the problems.
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

/// Returns the files that declare the groups, for the first line of a generated file.
fn sources(groups: &[GroupVersion<'_>]) -> String {
    let names: BTreeSet<&str> = groups
        .iter()
        .flat_map(|group| &group.kinds)
        .map(|kind| kind.rust.source.as_str())
        .collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}
