//! What group, version and kind are called in Rust, as the generators call them too.

use kgen_generators::rust::names;

/// A module or file stem that source can name: `r#type` for a keyword.
pub(crate) fn module(stem: &str) -> String {
    if names::is_keyword(stem) {
        format!("r#{stem}")
    } else {
        stem.to_owned()
    }
}

/// `webapp` of `webapp.example.com`, as a module.
pub(crate) fn group(group: &str) -> String {
    if group.is_empty() {
        return "core".to_owned();
    }
    names::snake(group.split('.').next().unwrap_or(group))
}

/// The accessor of the generated clients of a group and version: `webapp_v1`.
pub(crate) fn accessor(group: &str, version: &str) -> String {
    names::free(&names::snake(&format!("{}_{version}", self::group(group))))
}

/// The accessor of the generated clients of a kind: `guestbooks`.
pub(crate) fn plural_method(kind: &str, plural: &str) -> String {
    names::free(&names::snake(&names::plural(kind, plural)))
}

/// `http_route` of `HTTPRoute`.
pub(crate) fn kind(kind: &str) -> String {
    names::snake(kind)
}
