//! A crate.
