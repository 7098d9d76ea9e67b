//! Enums with data: their variants, each with the smallest YAML.

use kgen_model::{RustContents, RustEnum, RustField, RustRole, RustType, RustTypes, Tagging};
use kgen_sample::{Leaf, Sampler, Step};
use kgen_schema::{Patterns, Schema, violations};
use serde_json::{Map, Value};

use crate::model::{Variant, Variants};

/// Returns the variants of an enum, if any of them has data. `schema` is that of the value, as the API server reads it.
pub(super) fn of(described: &RustEnum, schema: Option<&Schema>, rust: &RustTypes) -> Option<Variants> {
    let has_data = |contents: &RustContents| !matches!(contents, RustContents::Unit);
    if !described
        .variants
        .iter()
        .any(|variant| has_data(&variant.contents))
    {
        return None;
    }
    let list = described.variants.iter().map(|variant| {
        let value = schema.and_then(|schema| {
            let value = smallest(described, &variant.json_name, &variant.contents, schema, rust)?;
            let is_valid = violations(schema, &value, &Patterns::default()).is_empty();
            is_valid.then_some(value)
        });
        Variant {
            name: match described.tagging {
                Tagging::Untagged => variant.name.clone(),
                _ => variant.json_name.clone(),
            },
            description: variant.description.clone(),
            flow: value.as_ref().map(flow),
            yaml: value.map(|value| kgen_yaml::to_string(&value)),
        }
    });
    Some(Variants {
        is_exactly_one: described.tagging != Tagging::Untagged,
        list: list.collect(),
    })
}

/// Returns the smallest value of a variant.
fn smallest(
    described: &RustEnum,
    name: &str,
    contents: &RustContents,
    schema: &Schema,
    rust: &RustTypes,
) -> Option<Value> {
    let sampler = Sampler::new(schema, None);
    let field = |name: &str| Step::Field(name.to_owned());
    match &described.tagging {
        Tagging::External => match contents {
            RustContents::Unit => Some(Value::from(name)),
            _ => sampler.with(&[field(name)], &Leaf::Smallest),
        },
        Tagging::Internal(tag) | Tagging::Adjacent(tag, _) => {
            sampler.with(&[field(tag)], &Leaf::Value(Value::from(name)))
        }
        Tagging::Untagged => {
            let fields = match contents {
                RustContents::Unit => return Some(Value::Null),
                RustContents::Fields(fields) => fields,
                RustContents::Value(value) => {
                    let field_type = value.field_type.as_ref()?;
                    match struct_of(field_type, rust) {
                        Some(described) => &described.fields,
                        None => return plain(field_type, schema),
                    }
                }
            };
            let mut object = Map::new();
            for field in fields.iter().filter(|field| !is_optional(field)) {
                let property = schema.property(&field.json_name)?;
                let value = Sampler::new(property, None).smallest()?;
                object.insert(field.json_name.clone(), value);
            }
            Some(Value::Object(object))
        }
    }
}

/// Returns the smallest value of a type that is not a struct, if the schema accepts one.
fn plain(field_type: &RustType, schema: &Schema) -> Option<Value> {
    let candidates = match (field_type.role, field_type.path.name()) {
        (RustRole::Optional | RustRole::Pointer, _) => return plain(field_type.arguments.first()?, schema),
        (RustRole::List | RustRole::Array(_), _) => vec![Value::Array(Vec::new())],
        (RustRole::Map, _) => vec![Value::Object(Map::new())],
        (RustRole::Other, "String" | "str" | "char") => ["example", "a", ""].map(Value::from).to_vec(),
        (RustRole::Other, "bool") => vec![Value::from(true)],
        (RustRole::Other, "f32" | "f64") => [0.5, 1.5].map(Value::from).to_vec(),
        (RustRole::Other, name) if name.trim_start_matches(['i', 'u']).parse::<u8>().is_ok() => {
            [0, 1].map(Value::from).to_vec()
        }
        _ => Vec::new(),
    };
    let own = Sampler::new(schema, None).smallest();
    let is_alike = |value: &Value| {
        candidates
            .iter()
            .any(|candidate| std::mem::discriminant(candidate) == std::mem::discriminant(value))
    };
    let own = own.filter(is_alike);
    let is_valid = |value: &Value| violations(schema, value, &Patterns::default()).is_empty();
    candidates.into_iter().chain(own).find(is_valid)
}

fn struct_of<'r>(field_type: &RustType, rust: &'r RustTypes) -> Option<&'r kgen_model::RustStruct> {
    rust.structs.get(&field_type.path)
}

fn is_optional(field: &RustField) -> bool {
    let role = field.field_type.as_ref().map(|field_type| field_type.role);
    role == Some(RustRole::Optional)
}

/// Returns a value as YAML in one line.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(name, entry)| format!("{name}: {}", flow(entry)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) if is_plain(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns whether a string needs no quotes in one line of YAML.
fn is_plain(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n"
        )
}
