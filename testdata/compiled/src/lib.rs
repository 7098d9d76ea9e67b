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

/// The conversion of the case `conversion`.
///
/// A translation that is missing is an error of the compiler, which names the method:
///
/// ```compile_fail,E0046
/// use kgen_compiled::conversion::WidgetConversion;
///
/// struct Rules;
///
/// impl WidgetConversion for Rules {
///     fn v2_widget_spec_memory_bytes(memory: String) -> i64 {
///         memory.parse().unwrap_or_default()
///     }
///
///     fn v2_widget_spec_host_port(address: String) -> (String, u16) {
///         (address, 80)
///     }
///
///     fn v1_widget_spec_address(host: String, port: u16) -> String {
///         format!("{host}:{port}")
///     }
/// }
/// ```
#[rustfmt::skip]
#[path = "../../cases/conversion/expected/conversion/mod.rs"]
pub mod conversion;
