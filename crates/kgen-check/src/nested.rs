//! Combinations: within `allOf`, `anyOf`, `oneOf` and `not`, schemas may narrow a value but not say what it is.
//!
//! Mirrors `validateNestedValueValidation` of the API server. It looks for missing counterparts only below the root;
//! here they are missed everywhere, as the rules of structural schemas ask for.

use kgen_diagnostics::{Code, words};
use kgen_model::{JsonType, Schema};

use super::Report;
use super::text;
use super::walk::{Node, Step};

/// Checks one node within a combination.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if !node.nested {
        return;
    }
    let mut forbidden = forbidden_keys(node.schema);
    if is_part_of_int_or_string(node) {
        forbidden.retain(|key| *key != "type");
    }
    if !forbidden.is_empty() {
        let part = node.chain().find_map(|above| {
            if let Step::Part(key) = above.step {
                Some(key)
            } else {
                None
            }
        });
        let message = format!(
            "{} cannot be used within `{}`",
            words::all_of(forbidden),
            part.unwrap_or("allOf")
        );
        report.problems.push(
            node.error(Code::StructuralSchema, None, message)
                .help("move it out of `allOf`, `anyOf`, `oneOf` or `not`"),
        );
    }
    check_counterpart(node, report);
}

/// Reports the first schema on a path that describes an unknown value; problems below it are consequences.
fn check_counterpart(node: &Node<'_>, report: &mut Report<'_>) {
    let lost_here =
        node.counterpart.is_none() && node.parent.is_some_and(|parent| parent.counterpart.is_some());
    match node.step {
        Step::Property("metadata") => {
            let message = "`metadata` cannot be part of a combination";
            report
                .problems
                .push(node.error(Code::StructuralSchema, None, message));
        }
        Step::Property(name) if lost_here => {
            let message = format!("a combination describes the property `{name}`, which does not exist");
            let mut problem = node.error(Code::StructuralSchema, None, message);
            let outside = node.parent.and_then(|parent| parent.counterpart);
            let known = outside
                .into_iter()
                .flat_map(|outside| outside.properties.keys())
                .map(String::as_str);
            if let Some(hint) = text::suggestion(name, known) {
                problem = problem.help(hint);
            }
            report.problems.push(problem);
        }
        Step::Items if lost_here => {
            let message = "a combination describes items, but the value outside of it is not a list";
            report
                .problems
                .push(node.error(Code::StructuralSchema, None, message));
        }
        _ => {}
    }
}

fn forbidden_keys(schema: &Schema) -> Vec<&'static str> {
    let stated = [
        ("type", schema.json_type.is_some()),
        ("additionalProperties", schema.additional_properties.is_some()),
        ("default", schema.default.is_some()),
        (
            "title",
            schema.title.as_ref().is_some_and(|text| !text.is_empty()),
        ),
        (
            "description",
            schema.description.as_ref().is_some_and(|text| !text.is_empty()),
        ),
        ("nullable", schema.nullable),
        (
            "x-kubernetes-preserve-unknown-fields",
            schema.preserve_unknown_fields,
        ),
        ("x-kubernetes-embedded-resource", schema.embedded_resource),
        ("x-kubernetes-int-or-string", schema.int_or_string),
        ("x-kubernetes-list-map-keys", !schema.list_map_keys.is_empty()),
        ("x-kubernetes-list-type", schema.list_type.is_some()),
        ("x-kubernetes-map-type", schema.map_type.is_some()),
        ("x-kubernetes-validations", !schema.constraints.rules.is_empty()),
    ];
    stated
        .into_iter()
        .filter(|(_, present)| *present)
        .map(|(key, _)| key)
        .collect()
}

/// Returns whether a node is the exception: `anyOf` of an integer and a string, at the value or in its first `allOf`.
fn is_part_of_int_or_string(node: &Node<'_>) -> bool {
    let Some(parent) = node.parent else { return false };
    if !matches!(node.step, Step::Part("anyOf")) || !is_int_or_string_choice(&parent.schema.any_of) {
        return false;
    }
    let first_of_all = |above: &Node<'_>| {
        let first = above.schema.constraints.all_of.first();
        !above.nested && first.is_some_and(|first| std::ptr::eq(first, parent.schema))
    };
    !parent.nested || parent.parent.is_some_and(first_of_all)
}

/// Returns whether a choice has only `integer` and `string`, in this order.
fn is_int_or_string_choice(choice: &[Schema]) -> bool {
    let [integer, string] = choice else { return false };
    let bare = |json_type| {
        let expected = Schema::of_type(json_type);
        move |schema: &Schema| {
            Schema {
                places: kgen_model::Places::default(),
                ..schema.clone()
            } == expected
        }
    };
    bare(JsonType::Integer)(integer) && bare(JsonType::String)(string)
}
