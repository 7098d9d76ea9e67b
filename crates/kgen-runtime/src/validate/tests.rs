//! A kind with a CRD of its own, valid and invalid objects of it.

use std::borrow::Cow;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::ApiResource;
use kube::{CustomResourceExt, Resource};
use serde::Serialize;
use serde_json::json;

use super::{ErrorKind, Invalid, Validate};

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Tug {
    api_version: &'static str,
    kind: &'static str,
    metadata: ObjectMeta,
    spec: Spec,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

#[derive(Clone, Serialize)]
struct Spec {
    size: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<i64>,
    wait: String,
}

#[derive(Clone, Serialize)]
struct Status {
    ready: i64,
}

impl Resource for Tug {
    type DynamicType = ();
    type Scope = kube::core::NamespaceResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        "Tug".into()
    }

    fn group((): &()) -> Cow<'_, str> {
        "harbor.example.org".into()
    }

    fn version((): &()) -> Cow<'_, str> {
        "v1".into()
    }

    fn plural((): &()) -> Cow<'_, str> {
        "tugs".into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

impl CustomResourceExt for Tug {
    fn crd() -> CustomResourceDefinition {
        let schema = json!({
            "type": "object",
            "properties": {
                "spec": {
                    "type": "object",
                    "required": ["size"],
                    "properties": {
                        "size": {"type": "integer", "minimum": 1},
                        "most": {"type": "integer", "default": 5},
                        "wait": {"type": "string"},
                    },
                    "x-kubernetes-validations": [
                        {"rule": "self.size <= self.most", "message": "the size is larger than allowed"},
                        {"rule": "self.size >= oldSelf.size", "message": "the size cannot shrink"},
                        {"rule": "duration(self.wait) < duration('1h')"},
                    ],
                },
                "status": {"type": "object", "properties": {"ready": {"type": "integer", "minimum": 0}}},
            },
        });
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "tugs.harbor.example.org"},
            "spec": {
                "group": "harbor.example.org",
                "scope": "Namespaced",
                "names": {"kind": "Tug", "plural": "tugs"},
                "versions": [{
                    "name": "v1", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": schema},
                    "subresources": {"status": {}},
                }],
            },
        });
        serde_json::from_value(definition).unwrap()
    }

    fn crd_name() -> &'static str {
        "tugs.harbor.example.org"
    }

    fn api_resource() -> ApiResource {
        ApiResource::erase::<Self>(&())
    }

    fn shortnames() -> &'static [&'static str] {
        &[]
    }
}

fn tug(size: i64, most: Option<i64>, wait: &str) -> Tug {
    Tug {
        api_version: "harbor.example.org/v1",
        kind: "Tug",
        metadata: ObjectMeta {
            name: Some("a".to_owned()),
            resource_version: Some("1".to_owned()),
            ..ObjectMeta::default()
        },
        spec: Spec {
            size,
            most,
            wait: wait.to_owned(),
        },
        status: None,
    }
}

fn message(result: Result<(), Invalid>) -> String {
    result.map_or_else(|invalid| invalid.to_string(), |()| String::new())
}

#[test]
fn a_new_object_has_the_errors_of_the_server() {
    assert_eq!(message(tug(5, None, "1m").validate()), "");
    assert_eq!(
        message(tug(0, None, "1m").validate()),
        "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"
    );
    // The default of `most` counts.
    assert_eq!(
        message(tug(6, None, "1m").validate()),
        "spec: Invalid value: the size is larger than allowed"
    );
    let invalid = Tug::validate(&tug(1, None, "2h")).unwrap_err();
    assert_eq!(
        invalid.to_string(),
        "spec: Invalid value: failed rule: duration(self.wait) < duration('1h')"
    );
    assert_eq!(invalid.errors().len(), 1);
    assert_eq!(invalid.errors()[0].kind(), ErrorKind::Invalid);
    assert_eq!(
        message(tug(1, None, "soon").validate()),
        "spec: Invalid value: \"object\": type conversion error from 'string' to 'google.protobuf.Duration' evaluating rule: \
         duration(self.wait) < duration('1h')"
    );
}

#[test]
fn a_changed_object_is_compared_with_the_old_one() {
    let old = tug(3, None, "1m");
    assert_eq!(message(tug(4, None, "1m").validate_update(&old)), "");
    let changed = tug(2, None, "1m");
    // ANCHOR: validate
    assert!(changed.validate().is_ok());
    let invalid = changed.validate_update(&old).unwrap_err();
    assert_eq!(invalid.to_string(), "spec: Invalid value: the size cannot shrink");
    // ANCHOR_END: validate
    // An error of a value that has not changed is not reported.
    let broken = tug(6, None, "1m");
    assert_eq!(message(broken.validate_update(&broken)), "");
}

#[test]
fn metadata_is_completed_and_the_status_is_ignored() {
    let mut object = tug(1, None, "1m");
    object.metadata.name = None;
    let expected = "metadata.name: Required value: name or generateName is required";
    assert!(message(object.validate()).contains(expected));
    object.metadata.generate_name = Some("a-".to_owned());
    assert_eq!(message(object.validate()), "");
    object.status = Some(Status { ready: -1 });
    assert_eq!(message(object.validate()), "");
}
