//! Random APIs, random edits, random objects: an object that the old state accepts and the new one refuses is never without
//! a breaking finding, and every witness holds.
//!
//! `KGEN_RANDOM_PAIRS=5000` tries more pairs, and `KGEN_RANDOM_SEED=7` starts elsewhere.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod random;

use kgen_diagnostics::{FileId, Files, SourceFile};
use kgen_diff::{Finding, Level, Witness, compare};
use kgen_import::definitions::{Strictness, read};
use kgen_model::Api;
use kgen_sample::Sampler;
use kgen_schema::{Definition, Version};
use random::Pool;
use serde_json::{Value, json};

/// The number of random pairs.
const PAIRS: u64 = 600;

/// Seeds of pairs whose breaking change was missed once.
const EARLIER: [u64; 2] = [500_694, 501_955];

/// The number of random objects of each pair.
const OBJECTS: usize = 60;

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
    let Ok(unknown) = version.prune(&mut object) else {
        return false;
    };
    version.default(&mut object);
    unknown.is_empty() && version.validate(&object).is_valid()
}

/// Returns objects for both states: those of the sampler, and random ones.
fn objects(
    random: &mut fastrand::Rng,
    (before, after): (&Value, &Value),
    (old, new): (&Version, &Version),
) -> Vec<Value> {
    let sampler = Sampler::new(old.schema(), None);
    let spec = old.schema().property("spec").unwrap();
    let mut specs = sampler.candidates(spec, new.schema().property("spec"), &[]);
    random.shuffle(&mut specs);
    specs.truncate(OBJECTS);
    let pool = Pool::of(&[before, after]);
    for schema in [before, after] {
        specs.extend((0..OBJECTS).map(|_| pool.value(random, schema, 0)));
    }
    let object = |spec: Value| json!({"apiVersion": "tea.example.org/v1", "kind": "Kettle", "spec": spec});
    specs.into_iter().map(object).collect()
}

/// Returns whether a witness proves its finding.
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
    let first = number("KGEN_RANDOM_SEED").unwrap_or(0);
    let count = number("KGEN_RANDOM_PAIRS").unwrap_or(PAIRS);
    let (mut breaking, mut quiet, mut unproved) = (0, 0, 0);
    let mut missed = Vec::new();
    for seed in (first..first + count).chain(EARLIER) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (before, after) = random::pair(&mut random);
        let (old_crd, new_crd) = (random::definition(&before), random::definition(&after));
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
        breaking += u32::from(is_breaking);
        quiet += u32::from(!is_breaking);
        unproved += u32::from(!is_breaking && findings.iter().any(|finding| finding.unproved));
        if is_breaking {
            continue;
        }
        let found = objects(&mut random, (&before, &after), (old, new));
        if let Some(object) = found
            .iter()
            .find(|object| accepts(old, object) && !accepts(new, object))
        {
            let found: Vec<String> = findings
                .iter()
                .map(|finding| format!("{} {} {}", finding.code, finding.path, finding.unproved))
                .collect();
            missed.push(format!(
                "seed {seed}: {object} is refused\n  {before}\n  {after}\n  {found:?}"
            ));
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {count} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
    assert!(
        u64::from(breaking.min(quiet)) > count / 6,
        "{breaking} breaking, {quiet} others"
    );
    // Most of these claims are about random combinations that refuse nothing new.
    assert!(
        u64::from(unproved) < count / 8,
        "{unproved} pairs have only claims without a witness"
    );
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
