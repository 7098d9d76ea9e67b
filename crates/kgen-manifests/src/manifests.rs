//! The objects of a deployment.

use kgen_diagnostics::{Code, FileId, Problem, Problems, Span};
use serde_json::Value;

use crate::object::{Object, text};
use crate::yaml::{self, Node};

/// All objects of the manifests, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// The objects.
    pub objects: Vec<Object>,
}

impl Manifests {
    /// Adds the objects of a YAML text. `file` names the text in spans. A `List` is unpacked.
    ///
    /// A document that is not an object, and an object that is given twice, are problems.
    pub fn add(&mut self, text: &str, file: FileId, problems: &mut Problems) {
        for document in yaml::read_or_report(text, file, problems) {
            self.add_document(document, problems);
        }
    }

    fn add_document(&mut self, document: Node, problems: &mut Problems) {
        let kind = document.get("kind").and_then(Node::text).unwrap_or_default();
        if kind == "List" {
            for item in document.get("items").map(Node::items).unwrap_or_default() {
                self.add_document(item.clone(), problems);
            }
            return;
        }
        let start = document
            .entries()
            .first()
            .map_or(document.span, |entry| entry.key_span);
        let object = Object::new(document);
        for (key, value) in [
            ("apiVersion", object.api_version()),
            ("kind", object.kind()),
            ("metadata.name", object.name()),
        ] {
            if value.is_empty() {
                problems.push(not_an_object(start, key));
                return;
            }
        }
        let twin = self.find(object.group(), object.kind(), object.namespace(), object.name());
        if let Some(first) = twin {
            let message = format!("{object} is given twice");
            problems.push(
                Problem::error(Code::InvalidYaml, object.span(), message)
                    .related(first.span(), "the first is here"),
            );
            return;
        }
        self.objects.push(object);
    }

    /// Returns an object.
    #[must_use]
    pub fn find(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<&Object> {
        self.objects
            .iter()
            .find(|object| object.is(group, kind) && object.name() == name && object.namespace() == namespace)
    }

    /// Returns the objects of a kind, in any version.
    pub fn of_kind<'a>(&'a self, group: &'a str, kind: &'a str) -> impl Iterator<Item = &'a Object> {
        self.objects.iter().filter(move |object| object.is(group, kind))
    }

    /// Returns the CRDs.
    pub fn definitions(&self) -> impl Iterator<Item = &Object> {
        self.of_kind("apiextensions.k8s.io", "CustomResourceDefinition")
    }

    /// Returns the CRD of a kind of a group.
    #[must_use]
    pub fn definition(&self, group: &str, kind: &str) -> Option<&Object> {
        self.definitions().find(|object| {
            let spec = &object.value["spec"];
            text(&spec["group"]) == group && text(&spec["names"]["kind"]) == kind
        })
    }
}

fn not_an_object(span: Span, key: &str) -> Problem {
    let message = format!("this document is not a Kubernetes object: it has no `{key}`");
    Problem::error(Code::InvalidYaml, span, message)
}

/// Returns whether all `wanted` labels are among `labels`. No wanted label selects nothing.
pub(crate) fn selects(wanted: &Value, labels: &Value) -> bool {
    let wanted = wanted.as_object();
    wanted.is_some_and(|wanted| !wanted.is_empty())
        && wanted
            .into_iter()
            .flatten()
            .all(|(key, value)| labels.get(key) == Some(value))
}
