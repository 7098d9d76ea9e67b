//! The fields that the API server drops if nothing converts between two versions: it changes only `apiVersion`, and the
//! schema of the other version prunes.

use kgen_model::Schema;

/// The deepest level that is looked at.
const DEEPEST: usize = 64;

/// Returns the fields of `from` that `to` does not declare, such as `.spec.ports[].port`.
#[must_use]
pub fn dropped_fields(from: &Schema, to: &Schema) -> Vec<String> {
    let mut found = Vec::new();
    collect(from, to, "", DEEPEST, &mut found);
    found
}

fn collect(from: &Schema, to: &Schema, path: &str, depth: usize, found: &mut Vec<String>) {
    if to.preserve_unknown_fields || depth == 0 {
        return;
    }
    for (name, property) in &from.properties {
        let path = format!("{path}.{name}");
        if depth == DEEPEST && ["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
            continue;
        }
        match to.properties.get(name).or(to.additional_properties.as_ref()) {
            Some(other) => collect(property, other, &path, depth - 1, found),
            None => found.push(path),
        }
    }
    let children = [
        (&from.items, &to.items, "[]"),
        (&from.additional_properties, &to.additional_properties, "{}"),
    ];
    for (from, to, sign) in children {
        if let (Some(from), Some(to)) = (from, to) {
            collect(from, to, &format!("{path}{sign}"), depth - 1, found);
        }
    }
}
