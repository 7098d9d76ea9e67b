//! Required texts of built-in kinds.
//!
//! A real server does not read `required` in its own schemas: a missing text is empty, and the validation in Go refuses it.
//! For most texts it answers `Required value`. The others are listed here: those that may be empty, and those with messages
//! of their own, which are not checked.

use kgen_schema::{ErrorKind, FieldError, JsonType, Problem, Schema, Segment, Version};
use serde_json::Value;

/// Texts that may be empty, or whose absence has another message: the field, and the field that it is in.
const NOT_CHECKED: [(&str, &str); 18] = [
    ("action", ""),
    ("conditionType", ""),
    ("handler", ""),
    ("ip", ""),
    ("key", "matchExpressions"),
    ("key", "taints"),
    ("kind", "roleRef"),
    ("kind", "subjects"),
    ("name", "schedulingGates"),
    ("name", "httpHeaders"),
    ("name", "volumeMounts"),
    ("operator", ""),
    ("restartPolicy", ""),
    ("topologyKey", "podAffinityTerm"),
    ("topologyKey", "requiredDuringSchedulingIgnoredDuringExecution"),
    ("type", "policies"),
    ("value", "httpHeaders"),
    ("value", "sysctls"),
];

/// Details of some messages.
const DETAILS: [(&str, &str); 3] = [
    ("pathType", "pathType must be specified"),
    ("sideEffects", "must specify one of None, NoneOnDryRun"),
    ("topologyKey", "can not be empty"),
];

/// Adds the errors of required texts that are missing, unless there is already one for the field.
pub(super) fn check(schema: &Version, object: &Value, errors: &mut Vec<FieldError>) {
    // Go does not tell an empty text from one that is missing.
    let mut stated = object.clone();
    remove_empty_texts(&mut stated);
    for violation in schema.violations(schema.schema(), &stated) {
        let Problem::Required { name } = &violation.problem else {
            continue;
        };
        let parents: Vec<&str> = violation
            .segments
            .iter()
            .filter_map(|segment| match segment {
                Segment::Name(name) => Some(name.as_str()),
                Segment::Index(_) => None,
            })
            .collect();
        let is_in = |parent: &str| parents.contains(&parent);
        let last = parents.last().copied().unwrap_or_default();
        let is_exempt =
            |(field, parent): &(&str, &str)| field == name && (parent.is_empty() || *parent == last);
        let within = inner(schema.schema(), &violation.segments);
        let is_text = within
            .and_then(|within| within.property(name))
            .is_some_and(|property| property.json_type == Some(JsonType::String));
        if !is_text || is_in("status") || is_in("metadata") || NOT_CHECKED.iter().any(is_exempt) {
            continue;
        }
        let field = match violation.path.as_str() {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        if errors.iter().any(|error| error.field() == field) {
            continue;
        }
        let detail = DETAILS.iter().find(|(known, _)| known == name);
        let detail = detail.map_or("", |(_, detail)| detail);
        errors.push(FieldError::new(ErrorKind::Required, field, detail));
    }
}

/// Returns the schema of a part of a value.
fn inner<'s>(schema: &'s Schema, segments: &[Segment]) -> Option<&'s Schema> {
    segments.iter().try_fold(schema, |schema, segment| match segment {
        Segment::Name(name) => schema.property(name).or(schema.additional_schema()),
        Segment::Index(_) => schema.items.as_deref(),
    })
}

fn remove_empty_texts(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|_, entry| entry != "");
            entries.values_mut().for_each(remove_empty_texts);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_empty_texts),
        _ => {}
    }
}
