//! Visits the nodes of a version that are declared in the user's source.

use kgen_diagnostics::Span;
use kgen_model::{KindVersion, Schema};

use super::{Report, fields};

/// The deepest level that is visited.
const DEEPEST: usize = 64;

/// A node of a schema and its surroundings.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) schema: &'a Schema,
    /// The name of the field; for items and values, that of the list or map.
    pub(super) name: &'a str,
    pub(super) span: Span,
    /// Whether it is a field, and not an item or a value of a map.
    pub(super) is_field: bool,
    pub(super) is_required: bool,
    /// How many fields are around it; a field of the kind itself has none.
    pub(super) depth: usize,
    pub(super) is_in_status: bool,
}

pub(super) fn walk(version: &KindVersion, report: &mut Report<'_>) {
    for (name, property) in &version.schema.properties {
        if ["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
            continue;
        }
        let node = Node {
            schema: property,
            name,
            span: property.places.node.unwrap_or(version.span),
            is_field: true,
            is_required: version.schema.required.contains(name),
            depth: 0,
            is_in_status: name == "status",
        };
        visit(&node, report);
    }
}

fn visit(node: &Node<'_>, report: &mut Report<'_>) {
    if node.depth > DEEPEST || !report.is_own(node.span) {
        return;
    }
    fields::check(node, report);
    for (name, property) in &node.schema.properties {
        // Tags of enums have no line of their own; the variants do.
        let Some(span) = property.places.node else {
            continue;
        };
        visit(
            &Node {
                schema: property,
                name,
                span,
                is_field: true,
                is_required: node.schema.required.contains(name),
                depth: node.depth + 1,
                is_in_status: node.is_in_status,
            },
            report,
        );
    }
    let parts = [&node.schema.items, &node.schema.additional_properties];
    for part in parts.into_iter().flatten() {
        visit(
            &Node {
                schema: part,
                is_field: false,
                is_required: true,
                depth: node.depth + 1,
                ..*node
            },
            report,
        );
    }
}
