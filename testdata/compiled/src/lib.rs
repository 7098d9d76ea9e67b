//! A crate whose build script generates: the types are those of the case `separate-crate`, the code is in `OUT_DIR`.
//!
//! The examples of this package are the cases of kgen that expect Rust, a crate each.
#![deny(warnings, missing_docs)]

#[path = "../../cases/separate-crate/types/v1.rs"]
pub mod v1;

/// What the build script generated.
pub mod generated {
    kgen_runtime::include_generated!();
}

/// Libraries at a path of their own, for the case `separate-crate`.
pub mod libraries {
    pub use kube;
}
