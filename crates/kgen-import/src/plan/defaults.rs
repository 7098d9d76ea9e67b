//! Which types can derive `Default`: structs whose fields all have a default.

use std::collections::BTreeSet;

use super::rust_type::{
    BYTES, INT_OR_STRING, JSON_MAP, OBJECT_META, QUANTITY, RAW_EXTENSION, RustType, VALUE,
};
use super::{Body, Item, Version};

/// The types of other crates that have a default.
const FOREIGN: &[&str] = &[
    BYTES,
    INT_OR_STRING,
    JSON_MAP,
    OBJECT_META,
    QUANTITY,
    RAW_EXTENSION,
    VALUE,
];

/// Returns the names of the types of a version that can derive `Default`.
pub(super) fn names(version: &Version) -> BTreeSet<String> {
    let own = version.kinds.iter().flat_map(|kind| &kind.items);
    let items: Vec<&Item> = own.chain(&version.shared).collect();
    let mut names: BTreeSet<String> = items.iter().map(|item| item.name.clone()).collect();
    // A struct without a default can take it from the structs that contain it.
    loop {
        let before = names.len();
        for item in &items {
            if !has_default(item, version, &names) {
                names.remove(&item.name);
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

fn has_default(item: &Item, version: &Version, names: &BTreeSet<String>) -> bool {
    let Body::Struct(fields) = &item.body else {
        return false;
    };
    fields.iter().all(|field| match &field.rust_type {
        RustType::Primitive(_) | RustType::Optional(_) | RustType::List(_) | RustType::Map(_) => true,
        // All structs of Kubernetes have a default; `Condition` does not.
        RustType::Foreign(path) => {
            path.starts_with("k8s_openapi::api::")
                || path.ends_with("::LabelSelector")
                || FOREIGN.contains(&path.as_str())
        }
        RustType::Class(class) => version
            .names
            .get(class.index())
            .is_some_and(|name| names.contains(name)),
    })
}
