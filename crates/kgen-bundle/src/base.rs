//! The CSV of operator-sdk that people edited by hand: what only it has is kept, what kgen knows takes precedence.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::Object;
use serde_json::{Map, Value};

use crate::Bundle;
use crate::options::{BundleOptions, CAPABILITIES};

/// Adds the fields of the base to the CSV. Each value of the base that gives way is a note at its place.
pub(crate) fn merge(bundle: &Bundle<'_>, csv: &mut Value, problems: &mut Problems) {
    let Some(base) = &bundle.options.base else {
        return;
    };
    let guessed = guessed(bundle.options);
    let (Some(own), Some(old)) = (csv.as_object_mut(), base.value.as_object()) else {
        return;
    };
    let mut merger = Merger {
        base,
        guessed: &guessed,
        path: Vec::new(),
        problems,
    };
    merger.merge(own, old);
}

/// Returns whether the base has a value at a path.
pub(crate) fn has(options: &BundleOptions, path: &[&str]) -> bool {
    let root = options.base.as_ref().map(|base| &base.value);
    let found = root.and_then(|root| path.iter().try_fold(root, |value, key| value.get(key)));
    found.is_some_and(|value| !is_empty(value))
}

/// Returns the paths at which the CSV has a guess or a default, which the base corrects.
fn guessed(options: &BundleOptions) -> Vec<&'static str> {
    let mut paths = vec!["spec.maturity", "spec.links"];
    let mut add = |is_guess: bool, path| {
        if is_guess {
            paths.push(path);
        }
    };
    add(options.display_name.is_none(), "spec.displayName");
    add(!options.has_description, "spec.description");
    add(!options.has_description, "metadata.annotations.description");
    add(options.icon.is_none(), "spec.icon");
    add(options.min_kube_version.is_none(), "spec.minKubeVersion");
    add(
        options.capabilities == CAPABILITIES[0],
        "metadata.annotations.capabilities",
    );
    paths
}

/// Merges the objects of two trees.
struct Merger<'a> {
    base: &'a Object,
    guessed: &'a [&'static str],
    path: Vec<String>,
    problems: &'a mut Problems,
}

impl Merger<'_> {
    fn merge(&mut self, own: &mut Map<String, Value>, old: &Map<String, Value>) {
        for (key, old) in old.iter().filter(|(_, value)| !is_empty(value)) {
            self.path.push(key.clone());
            let is_guessed = self.guessed.contains(&self.path.join(".").as_str());
            match (own.get_mut(key), old) {
                (Some(Value::Object(own)), Value::Object(old)) => self.merge(own, old),
                (Some(own), old) if own == old => {}
                (Some(_), _) if !is_guessed => self.note(),
                _ => {
                    own.insert(key.clone(), old.clone());
                }
            }
            self.path.pop();
        }
    }

    fn note(&mut self) {
        let path = self.path.join(".");
        let keys: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let message =
            format!("`{path}` of the base differs from the value that kgen knows, which is written");
        let mut note = Problem::note(Code::BundleMetadata, message);
        note.span = Some(self.base.place(&keys));
        self.problems
            .push(note.help("remove it from the base, or change the source, the manifests or `[bundle]`"));
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty() || items.iter().all(is_empty),
        Value::Object(entries) => entries.values().all(is_empty),
        _ => false,
    }
}
