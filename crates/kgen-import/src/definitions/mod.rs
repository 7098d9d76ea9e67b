//! From YAML to the model: one [`Definition`] per CRD.
//!
//! [`read`] takes the text of one file. Places in the model point into the YAML, so that later stages can report problems
//! there: `places.node` of a schema is the key of its property. Documents of other kinds are counted and left out, and a
//! `List`, as kubectl prints it, is unpacked.

mod columns;
mod inapplicable;
mod keywords;
mod reader;
mod schema;
mod structural;

#[cfg(test)]
mod tests;

use kgen_diagnostics::{Code, FileId, Problem, Problems, Span};
use kgen_model::Resource;

use crate::yaml::{self, Node};

/// A CRD: the model of its resource, and the facts that the model does not have.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The resource. Its versions are in the order in which they are written.
    pub resource: Resource,
    /// The name of the CRD, such as `certificates.cert-manager.io`.
    pub name: String,
    /// Where the name is written.
    pub span: Span,
    /// Where `spec.conversion` states a strategy other than `None`.
    pub conversion: Option<Span>,
    /// The statements of each version's schema about the fields that all objects have, in the order of the versions.
    pub roots: Vec<RootFacts>,
    /// The versions in which `status.storedVersions` says that there are objects, in a CRD that a cluster returned.
    pub stored_versions: Vec<String>,
}

/// The statements of a schema about `apiVersion`, `kind` and `metadata`. None of it has an effect in the API server, apart from
/// bounds on the name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RootFacts {
    /// Whether the version has a schema at all.
    pub has_schema: bool,
    /// Whether the schema requires one of the fields.
    pub requires_type_or_metadata: bool,
}

/// How strictly schemas are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// A schema that is not structural is an error.
    #[default]
    Structural,
    /// Any value is allowed in place of a part that is not structural, with a note.
    Lenient,
}

/// The result of reading one file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The CRDs, in the order of the file. A CRD with an error is left out.
    pub definitions: Vec<Definition>,
    /// How many other documents there were.
    pub other_documents: usize,
    /// The problems.
    pub problems: Problems,
}

/// Reads the CRDs of a YAML or JSON text. `file` names the text in spans.
#[must_use]
pub fn read(text: &str, file: FileId, strictness: Strictness) -> Outcome {
    let mut outcome = Outcome::default();
    for document in yaml::read_or_report(text, file, &mut outcome.problems) {
        read_document(&document, strictness, &mut outcome);
    }
    outcome
}

fn read_document(document: &Node, strictness: Strictness, outcome: &mut Outcome) {
    let text = |key: &str| document.get(key).and_then(Node::text);
    let (api_version, kind) = (
        text("apiVersion").unwrap_or_default(),
        text("kind").unwrap_or_default(),
    );
    match kind {
        "List" | "CustomResourceDefinitionList" => {
            for item in document.get("items").map(Node::items).unwrap_or_default() {
                read_document(item, strictness, outcome);
            }
        }
        "CustomResourceDefinition" if api_version == "apiextensions.k8s.io/v1" => {
            let mut reader = reader::Reader::new(strictness);
            let definition = reader.definition(document);
            let has_errors = reader.problems.has_errors();
            outcome.problems.extend(reader.problems);
            outcome.definitions.extend(definition.filter(|_| !has_errors));
        }
        "CustomResourceDefinition" => {
            let span = document.get("apiVersion").map_or(document.span, |node| node.span);
            let message = format!("the CRD has the version `{api_version}`, which cannot be imported");
            outcome.problems.push(
                Problem::error(Code::InvalidDefinition, span, message)
                    .help("convert it to `apiextensions.k8s.io/v1`; Kubernetes 1.22 removed `v1beta1`"),
            );
        }
        _ => outcome.other_documents += 1,
    }
}
