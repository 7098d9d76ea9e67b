//! The crate that the test `built` writes. Without it, this is an empty program.
//!
//! `cargo rustc` compiles it with libraries that are built already.
#![deny(warnings)]
#![allow(
    unexpected_cfgs,
    dead_code,
    missing_docs,
    unused_imports,
    reason = "only the test knows the configuration, and nothing uses most of the types"
)]

#[cfg(kgen_imported)]
include!(concat!(env!("KGEN_IMPORTED_CRATE"), "/main.rs"));

#[cfg(not(kgen_imported))]
fn main() {}
