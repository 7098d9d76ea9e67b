//! The libraries that generated Rust names, for the crate of random kinds, which is an example of this package.
