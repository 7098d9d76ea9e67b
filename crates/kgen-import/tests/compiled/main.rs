//! The Rust of every case compiles without warnings, and objects that the schema accepts go through the types unchanged.

#![deny(warnings)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[allow(
    dead_code,
    unused_imports,
    clippy::enum_variant_names,
    reason = "nothing uses most of the types, and these lints pass over the public types of a library"
)]
mod cases;
#[path = "../support/objects.rs"]
mod objects;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use kgen_diagnostics::Files;
use kgen_sample::{Sampler, Step};
use kgen_schema::Definition;
use objects::{has_large_integer, is_same};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The most objects of each case.
const OBJECTS: usize = 300;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/import")
}

/// Reads and writes the specs of objects, and collects those that change.
fn check<T: Serialize + DeserializeOwned>(case: &str, failures: &mut Vec<String>) {
    check_part::<T>(case, "/spec", failures);
}

/// Reads and writes a part of objects, and collects those that change. The whole object has an empty path.
fn check_part<T: Serialize + DeserializeOwned>(case: &str, part: &str, failures: &mut Vec<String>) {
    let text = fs::read_to_string(folder().join(case).join("crd.yaml")).unwrap();
    let documents = kgen_manifests::yaml::read(&text, Files::default().next_id()).unwrap();
    let definition = Definition::from_json(&documents.first().unwrap().to_json()).unwrap();
    let version = definition.version("v1").unwrap();
    let sampler = Sampler::new(version.schema(), None);
    let mut objects: Vec<Value> = [sampler.smallest(), sampler.whole()]
        .into_iter()
        .flatten()
        .collect();
    if part.is_empty() {
        for mut object in objects.clone() {
            object["unknown"] = json!({"a": [1, "b"]});
            objects.push(object);
        }
        let start = objects.first().cloned().unwrap_or_else(|| json!({}));
        objects.extend(sampler.pool(&start, &[], &[], OBJECTS));
    }
    if let Some(spec) = version.schema().property("spec").filter(|_| !part.is_empty()) {
        let first = sampler.candidates(spec, None, &[]).first().cloned();
        let start = json!({"spec": first.unwrap_or_else(|| json!({}))});
        let focus = [Step::Field("spec".to_owned())];
        objects.extend(sampler.pool(&start, &focus, &[], OBJECTS));
        // Every property with each of its values.
        for (name, property) in &spec.properties {
            for value in sampler.candidates(property, None, &[json!(null)]) {
                let mut object = start.clone();
                object["spec"][name] = value;
                objects.push(object);
            }
        }
        objects.push(start);
    }
    let mut tried = 0;
    for mut object in objects {
        object["apiVersion"] = json!(format!("{}/v1", definition.group()));
        object["kind"] = json!(definition.kind());
        object["metadata"] = json!({"name": "sample", "namespace": "default"});
        if case == "int-or-string" && has_large_integer(&object) {
            continue;
        }
        // As the API server returns it.
        if version.prune(&mut object).is_err() {
            continue;
        }
        version.default(&mut object);
        if !version.validate(&object).is_valid() {
            continue;
        }
        let Some(spec) = object.pointer(part).filter(|spec| !spec.is_null()) else {
            continue;
        };
        tried += 1;
        match serde_json::from_value::<T>(spec.clone()) {
            Ok(read) => {
                let written = serde_json::to_value(&read).unwrap();
                // A default must not replace a null.
                let mut again = object.clone();
                if let Some(place) = again.pointer_mut(part) {
                    *place = written.clone();
                }
                version.default(&mut again);
                if !again.pointer(part).is_some_and(|again| is_same(again, spec)) {
                    failures.push(format!("{case}: {spec} is written as {written}"));
                }
            }
            Err(error) => failures.push(format!("{case}: {spec} cannot be read: {error}")),
        }
    }
    assert!(tried > 1, "{case}: only {tried} objects");
}

#[test]
fn all_cases_are_compiled() {
    let text = include_str!("cases.rs");
    let cases: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for case in cases {
        assert!(
            text.contains(&format!("testdata/import/{case}/expected")),
            "{case}"
        );
    }
}

#[test]
fn objects_go_through_the_types_unchanged() {
    let mut failures = Vec::new();
    check::<cases::combinations::pottery_example_com::v1::KilnSpec>("combinations", &mut failures);
    check::<cases::defaults::pottery_example_com::v1::KilnSpec>("defaults", &mut failures);
    check::<cases::definition::pottery_example_com::v1::KilnSpec>("definition", &mut failures);
    check::<cases::descriptions::pottery_example_com::v1::KilnSpec>("descriptions", &mut failures);
    check::<cases::embedded_resources::pottery_example_com::v1::KilnSpec>(
        "embedded-resources",
        &mut failures,
    );
    check::<cases::enums::pottery_example_com::v1::KilnSpec>("enums", &mut failures);
    check::<cases::enums_open::pottery_example_com::v1::KilnSpec>("enums-open", &mut failures);
    check::<cases::integer_bounds::pottery_example_com::v1::KilnSpec>("integer-bounds", &mut failures);
    check::<cases::int_or_string::pottery_example_com::v1::KilnSpec>("int-or-string", &mut failures);
    check::<cases::kube_style::pottery_example_com::v1::KilnSpec>("kube-style", &mut failures);
    check::<cases::kubernetes_types::pottery_example_com::v1::KilnSpec>("kubernetes-types", &mut failures);
    check::<cases::kubernetes_types_compatible::pottery_example_com::v1::KilnSpec>(
        "kubernetes-types-compatible",
        &mut failures,
    );
    check::<cases::lists_and_maps::pottery_example_com::v1::KilnSpec>("lists-and-maps", &mut failures);
    check::<cases::names::pottery_example_com::v1::KilnSpec>("names", &mut failures);
    check::<cases::nullable::pottery_example_com::v1::KilnSpec>("nullable", &mut failures);
    check::<cases::odd_keywords::pottery_example_com::v1::KilnSpec>("odd-keywords", &mut failures);
    check_part::<cases::open_root::pottery_example_com::v1::Kiln>("open-root", "", &mut failures);
    check::<serde_json::Map<String, Value>>("open-spec", &mut failures);
    check::<cases::open_values::pottery_example_com::v1::KilnSpec>("open-values", &mut failures);
    check::<cases::prelude_kinds::pottery_example_com::v1::BoxSpec>("prelude-kinds", &mut failures);
    check_part::<cases::root_fields::pottery_example_com::v1::Kiln>("root-fields", "", &mut failures);
    check::<cases::rules::pottery_example_com::v1::KilnSpec>("rules", &mut failures);
    check::<cases::scalars::pottery_example_com::v1::KilnSpec>("scalars", &mut failures);
    check::<cases::sharing::pottery_example_com::v1::KilnSpec>("sharing", &mut failures);
    check::<cases::special_names::pottery_example_com::v1::PostgresqlSpec>("special-names", &mut failures);
    check::<cases::unicode_names::pottery_example_com::v1::KilnSpec>("unicode-names", &mut failures);
    check::<cases::untyped::pottery_example_com::v1::KilnSpec>("untyped", &mut failures);
    check::<cases::versions::pottery_example_com::v1::KilnSpec>("versions", &mut failures);
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
