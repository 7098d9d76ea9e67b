//! Lints of one field, item or value.

use kgen_diagnostics::{Code, Fix, Problem};
use kgen_model::{JsonType, Keyword, Number, Schema};

use super::Report;
use super::walk::Node;

pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.is_field {
        names(node, report);
        options(node, report);
        description(node, report);
    }
    values(node, report);
    lists(node, report);
    rules(node, report);
    bounds(node, report);
    design(node, report);
}

fn message(mut problem: Problem, message: impl Into<String>) -> Problem {
    problem.message = message.into();
    problem
}

fn names(node: &Node<'_>, report: &mut Report<'_>) {
    let name = node.name;
    let is_camel = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    if !is_camel {
        report.add(Code::FieldCase, node.span, |problem| {
            let problem = message(problem, format!("`{name}` is not in camelCase"));
            problem.help("add `#[serde(rename_all = \"camelCase\")]` to the struct")
        });
    }
    for (ending, short) in [("Reference", "Ref"), ("References", "Refs")] {
        if let Some(start) = name.strip_suffix(ending).filter(|start| !start.is_empty()) {
            report.add(Code::ReferenceName, node.span, |problem| {
                message(
                    problem,
                    format!("references are called `{start}{short}`, not `{name}`"),
                )
                .help("rename the field before others use it")
            });
        }
    }
    let time = match name.strip_suffix("Timestamp") {
        Some(start) if !start.is_empty() => Some(format!("{start}Time")),
        _ => (name == "timestamp").then(|| "time".to_owned()),
    };
    if let Some(time) = time {
        report.add(Code::TimeName, node.span, |problem| {
            message(problem, format!("times are called `{time}`, not `{name}`"))
                .help("rename the field before others use it")
        });
    }
    let is_text = node.schema.json_type == Some(JsonType::String);
    if node.schema.format() == Some("duration") || is_text && name.to_ascii_lowercase().ends_with("duration")
    {
        report.add(Code::DurationField, node.span, |problem| {
            message(
                problem,
                format!("`{name}` is a duration that every client must parse"),
            )
            .help(format!(
                "use an integer with its unit in the name, such as `{name}Seconds`"
            ))
        });
    }
}

fn options(node: &Node<'_>, report: &mut Report<'_>) {
    let places = &node.schema.places;
    // kgen writes the fields of a kind itself, and a required field must not be left out.
    if node.depth > 0 && !node.is_required && places.stated(Keyword::WrittenAsNull).is_some() {
        report.add(Code::OptionNull, node.span, |problem| {
            message(
                problem,
                format!(
                    "Rust writes `{}: null`, which a merge patch reads as \"delete\"",
                    node.name
                ),
            )
            .help("add `#[serde(skip_serializing_if = \"Option::is_none\")]`")
            .with_fix(
                Fix::line_above(node.span, "#[serde(skip_serializing_if = \"Option::is_none\")]").certain(),
            )
        });
    }
    if places.stated(Keyword::RustOption).is_some() && node.is_required {
        report.add(Code::RequiredOption, node.span, |problem| {
            message(
                problem,
                format!("`{}` is required, but Rust may leave it out", node.name),
            )
            .help("use the type inside the `Option`, or remove `+required`")
        });
    }
    let has_default = node
        .schema
        .default
        .as_ref()
        .is_some_and(|default| !default.is_null());
    if has_default && places.stated(Keyword::RequiredStated).is_some() {
        report.add(Code::DefaultAndRequired, node.span, |problem| {
            message(
                problem,
                format!("`{}` is required, but its default makes it optional", node.name),
            )
            .help("remove `+required` or the default")
        });
    }
}

fn description(node: &Node<'_>, report: &mut Report<'_>) {
    // The fields of a kind have the descriptions of Kubernetes.
    if node.depth > 0 && node.schema.description.is_none() {
        report.add(Code::Documentation, node.span, |problem| {
            message(problem, format!("`{}` has no description", node.name))
                .help("write a comment above it; `kubectl explain` shows it")
        });
    }
}

fn values(node: &Node<'_>, report: &mut Report<'_>) {
    let values = node.schema.constraints.enumeration.iter().flatten();
    let is_pascal = |text: &str| {
        text.is_empty()
            || text.starts_with(|letter: char| letter.is_ascii_uppercase())
                && text.chars().all(|letter| letter.is_ascii_alphanumeric())
    };
    let wrong: Vec<&str> = values
        .filter_map(|value| value.as_str())
        .filter(|text| !is_pascal(text))
        .collect();
    if !wrong.is_empty() {
        report.add(Code::EnumCase, node.span, |problem| {
            let (noun, verb) = if wrong.len() == 1 {
                ("value", "is")
            } else {
                ("values", "are")
            };
            let words: Vec<String> = wrong.iter().map(|text| format!("`{text}`")).collect();
            message(
                problem,
                format!("the {noun} {} {verb} not in PascalCase", words.join(", ")),
            )
            .help("Kubernetes writes values like `ClusterIP` and `Always`")
        });
    }
}

fn is_object(schema: &Schema) -> bool {
    schema.json_type == Some(JsonType::Object) && schema.additional_properties.is_none()
}

fn lists(node: &Node<'_>, report: &mut Report<'_>) {
    let Some(items) = node.schema.items.as_deref().filter(|items| is_object(items)) else {
        return;
    };
    let is_conditions = node.is_in_status && node.name == "conditions";
    if node.schema.list_type.is_none() && !is_conditions {
        report.add(Code::ListTypeMissing, node.span, |problem| {
            message(
                problem,
                format!("server-side apply replaces the whole list `{}`", node.name),
            )
            .help("add `// +listType=map` and `// +listMapKey=…`, or `// +listType=atomic`")
        });
    }
    let is_open = items.required.is_empty()
        && !items.properties.is_empty()
        && items.one_of.is_empty()
        && items.any_of.is_empty()
        && items.constraints.min_properties.is_none();
    if is_open && !items.preserve_unknown_fields {
        report.add(Code::ListItemsOptional, node.span, |problem| {
            message(
                problem,
                format!(
                    "items of `{}` have no required field, so `- {{}}` is a valid item",
                    node.name
                ),
            )
            .help("require the field that gives an item its meaning")
        });
    }
}

fn rules(node: &Node<'_>, report: &mut Report<'_>) {
    for rule in &node.schema.constraints.rules {
        let Some(span) = rule.span.filter(|span| report.is_own(*span)) else {
            continue;
        };
        if rule.message.is_none() && rule.message_expression.is_none() {
            report.add(Code::RuleMessage, span, |problem| {
                message(
                    problem,
                    "without a message, users of the API see the expression of the rule",
                )
                .help("add `message=\"…\"`")
            });
        }
    }
}

fn bounds(node: &Node<'_>, report: &mut Report<'_>) {
    let (schema, constraints) = (node.schema, &node.schema.constraints);
    if schema.int_or_string || constraints.enumeration.is_some() {
        return;
    }
    let name = node.name;
    let mut add = |code, what: &str, help: &str| {
        report.add(code, node.span, |problem| {
            message(problem, format!("`{name}` has no {what}")).help(help)
        });
    };
    match schema.json_type {
        Some(JsonType::String) if constraints.max_length.is_none() && schema.format().is_none() => add(
            Code::UnboundedString,
            "maximum length",
            "add `// +kubebuilder:validation:MaxLength=…`",
        ),
        Some(JsonType::Array) if constraints.max_items.is_none() => add(
            Code::UnboundedList,
            "maximum number of items",
            "add `// +kubebuilder:validation:MaxItems=…`",
        ),
        Some(JsonType::Object)
            if schema.additional_properties.is_some() && constraints.max_properties.is_none() =>
        {
            add(
                Code::UnboundedMap,
                "maximum number of entries",
                "add `// +kubebuilder:validation:MaxProperties=…`",
            )
        }
        Some(JsonType::Integer) if constraints.maximum.is_none() || constraints.minimum.is_none() => add(
            Code::UnboundedInteger,
            "minimum and maximum",
            "add `// +kubebuilder:validation:Minimum=…` and `// +kubebuilder:validation:Maximum=…`",
        ),
        _ => {}
    }
}

fn design(node: &Node<'_>, report: &mut Report<'_>) {
    let schema = node.schema;
    let name = node.name;
    match schema.json_type {
        Some(JsonType::Boolean) => report.add(Code::BoolField, node.span, |problem| {
            message(problem, format!("the boolean `{name}` cannot get a third value")).help("use an enum")
        }),
        Some(JsonType::Object) if schema.additional_properties.is_some() && !is_usual_map(name) => {
            report.add(Code::MapField, node.span, |problem| {
                message(problem, format!("the map `{name}` is hard to extend")).help("use a list with keys")
            });
        }
        Some(JsonType::Integer) => {
            // Only the type of Rust sets the minimum then.
            let is_unsigned = schema.constraints.minimum == Some(Number::Integer(0))
                && schema.places.stated(Keyword::Minimum).is_none();
            if is_unsigned {
                report.add(Code::UnsignedInteger, node.span, |problem| {
                    message(
                        problem,
                        format!("many languages cannot read all values of `{name}`"),
                    )
                    .help("use `i32` or `i64` with `// +kubebuilder:validation:Minimum=0`")
                });
            }
        }
        _ => {}
    }
    if schema.nullable {
        report.add(Code::NullableField, node.span, |problem| {
            message(problem, format!("`{name}` has two ways to be empty")).help("use an absent field")
        });
    }
}

/// Maps that Kubernetes itself has.
fn is_usual_map(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "labels",
        "annotations",
        "nodeselector",
        "matchlabels",
        "data",
        "stringdata",
    ]
    .iter()
    .any(|known| name.ends_with(known))
}
