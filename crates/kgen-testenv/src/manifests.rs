//! Manifests for the API server: files, folders or text, split into documents.
//!
//! Documents are sent unchanged, because rewriting YAML could change its meaning. Only the kind and the name are read.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{Error, IoContext, Result};

/// The source of manifests: text (`&str`, `String`), or files and folders (`&Path`, `PathBuf`, or a list of paths).
///
/// All files in a folder that end in `.yaml`, `.yml` or `.json` are read, sorted by name; its subfolders are not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Manifests {
    /// YAML or JSON, which may contain several documents.
    Text(String),
    /// Files and folders.
    Paths(Vec<PathBuf>),
}

impl From<&str> for Manifests {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Manifests {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&Path> for Manifests {
    fn from(path: &Path) -> Self {
        Self::Paths(vec![path.to_owned()])
    }
}

impl From<PathBuf> for Manifests {
    fn from(path: PathBuf) -> Self {
        Self::Paths(vec![path])
    }
}

impl From<Vec<PathBuf>> for Manifests {
    fn from(paths: Vec<PathBuf>) -> Self {
        Self::Paths(paths)
    }
}

/// A document of a requested kind.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The part of a document that is read.
#[derive(Deserialize)]
struct Head {
    kind: Option<String>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    name: Option<String>,
}

impl Manifests {
    /// Returns all documents of these kinds. It is an error if there are none.
    pub(crate) fn documents_of(&self, kinds: &[&str]) -> Result<Vec<Document>> {
        let mut found = Vec::new();
        let mut places = Vec::new();
        for (origin, text) in self.texts()? {
            for document in documents(&text) {
                found.extend(document_of(kinds, &origin, &document)?);
            }
            places.push(origin);
        }
        if found.is_empty() {
            let origin = if places.is_empty() {
                "the paths given".to_owned()
            } else {
                places.join(", ")
            };
            let problem = format!("there is no {}; help: check the path", kinds.join(" or "));
            return Err(Error::Manifest { origin, problem });
        }
        Ok(found)
    }

    /// Returns all texts with their sources.
    fn texts(&self) -> Result<Vec<(String, String)>> {
        let paths = match self {
            Manifests::Text(text) => return Ok(vec![("the text given".to_owned(), text.clone())]),
            Manifests::Paths(paths) => paths,
        };
        let mut texts = Vec::new();
        for path in paths {
            for file in files(path)? {
                let text = std::fs::read_to_string(&file).context("read", &file)?;
                texts.push((file.display().to_string(), text));
            }
        }
        Ok(texts)
    }
}

/// Returns the file itself, or the manifests in a folder.
fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).context("list", path)? {
        let file = entry.context("list", path)?.path();
        let is_manifest = file
            .extension()
            .is_some_and(|ending| ["yaml", "yml", "json"].iter().any(|known| ending == *known));
        if is_manifest && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the documents of a text, without empty ones. As in Kubernetes, a line that starts with `---` separates
/// documents.
fn documents(text: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for line in text.lines() {
        match documents.last_mut() {
            Some(current) if !line.starts_with("---") => {
                current.push_str(line);
                current.push('\n');
            }
            _ => documents.push(String::new()),
        }
    }
    let has_content = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    documents.retain(|document| document.lines().any(has_content));
    documents
}

/// Returns the document if it is of one of these kinds.
fn document_of(kinds: &[&str], origin: &str, document: &str) -> Result<Option<Document>> {
    let problem = |problem: String| Error::Manifest {
        origin: origin.to_owned(),
        problem,
    };
    let head: Head =
        serde_saphyr::from_str(document).map_err(|source| problem(format!("not YAML: {source}")))?;
    let Some(kind) = head.kind.filter(|kind| kinds.contains(&kind.as_str())) else {
        return Ok(None);
    };
    match head.metadata.and_then(|metadata| metadata.name) {
        Some(name) => Ok(Some(Document {
            kind,
            name,
            text: document.to_owned(),
        })),
        None => Err(problem(format!("a {kind} without metadata.name"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRD: &str = "CustomResourceDefinition";

    const TWO: &str = "# a comment\n---\nkind: CustomResourceDefinition\nmetadata:\n  name: foos.example.com\n\
                       --- # another\nkind: Kustomization\n---\nkind: CustomResourceDefinition\nmetadata: {name: bars.example.com}\n";

    fn names(manifests: impl Into<Manifests>) -> Vec<String> {
        manifests
            .into()
            .documents_of(&[CRD])
            .unwrap()
            .into_iter()
            .map(|crd| crd.name)
            .collect()
    }

    #[test]
    fn text_has_many_documents() {
        assert_eq!(names(TWO), ["foos.example.com", "bars.example.com"]);
    }

    #[test]
    fn a_folder_is_read_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let crd = |name: &str| format!("kind: CustomResourceDefinition\nmetadata:\n  name: {name}\n");
        std::fs::write(folder.path().join("b.yaml"), crd("b")).unwrap();
        std::fs::write(folder.path().join("a.yml"), crd("a")).unwrap();
        std::fs::write(folder.path().join("kustomization.yaml"), "resources: [a.yml]\n").unwrap();
        std::fs::write(folder.path().join("notes.txt"), crd("c")).unwrap();
        assert_eq!(names(folder.path()), ["a", "b"]);
        assert_eq!(names(folder.path().join("b.yaml")), ["b"]);
    }

    #[test]
    fn nothing_to_install_is_an_error() {
        let error = Manifests::from("kind: Pod\n").documents_of(&[CRD]).unwrap_err();
        assert!(
            error.to_string().contains("there is no CustomResourceDefinition"),
            "{error}"
        );
        let error = Manifests::from("kind: CustomResourceDefinition\n")
            .documents_of(&[CRD])
            .unwrap_err();
        assert!(error.to_string().contains("metadata.name"), "{error}");
        let error = Manifests::from("a: [").documents_of(&[CRD]).unwrap_err();
        assert!(error.to_string().contains("not YAML"), "{error}");
    }
}
