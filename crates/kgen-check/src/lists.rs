//! List types: how lists merge, and which of their items can be merged that way.
//!
//! Mirrors the rules on `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` of the API server.

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Problem};
use kgen_model::{JsonType, Keyword, ListType, MapType, Schema};

use super::Report;
use super::structural::type_label;
use super::text;
use super::walk::Node;

/// Checks one node. Within combinations list types are refused altogether, which is reported there.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.nested {
        return;
    }
    let schema = node.schema;
    if let Some(list_type) = schema.list_type {
        check_list_type(node, list_type, report);
    }
    if !schema.list_map_keys.is_empty() && schema.list_type != Some(ListType::Map) {
        report.problems.push(
            node.error(
                Code::ListType,
                Some(Keyword::ListMapKeys),
                "only a list of type `map` can have keys",
            )
            .help("add `+listType=map`"),
        );
    }
}

fn check_list_type(node: &Node<'_>, list_type: ListType, report: &mut Report<'_>) {
    let schema = node.schema;
    if schema.json_type != Some(JsonType::Array) {
        report
            .problems
            .push(error(node, "only lists can have a list type").label(type_label(schema)));
        return;
    }
    let Some(items) = schema.items.as_deref() else {
        return;
    };
    if items.nullable && list_type != ListType::Atomic {
        let message = format!("items of a list of type `{}` cannot be null", list_type.word());
        report.problems.push(error(node, message));
    }
    match list_type {
        ListType::Atomic => {}
        ListType::Set => check_set(node, items, report),
        ListType::Map => check_map(node, items, report),
    }
}

fn check_set(node: &Node<'_>, items: &Schema, report: &mut Report<'_>) {
    let whole = match items.json_type {
        Some(JsonType::Array) => items
            .list_type
            .is_none_or(|list_type| list_type == ListType::Atomic),
        Some(JsonType::Object) => items.map_type == Some(MapType::Atomic),
        _ => true,
    };
    if !whole {
        report.problems.push(
            error(node, "items of a list of type `set` must be scalars or atomic")
                .help("use `+listType=map` with `+listMapKey=…`, or `+listType=atomic`")
                .help("or make the items atomic with `+structType=atomic` on their type"),
        );
    }
}

fn check_map(node: &Node<'_>, items: &Schema, report: &mut Report<'_>) {
    if items.json_type != Some(JsonType::Object) {
        let problem = error(node, "items of a list of type `map` must be objects");
        report
            .problems
            .push(problem.help("for scalar items, use `+listType=set`"));
        return;
    }
    if node.schema.list_map_keys.is_empty() {
        report.problems.push(
            error(node, "a list of type `map` needs at least one key")
                .help("name the fields that identify its items with `+listMapKey=…`"),
        );
    }
    let mut seen = BTreeSet::new();
    for key in node.schema.list_map_keys.iter() {
        if !seen.insert(key) {
            let message = format!("the key `{key}` is named twice");
            report.problems.push(key_error(node, message));
            continue;
        }
        report.problems.extend(check_key(node, items, key));
    }
}

/// Checks one key.
fn check_key(node: &Node<'_>, items: &Schema, key: &str) -> Option<Problem> {
    let Some(property) = items.properties.get(key) else {
        let problem = key_error(node, format!("the items have no field `{key}`"));
        let known = || items.properties.keys().map(String::as_str);
        let fix = problem
            .span
            .and_then(|span| text::meant_within(span, key, known()));
        return Some(match (fix, text::list(known().collect())) {
            (Some(fix), _) => problem.with_fix(fix),
            (None, Some(list)) => problem.help(list),
            (None, None) => problem,
        });
    };
    if let Some(json_type @ (JsonType::Array | JsonType::Object)) = property.json_type {
        let message = format!(
            "the key `{key}` has type `{}`, but keys must be scalars",
            json_type.word()
        );
        return Some(key_error(node, message));
    }
    if property.nullable {
        return Some(key_error(
            node,
            format!("the key `{key}` can be null, but keys must have a value"),
        ));
    }
    let defaulted = property
        .default
        .as_ref()
        .is_some_and(|default| !default.is_null());
    if !items.required.contains(key) && !defaulted {
        return Some(
            key_error(node, format!("the key `{key}` is optional and has no default"))
                .help("make the field required, or give it a default, so that every item has a key"),
        );
    }
    None
}

fn error(node: &Node<'_>, message: impl Into<String>) -> Problem {
    node.error(Code::ListType, Some(Keyword::ListType), message)
}

fn key_error(node: &Node<'_>, message: impl Into<String>) -> Problem {
    node.error(Code::ListMapKey, Some(Keyword::ListMapKeys), message)
}
