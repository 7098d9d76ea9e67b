//! Writes documents to one YAML file, after the line that names the generator.

use std::borrow::Borrow;

use kgen_model::{GeneratedLine, Language};
use serde_json::Value;

use crate::{Artifact, artifact};

/// Returns the file `name` with all documents, in the given order.
pub(crate) fn artifact(
    generator: &'static str,
    name: &str,
    header: Option<&str>,
    documents: impl IntoIterator<Item = impl Borrow<Value>>,
) -> Artifact {
    let line = GeneratedLine {
        language: Language::Yaml,
        generator,
        source: "",
    };
    let mut text = artifact::head(line, header);
    for document in documents {
        text.push_str("---\n");
        kgen_yaml::write(document.borrow(), &mut text);
    }
    Artifact {
        name: name.to_owned(),
        generator,
        text,
    }
}
