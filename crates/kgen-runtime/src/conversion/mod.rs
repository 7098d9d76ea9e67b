//! Converting objects between the versions of a kind.
//!
//! A kind exists in several versions. Each version describes its differences from the previous one in a table, a
//! [`Change`]. The table is applied to JSON in both directions, so an author never writes two functions for a whole
//! object that could disagree. `kgen conversion` generates the tables from the types. A kind without Rust types, or a
//! step that markers cannot express, is written manually with the same methods.
//!
//! ```
//! use kgen_runtime::conversion::{Change, Checks, Conversion, Variants};
//! use serde_json::json;
//!
//! /// The translations that only the author of `Widget` can provide.
//! pub trait WidgetConversion: Send + Sync + 'static {
//!     /// Converts `memory` of `v1` to `memoryBytes` of `v2`.
//!     fn v2_widget_spec_memory_bytes(memory: String) -> i64;
//!
//!     /// Converts `memoryBytes` of `v2` to `memory` of `v1`.
//!     fn v1_widget_spec_memory(memory_bytes: i64) -> String;
//!
//!     /// Converts `address` of `v1` to `host` and `port` of `v2`.
//!     fn v2_widget_spec_host_port(address: String) -> (String, u16);
//!
//!     /// Converts `host` and `port` of `v2` to `address` of `v1`.
//!     fn v1_widget_spec_address(host: String, port: u16) -> String;
//! }
//!
//! /// Returns the conversion between all versions of `Widget`, with the translations of `C`.
//! pub fn widget<C: WidgetConversion>() -> Conversion {
//!     Conversion::new("example.com", "Widget", SCHEMAS).step("v1", "v2", v1_v2::<C>())
//! }
//!
//! fn v1_v2<C: WidgetConversion>() -> Change {
//!     Change::new().inside("spec", v1_v2_widget_spec::<C>())
//! }
//!
//! fn v1_v2_widget_spec<C: WidgetConversion>() -> Change {
//!     Change::new()
//!         .renamed("size", "replicas")
//!         .translated(
//!             ["memory"],
//!             ["memoryBytes"],
//!             |(memory,)| (C::v2_widget_spec_memory_bytes(memory),),
//!             |(memory_bytes,)| (C::v1_widget_spec_memory(memory_bytes),),
//!         )
//!         .translated(
//!             ["address"],
//!             ["host", "port"],
//!             |(address,)| C::v2_widget_spec_host_port(address),
//!             |(host, port)| (C::v1_widget_spec_address(host, port),),
//!         )
//!         .variants("strategy", Variants::new().added("Canary", "Rolling"))
//!         .dropped("note")
//!         .added("tls")
//!         .moved(["tlsSecret"], ["tls", "secret"])
//!         .each("ports", v1_v2_port())
//!         .added("priority")
//! }
//!
//! fn v1_v2_port() -> Change {
//!     Change::new().renamed("port", "number").added("protocol")
//! }
//!
//! // The part that the author writes.
//! struct Rules;
//!
//! impl WidgetConversion for Rules {
//!     fn v2_widget_spec_memory_bytes(memory: String) -> i64 {
//!         match memory.strip_suffix("Gi") {
//!             Some(number) => number.parse::<i64>().unwrap_or_default().saturating_mul(1 << 30),
//!             None => memory.parse().unwrap_or_default(),
//!         }
//!     }
//!
//!     fn v1_widget_spec_memory(memory_bytes: i64) -> String {
//!         memory_bytes.to_string()
//!     }
//!
//!     fn v2_widget_spec_host_port(address: String) -> (String, u16) {
//!         let (host, port) = address.rsplit_once(':').unwrap_or((&address, "80"));
//!         (host.to_owned(), port.parse().unwrap_or(80))
//!     }
//!
//!     fn v1_widget_spec_address(host: String, port: u16) -> String {
//!         format!("{host}:{port}")
//!     }
//! }
//!
//! let conversion = widget::<Rules>();
//! let old = json!({
//!     "apiVersion": "example.com/v1",
//!     "kind": "Widget",
//!     "metadata": {"name": "a"},
//!     "spec": {
//!         "size": 3,
//!         "memory": "1Gi",
//!         "address": "localhost:8080",
//!         "strategy": "Rolling",
//!         "note": "hello",
//!         "tlsSecret": "certificate",
//!         "ports": [{"name": "http", "port": 80}],
//!     },
//! });
//! let new = conversion.convert_json(old.clone(), "v2")?;
//! assert_eq!(new["spec"], json!({
//!     "replicas": 3,
//!     "memoryBytes": 1_073_741_824,
//!     "host": "localhost",
//!     "port": 8080,
//!     "strategy": "Rolling",
//!     "tls": {"secret": "certificate"},
//!     "ports": [{"name": "http", "number": 80}],
//!     "priority": 5,
//! }));
//! assert_eq!(
//!     new["metadata"]["annotations"]["example.com/conversion-v1"],
//!     r#"[{"at":["spec","memory"],"was":"1073741824","is":"1Gi"},{"at":["spec","note"],"is":"hello"}]"#,
//! );
//! assert_eq!(conversion.convert_json(new, "v1")?, old);
//!
//! // This call belongs into a test.
//! conversion.check(Checks::default())?;
//!
//! const SCHEMAS: &str = r#"{
//!     "v1": {"type": "object", "properties": {"spec": {
//!         "type": "object",
//!         "required": ["size", "memory", "address", "strategy", "ports"],
//!         "properties": {
//!             "size": {"type": "integer", "format": "int32"},
//!             "memory": {"type": "string"},
//!             "address": {"type": "string"},
//!             "strategy": {"type": "string", "enum": ["Rolling", "Recreate"]},
//!             "note": {"type": "string"},
//!             "tlsSecret": {"type": "string"},
//!             "ports": {
//!                 "type": "array",
//!                 "x-kubernetes-list-type": "map",
//!                 "x-kubernetes-list-map-keys": ["name"],
//!                 "items": {
//!                     "type": "object",
//!                     "required": ["name", "port"],
//!                     "properties": {"name": {"type": "string"}, "port": {"type": "integer", "format": "int32"}}
//!                 }
//!             }
//!         }
//!     }}},
//!     "v2": {"type": "object", "properties": {"spec": {
//!         "type": "object",
//!         "required": ["replicas", "memoryBytes", "host", "port", "strategy", "ports"],
//!         "properties": {
//!             "replicas": {"type": "integer", "format": "int32"},
//!             "memoryBytes": {"type": "integer", "format": "int64"},
//!             "host": {"type": "string"},
//!             "port": {"type": "integer", "minimum": 0, "maximum": 65535},
//!             "strategy": {"type": "string", "enum": ["Rolling", "Recreate", "Canary"]},
//!             "tls": {
//!                 "type": "object",
//!                 "properties": {"secret": {"type": "string"}, "authority": {"type": "string"}}
//!             },
//!             "ports": {
//!                 "type": "array",
//!                 "x-kubernetes-list-type": "map",
//!                 "x-kubernetes-list-map-keys": ["name"],
//!                 "items": {
//!                     "type": "object",
//!                     "required": ["name", "number"],
//!                     "properties": {
//!                         "name": {"type": "string"},
//!                         "number": {"type": "integer", "format": "int32"},
//!                         "protocol": {"type": "string"}
//!                     }
//!                 }
//!             },
//!             "priority": {"type": "integer", "format": "int32", "default": 5}
//!         }
//!     }}}
//! }"#;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The vocabulary
//!
//! *Older* and *newer* are the two sides of a step. Every line reads only fields of one side and writes only fields of the other
//! side, so no line sees the result of another one. Going backward, lines are applied in reverse order. Fields without a line
//! are copied.
//!
//! | older, newer | line |
//! |---|---|
//! | the same JSON shape | none |
//! | structs that differ; `Option` or `Box` of them | [`inside("spec", change)`](Change::inside) |
//! | lists or maps of structs that differ | [`each("ports", change)`](Change::each) |
//! | lists of lists, maps of lists | [`each("routes", Contents::items(change))`](Contents::items) |
//! | a renamed field | [`renamed("size", "replicas")`](Change::renamed) |
//! | a renamed field whose contents differ | `inside(("old", "new"), change)`, also for `each` and `variants` |
//! | a field in another struct | [`moved(["tlsSecret"], ["tls", "secret"])`](Change::moved), in the table of the struct that contains both |
//! | the same, and its contents differ | [`moved_inside`](Change::moved_inside) |
//! | enums of unit variants that differ | [`variants("strategy", Variants::new().renamed(…).added(…).dropped(…))`](Change::variants) |
//! | enums with data that differ | the same with [`Variants::new()`], [`Variants::internal`] or [`Variants::adjacent`], and [`inside("Rolling", change)`](Variants::inside) for each variant that differs |
//! | untagged enums that differ | [`Variants::untagged`] with [`shaped`](Variants::shaped) |
//! | lists, maps and variants that contain an enum | `each("strategies", variants)`, `inside("Rolling", variants)` |
//! | a field that only newer has | [`added`](Change::added) |
//! | the same, required and without a default | [`added_with`](Change::added_with) |
//! | a field that only older has | [`dropped`](Change::dropped), or [`dropped_with`](Change::dropped_with) if older requires it and has no default |
//! | `Option<T>` became `T` without a default | [`filled`](Change::filled) |
//! | `T` without a default became `Option<T>` | [`filled_before`](Change::filled_before) |
//! | `i32` became `i64` | [`widened`](Change::widened) |
//! | `i64` became `i32` | [`narrowed`](Change::narrowed) |
//! | any other pair, several fields, a new meaning | [`translated`](Change::translated) |
//! | an item or the contents of a variant that must be translated | [`Contents::value`] |
//!
//! A value of a variant that the other side does not have is shown there as another variant, which `added` and `dropped` name.
//! If that variant has required contents, use `added_with` and `dropped_with`, which return a whole value.
//!
//! # The four laws
//!
//! They hold for every table and every object, whatever the author's functions do, as long as these give the same result for
//! the same arguments.
//!
//! - **whole**: converting to another version and back gives the same object if it was not edited in between;
//! - **honest**: an edit in one version appears in the others; a kept value never overrides an edit;
//! - **total**: every object converts. Parts may be missing, and values may violate their schema;
//! - **exact**: the result contains only fields that the target version declares.
//!
//! A value that the other version cannot represent is kept in the annotation `<group>/conversion-<version>`. It is restored on
//! the way back if the other version alone still gives the value that it gave before, if the object around it still exists, and
//! if it fits its schema. So a value that violates the schema of its own version survives where it is copied, but not where it is
//! kept. An empty `annotations` counts as absent, and a field that the object's own version does not declare is not kept.
//!
//! A function of the author cannot fail. If it panics, or if its arguments are missing or have another type, then
//! nothing is written, the sources are kept, and the log and the metric `kgen_conversion_untranslated_total` report it.
//! With `panic = "abort"` in the profile, a panic ends the process.

mod apply;
mod aside;
mod change;
mod check;
mod convert;
mod deep;
mod error;
mod keep;
mod path;
mod random;
mod restore;
#[cfg(feature = "webhook")]
pub(crate) mod review;
#[cfg(all(test, feature = "webhook"))]
mod speed;
mod table;
mod values;
mod variants;

pub use self::change::{Change, Contents, Field, Place};
pub use self::check::{CheckFailure, Checks};
pub use self::error::ConversionError;
pub use self::table::Conversion;
pub use self::values::{Sources, Targets};
pub use self::variants::Variants;
