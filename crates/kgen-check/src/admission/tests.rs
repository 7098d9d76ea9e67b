use std::sync::Arc;

use kgen_model::{JsonType, ListType, Schema};
use serde_json::{Value, json};

use super::Admission;

fn object(properties: impl IntoIterator<Item = (&'static str, Schema)>) -> Schema {
    let mut schema = Schema::of_type(JsonType::Object);
    for (name, property) in properties {
        schema.properties.insert(name.to_owned(), Arc::new(property));
    }
    schema
}

fn text() -> Schema {
    Schema::of_type(JsonType::String)
}

fn admit(schema: &Schema, value: Value) -> Result<Value, String> {
    Admission::default().admit(schema, &value)
}

#[test]
fn unknown_fields_are_pruned_unless_they_are_preserved() {
    let mut schema = object([("a", text())]);
    assert_eq!(admit(&schema, json!({"a": "", "b": 1})), Ok(json!({"a": ""})));
    schema.preserve_unknown_fields = true;
    assert_eq!(
        admit(&schema, json!({"a": "", "b": 1})),
        Ok(json!({"a": "", "b": 1}))
    );
}

#[test]
fn defaults_replace_absent_values_and_forbidden_nulls() {
    let with_default = Schema {
        default: Some(json!("x")),
        ..text()
    };
    let nullable = Schema {
        nullable: true,
        ..with_default.clone()
    };
    let schema = object([("a", with_default), ("b", nullable)]);
    assert_eq!(admit(&schema, json!({})), Ok(json!({"a": "x", "b": "x"})));
    assert_eq!(
        admit(&schema, json!({"a": null, "b": null})),
        Ok(json!({"a": "x", "b": null}))
    );
}

#[test]
fn nulls_vanish_from_objects_and_not_from_lists() {
    let schema = object([
        ("a", text()),
        ("b", Schema::map_of(text())),
        ("c", Schema::array_of(text())),
    ]);
    assert_eq!(
        admit(&schema, json!({"a": null, "b": {"x": null}})),
        Ok(json!({"b": {}}))
    );
    assert!(admit(&schema, json!({"c": [null]})).is_err());
}

#[test]
fn a_required_field_that_is_null_is_missing() {
    let mut schema = object([("a", Schema::anything())]);
    schema.required.insert("a".to_owned());
    assert_eq!(
        admit(&schema, json!({"a": null})),
        Err("`a` is required and missing".to_owned())
    );
}

#[test]
fn numbers_are_written_as_go_writes_them() {
    let schema = Schema::array_of(Schema::of_type(JsonType::Number));
    let read: Value = serde_json::from_str("[5.0, -0.0, 1.5, 1e300]").unwrap_or_default();
    assert_eq!(admit(&schema, read), Ok(json!([5, 0, 1.5, 1e300])));
}

#[test]
fn sets_have_no_doubles() {
    let schema = Schema {
        list_type: Some(ListType::Set),
        ..Schema::array_of(text())
    };
    assert_eq!(admit(&schema, json!(["a", "b"])), Ok(json!(["a", "b"])));
    assert!(admit(&schema, json!(["a", "a"])).is_err());
}
