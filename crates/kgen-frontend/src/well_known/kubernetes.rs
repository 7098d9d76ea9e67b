//! What the Go types of Kubernetes check and no API document says, kept by hand.

use std::sync::Arc;

use kgen_model::{Constraints, JsonType, Number, Schema};

/// Adds what markers on the Go type say to a type of k8s-openapi.
pub(crate) fn narrow(module: &[&str], name: &str, schema: &mut Schema) {
    // In the APIs themselves no type takes any value: what k8s-openapi has as one is a struct without fields in Go.
    if module.get(1) == Some(&"api") && schema.preserve_unknown_fields && schema.json_type.is_none() {
        *schema = Schema {
            description: schema.description.take(),
            ..Schema::of_type(JsonType::Object)
        };
    }
    // The last module is the file of the type.
    if let [.., "meta", "v1", _] = module
        && name == "Condition"
    {
        for (property, constraints) in condition_constraints() {
            if let Some(found) = schema.properties.get_mut(property) {
                Arc::make_mut(found).constraints = constraints.into();
            }
        }
    }
}

/// `Condition` of meta/v1, where there is no source to read.
pub(super) fn condition() -> Schema {
    let mut schema = Schema::of_type(JsonType::Object);
    let text = || Schema::of_type(JsonType::String);
    for (name, property) in [
        ("lastTransitionTime", Schema::string_format("date-time")),
        ("message", text()),
        ("observedGeneration", Schema::integer("int64")),
        ("reason", text()),
        ("status", text()),
        ("type", text()),
    ] {
        schema.properties.insert(name.to_owned(), Arc::new(property));
        if name != "observedGeneration" {
            schema.required.insert(name.to_owned());
        }
    }
    narrow(&["meta", "v1", "condition"], "Condition", &mut schema);
    schema
}

fn condition_constraints() -> [(&'static str, Constraints); 5] {
    let none = Constraints::default;
    [
        ("message", Constraints { max_length: Some(32_768), ..none() }),
        ("observedGeneration", Constraints { minimum: Some(Number::Integer(0)), ..none() }),
        (
            "reason",
            Constraints {
                min_length: Some(1),
                max_length: Some(1024),
                pattern: Some("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$".to_owned()),
                ..none()
            },
        ),
        (
            "status",
            Constraints { enumeration: Some(vec!["True".into(), "False".into(), "Unknown".into()]), ..none() },
        ),
        (
            "type",
            Constraints {
                max_length: Some(316),
                pattern: Some(
                    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
                        .to_owned(),
                ),
                ..none()
            },
        ),
    ]
}
