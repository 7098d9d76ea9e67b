//! The conversion between the versions of Foo, without a server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

use foo_operator::api::{v1, v1alpha1};
use foo_operator::conversion::conversion;
use kgen_runtime::conversion::Checks;
use serde_json::{Value, json};

fn foo(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Foo",
        "metadata": { "name": "example" },
        "spec": spec,
    })
}

#[test]
fn no_version_loses_a_value() {
    if let Err(failure) = conversion().check(Checks::default()) {
        panic!("{failure}");
    }
}

#[test]
fn every_difference_is_converted_and_comes_back() {
    let old = foo(
        "v1alpha1",
        &json!({
            "deploymentName": "web",
            "image": "localhost:5000/nginx:1.29",
            "imagePullPolicy": "Always",
            "graceSeconds": 5,
            "comment": "for the demo",
        }),
    );
    let new = conversion().convert_json(old.clone(), "v1").unwrap();
    let spec = json!({
        "deploymentName": "web",
        "repository": "localhost:5000/nginx",
        "tag": "1.29",
        "imagePullPolicy": "Always",
        "terminationGracePeriodSeconds": 5,
    });
    assert_eq!(new["spec"], spec);
    assert_eq!(conversion().convert_json(new, "v1alpha1").unwrap(), old);
}

#[test]
fn a_new_variant_is_shown_as_an_old_one_and_comes_back() {
    let new = foo(
        "v1",
        &json!({ "deploymentName": "web", "imagePullPolicy": "Never" }),
    );
    let old = conversion().convert_json(new.clone(), "v1alpha1").unwrap();
    assert_eq!(old["spec"]["imagePullPolicy"], "IfNotPresent");
    assert_eq!(conversion().convert_json(old, "v1").unwrap(), new);
}

#[test]
fn types_are_converted_in_a_program() {
    let mut old = v1alpha1::Foo::default();
    old.spec.image = Some("localhost:5000/nginx".to_owned());
    let new: v1::Foo = conversion().convert(&old).unwrap();
    assert_eq!(new.spec.repository, old.spec.image);
    assert_eq!(new.spec.tag, None);
}
