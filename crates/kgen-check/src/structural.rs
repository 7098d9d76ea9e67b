//! Structural schemas: every value has one known type, which matches its other keywords.
//!
//! Mirrors `ValidateStructural` and `ValidateCustomResourceDefinitionOpenAPISchema` of the API server for schemas
//! outside of combinations; [`nested`](super::nested) has those within. Two rules go beyond it, because otherwise no
//! object could ever be valid: required properties must exist, and the object as a whole must not have a default.

use kgen_diagnostics::{Code, words};
use kgen_model::{JsonType, Keyword, Schema};
use kgen_schema::META_FIELDS;

use super::Report;
use super::text;
use super::walk::{Node, Step};

/// Checks one node.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    check_anywhere(node, report);
    if node.nested {
        return;
    }
    check_type(node, report);
    check_extensions(node, report);
    check_embedded(node, report);
    if node.is_root() {
        check_root(node, report);
    } else {
        check_inside_metadata(node, report);
    }
}

/// Checks the rules that also apply within combinations.
fn check_anywhere(node: &Node<'_>, report: &mut Report<'_>) {
    let schema = node.schema;
    if schema.constraints.unique_items {
        report.problems.push(
            node.error(
                Code::StructuralSchema,
                Some(Keyword::UniqueItems),
                "`uniqueItems` cannot be used",
            )
            .help("remove it: the API server refuses it, because comparing all items is slow")
            .help("for unique scalar items, use `+listType=set`"),
        );
    }
    if schema.additional_properties.is_some() && !schema.properties.is_empty() {
        report.problems.push(
            node.error(
                Code::StructuralSchema,
                None,
                "an object cannot have both named properties and arbitrary keys",
            )
            .help("move the flattened map to a field of its own"),
        );
    }
    if schema.map_type.is_some() && schema.json_type != Some(JsonType::Object) {
        report.problems.push(
            node.error(
                Code::StructuralSchema,
                Some(Keyword::MapType),
                "only objects can have a map type",
            )
            .label(type_label(schema)),
        );
    }
    check_required(node, report);
}

fn check_required(node: &Node<'_>, report: &mut Report<'_>) {
    let Some(outside) = node.counterpart else { return };
    if outside.additional_properties.is_some() || outside.preserve_unknown_fields {
        return;
    }
    // Every object has these properties implicitly.
    let is_object = outside.embedded_resource || std::ptr::eq(outside, &raw const node.version.schema);
    for name in &node.schema.required {
        let implied = is_object && META_FIELDS.contains(&name.as_str());
        if implied || outside.properties.contains_key(name) {
            continue;
        }
        let message = format!("`{name}` is required, but the property does not exist");
        let mut problem = node.error(Code::StructuralSchema, None, message);
        if let Some(hint) = text::suggestion(name, outside.properties.keys().map(String::as_str)) {
            problem = problem.help(hint);
        }
        // The API server accepts it, although no object can be valid.
        report.problems.push(problem.tolerated());
    }
}

fn check_type(node: &Node<'_>, report: &mut Report<'_>) {
    let schema = node.schema;
    if schema.json_type.is_none() && !schema.int_or_string && !schema.preserve_unknown_fields {
        let what = match node.step {
            Step::Items => "the items of a list need a type",
            Step::Root => "a kind needs a type",
            _ => "a field needs a type",
        };
        report.problems.push(
            node.error(Code::StructuralSchema, Some(Keyword::Type), what)
                .help("state its type with `+kubebuilder:validation:Type=…`")
                .help("or accept any value with `+kubebuilder:pruning:PreserveUnknownFields`"),
        );
    }
    if schema.json_type == Some(JsonType::Array) && schema.items.is_none() {
        report.problems.push(
            node.error(
                Code::StructuralSchema,
                Some(Keyword::Type),
                "a list needs a schema for its items",
            )
            .help("state the type of the items; the API server refuses lists that it cannot prune"),
        );
    }
}

fn check_extensions(node: &Node<'_>, report: &mut Report<'_>) {
    let schema = node.schema;
    if schema.int_or_string && schema.preserve_unknown_fields {
        let keyword = Some(Keyword::PreserveUnknownFields);
        let message = "an integer or string has no unknown fields to preserve";
        report
            .problems
            .push(node.error(Code::StructuralSchema, keyword, message));
    }
    if schema.int_or_string && schema.embedded_resource {
        let keyword = Some(Keyword::EmbeddedResource);
        let message = "an integer or string cannot be an embedded resource";
        report
            .problems
            .push(node.error(Code::StructuralSchema, keyword, message));
    }
}

fn check_embedded(node: &Node<'_>, report: &mut Report<'_>) {
    let schema = node.schema;
    if !schema.embedded_resource {
        return;
    }
    let error = |message: &str| node.error(Code::StructuralSchema, Some(Keyword::EmbeddedResource), message);
    if schema.json_type != Some(JsonType::Object) {
        report
            .problems
            .push(error("an embedded resource must be an object").label(type_label(schema)));
        if schema.json_type.is_some() {
            // A string or a number does not have fields.
            return;
        }
    }
    if schema.additional_properties.is_some() {
        report
            .problems
            .push(error("an embedded resource cannot be a map"));
    }
    if !schema.preserve_unknown_fields && schema.properties.is_empty() {
        report.problems.push(
            error("an embedded resource without fields would lose all its data")
                .help("add `+kubebuilder:pruning:PreserveUnknownFields`"),
        );
    }
    for (name, expected) in [
        ("apiVersion", JsonType::String),
        ("kind", JsonType::String),
        ("metadata", JsonType::Object),
    ] {
        if schema
            .properties
            .get(name)
            .is_some_and(|property| property.json_type != Some(expected))
        {
            let message = format!(
                "`{name}` of an embedded resource must be of type `{}`",
                expected.word()
            );
            report.problems.push(error(&message));
        }
    }
}

/// Checks the schema of the whole object, which the API server restricts.
fn check_root(node: &Node<'_>, report: &mut Report<'_>) {
    let schema = node.schema;
    let error = |message: &str| node.error(Code::StructuralSchema, None, message);
    if schema
        .json_type
        .is_some_and(|json_type| json_type != JsonType::Object)
    {
        report
            .problems
            .push(error("a kind must be an object").label(type_label(schema)));
    }
    if schema.additional_properties.is_some() {
        report.problems.push(error("a kind cannot be a map"));
    }
    if schema.nullable {
        report.problems.push(error("a kind cannot be null"));
    }
    if schema.default.is_some() {
        report
            .problems
            .push(error("a kind as a whole cannot have a default"));
    }
    if node.version.status_subresource.is_some() {
        let refused = refused_beside_status(schema);
        if !refused.is_empty() {
            let message = format!(
                "a kind with a status subresource cannot have {} at its root",
                words::all_of(refused)
            );
            report
                .problems
                .push(error(&message).help("move the rule to `spec`, or write it as a CEL rule"));
        }
    }
}

/// Returns the keywords that are lost when the API server takes the schema of `status` out of the root.
fn refused_beside_status(schema: &Schema) -> Vec<&'static str> {
    let constraints = &schema.constraints;
    let stated = [
        ("allOf", !constraints.all_of.is_empty()),
        ("anyOf", !schema.any_of.is_empty()),
        ("oneOf", !schema.one_of.is_empty()),
        ("not", schema.not.is_some()),
        (
            "enum",
            constraints
                .enumeration
                .as_ref()
                .is_some_and(|values| !values.is_empty()),
        ),
        ("minProperties", constraints.min_properties.is_some()),
        ("maxProperties", constraints.max_properties.is_some()),
        ("x-kubernetes-embedded-resource", schema.embedded_resource),
        ("x-kubernetes-int-or-string", schema.int_or_string),
        ("x-kubernetes-list-type", schema.list_type.is_some()),
        ("x-kubernetes-map-type", schema.map_type.is_some()),
    ];
    stated
        .into_iter()
        .filter(|(_, present)| *present)
        .map(|(key, _)| key)
        .collect()
}

/// Checks the metadata of an embedded resource, which the API server reads itself. So it limits the schema there.
fn check_inside_metadata(node: &Node<'_>, report: &mut Report<'_>) {
    let Some(depth) = depth_inside_metadata(node) else {
        return;
    };
    if node.schema.embedded_resource {
        let keyword = Some(Keyword::EmbeddedResource);
        let message = "the metadata of an embedded resource cannot contain another embedded resource";
        report
            .problems
            .push(node.error(Code::StructuralSchema, keyword, message));
    }
    let within_map = node
        .chain()
        .take(depth + 1)
        .any(|above| matches!(above.step, Step::Values));
    if node.schema.default.is_some() && within_map {
        let message = "maps in the metadata of an embedded resource cannot have defaults";
        report
            .problems
            .push(node.error(Code::StructuralSchema, Some(Keyword::Default), message));
    }
}

/// Returns the number of steps between the node and the metadata of the embedded resource that it is part of.
fn depth_inside_metadata(node: &Node<'_>) -> Option<usize> {
    node.chain().position(|above| {
        let Step::Property(name) = above.step else {
            return false;
        };
        META_FIELDS.contains(&name) && above.parent.is_some_and(|parent| parent.schema.embedded_resource)
    })
}

/// Describes a schema, next to the marker that does not fit it.
pub(super) fn type_label(schema: &Schema) -> String {
    match schema.json_type {
        Some(json_type) => format!("this has type `{}`", json_type.word()),
        None => "this has no type".to_owned(),
    }
}
