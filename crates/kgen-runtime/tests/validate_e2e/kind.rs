//! A kind whose CRD uses most keywords of schemas. Its objects are JSON, so that they can be wrong in every way.

use std::borrow::Cow;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::{ApiResource, NamespaceResourceScope};
use kube::{CustomResourceExt, Resource};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
#[serde(transparent)]
pub struct Ferry(pub Value);

/// Returns a valid object.
pub fn ferry() -> Value {
    json!({
        "apiVersion": "harbor.example.org/v1",
        "kind": "Ferry",
        "metadata": {"name": "a"},
        "spec": {
            "size": 3,
            "name": "b-1",
            "speed": "Fast",
            "since": "2026-01-01T00:00:00Z",
            "share": "50%",
            "decks": ["a", "b"],
            "ports": [{"name": "x", "number": 1}, {"name": "y", "number": 2}],
            "crew": {"captain": 1, "cook": 2},
            "route": {"from": "a", "to": "b", "stops": 1},
            "note": null,
        },
    })
}

fn schema() -> Value {
    let port = json!({
        "type": "object",
        "required": ["name", "number"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 8},
            "number": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535},
            "protocol": {"type": "string", "enum": ["TCP", "UDP"], "default": "TCP"},
        },
    });
    let route = json!({
        "type": "object",
        "required": ["from", "to"],
        "properties": {
            "from": {"type": "string", "maxLength": 20},
            "to": {"type": "string", "maxLength": 20},
            "stops": {"type": "integer", "multipleOf": 1, "exclusiveMaximum": true, "maximum": 10},
        },
        "x-kubernetes-validations": [
            {"rule": "self.from != self.to", "message": "a route goes somewhere", "reason": "FieldValueForbidden", "fieldPath": ".to"},
            {"rule": "!has(self.stops) || self.stops >= 0", "messageExpression": "'no stops after ' + self.from"},
        ],
    });
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": {
            "type": "object",
            "required": ["size", "name", "ports"],
            "properties": {
                "size": {"type": "integer", "minimum": 1, "maximum": 10},
                "name": {"type": "string", "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$", "maxLength": 12},
                "speed": {"type": "string", "enum": ["Slow", "Fast"]},
                "since": {"type": "string", "format": "date-time"},
                "share": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
                "decks": {"type": "array", "maxItems": 3, "x-kubernetes-list-type": "set",
                          "items": {"type": "string", "maxLength": 4}},
                "ports": {"type": "array", "minItems": 1, "maxItems": 4, "x-kubernetes-list-type": "map",
                          "x-kubernetes-list-map-keys": ["name"], "items": port},
                "crew": {"type": "object", "maxProperties": 3, "additionalProperties": {"type": "integer", "minimum": 0}},
                "route": route,
                "note": {"type": "string", "nullable": true},
            },
            "x-kubernetes-validations": [
                {"rule": "!has(self.crew) || self.size >= self.crew.size()", "message": "everybody needs a place"},
                {"rule": "self.ports.all(port, port.number != 7)", "reason": "FieldValueInvalid"},
            ],
        }},
    })
}

impl CustomResourceExt for Ferry {
    fn crd() -> CustomResourceDefinition {
        let version =
            json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema()}});
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": Self::crd_name()},
            "spec": {
                "group": "harbor.example.org",
                "scope": "Namespaced",
                "names": {"kind": "Ferry", "plural": "ferries", "singular": "ferry", "listKind": "FerryList"},
                "versions": [version],
            },
        });
        serde_json::from_value(definition).unwrap()
    }

    fn crd_name() -> &'static str {
        "ferries.harbor.example.org"
    }

    fn api_resource() -> ApiResource {
        ApiResource::erase::<Self>(&())
    }

    fn shortnames() -> &'static [&'static str] {
        &[]
    }
}

impl Resource for Ferry {
    type DynamicType = ();
    type Scope = NamespaceResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        "Ferry".into()
    }

    fn group((): &()) -> Cow<'_, str> {
        "harbor.example.org".into()
    }

    fn version((): &()) -> Cow<'_, str> {
        "v1".into()
    }

    fn plural((): &()) -> Cow<'_, str> {
        "ferries".into()
    }

    fn meta(&self) -> &ObjectMeta {
        unreachable!("the objects are JSON")
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        unreachable!("the objects are JSON")
    }
}
