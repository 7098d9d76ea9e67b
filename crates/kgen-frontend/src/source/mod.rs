//! Source text: reading it from disk, from another tree or from unsaved texts, and finding the comments in it.

mod comments;
mod disk;
mod literals;
mod overlay;
mod regular;
mod shipped;
mod tree;

pub(crate) use comments::{BlockComment, Comment, Comments, Style, comments};
pub(crate) use disk::{Disk, DiskError};
pub(crate) use literals::string_origin;
pub use overlay::{Overlay, Unsaved};
pub use regular::{read_regular_file, read_standard_input};
pub(crate) use shipped::Shipped;
pub use tree::{FileSystem, Tree};
