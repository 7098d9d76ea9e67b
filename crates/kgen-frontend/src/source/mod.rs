//! Source text: reading it from disk, and finding the comments in it.

mod comments;
mod disk;
mod regular;

pub(crate) use comments::{Comment, Comments, Style, comments};
pub(crate) use disk::{Disk, DiskError};
pub use regular::read_regular_file;
