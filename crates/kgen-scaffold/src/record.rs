//! The record of scaffolded files: their text as kgen wrote it, below `.kgen` in the project.
//!
//! `kgen update` needs it to tell changes of the user from those of kgen.

/// The folder of the record. git stores a file there and its unedited original as one object.
pub(crate) const FOLDER: &str = ".kgen/scaffold";

/// Returns the path of the record of a file.
pub(crate) fn path(set: &str, file: &str) -> String {
    format!("{FOLDER}/{set}/{file}")
}
