//! `SchemaObject { … }` and its parts, as schemars 0.8 writes schemas: each field is a keyword, or a group of them.

use super::Read;
use super::evaluate::Evaluator;
use super::written::Written;

/// Groups of keywords that are a field of their own.
const GROUPS: [&str; 6] = ["metadata", "subschemas", "number", "string", "array", "object"];

/// The structs that make up a schema.
pub(super) fn is_part(name: &str) -> bool {
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

/// The keywords that a struct literal sets.
pub(super) fn literal(evaluator: &mut Evaluator<'_, '_>, literal: &syn::ExprStruct) -> Read<Written> {
    let mut entries = match &literal.rest {
        Some(rest) => evaluator
            .value(rest)
            .ok()
            .and_then(|rest| rest.entries())
            .unwrap_or_default(),
        None => Vec::new(),
    };
    for field in &literal.fields {
        let syn::Member::Named(name) = &field.member else {
            return Err(evaluator.place(&field.expr));
        };
        let value = evaluator.value(&field.expr)?;
        set(&mut entries, &name.to_string(), value);
    }
    Ok(Written::Object(entries))
}

/// Sets a field: the keyword of its name, or all keywords of a group.
pub(super) fn set(entries: &mut Vec<(String, Written)>, field: &str, value: Written) {
    if value.is_null() && field != "const_value" {
        return;
    }
    if GROUPS.contains(&field) || matches!(field, "extensions" | "schema") {
        for (key, value) in value.entries().unwrap_or_default() {
            Written::set(entries, &key, value);
        }
        return;
    }
    if let Some(key) = keyword(field) {
        Written::set(entries, &key, value);
    }
}

/// The keyword of a field; nothing for what means nothing in Kubernetes.
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

/// Whether a method gives access to a group of keywords: `schema.metadata()`.
pub(super) fn is_group(name: &str) -> bool {
    GROUPS.contains(&name)
}
