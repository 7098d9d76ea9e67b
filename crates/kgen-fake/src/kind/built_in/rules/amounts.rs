//! Rules of resources and their amounts.

use std::cmp::Ordering;

use kgen_schema::names;
use serde_json::Value;

use super::errors::{Errors, NOT_NEGATIVE, invalid, named, required};

/// Compares two amounts.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    kgen_cel::compare_quantities(left, right).unwrap_or(Ordering::Equal)
}

/// Returns whether a resource can only be counted.
fn is_extended(name: &str) -> bool {
    name.contains('/') && !name.contains("kubernetes.io/") && !name.starts_with("requests.")
}

fn amounts<'o>(resources: &'o Value, key: &str) -> impl Iterator<Item = (&'o String, &'o str)> {
    let amounts = resources.get(key).and_then(Value::as_object);
    amounts
        .into_iter()
        .flatten()
        .map(|(name, amount)| (name, amount.as_str().unwrap_or_default()))
}

/// Checks the resources of a container.
pub(super) fn container(errors: &mut Errors, container: &Value, field: &str) {
    let nothing = Value::Null;
    let resources = container.get("resources").unwrap_or(&nothing);
    for key in ["limits", "requests"] {
        for (name, amount) in amounts(resources, key) {
            self::name(errors, name, &format!("{field}.{key}"));
            if compare(amount, "0").is_lt() {
                invalid(errors, format!("{field}.{key}[{name}]"), amount, NOT_NEGATIVE);
            }
            if is_extended(name) && amount.ends_with(['m', 'u', 'n']) {
                invalid(
                    errors,
                    format!("{field}.{key}[{name}]"),
                    amount,
                    "must be an integer",
                );
            }
        }
    }
    for (name, request) in amounts(resources, "requests") {
        let limit = amounts(resources, "limits").find(|(limited, _)| *limited == name);
        match limit {
            Some((_, limit)) if is_extended(name) && compare(request, limit).is_ne() => {
                let detail = format!("must be equal to {name} limit of {limit}");
                invalid(errors, format!("{field}.requests"), request, detail);
            }
            Some((_, limit)) if compare(request, limit).is_gt() => {
                let detail = format!("must be less than or equal to {name} limit of {limit}");
                invalid(errors, format!("{field}.requests"), request, detail);
            }
            None if is_extended(name) => {
                required(
                    errors,
                    format!("{field}.limits"),
                    "Limit must be set for non overcommitable resources",
                );
            }
            _ => {}
        }
    }
}

/// Checks the name of a resource of a container.
fn name(errors: &mut Errors, name: &str, field: &str) {
    let field = format!("{field}[{name}]");
    let before = errors.len();
    named(errors, &field, name, names::key_mistakes(name));
    if name.contains('/') || errors.len() > before {
        return;
    }
    let is_standard =
        matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-");
    if !is_standard {
        let detail = "must be a standard resource type or fully qualified";
        invalid(errors, &field, name, detail);
        invalid(errors, &field, name, "must be a standard resource for containers");
    }
}
