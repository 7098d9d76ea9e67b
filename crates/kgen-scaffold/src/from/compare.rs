//! Compares the manifests that kgen generates with those of the project in Go.
//!
//! They are compared as objects. The annotation with the version of controller-gen, the descriptions of `apiVersion` and
//! `kind`, which have no effect, and line breaks in descriptions are not compared.

use std::collections::BTreeMap;
use std::path::Path;

use kgen_build::{ChangeAction, Findings, Plan};
use kgen_diagnostics::{Code, Files, Problem, SourceFile};
use kgen_manifests::yaml;
use serde_json::Value;

/// An annotation that names the tool and not the API.
const TOOL_ANNOTATION: &str = "controller-gen.kubebuilder.io/version";

/// The manifests of the project that a new one was started from.
#[derive(Clone, Debug, Default)]
pub struct Originals {
    /// The texts, by their path in the project.
    pub(crate) manifests: BTreeMap<String, String>,
}

impl Originals {
    /// Compares the manifests with the generated ones. Returns how many are equal, and a warning about each of the others.
    #[must_use]
    pub fn compare(&self, generated: &Plan, root: &Path) -> (usize, Findings) {
        let (mut equal, mut findings) = (0, Findings::default());
        for (path, original) in &self.manifests {
            let full = root.join(path);
            let mut changes = generated.changes.iter();
            let change = changes.find(|change| change.path == full);
            let new = match change.map(|change| &change.action) {
                Some(ChangeAction::Create { new } | ChangeAction::Update { new, .. }) => new,
                _ => {
                    let message = format!("`{path}` is not generated, but the project in Go has it");
                    findings
                        .problems
                        .push(Problem::general_warning(Code::ImportLoss, message));
                    continue;
                }
            };
            match difference(original, new) {
                None => equal += 1,
                Some(what) => {
                    let message = format!("`{path}` differs from the one of the project in Go {what}");
                    findings
                        .problems
                        .push(Problem::general_warning(Code::ImportLoss, message));
                }
            }
        }
        (equal, findings)
    }
}

/// Returns how two manifests differ.
fn difference(original: &str, new: &str) -> Option<String> {
    let find =
        |view: View| first_difference(&documents(original, view), &documents(new, view), String::new());
    if let Some(place) = find(View::Effective) {
        return Some(format!("at `{place}`"));
    }
    if let Some(place) = find(View::Described) {
        return Some(format!("only in descriptions, first at `{place}`"));
    }
    find(View::Ordered).map(|_| "only in the order of its webhooks: kgen sorts them by name".to_owned())
}

/// The parts of manifests that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    /// Everything that the API server evaluates.
    Effective,
    /// Descriptions, too.
    Described,
    /// The order of mutating webhooks, which the API server calls one after the other, too.
    Ordered,
}

/// Returns the documents of a manifest by kind and name, without parts that are not about the operator.
fn documents(text: &str, view: View) -> Value {
    let file = Files::default().add(SourceFile::new("", ""));
    let documents = yaml::read(text, file).unwrap_or_default();
    let named = documents.iter().map(|document| {
        let mut document = document.to_json();
        normalize(&mut document, view);
        let text = |pointer: &str| {
            document
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        (format!("{} {}", text("/kind"), text("/metadata/name")), document)
    });
    Value::Object(named.collect())
}

fn normalize(document: &mut Value, view: View) {
    describe(document, view);
    let is_ordered = view == View::Ordered
        && document
            .get("kind")
            .is_some_and(|kind| kind == "MutatingWebhookConfiguration");
    if let Some(webhooks) = document.get_mut("webhooks").and_then(Value::as_array_mut)
        && !is_ordered
    {
        webhooks.sort_by_key(|webhook| webhook.get("name").map(Value::to_string));
    }
    let versions = document
        .pointer_mut("/spec/versions")
        .and_then(Value::as_array_mut);
    for version in versions.into_iter().flatten() {
        for key in ["apiVersion", "kind"] {
            let pointer = format!("/schema/openAPIV3Schema/properties/{key}");
            if let Some(Value::Object(property)) = version.pointer_mut(&pointer) {
                property.remove("description");
            }
        }
    }
    if let Some(object) = document.as_object_mut() {
        object.remove("status");
    }
    let Some(metadata) = document.get_mut("metadata").and_then(Value::as_object_mut) else {
        return;
    };
    metadata.remove("creationTimestamp");
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.remove(TOOL_ANNOTATION);
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
}

/// Removes descriptions, or the line breaks in them. A description is a string; a property of this name is an object.
fn describe(value: &mut Value, view: View) {
    match value {
        Value::Object(object) => {
            if view == View::Effective && object.get("description").is_some_and(Value::is_string) {
                object.remove("description");
            }
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            object.values_mut().for_each(|value| describe(value, view));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| describe(value, view)),
        _ => {}
    }
}

/// Returns the path of the first difference between two values.
fn first_difference(left: &Value, right: &Value, path: String) -> Option<String> {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            let child = |key: &str| match path.as_str() {
                "" => key.to_owned(),
                path => format!("{path}.{key}"),
            };
            let mut keys: Vec<&String> = left.keys().chain(right.keys()).collect();
            keys.sort();
            // Each key once: a second visit per level takes exponential time.
            keys.dedup();
            keys.into_iter()
                .find_map(|key| match (left.get(key), right.get(key)) {
                    (Some(left), Some(right)) => first_difference(left, right, child(key)),
                    _ => Some(child(key)),
                })
        }
        (Value::Array(left), Value::Array(right)) => {
            let mut pairs = left.iter().zip(right).enumerate();
            let inside = pairs
                .find_map(|(index, (left, right))| first_difference(left, right, format!("{path}[{index}]")));
            inside.or_else(|| {
                let shorter = left.len().min(right.len());
                (left.len() != right.len()).then(|| format!("{path}[{shorter}]"))
            })
        }
        _ => (left != right).then_some(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_facts_about_the_operator_are_compared() {
        let left = "\
kind: A
metadata:
  name: a
  creationTimestamp: null
  annotations: {controller-gen.kubebuilder.io/version: v1}
spec: {x: [1, {y: 2}]}
---
kind: B
metadata: {name: b}
";
        let right =
            "kind: B\nmetadata: {name: b}\n---\nkind: A\nmetadata: {name: a}\nspec:\n  x:\n  - 1\n  - y: 2\n";
        assert_eq!(difference(left, right), None);
        for (other, what) in [
            ("y: 3", "at `A a.spec.x[1].y`"),
            ("z: 2", "at `A a.spec.x[1].y`"),
            ("y: 2\n  - 3", "at `A a.spec.x[2]`"),
        ] {
            let other = right.replace("y: 2", other);
            assert_eq!(difference(left, &other).as_deref(), Some(what));
        }
    }

    #[test]
    fn deep_manifests_are_compared_once() {
        let deep = format!("kind: A\nspec: {}1{}\n", "{a: ".repeat(60), "}".repeat(60));
        assert_eq!(difference(&deep, &deep), None);
    }

    #[test]
    fn descriptions_and_orders_are_told_apart() {
        let text = "kind: A\nspec: {description: one\n two}\n";
        assert_eq!(difference(text, "kind: A\nspec: {description: one two}\n"), None);
        assert_eq!(
            difference(text, "kind: A\nspec: {description: three}\n").as_deref(),
            Some("only in descriptions, first at `A .spec.description`")
        );
        let mutating = |names: &str| format!("kind: MutatingWebhookConfiguration\nwebhooks: [{names}]\n");
        let (first, second) = (mutating("{name: a}, {name: b}"), mutating("{name: b}, {name: a}"));
        assert_eq!(
            difference(&first, &second).as_deref(),
            Some("only in the order of its webhooks: kgen sorts them by name")
        );
        let validating = |text: &str| text.replace("Mutating", "Validating");
        assert_eq!(difference(&validating(&first), &validating(&second)), None);
    }
}
