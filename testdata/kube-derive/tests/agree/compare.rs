//! Comparing two definitions, place by place. The tests of operators that are written with kube-derive use it too.

use std::collections::BTreeSet;

use serde_json::Value;

use super::differences::{Difference, Entry};

/// Everything in which two definitions differ.
pub fn compare(kube: &Value, kgen: &Value) -> Vec<Entry> {
    let mut found = Vec::new();
    collect("", Some(kube), Some(kgen), &Value::Null, &mut found);
    found
}

/// The names of the differences that explain `entries`, and a text for each entry that none of them explains.
pub fn explain(allowed: &[&Difference], entries: Vec<Entry>) -> (BTreeSet<&'static str>, Vec<String>) {
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    for entry in entries {
        match allowed.iter().find(|difference| (difference.explains)(&entry)) {
            Some(difference) => {
                used.insert(difference.name);
            }
            None => unexplained.push(format!(
                "{}\n  kube: {}\n  kgen: {}",
                entry.path,
                short(entry.kube.as_ref()),
                short(entry.kgen.as_ref())
            )),
        }
    }
    (used, unexplained)
}

fn collect(path: &str, kube: Option<&Value>, kgen: Option<&Value>, parent: &Value, found: &mut Vec<Entry>) {
    match (kube, kgen) {
        (Some(left @ Value::Object(kube)), Some(Value::Object(kgen))) => {
            let keys: BTreeSet<_> = kube.keys().chain(kgen.keys()).collect();
            for key in keys {
                collect(
                    &format!("{path}/{key}"),
                    kube.get(key),
                    kgen.get(key),
                    left,
                    found,
                );
            }
        }
        (Some(left @ Value::Array(kube)), Some(Value::Array(kgen))) if kube.len() == kgen.len() => {
            for (index, (kube, kgen)) in kube.iter().zip(kgen).enumerate() {
                collect(&format!("{path}/{index}"), Some(kube), Some(kgen), left, found);
            }
        }
        // The two write whole numbers differently.
        (Some(Value::Number(left)), Some(Value::Number(right))) if left.as_f64() == right.as_f64() => {}
        (left, right) if left == right => {}
        (left, right) => found.push(Entry {
            path: path.to_owned(),
            kube: left.cloned(),
            kgen: right.cloned(),
            kube_parent: parent.clone(),
        }),
    }
}

fn short(value: Option<&Value>) -> String {
    let text = value.map_or("nothing".to_owned(), ToString::to_string);
    text.chars().take(160).collect()
}
