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

/// Returns the names that the module of a group can have, the usual one first: the first part of the group, the group without
/// the domain of the project, and the whole group.
pub(crate) fn groups(group: &str, domain: &str) -> [String; 3] {
    let without_domain = group.strip_suffix(domain).and_then(|rest| rest.strip_suffix('.'));
    [
        self::group(group),
        kgen_import::module(without_domain.unwrap_or(group)),
        kgen_import::module(group),
    ]
}

/// Returns the accessor of the generated clients for the module of a group and a version: `webapp_v1`.
pub(crate) fn accessor(group_stem: &str, version: &str) -> String {
    rust_names::group_version(group_stem, version)
}

/// Returns the accessor of the generated client for a kind: `guestbooks`.
pub(crate) fn plural_method(kind: &str, plural: &str) -> String {
    rust_names::client_accessor(kind, plural)
}

/// Returns the module of a kind: `http_route` for `HTTPRoute`.
pub(crate) fn kind(kind: &str) -> String {
    rust_names::snake(kind)
}
