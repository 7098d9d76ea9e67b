//! Constraints of Kubernetes' Go types that are not in the API documents, maintained by hand.

use std::sync::Arc;

use kgen_model::{Constraints, JsonType, Number, Schema};

/// Adds the markers on the Go type to a type of k8s-openapi.
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
        narrow_condition(schema);
    }
}

/// Adds the constraints of the Go type to the schema of `Condition`.
pub(crate) fn narrow_condition(schema: &mut Schema) {
    for (property, constraints) in condition_constraints() {
        if let Some(found) = schema.properties.get_mut(property) {
            Arc::make_mut(found).constraints = constraints.into();
        }
    }
}

/// Returns `Condition` of meta/v1 as its source describes it, for projects whose dependencies are not fetched yet.
pub(super) fn condition() -> Schema {
    let text = || Schema::of_type(JsonType::String);
    let mut schema = Schema::of_type(JsonType::Object);
    schema.description = Some(
        "Condition contains details for one aspect of the current state of this API Resource.".to_owned(),
    );
    for (name, description, property) in [
        (
            "lastTransitionTime",
            "lastTransitionTime is the last time the condition transitioned from one status to another. This should be when \
             the underlying condition changed.  If that is not known, then using the time when the API field changed is \
             acceptable.",
            Schema::string_format("date-time"),
        ),
        (
            "message",
            "message is a human readable message indicating details about the transition. This may be an empty string.",
            text(),
        ),
        (
            "observedGeneration",
            "observedGeneration represents the .metadata.generation that the condition was set based upon. For instance, if \
             .metadata.generation is currently 12, but the .status.conditions[x].observedGeneration is 9, the condition is \
             out of date with respect to the current state of the instance.",
            Schema::integer("int64"),
        ),
        (
            "reason",
            "reason contains a programmatic identifier indicating the reason for the condition's last transition. Producers \
             of specific condition types may define expected values and meanings for this field, and whether the values are \
             considered a guaranteed API. The value should be a CamelCase string. This field may not be empty.",
            text(),
        ),
        (
            "status",
            "status of the condition, one of True, False, Unknown.",
            text(),
        ),
        (
            "type",
            "type of condition in CamelCase or in foo.example.com/CamelCase.",
            text(),
        ),
    ] {
        let property = Schema {
            description: Some(description.to_owned()),
            ..property
        };
        schema.properties.insert(name.to_owned(), Arc::new(property));
        if name != "observedGeneration" {
            schema.required.insert(name.to_owned());
        }
    }
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
