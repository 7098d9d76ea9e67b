//! Laws that hold for random schemas and random values.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use kgen_schema::{Definition, Patterns, Schema, violations};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("metadata".to_owned()),
        Just("kind".to_owned()),
        "[a-z.<\"]{0,3}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3..9_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Returns a schema with random keywords, most of which fit together.
fn schema() -> impl Strategy<Value = Value> {
    let types = prop::sample::select(vec!["string", "integer", "number", "boolean", "object", "array"]);
    let keywords = prop::collection::vec(
        prop_oneof![
            (-2..5_i64).prop_map(|n| ("minimum", json!(n))),
            (-2..5_i64).prop_map(|n| ("maximum", json!(n))),
            (-1..4_i64).prop_map(|n| ("multipleOf", json!(n))),
            (0..4_i64).prop_map(|n| ("maxLength", json!(n))),
            (0..4_i64).prop_map(|n| ("minItems", json!(n))),
            (0..3_i64).prop_map(|n| ("maxProperties", json!(n))),
            Just(("nullable", json!(true))),
            Just(("uniqueItems", json!(true))),
            Just(("exclusiveMinimum", json!(true))),
            Just(("pattern", json!("^a|[b"))),
            Just(("pattern", json!("^a"))),
            Just(("x-kubernetes-preserve-unknown-fields", json!(true))),
            Just(("x-kubernetes-embedded-resource", json!(true))),
            Just(("x-kubernetes-int-or-string", json!(true))),
            Just(("x-kubernetes-list-type", json!("map"))),
            Just(("x-kubernetes-list-type", json!("set"))),
            Just(("x-kubernetes-list-map-keys", json!(["a"]))),
            Just(("required", json!(["a"]))),
            Just(("additionalProperties", json!(false))),
            Just(("additionalProperties", json!(true))),
            Just((
                "x-kubernetes-validations",
                json!([{"rule": "self == self"}, {"rule": "self != oldSelf"}])
            )),
            Just((
                "x-kubernetes-validations",
                json!([{"rule": "self.a > 0", "fieldPath": ".a"}])
            )),
            prop::sample::select(vec!["date", "uri", "int32", "float", "isbn", "x"])
                .prop_map(|format| ("format", json!(format))),
            prop::collection::vec(value(), 0..3).prop_map(|values| ("enum", json!(values))),
            value().prop_map(|value| ("default", value)),
        ],
        0..4,
    );
    let leaf = (prop::option::of(types), keywords).prop_map(|(json_type, keywords)| {
        let mut schema = Map::new();
        if let Some(json_type) = json_type {
            schema.insert("type".to_owned(), json!(json_type));
        }
        schema.extend(keywords.into_iter().map(|(key, value)| (key.to_owned(), value)));
        Value::Object(schema)
    });
    leaf.clone().prop_recursive(3, 16, 3, move |inner| {
        let keyword = prop_oneof![Just("items"), Just("additionalProperties"), Just("not")];
        let list = prop_oneof![Just("allOf"), Just("anyOf"), Just("oneOf")];
        (
            leaf.clone(),
            prop::collection::vec((word(), inner.clone()), 0..3),
            prop::option::of((keyword, inner.clone())),
            prop::option::of((list, prop::collection::vec(inner, 1..3))),
        )
            .prop_map(|(mut schema, properties, part, list)| {
                if !properties.is_empty() {
                    schema["properties"] = Value::Object(properties.into_iter().collect());
                }
                if let Some((keyword, part)) = part {
                    schema[keyword] = part;
                }
                if let Some((keyword, parts)) = list {
                    schema[keyword] = json!(parts);
                }
                schema
            })
    })
}

fn definition(schema: &Value) -> Definition {
    Definition::from_json(&json!({
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com",
            "scope": "Cluster",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
                "type": "object",
                "properties": {"spec": schema},
            }}}],
        },
    }))
    .unwrap()
}

fn object(spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "metadata": {"name": "a", "resourceVersion": "1"},
        "spec": spec,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn nothing_panics(schema in schema(), spec in value(), old in value(), metadata in value()) {
        let definition = definition(&schema);
        let version = definition.version("v1").unwrap();
        let mut object = object(&spec);
        let _ = version.validate(&object);
        let _ = version.validate_update(&object, &self::object(&old));
        object["metadata"] = metadata;
        let _ = version.validate(&object);
        let _ = version.prune(&mut object);
        version.default(&mut object);
        let schema = Schema::read(&schema).unwrap();
        let patterns = Patterns::default();
        for violation in violations(&schema, &spec, &patterns) {
            prop_assert!(!violation.into_field_error().to_string().is_empty());
        }
    }

    #[test]
    fn pruning_twice_changes_nothing(schema in schema(), spec in value()) {
        let definition = definition(&schema);
        let version = definition.version("v1").unwrap();
        let mut once = object(&spec);
        if version.prune(&mut once).is_ok() {
            let mut twice = once.clone();
            prop_assert_eq!(version.prune(&mut twice).unwrap(), Vec::<String>::new());
            prop_assert_eq!(once, twice);
        }
    }

    #[test]
    fn defaulting_twice_changes_nothing(schema in schema(), spec in value()) {
        let definition = definition(&schema);
        let version = definition.version("v1").unwrap();
        let mut once = object(&spec);
        version.default(&mut once);
        let mut twice = once.clone();
        version.default(&mut twice);
        prop_assert_eq!(once, twice);
    }

    /// An update that changes nothing is accepted, apart from rules about the change itself.
    #[test]
    fn an_unchanged_value_is_not_validated_again(spec in value()) {
        let schema = json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}});
        let definition = definition(&schema);
        let version = definition.version("v1").unwrap();
        let mut object = object(&spec);
        if version.prune(&mut object).is_ok() {
            let report = version.validate_update(&object, &object);
            prop_assert!(report.is_valid(), "{}", report.message());
        }
    }

    /// Pruning and defaulting keep valid objects valid, if the defaults are valid.
    #[test]
    fn valid_objects_stay_valid(spec in value()) {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": {"type": "integer", "minimum": 0, "default": 3},
                "b": {"type": "array", "items": {"type": "string", "nullable": true}, "default": ["x"]},
                "kind": {"type": "object", "additionalProperties": {"type": "integer", "default": 1}},
            },
        });
        let definition = definition(&schema);
        let version = definition.version("v1").unwrap();
        let mut object = object(&spec);
        if version.validate(&object).is_valid() && version.prune(&mut object).is_ok() {
            version.default(&mut object);
            let report = version.validate(&object);
            prop_assert!(report.is_valid(), "{}", report.message());
        }
    }
}

#[test]
fn deep_values_are_refused() {
    let definition = definition(&json!({"x-kubernetes-preserve-unknown-fields": true}));
    let version = definition.version("v1").unwrap();
    let mut deep = json!(1);
    for _ in 0..600 {
        deep = Value::Array(vec![deep]);
    }
    let mut object = object(&deep);
    assert!(version.prune(&mut object).is_err());
    version.default(&mut object);
    assert!(!version.validate(&object).is_valid());
    assert!(!version.validate_update(&object, &object).is_valid());
}

#[test]
fn deep_schemas_are_refused() {
    let mut schema = json!({"type": "string"});
    for _ in 0..101 {
        schema = json!({"type": "array", "items": schema});
    }
    let message = Schema::read(&schema).unwrap_err().to_string();
    assert!(message.contains("more than 100 levels"), "{message}");
}
