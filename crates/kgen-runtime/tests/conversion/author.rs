//! The part that authors see: typed conversion, mistakes in tables, and `check`.

use std::borrow::Cow;

use kgen_runtime::conversion::{Change, Checks, Conversion};
use kube::api::ObjectMeta;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{conversion, widget};

macro_rules! kind {
    ($name:ident, $version:literal, $field:ident: $type:ty) => {
        #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
        struct $name {
            metadata: ObjectMeta,
            spec: Spec<$type>,
        }

        impl kube::Resource for $name {
            type DynamicType = ();
            type Scope = kube::core::NamespaceResourceScope;

            fn kind((): &()) -> Cow<'_, str> {
                "Widget".into()
            }

            fn group((): &()) -> Cow<'_, str> {
                "example.com".into()
            }

            fn version((): &()) -> Cow<'_, str> {
                $version.into()
            }

            fn plural((): &()) -> Cow<'_, str> {
                "widgets".into()
            }

            fn meta(&self) -> &ObjectMeta {
                &self.metadata
            }

            fn meta_mut(&mut self) -> &mut ObjectMeta {
                &mut self.metadata
            }
        }
    };
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Spec<T> {
    size: T,
}

kind!(Old, "v1", size: String);
kind!(New, "v2", size: i64);

fn sizes() -> Conversion {
    conversion(
        json!({"size": {"type": "string"}}),
        json!({"size": {"type": "integer"}}),
        Change::new().translated(
            ["size"],
            ["size"],
            |(size,): (String,)| (size.parse::<i64>().ok(),),
            |(size,): (i64,)| (size.to_string(),),
        ),
    )
}

#[test]
fn typed_objects_are_converted_with_all_their_metadata() {
    let metadata = ObjectMeta {
        name: Some("a".to_owned()),
        finalizers: Some(vec!["example.com/x".to_owned()]),
        resource_version: Some("7".to_owned()),
        ..ObjectMeta::default()
    };
    let size = "05".to_owned();
    let old = Old {
        metadata: metadata.clone(),
        spec: Spec { size },
    };
    let new: New = sizes().convert(&old).unwrap();
    assert_eq!(new.spec.size, 5);
    assert_eq!(new.metadata.finalizers, metadata.finalizers);
    assert_eq!(new.metadata.resource_version, metadata.resource_version);
    assert_eq!(sizes().convert::<_, Old>(&new).unwrap(), old);

    // The JSON can be converted, but the type requires a size.
    let size = "many".to_owned();
    let unfit = Old {
        metadata,
        spec: Spec { size },
    };
    let error = sizes().convert::<_, New>(&unfit).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the object does not fit the Rust type: spec: missing field `size`"
    );
    let error = sizes()
        .convert::<_, k8s_openapi::api::core::v1::Pod>(&unfit)
        .unwrap_err();
    assert_eq!(error.to_string(), "expected Widget.example.com, got Pod");
}

#[test]
fn mistakes_are_named() {
    let message = |conversion: &Conversion, json: Value, version: &str| {
        conversion.convert_json(json, version).unwrap_err().to_string()
    };
    let good = widget("v1", json!({}));
    assert_eq!(
        message(&sizes(), good.clone(), "v3"),
        "Widget.example.com has no version \"v3\"; it has: v1, v2"
    );
    assert_eq!(message(&sizes(), json!(1), "v2"), "the value is not an object");
    assert_eq!(
        message(
            &sizes(),
            json!({"kind": "Gadget", "apiVersion": "example.com/v1"}),
            "v2"
        ),
        "expected Widget.example.com, got Gadget.example.com"
    );
    let new = |schemas: &str| Conversion::new("example.com", "Widget", schemas);
    let step = Change::new;
    for (conversion, reason) in [
        (
            new("{"),
            "the schemas are not JSON: EOF while parsing an object at line 1 column 1",
        ),
        (new("{}"), "it has no steps"),
        (
            new("[]"),
            "the schemas must be an object with one schema per version",
        ),
        (new("{}").step("v1", "v2", step()), "v1 has no schema"),
        (
            new(r#"{"v1": {"type": 1}}"#),
            "the schema of v1 cannot be read: `type` must be a string",
        ),
        (
            new(r#"{"v1": {}, "v2": {}}"#)
                .step("v1", "v2", step())
                .step("v1", "v2", step()),
            "the step from v1 must begin at v2, where the previous one ends",
        ),
        (
            new(r#"{"v1": {}, "v2": {}}"#)
                .step("v1", "v2", step())
                .step("v2", "v1", step()),
            "v1 is in the chain twice",
        ),
    ] {
        let expected = format!("the conversion of Widget.example.com is wrong: {reason}");
        assert_eq!(message(&conversion, good.clone(), "v2"), expected);
    }
}

#[test]
fn an_object_of_the_desired_version_is_unchanged() {
    let mut object = widget("v2", json!({"size": "wrong", "undeclared": 1}));
    object["metadata"]["annotations"] = json!({"example.com/conversion-v2": "own"});
    assert_eq!(sizes().convert_json(object.clone(), "v2").unwrap(), object);
}

#[test]
fn check_finds_nothing_in_a_lawful_conversion() {
    sizes().check(Checks::default().objects(200)).unwrap();
}

#[test]
fn check_reports_the_smallest_object() {
    // The newer version requires the field, and the table does not say where it comes from.
    let schemas = json!({
        "v1": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "a": {"type": "string"}, "b": {"type": "array", "items": {"type": "integer"}},
        }}}},
        "v2": {"type": "object", "properties": {"spec": {"type": "object", "required": ["c"], "properties": {
            "a": {"type": "string"}, "b": {"type": "array", "items": {"type": "integer"}}, "c": {"type": "string"},
        }}}},
    });
    let conversion = Conversion::new("example.com", "Widget", &schemas.to_string()).step(
        "v1",
        "v2",
        Change::new().inside("spec", Change::new().added("c")),
    );
    let failure = conversion.check(Checks::default()).unwrap_err();
    assert_eq!(failure.law(), "exact");
    assert_eq!(
        failure.to_string(),
        "the law `exact` does not hold from v1 to v2: spec.c: Required value\nin v1: {\"spec\":{}}\nin v2: {\"spec\":{}}"
    );
}

#[test]
fn check_uses_patterns_and_functions() {
    let parse = |(size,): (String,)| (size.trim_end_matches("Gi").parse::<i64>().unwrap_or(-1),);
    let schemas = json!({
        "v1": {"type": "object", "properties": {"size": {"type": "string"}, "kind_of": {"type": "string"}}},
        "v2": {"type": "object", "properties": {"size": {"type": "integer"}, "kind_of": {"type": "string", "enum": ["a"]}}},
    });
    let change = Change::new().translated(
        ["size"],
        ["size"],
        parse,
        |(size,): (i64,)| (format!("{size}Gi"),),
    );
    let conversion = Conversion::new("example.com", "Widget", &schemas.to_string()).step("v1", "v2", change);
    let checks = Checks::default()
        .objects(100)
        .seed(3)
        .pattern("v1", "size", "[1-9]Gi");
    // Random strings are not in the enum.
    assert_eq!(conversion.check(checks.clone()).unwrap_err().law(), "exact");
    let checks = checks.value("v1", "kind_of", |_| "a".into());
    conversion.check(checks).unwrap();
}
