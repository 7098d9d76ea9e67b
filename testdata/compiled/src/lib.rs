//! Nothing of its own: the examples of this package are the cases of kgen that expect Rust, a crate each.
