//! Source text: reading it from disk, and finding the comments in it.

mod comments;
mod disk;

pub(crate) use comments::{Comment, Comments, Style, comments};
pub use disk::Drafts;
pub(crate) use disk::{Disk, DiskError};
