//! Follows a path through a schema: where it leads, or where it leaves what is known.

use std::sync::LazyLock;

use kgen_model::{JsonType, KindVersion, Schema};

use super::super::refusal::Refusal;
use super::Selector;

/// Where a path leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found<'a> {
    /// To a value with a known schema.
    Schema(&'a Schema),
    /// To something that the schema leaves open.
    Unknown,
}

/// Follows a path from the root of an object. Says at which step, and why, it leads nowhere.
pub(crate) fn resolve<'a>(version: &'a KindVersion, path: &[Selector]) -> Result<Found<'a>, Refusal> {
    match path {
        // The definition has schemas of its own for these.
        [Selector::Field(name), rest @ ..] if matches!(name.as_str(), "apiVersion" | "kind") => {
            follow(Found::Schema(&TEXT), rest, &mut format!(".{name}"))
        }
        [Selector::Field(name), rest @ ..] if name == "metadata" => {
            follow(Found::Schema(&METADATA), rest, &mut ".metadata".to_owned())
        }
        // A descent from the root may also find metadata, which is not part of the schema.
        [Selector::Descent | Selector::Wildcard, ..] => Ok(Found::Unknown),
        _ => follow(Found::Schema(&version.schema), path, &mut String::new()),
    }
}

fn follow<'a>(mut found: Found<'a>, path: &[Selector], walked: &mut String) -> Result<Found<'a>, Refusal> {
    for selector in path {
        let Found::Schema(schema) = found else {
            return Ok(Found::Unknown);
        };
        found = step(schema, selector, walked)?;
    }
    Ok(found)
}

fn step<'a>(schema: &'a Schema, selector: &Selector, walked: &mut String) -> Result<Found<'a>, Refusal> {
    match selector {
        Selector::Field(name) => field(schema, name, walked),
        Selector::Items => items(schema, walked),
        Selector::Wildcard => Ok(wildcard(schema)),
        Selector::Descent => Ok(Found::Unknown),
        Selector::Filter(paths) => {
            let item = items(schema, walked)?;
            for path in paths {
                follow(item, path, &mut walked.clone())?;
            }
            Ok(item)
        }
        Selector::Union(ways) => {
            let mut first = Found::Unknown;
            for (position, way) in ways.iter().enumerate() {
                let found = follow(Found::Schema(schema), way, &mut walked.clone())?;
                if position == 0 {
                    first = found;
                }
            }
            // The API server shows the first result.
            Ok(first)
        }
    }
}

fn field<'a>(schema: &'a Schema, name: &str, walked: &mut String) -> Result<Found<'a>, Refusal> {
    let here = if walked.is_empty() {
        "the object".to_owned()
    } else {
        format!("`{walked}`")
    };
    if let Some(property) = schema
        .properties
        .get(name)
        .or(schema.additional_properties.as_ref())
    {
        walked.push('.');
        walked.push_str(name);
        return Ok(Found::Schema(property));
    }
    if schema.preserve_unknown_fields || schema.embedded_resource {
        return Ok(Found::Unknown);
    }
    match schema.json_type {
        Some(JsonType::Array) => {
            Err(format!("{here} is a list, so `[*]` or an index must come before `.{name}`").into())
        }
        Some(JsonType::Object) => {
            let message = format!("{here} has no field `{name}`");
            Err(Refusal::unknown_field(message, name, schema))
        }
        Some(scalar) => Err(format!("{here} has type `{}`, which has no fields", scalar.word()).into()),
        None if schema.int_or_string => {
            Err(format!("{here} is an integer or a string, which has no fields").into())
        }
        None => Ok(Found::Unknown),
    }
}

fn items<'a>(schema: &'a Schema, walked: &mut String) -> Result<Found<'a>, Refusal> {
    if let Some(items) = &schema.items {
        walked.push_str("[*]");
        return Ok(Found::Schema(items));
    }
    match schema.json_type {
        Some(JsonType::Array) | None => Ok(Found::Unknown),
        Some(_) if schema.preserve_unknown_fields => Ok(Found::Unknown),
        Some(other) => Err(format!("`{walked}` has type `{}`, which has no items", other.word()).into()),
    }
}

fn wildcard(schema: &Schema) -> Found<'_> {
    let within = schema
        .items
        .as_deref()
        .or(schema.additional_properties.as_deref());
    within.map_or(Found::Unknown, Found::Schema)
}

static TEXT: LazyLock<Schema> = LazyLock::new(|| Schema::of_type(JsonType::String));

/// The metadata of objects, as far as columns show it.
static METADATA: LazyLock<Schema> = LazyLock::new(|| {
    let text = || Schema::of_type(JsonType::String);
    let time = || Schema::string_format("date-time");
    let truth = || Schema::of_type(JsonType::Boolean);
    let owner = object([
        ("apiVersion", text()),
        ("blockOwnerDeletion", truth()),
        ("controller", truth()),
        ("kind", text()),
        ("name", text()),
        ("uid", text()),
    ]);
    let manager = object([
        ("apiVersion", text()),
        ("fieldsType", text()),
        ("fieldsV1", Schema::anything()),
        ("manager", text()),
        ("operation", text()),
        ("subresource", text()),
        ("time", time()),
    ]);
    object([
        ("annotations", Schema::map_of(text())),
        ("creationTimestamp", time()),
        ("deletionGracePeriodSeconds", Schema::integer("int64")),
        ("deletionTimestamp", time()),
        ("finalizers", Schema::array_of(text())),
        ("generateName", text()),
        ("generation", Schema::integer("int64")),
        ("labels", Schema::map_of(text())),
        ("managedFields", Schema::array_of(manager)),
        ("name", text()),
        ("namespace", text()),
        ("ownerReferences", Schema::array_of(owner)),
        ("resourceVersion", text()),
        ("selfLink", text()),
        ("uid", text()),
    ])
});

fn object<const N: usize>(properties: [(&str, Schema); N]) -> Schema {
    let properties = properties
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema.into()));
    Schema {
        properties: properties.collect(),
        ..Schema::of_type(JsonType::Object)
    }
}
