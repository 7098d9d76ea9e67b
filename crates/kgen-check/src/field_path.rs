//! Follows the paths of selectable fields and of rules through the schemas of the model.
//!
//! `kgen-schema` splits a path into names; this module adds the field that was probably meant.

use std::sync::LazyLock;

use kgen_model::{JsonType, Schema};
use kgen_schema::field_path::{Notation, names};

use super::refusal::Refusal;

/// Follows a path from a schema, which may be that of a whole object. Returns the reason if it leads nowhere.
pub(super) fn follow<'a>(
    schema: &'a Schema,
    is_root: bool,
    path: &str,
    notation: Notation,
) -> Result<&'a Schema, Refusal> {
    let mut schema = schema;
    let mut is_root = is_root;
    for name in names(path, notation) {
        schema = step(schema, is_root, &name?)?;
        is_root = false;
    }
    Ok(schema)
}

fn step<'a>(schema: &'a Schema, is_root: bool, name: &str) -> Result<&'a Schema, Refusal> {
    match name {
        "apiVersion" | "kind" if is_root => return Ok(&TEXT),
        "metadata" if is_root => return Ok(&METADATA),
        _ => {}
    }
    if let Some(property) = schema.properties.get(name) {
        return Ok(property);
    }
    if let Some(values) = schema
        .additional_properties
        .as_deref()
        .filter(|_| schema.properties.is_empty())
    {
        return Ok(values);
    }
    let message = format!("there is no field `{name}`");
    Err(Refusal::unknown_field(message, name, schema))
}

/// The properties that every object has. A CRD states only their types.
static TEXT: LazyLock<Schema> = LazyLock::new(|| Schema::of_type(JsonType::String));
static METADATA: LazyLock<Schema> = LazyLock::new(|| Schema::of_type(JsonType::Object));

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Schema {
        let leaf = || Schema::of_type(JsonType::String).into();
        let spec = Schema {
            properties: [("name".to_owned(), leaf()), ("a.b".to_owned(), leaf())].into(),
            ..Schema::of_type(JsonType::Object)
        };
        let labels = Schema::map_of(Schema::of_type(JsonType::Integer));
        let properties = [
            ("spec".to_owned(), spec.into()),
            ("labels".to_owned(), labels.into()),
        ];
        Schema {
            properties: properties.into(),
            ..Schema::of_type(JsonType::Object)
        }
    }

    #[test]
    fn paths_with_dots_and_brackets() {
        let schema = schema();
        let found = |path: &str, notation| follow(&schema, true, path, notation).map(|found| found.json_type);
        assert_eq!(found(".spec.name", Notation::Dots), Ok(Some(JsonType::String)));
        assert_eq!(found(".labels.any", Notation::Dots), Ok(Some(JsonType::Integer)));
        assert_eq!(found(".kind", Notation::Dots), Ok(Some(JsonType::String)));
        assert_eq!(
            found(".spec['a.b']", Notation::DotsAndBrackets),
            Ok(Some(JsonType::String))
        );
        assert_eq!(found("", Notation::Dots), Ok(Some(JsonType::Object)));
    }

    #[test]
    fn paths_that_lead_nowhere() {
        let schema = schema();
        for path in [
            ".spec.nam",
            "spec",
            ".",
            ".spec.",
            ".spec[name]",
            ".spec['name'",
            ".spec['name",
            ".metadata.name",
            "..a",
            ".spec['\\q']",
        ] {
            assert!(
                follow(&schema, true, path, Notation::DotsAndBrackets).is_err(),
                "{path}"
            );
        }
        assert!(follow(&schema, true, ".spec['name']", Notation::Dots).is_err());
    }
}
