//! `kgen.toml`: what a project generates, written once.
//!
//! A file describes one set, or several under `[[set]]`; a set is source that is read once, and the generators that
//! get it:
//!
//! ```toml
//! paths = ["src/api"]
//!
//! [crd]
//! output = "config/crd/bases"
//! max-desc-len = 0
//!
//! [rbac]
//! role-name = "manager-role"
//! ```
//!
//! The table of a generator asks for it, also if it is empty. Its keys are `output`, the folder that it writes to,
//! and the options of the generator, spelled as flags are. All paths start at `folder` of the set, which starts at the
//! folder of the file, so that a workspace has one file with a set for each crate:
//!
//! ```toml
//! [[set]]
//! folder = "crates/kiln-operator"
//! paths = ["src/api"]
//! crd = {}
//!
//! [[set]]
//! folder = "crates/tile-operator"
//! crd = { output = "deploy" }
//! ```

mod keys;
mod read;
mod schema;
mod tables;
#[cfg(test)]
mod tests;

pub use read::{FILE_NAME, find_project_file, read_project_file, read_unsaved_project_file};
pub use schema::configuration_schema;
