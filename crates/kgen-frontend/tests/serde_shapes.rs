//! Forms of serde that are read or written in only one direction.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;

use kgen_frontend::{FeatureChoice, Input, Options, Outcome, read};
use kgen_model::JsonType;

/// Reads a kind whose spec is an enum with these variants.
fn outcome(variants: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "//! +groupName=example.org\n\
         use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n\
         use serde::{{Deserialize, Serialize}};\n\
         pub struct Oven {{\n    pub metadata: ObjectMeta,\n    pub spec: Spec,\n}}\n\
         #[derive(Serialize, Deserialize)]\npub struct Spec {{\n    pub heating: Heating,\n}}\n\
         #[derive(Serialize, Deserialize)]\npub enum Heating {{ {variants} }}\n"
    );
    fs::write(folder.path().join("v1.rs"), source).unwrap();
    read(&Input {
        working_folder: folder.path().to_owned(),
        paths: vec!["v1.rs".into()],
        features: FeatureChoice::default(),
        kinds: true,
        options: Options::default(),
        foreign_markers: Default::default(),
        cargo_home: Some(folder.path().to_owned()),
        deprecations: false,
        kinds_apart: false,
        lowerings: None,
        exclude: Vec::new(),
        unsaved: Default::default(),
        tree: None,
    })
}

fn messages(outcome: &Outcome) -> Vec<&str> {
    outcome
        .problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect()
}

#[test]
fn a_variant_with_a_skipped_value_is_a_name() {
    let read = outcome("Wood(#[serde(skip)] i32), Gas");
    assert_eq!(messages(&read), Vec::<&str>::new());
    let heating = &read.api.resources[0].versions[0].schema.properties["spec"].properties["heating"];
    assert_eq!(heating.json_type, Some(JsonType::String));
    assert_eq!(
        heating.constraints.enumeration,
        Some(vec!["Wood".into(), "Gas".into()])
    );
}

#[test]
fn a_value_that_is_skipped_in_one_direction_is_reported() {
    let read = outcome("Wood(#[serde(skip_serializing)] i32), Gas { pressure: i32 }");
    assert_eq!(
        messages(&read),
        ["the value of the variant can be read, but not written"]
    );
    let read = outcome("Wood(#[serde(skip_deserializing)] i32), Gas { pressure: i32 }");
    assert_eq!(
        messages(&read),
        ["the value of the variant can be written, but not read"]
    );
}
