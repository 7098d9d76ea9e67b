//! Server-side apply: structured-merge-diff in Rust.
//!
//! The module knows JSON, the structure of types ([`Schema`]) and sets of paths ([`Set`]). Verbs call [`FieldManager`], which
//! turns the object before a write and the written object into the object that is stored, with its managed fields. Start
//! reading there, then in `updater`, which decides who owns what.
//!
//! It mirrors `sigs.k8s.io/structured-merge-diff` 6.3.3 and `k8s.io/apimachinery/pkg/util/managedfields` of Kubernetes 1.36,
//! without the last-applied annotation of kubectl and without changes of the schema between two applies.

mod compare;
mod conflict;
mod element;
mod field_manager;
mod fields;
mod items;
mod json;
mod managed;
mod merge;
mod remove;
mod scale;
mod schema;
mod set;
mod updater;
mod validate;
mod value;
mod value_set;
mod version;

pub use compare::Changes;
pub use conflict::{ApplyError, Conflict};
pub use element::Element;
pub(crate) use field_manager::is_same;
pub use field_manager::{FieldManager, keep_times, manager_of_request};
pub use managed::{Entry, Identity, Managed, Operation};
pub use scale::ScaleFields;
pub use schema::Schema;
pub use set::{Path, Set};
pub use version::{ConversionError, Kind, Version, Versions};
