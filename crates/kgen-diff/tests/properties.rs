//! Random APIs, random edits, random objects: an object that the old state accepts and the new one refuses is never without
//! a breaking finding, and every witness holds.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;

use kgen_diagnostics::{FileId, Files, SourceFile};
use kgen_diff::{Finding, Level, Witness, compare};
use kgen_import::definitions::{Strictness, read};
use kgen_model::Api;
use kgen_sample::Sampler;
use kgen_schema::{Definition, Version};
use serde_json::{Value, json};

/// The number of random pairs.
const PAIRS: u64 = 600;

/// The number of random objects of each pair.
const OBJECTS: usize = 60;

fn string(random: &mut fastrand::Rng) -> Value {
    let mut schema = json!({"type": "string"});
    if random.u8(..3) == 0 {
        schema["maxLength"] = json!(random.u8(1..6));
    }
    if random.u8(..4) == 0 {
        schema["minLength"] = json!(random.u8(0..2));
    }
    if random.u8(..4) == 0 {
        schema["pattern"] = json!(["^[a-z]*$", "^[a-z0-9]*$", "a", "^(a|b)*$", "^x?"][random.usize(..5)]);
    }
    if random.u8(..5) == 0 {
        let values = [["a", "b"], ["a", "c"]][random.usize(..2)];
        schema = json!({"type": "string", "enum": values});
    }
    schema
}

fn number(random: &mut fastrand::Rng) -> Value {
    let json_type = ["integer", "integer", "number"][random.usize(..3)];
    let mut schema = json!({"type": json_type});
    if random.bool() {
        schema["minimum"] = json!(random.i32(-2..3));
    }
    if random.bool() {
        schema["maximum"] = json!(random.i32(3..8));
    }
    if random.u8(..4) == 0 && schema["type"] == "integer" {
        schema["format"] = json!(["int32", "int64"][random.usize(..2)]);
    }
    if random.u8(..5) == 0 && schema["type"] == "integer" {
        schema["multipleOf"] = json!(random.u8(1..4));
    }
    schema
}

fn object(random: &mut fastrand::Rng, depth: usize) -> Value {
    let mut properties = BTreeMap::new();
    let mut required = Vec::new();
    for name in ["a", "b", "c", "d"] {
        if random.u8(..3) > 0 {
            let mut property = schema(random, depth);
            if random.u8(..3) == 0 {
                required.push(name);
                if random.u8(..5) == 0 {
                    property["nullable"] = json!(true);
                }
            } else if random.u8(..4) == 0
                && let Some(default) = default(&property)
            {
                property["default"] = default;
            }
            properties.insert(name, property);
        }
    }
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if random.u8(..8) == 0 {
        schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    schema
}

/// Returns a valid default of a scalar.
fn default(schema: &Value) -> Option<Value> {
    let read = kgen_schema::Schema::read(schema).ok()?;
    let sampler = Sampler::new(&read, None);
    sampler
        .smallest()
        .filter(|value| !value.is_object() && !value.is_array())
}

fn schema(random: &mut fastrand::Rng, depth: usize) -> Value {
    match random.u8(..8) {
        0 | 1 => string(random),
        2 | 3 => number(random),
        4 => json!({"type": "boolean"}),
        5 if depth > 0 => {
            let mut list = json!({"type": "array", "items": schema(random, depth - 1)});
            if random.bool() {
                list["maxItems"] = json!(random.u8(1..4));
            }
            let is_scalar = ["string", "integer"].contains(&list["items"]["type"].as_str().unwrap());
            if is_scalar && random.u8(..3) == 0 {
                list["x-kubernetes-list-type"] = json!("set");
            }
            list
        }
        6 if depth > 0 => json!({"type": "object", "additionalProperties": schema(random, depth - 1)}),
        _ if depth > 0 => object(random, depth - 1),
        _ => string(random),
    }
}

/// Replaces one random node of a schema by another one.
fn edit(random: &mut fastrand::Rng, node: &mut Value, depth: usize) {
    let names: Vec<String> = node["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    match random.u8(..6) {
        0 | 1 if !names.is_empty() => {
            let name = &names[random.usize(..names.len())];
            edit(random, &mut node["properties"][name], depth.saturating_sub(1));
        }
        2 if node["items"].is_object() => edit(random, &mut node["items"], depth.saturating_sub(1)),
        3 if !names.is_empty() && depth > 0 => {
            let other = object(random, depth - 1);
            *node = other;
        }
        _ => {
            let same_type = node["type"].clone();
            let is_object = node["properties"].is_object();
            if is_object {
                let mut other = object(random, depth.saturating_sub(1));
                if random.bool() {
                    other["properties"] = node["properties"].clone();
                    other["required"] = json!([]);
                    other.as_object_mut().unwrap().remove("required");
                }
                *node = other;
                return;
            }
            for _ in 0..20 {
                let other = schema(random, depth.min(1));
                if other["type"] == same_type || random.u8(..6) == 0 {
                    *node = other;
                    return;
                }
            }
        }
    }
}

fn definition(spec: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kettles.tea.example.org"},
        "spec": {
            "group": "tea.example.org",
            "names": {"kind": "Kettle", "listKind": "KettleList", "plural": "kettles", "singular": "kettle"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {"spec": spec},
                }},
            }],
        },
    })
}

fn api(definition: &Value) -> Option<Api> {
    let mut files = Files::default();
    let text = definition.to_string();
    let file: FileId = files.next_id();
    let outcome = read(&text, file, Strictness::Structural);
    files.add(SourceFile::new("crd.json".to_owned(), text));
    if outcome.problems.has_errors() {
        return None;
    }
    let resources = outcome
        .definitions
        .into_iter()
        .map(|definition| definition.resource);
    Some(Api {
        resources: resources.collect(),
        ..Api::default()
    })
}

fn accepts(version: &Version, object: &Value) -> bool {
    let mut object = object.clone();
    object["metadata"] = json!({"name": "witness", "namespace": "default"});
    let unknown = version.prune(&mut object).unwrap();
    version.default(&mut object);
    unknown.is_empty() && version.validate(&object).is_valid()
}

fn objects(random: &mut fastrand::Rng, old: &Version, new: &Version) -> Vec<Value> {
    let sampler = Sampler::new(old.schema(), None);
    let spec = old.schema().property("spec").unwrap();
    let other = new.schema().property("spec");
    let mut specs = sampler.candidates(spec, other, &[]);
    let whole = json!({"spec": specs.first().cloned().unwrap_or(json!({}))});
    let focus = [kgen_sample::Step::Field("spec".to_owned())];
    let hints = [
        json!("a"),
        json!("zz"),
        json!("A1"),
        json!("aaaaaaa"),
        json!(0),
        json!(1),
        json!(5),
        json!(3_000_000_000_i64),
        json!(0.5),
    ];
    let pool = sampler.pool(&whole, &focus, &hints, 200);
    specs.extend(pool.into_iter().map(|object| object["spec"].clone()));
    random.shuffle(&mut specs);
    specs.truncate(OBJECTS);
    let object = |spec: Value| json!({"apiVersion": "tea.example.org/v1", "kind": "Kettle", "spec": spec});
    specs.into_iter().map(object).collect()
}

/// Whether a witness proves its finding.
fn holds(finding: &Finding, old: &Version, new: &Version) -> bool {
    match (&finding.witness, &finding.reads) {
        (Some(Witness::Object(object)), None) => accepts(old, object) && !accepts(new, object),
        (Some(Witness::Object(object)), Some(reads)) => {
            accepts(old, object) && accepts(new, object) && reads.old != reads.new
        }
        (Some(Witness::Update(before, after)), _) => accepts(old, before) && accepts(old, after),
        (None, _) => finding.level < Level::Breaking,
    }
}

#[test]
fn no_breaking_change_is_missed_and_every_witness_holds() {
    let (mut breaking, mut quiet) = (0, 0);
    for seed in 0..PAIRS {
        let mut random = fastrand::Rng::with_seed(seed);
        let before = object(&mut random, 2);
        let mut after = before.clone();
        for _ in 0..random.usize(1..3) {
            edit(&mut random, &mut after, 2);
        }
        let (old_crd, new_crd) = (definition(&before), definition(&after));
        let (Some(old_api), Some(new_api)) = (api(&old_crd), api(&new_crd)) else {
            continue;
        };
        let (old, new) = (
            Definition::from_json(&old_crd).unwrap(),
            Definition::from_json(&new_crd).unwrap(),
        );
        let (old, new) = (old.version("v1").unwrap(), new.version("v1").unwrap());
        let findings = compare(&old_api, &new_api);
        for finding in &findings {
            assert!(
                holds(finding, old, new),
                "seed {seed}: {finding:#?}\n{before}\n{after}"
            );
        }
        let is_breaking = findings.iter().any(|finding| finding.level == Level::Breaking);
        breaking += usize::from(is_breaking);
        quiet += usize::from(!is_breaking);
        // A claim that could not be proved is known to be possible.
        let is_possible = is_breaking || findings.iter().any(|finding| finding.unproved);
        for object in objects(&mut random, old, new) {
            if accepts(old, &object) && !accepts(new, &object) {
                assert!(
                    is_possible,
                    "seed {seed}: {object} is refused\n{before}\n{after}\n{findings:#?}"
                );
            }
        }
    }
    assert!(
        breaking > 100 && quiet > 100,
        "{breaking} breaking, {quiet} others"
    );
}
