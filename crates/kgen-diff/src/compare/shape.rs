//! Compares `oneOf`, `anyOf`, `allOf` and `not`, and finds the variants of Rust enums among them.

use std::collections::BTreeSet;

use kgen_model::{JsonType, Schema};
use serde_json::Value;

use super::bounds::is_plain;
use super::same::{same, same_sets};

/// Returns the names of the variants of an externally tagged enum.
pub(super) fn variants(schema: &Schema) -> Option<BTreeSet<&str>> {
    let is_variant = |branch: &Schema| {
        branch.required.len() == 1
            && branch.properties.is_empty()
            && branch.constraints.is_unset()
            && branch.not.is_none()
            && branch
                .required
                .iter()
                .all(|name| schema.properties.contains_key(name))
    };
    (!schema.one_of.is_empty() && schema.one_of.iter().all(is_variant)).then(|| {
        let names = schema.one_of.iter().flat_map(|branch| &branch.required);
        names.map(String::as_str).collect()
    })
}

/// Returns the field that tells the variants of an enum apart, and its values.
pub(super) fn tag(schema: &Schema) -> Option<(&str, Vec<Value>)> {
    schema.required.iter().find_map(|name| {
        let property = schema.properties.get(name)?;
        let values = property.constraints.enumeration.clone()?;
        let is_named = |branch: &Schema| branch.properties.contains_key(name) || branch.not.is_some();
        // The front end gives such a field no place, because no line declares it.
        let is_tag =
            property.places.node.is_none() || !schema.one_of.is_empty() && schema.one_of.iter().all(is_named);
        is_tag.then_some((name.as_str(), values))
    })
}

/// Returns whether one more field can make an object invalid.
pub(super) fn counts_fields(schema: &Schema) -> bool {
    let has_combinations = !schema.one_of.is_empty() || !schema.any_of.is_empty() || schema.not.is_some();
    let constraints = &schema.constraints;
    let has_rules = !constraints.rules.is_empty() || !constraints.all_of.is_empty();
    constraints.max_properties.is_some() || has_combinations || has_rules
}

/// Returns the fields that an object needs whose tag has a value.
pub(super) fn required_with<'s>(schema: &'s Schema, tag: &str, value: &Value) -> BTreeSet<&'s str> {
    let branch = branch_of(schema, tag, value);
    let of_branch = branch.into_iter().flat_map(|branch| &branch.required);
    schema
        .required
        .iter()
        .chain(of_branch)
        .map(String::as_str)
        .collect()
}

/// Returns the branch that is about a value of a tag.
fn branch_of<'s>(schema: &'s Schema, tag: &str, value: &Value) -> Option<&'s Schema> {
    let is_its_own = |branch: &&Schema| {
        let property = branch.properties.get(tag);
        let values = property.and_then(|tag| tag.constraints.enumeration.as_ref());
        values.is_some_and(|values| values.contains(value))
    };
    schema.one_of.iter().find(is_its_own)
}

/// Returns whether a change of the combinations is not explained by variants that came or went.
pub(super) fn is_changed(old: &Schema, new: &Schema) -> bool {
    let complex = |schema: &Schema| -> Vec<Schema> {
        // Every integer and every string is one of both.
        let is_implied = |part: &Schema| schema.int_or_string && is_int_or_string(part);
        let parts = schema.constraints.all_of.iter();
        let parts = parts.filter(|part| !is_plain(part) && !is_implied(part));
        parts.cloned().collect()
    };
    let not = match (&old.not, &new.not) {
        (Some(old), Some(new)) => !same(old, new),
        (None, None) => false,
        _ => true,
    };
    let is_same_any = old.int_or_string && new.int_or_string || same_sets(&old.any_of, &new.any_of);
    not || !is_same_any || !same_sets(&complex(old), &complex(new)) || !is_one_of_explained(old, new)
}

/// Returns whether a part of `allOf` is only the usual combination of both types.
fn is_int_or_string(part: &Schema) -> bool {
    let has = |json_type| {
        let mut branches = part.any_of.iter();
        branches.any(|branch| branch.json_type == Some(json_type))
    };
    part.any_of.len() == 2 && has(JsonType::Integer) && has(JsonType::String)
}

fn is_one_of_explained(old: &Schema, new: &Schema) -> bool {
    if same_sets(&old.one_of, &new.one_of) {
        return true;
    }
    if variants(old).is_some() && variants(new).is_some() {
        return true;
    }
    let (Some((old_tag, old_values)), Some((new_tag, new_values))) = (tag(old), tag(new)) else {
        return false;
    };
    if old_tag != new_tag {
        return false;
    }
    // The branches of the variants that both have must say the same, together with what all variants need.
    let bare = |schema: &Schema, value: &Value| {
        branch_of(schema, new_tag, value).map(|branch| Schema {
            required: Default::default(),
            ..branch.clone()
        })
    };
    old_values
        .iter()
        .filter(|value| new_values.contains(value))
        .all(|value| {
            required_with(old, new_tag, value) == required_with(new, new_tag, value)
                && match (bare(old, value), bare(new, value)) {
                    (Some(old), Some(new)) => same(&old, &new),
                    _ => true,
                }
        })
}
