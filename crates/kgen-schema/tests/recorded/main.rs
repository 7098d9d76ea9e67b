//! Compares this crate with the verdicts of a real API server, which `tests/record.rs` stores in `testdata/cases`.
//!
//! Messages, their order, removed fields and filled-in defaults must be the same, byte for byte.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop"
)]

mod cases;

use std::fs;

use cases::{Case, GROUP};
use kgen_schema::{Definition, Report, Version, unknown_field_message};
use serde_json::{Value, json};

/// The number of cases in which the API server and this crate differ, with the reason.
///
/// A case that is listed and agrees fails the test, too.
const DIFFERENCES: &[(&str, usize, &str)] = &[];

#[test]
fn every_verdict_is_the_same() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases::all() {
        let text = fs::read_to_string(case.verdicts_file()).unwrap();
        let verdicts: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(verdicts.len(), case.objects.len(), "record {} again", case.name);
        let definition = Definition::from_json(&case.crd(&case.definition["schema"])).unwrap();
        let version = definition.version("v1").unwrap();
        for (index, (parts, expected)) in case.objects.iter().zip(&verdicts).enumerate() {
            count += 1;
            let found = verdict(&case, version, parts, index, expected);
            let known = DIFFERENCES
                .iter()
                .any(|(name, place, _)| *name == case.name && *place == index);
            if (found == *expected) == known {
                wrong.push(format!(
                    "{} {index}: {}\n expected {}\n    found {}",
                    case.name,
                    shortened(parts),
                    shortened(expected),
                    shortened(&found)
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} verdicts differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(count > 700, "only {count} verdicts were compared");
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(1500).collect()
}

/// Computes the verdict in the form that the recorder stores.
fn verdict(case: &Case, version: &Version, parts: &Value, index: usize, expected: &Value) -> Value {
    let old = expected.get("old");
    let name = format!("c{index}");
    let mut object = match old {
        Some(stored) => case.changed(parts, stored),
        None => case.object(parts, &name),
    };
    let mut verdict = json!({});
    if let Some(old) = old {
        verdict["old"] = old.clone();
    }
    let removed = match version.prune(&mut object) {
        Ok(removed) => removed,
        Err(malformed) => {
            let kind = case.kind();
            let message = format!("{kind} in version \"v1\" cannot be handled as a {kind}: {malformed}");
            verdict["refused"] = json!({"code": 400, "message": message});
            return verdict;
        }
    };
    if !removed.is_empty() {
        let messages: Vec<_> = removed.iter().map(|path| unknown_field_message(path)).collect();
        verdict["strict"] = json!(messages.join(", "));
    }
    version.default(&mut object);
    // The API server removes the namespace from objects that cannot have one.
    if !case.is_namespaced() {
        object["metadata"].as_object_mut().unwrap().remove("namespace");
    }
    // The API server generates names before it validates them.
    let metadata = &mut object["metadata"];
    if metadata.get("name").is_none() && metadata.get("generateName").is_some() {
        metadata["name"] = expected["object"]["metadata"]["name"].clone();
        if metadata["name"].is_null() {
            let prefix = metadata["generateName"].as_str().unwrap().to_owned();
            let generated = generated_name(expected, &prefix);
            metadata["name"] = json!(generated);
        }
    }
    let report = match old {
        Some(old) => version.validate_update(&object, old),
        None => version.validate(&object),
    };
    if !report.undecided.is_empty() {
        let rules: Vec<_> = report
            .undecided
            .iter()
            .map(|undecided| undecided.rule.as_str())
            .collect();
        verdict["undecided"] = json!(rules);
    }
    if report.errors.is_empty() {
        verdict["object"] = written(&object);
    } else {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        verdict["refused"] = refusal(case, &report, name);
    }
    verdict
}

/// Returns an object as the API server writes it: Go writes whole numbers without a point.
fn written(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 1e18 => json!(float as i64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(written).collect(),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(name, value)| (name.clone(), written(value)));
            Value::Object(entries.collect())
        }
        value => value.clone(),
    }
}

/// Finds the name that the API server generated and then refused.
fn generated_name(expected: &Value, prefix: &str) -> String {
    let causes = expected["refused"]["causes"].as_array().unwrap();
    let message = causes
        .iter()
        .find(|cause| cause["field"] == "metadata.name")
        .unwrap();
    let message = message["message"].as_str().unwrap();
    let start = message.find(prefix).unwrap();
    message[start..].split('"').next().unwrap().to_owned()
}

fn refusal(case: &Case, report: &Report, name: &str) -> Value {
    let causes = report.errors.iter().map(
        |error| json!({"reason": error.kind().reason(), "message": error.body(), "field": error.field()}),
    );
    let causes: Vec<_> = causes.collect();
    json!({
        "code": 422,
        "message": format!("{}.{GROUP} \"{name}\" is invalid: {}", case.kind(), report.message()),
        "causes": causes,
    })
}
