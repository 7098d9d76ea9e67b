//! What group, version and kind are called in Rust, as the generators call them too.

use kgen_model::rust_names;

/// A module or file stem that source can name: `r#type` for a keyword.
pub(crate) fn module(stem: &str) -> String {
    if rust_names::is_keyword(stem) {
        format!("r#{stem}")
    } else {
        stem.to_owned()
    }
}

/// `webapp` of `webapp.example.com`, as a module.
pub(crate) fn group(group: &str) -> String {
    rust_names::group(group)
}

/// The accessor of the generated clients of a group and version: `webapp_v1`.
pub(crate) fn accessor(group: &str, version: &str) -> String {
    rust_names::group_version(&rust_names::group(group), version)
}

/// The accessor of the generated clients of a kind: `guestbooks`.
pub(crate) fn plural_method(kind: &str, plural: &str) -> String {
    rust_names::client_accessor(kind, plural)
}

/// `http_route` of `HTTPRoute`.
pub(crate) fn kind(kind: &str) -> String {
    rust_names::snake(kind)
}
