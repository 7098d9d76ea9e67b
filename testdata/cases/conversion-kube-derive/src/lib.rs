//! Kinds of kube's derive, and their conversion. None of them needs a translation.
#![deny(warnings, missing_docs)]

pub mod api;

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;

/// Returns the conversion.
pub fn kilns() -> kgen_runtime::conversion::Conversion {
    generated::conversion::kiln()
}
