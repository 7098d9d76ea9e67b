//! The `kgen` command.
fn main() {}
