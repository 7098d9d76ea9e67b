//! Several documents as one file, under the line that names the generator. The webhook generator writes the same way.

use kgen_model::{GeneratedLine, Language};
use serde_json::Value;

use crate::{Artifact, artifact, yaml};

/// The file `name` with all documents, in the given order.
pub(crate) fn artifact(
    generator: &'static str,
    name: &str,
    header: Option<&str>,
    documents: impl IntoIterator<Item = Value>,
) -> Artifact {
    let line = GeneratedLine {
        language: Language::Yaml,
        generator,
        source: "",
    };
    let mut text = artifact::head(line, header);
    for document in documents {
        text.push_str("---\n");
        yaml::write(&document, &mut text);
    }
    Artifact {
        name: name.to_owned(),
        generator,
        text,
    }
}
