//! Reference pages of an API: Markdown, one self-contained HTML page, or JSON.
//!
//! `build` turns a checked API into [`model`], which has everything that a page shows, in order. The writers `markdown`,
//! `html`, `json` and `template` only read that. Nothing here touches the disk.
//!
//! # Inside
//!
//! ```text
//! Checked ─build→ model of the pages ─┬─ markdown, one file per version
//!                                     ├─ html, one file with style, script and the whole API
//!                                     └─ json, also for the user's template
//! ```
//!
//! 1. `kgen-docs/src/build/` walks schemas and Rust types side by side: schemas decide what is there, types the order and names.
//! 2. `words.rs` has constraints in words, and a test walks the table of markers.
//! 3. `sample.rs` asks `kgen-sample` for an object, and `kgen-schema` whether the API server would accept it.
//! 4. `html/` knows its own style and script by their hashes, which the page's Content-Security-Policy names.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod build;
mod html;
mod json;
mod links;
mod markdown;
pub mod model;
mod options;
mod sample;
mod template;
pub mod words;

use kgen_check::Checked;
use kgen_diagnostics::{Code, Problem, Problems};
use kgen_generators::Artifact;

pub use options::{DocsOptions, Flavor, Format, Split};

/// The name of this generator on the command line and in the first line of its files.
const GENERATOR: &str = "docs";

/// Generates the pages. An API without kinds has none.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &DocsOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let reference = build::reference(checked, options, &mut problems);
    let mut artifacts = Vec::new();
    if reference.kinds.is_empty() {
        return (artifacts, problems);
    }
    let has = |format: Format| options.formats.contains(&format);
    if options.flavor == Flavor::Mdbook && has(Format::Markdown) && has(Format::Html) {
        let message = "mdBook turns `index.md` into `index.html`, which is also the name of the HTML page";
        problems.push(
            Problem::general(Code::Configuration, message)
                .help("write the HTML page to another folder, with a `[[set]]` of its own in `kgen.toml`"),
        );
        return (artifacts, problems);
    }
    if has(Format::Markdown) || options.formats.is_empty() {
        artifacts.extend(markdown::pages(&reference, options, &mut problems));
    }
    if has(Format::Html) {
        artifacts.push(html::page(&reference));
    }
    if has(Format::Json) {
        artifacts.push(json::artifact(&reference));
    }
    if problems.has_errors() {
        artifacts.clear();
    }
    (artifacts, problems)
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
