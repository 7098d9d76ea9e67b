//! Typed access to the API server. A [`Connection`] is a [`kube::Client`] with a default field manager. A [`Handle`]
//! has every verb for one kind in one scope, and generated types expose the verbs of their kind.
//!
//! ```no_run
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kgen_runtime::{Connection, Handle, WriteOptions};
//! use kube::api::DeleteParams;
//!
//! # async fn example() -> kgen_runtime::Result<()> {
//! let connection = Connection::try_default().await?.with_field_manager("my-operator");
//! let maps: Handle<ConfigMap> = Handle::namespaced(&connection, "default");
//! let mut map = maps.get("settings").await?;
//! map.immutable = Some(true);
//! maps.with_options(WriteOptions::new().dry_run().strict()).update(&map).await?;
//! maps.delete("settings", &DeleteParams::default()).await?;
//! # Ok(())
//! # }
//! ```

mod connection;
mod handle;
mod options;
mod subresource;
pub(crate) mod transport;

pub use connection::Connection;
pub use handle::Handle;
pub use options::WriteOptions;
