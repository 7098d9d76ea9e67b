//! What generated code needs beside the parts that it stands on: names to write down, and a way into a crate.

use crate::Connection;

pub use futures::Stream;

/// Pulls the code that a build script generated into the module around it.
///
/// ```ignore
/// /// Typed clients of this API.
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
