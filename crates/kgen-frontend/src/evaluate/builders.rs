//! Structs of other crates that code fills field by field: the parts of a schema of schemars 0.8, whose fields are
//! keywords or groups of keywords, and the rules of kube.

use super::value::{Value, set_entry};

/// Groups of keywords that have their own field.
const GROUPS: [&str; 6] = ["metadata", "subschemas", "number", "string", "array", "object"];

/// Returns whether a struct of this name is known.
pub(super) fn is_known(name: &str) -> bool {
    name == "Rule" || is_schema(name)
}

fn is_schema(name: &str) -> bool {
    matches!(
        name,
        "SchemaObject"
            | "RootSchema"
            | "Metadata"
            | "SubschemaValidation"
            | "NumberValidation"
            | "StringValidation"
            | "ArrayValidation"
            | "ObjectValidation"
    )
}

/// Returns the struct that has these fields.
pub(super) fn made(name: &str, entries: Vec<(String, Value)>) -> Value {
    if is_schema(name) {
        Value::Map(entries)
    } else {
        Value::foreign(name, entries)
    }
}

/// Sets a field of a struct literal: the keyword of its name, or all keywords of a group.
pub(super) fn set(name: &str, entries: &mut Vec<(String, Value)>, field: &str, value: Value) -> Option<()> {
    if !is_schema(name) {
        set_entry(entries, field, value);
        return Some(());
    }
    if value.is_none() && field != "const_value" {
        return Some(());
    }
    if is_merged(field) {
        for (key, value) in entries_of(value)? {
            set_entry(entries, &key, value);
        }
    } else if let Some(key) = keyword(field) {
        set_entry(entries, &key, value);
    }
    Some(())
}

/// Returns the entries of a map, also where it is being collected from pairs.
pub(super) fn entries_of(value: Value) -> Option<Vec<(String, Value)>> {
    match value {
        Value::Map(entries) => Some(entries),
        Value::Option(Some(inner)) => entries_of(*inner),
        other => {
            let mut entries = Vec::new();
            for pair in other.list()? {
                let Value::Tuple(pair) = pair else { return None };
                let [key, value] = pair.as_slice() else {
                    return None;
                };
                set_entry(&mut entries, key.text()?, value.clone());
            }
            Some(entries)
        }
    }
}

/// Returns whether the entries of a field are keywords themselves.
pub(super) fn is_merged(field: &str) -> bool {
    is_group(field) || matches!(field, "extensions" | "schema")
}

/// Returns whether a method or field gives access to a group of keywords: `schema.metadata()`.
pub(super) fn is_group(name: &str) -> bool {
    GROUPS.contains(&name)
}

/// Returns the keyword of a field. Returns `None` for fields that mean nothing in Kubernetes.
pub(super) fn keyword(field: &str) -> Option<String> {
    Some(match field {
        "instance_type" => "type".to_owned(),
        "enum_values" => "enum".to_owned(),
        "const_value" => "const".to_owned(),
        "reference" => "$ref".to_owned(),
        "id" | "definitions" | "meta_schema" => return None,
        other => {
            let mut words = other.split('_').filter(|word| !word.is_empty());
            let first = words.next().unwrap_or_default().to_owned();
            words.fold(first, |mut name, word| {
                let mut letters = word.chars();
                name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
                name.push_str(letters.as_str());
                name
            })
        }
    })
}

/// Evaluates a method that sets a part of a rule: `Rule::new("…").message("…")`.
pub(super) fn method(receiver: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
    let (Value::Foreign(rule), [argument]) = (receiver, arguments) else {
        return None;
    };
    let is_part = matches!(name, "message" | "reason" | "field_path" | "optional_old_self");
    if rule.name != "Rule" || !is_part {
        return None;
    }
    let mut fields = rule.fields.clone();
    set_entry(&mut fields, name, argument.clone());
    Some(Value::foreign("Rule", fields))
}
