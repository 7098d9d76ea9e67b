//! The names of groups, versions and kinds in Rust, which are the same as in generated code.

use kgen_model::rust_names;

/// Returns a name as a module identifier: `r#type` for a keyword.
pub(crate) fn module(stem: &str) -> String {
    if rust_names::is_keyword(stem) {
        format!("r#{stem}")
    } else {
        stem.to_owned()
    }
}

/// Returns the module of a group: `webapp` for `webapp.example.com`.
pub(crate) fn group(group: &str) -> String {
    rust_names::group(group)
}

/// Returns the accessor of the generated clients for a group and version: `webapp_v1`.
pub(crate) fn accessor(group: &str, version: &str) -> String {
    rust_names::group_version(&rust_names::group(group), version)
}

/// Returns the accessor of the generated client for a kind: `guestbooks`.
pub(crate) fn plural_method(kind: &str, plural: &str) -> String {
    rust_names::client_accessor(kind, plural)
}

/// Returns the module of a kind: `http_route` for `HTTPRoute`.
pub(crate) fn kind(kind: &str) -> String {
    rust_names::snake(kind)
}
