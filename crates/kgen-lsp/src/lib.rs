//! A language server for markers: problems as you type, completion, hover, code actions and previews.
//!
//! [`serve`] speaks LSP over two streams. One thread reads messages, one runs `kgen-build` with the unsaved texts of the
//! editor, and the calling thread answers. Start reading at `server.rs`; `analysis.rs` is the only caller of a run.
//!
//! # Inside
//!
//! ```text
//! messages ─► server.rs ─change→ worker: analysis.rs ─kgen-build→ Snapshot ─► diagnostics, previews
//!                 └─ requests ─► completion, hover, actions, … over the text, its outline and the last Snapshot
//! ```
//!
//! 1. `server.rs` is the loop. A change starts a run after a pause of 30 ms and cancels the run before it.
//!    Requests wait for the run of the present text; completion does not wait.
//! 2. `analysis.rs` is the only caller of a run. A document that is not valid Rust takes part with its last valid text.
//! 3. `kgen_frontend::Outline` reads one file: declarations, and markers with their nodes.
//! 4. `index.rs` has the nodes of all schemas by their places. It is created when the first request needs it.
//! 5. `text.rs` is the only place that converts positions of the protocol.
//! 6. `renamed.rs` compares the API with that of the last run without errors, to offer new names of fields.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod actions;
mod analysis;
mod capabilities;
mod commands;
mod completion;
mod cursor;
mod definition;
mod documents;
mod expression;
mod generated;
mod hover;
mod index;
mod labels;
mod optional;
mod placeholder;
mod preview;
mod problems;
mod project;
mod rbac;
mod renamed;
mod server;
mod symbols;
mod text;
mod tokens;
mod toml_file;
mod transport;
mod uri;

use std::io::{self, BufRead, Write};

pub use project::Configure;

/// Serves one client until it disconnects or asks the server to exit. Returns whether the client asked for a shutdown first.
///
/// `configure` is the configuration of the arguments of the command; without it, the server looks for projects.
///
/// # Errors
/// Returns an error if a stream fails, or if the client sends something that is not a message.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    log: impl Write,
    configure: Option<Configure>,
) -> io::Result<bool> {
    server::Server::new(output, log, configure).run(input)
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
