//! Items that only generated code needs, and the macro that includes it.

use crate::Connection;

pub use futures::Stream;

/// Includes the code that a build script generated in the current module.
///
/// ```ignore
/// /// Typed clients for this API.
/// pub mod generated {
///     kgen_runtime::include_generated!();
/// }
/// ```
#[macro_export]
macro_rules! include_generated {
    () => {
        include!(concat!(env!("OUT_DIR"), "/kgen/mod.rs"));
    };
}

impl AsRef<Connection> for Connection {
    fn as_ref(&self) -> &Connection {
        self
    }
}
