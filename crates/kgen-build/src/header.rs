//! Decides which files kgen may replace, and reads `headerFile`.

use std::path::PathBuf;

use kgen_diagnostics::{Code, Problem, SourceFile, Span};
use kgen_model::{GeneratedLine, MergedLine};

use crate::configuration::{Configuration, Job, Set};
use crate::generator::Product;
use crate::place;
use crate::report::Findings;
use crate::view::View;

/// The annotation that controller-gen writes to every CRD.
const CONTROLLER_GEN: &str = "controller-gen.kubebuilder.io/version";

/// Returns whether a file may be replaced by `new`: kgen or controller-gen wrote it, it is empty, or it is the same
/// apart from kgen's first line, like the manifests of controller-gen without an annotation.
pub(crate) fn may_replace(old: &[u8], new: &str) -> bool {
    let old = String::from_utf8_lossy(old);
    let without_first_line = new.split_once('\n').map_or("", |(_, rest)| rest);
    GeneratedLine::of_text(&old).is_some()
        || old.trim().is_empty()
        || is_of_controller_gen(&old)
        || old == without_first_line
        // The generator merged these with the old text.
        || MergedLine::of_text(&old).is_some_and(|line| MergedLine::of_text(new) == Some(line))
}

/// Returns whether controller-gen wrote a manifest: every document in it has the annotation in its metadata.
fn is_of_controller_gen(text: &str) -> bool {
    let mut found_any = false;
    let mut document = Annotations::default();
    for line in text.lines() {
        if line.starts_with("---") {
            if document.has_content && !document.found {
                return false;
            }
            found_any |= document.found;
            document = Annotations::default();
        } else {
            document.line(line);
        }
    }
    document.found || found_any && !document.has_content
}

/// Looks for controller-gen's annotation in one document, line by line, in the block style that controller-gen writes.
#[derive(Debug, Default)]
struct Annotations {
    has_content: bool,
    in_metadata: bool,
    /// The indentation of the keys of `metadata`, once known.
    metadata_indent: Option<usize>,
    in_annotations: bool,
    /// The indentation of the annotations, once known.
    annotation_indent: Option<usize>,
    found: bool,
}

impl Annotations {
    fn line(&mut self, line: &str) {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            return;
        }
        self.has_content = true;
        let indent = line.len() - content.len();
        let content = content.trim_end();
        if indent == 0 {
            self.in_metadata = content == "metadata:";
            self.in_annotations = false;
            (self.metadata_indent, self.annotation_indent) = (None, None);
        } else if self.in_metadata && indent == *self.metadata_indent.get_or_insert(indent) {
            self.in_annotations = content == "annotations:";
            self.annotation_indent = None;
        } else if self.in_annotations && indent == *self.annotation_indent.get_or_insert(indent) {
            let value = content
                .strip_prefix(CONTROLLER_GEN)
                .and_then(|rest| rest.strip_prefix(':'));
            self.found |= value.is_some_and(|value| value.starts_with(' '));
        }
    }
}

/// Returns the header of a job, with the year filled in. Problems with the file are added to the findings.
pub(crate) fn read(
    job: &Job,
    set: &Set,
    configuration: &Configuration,
    findings: &mut Findings,
    files_read: &mut Vec<PathBuf>,
) -> Option<String> {
    let options = &job.options.header;
    let path = place::absolute(&set.folder, options.file.as_deref()?);
    let name = place::shown(&configuration.working_folder, &path);
    let text = match View(&configuration.unsaved).read_text(&path) {
        Ok(text) => text,
        Err(reason) => {
            let message = format!("cannot read the header file `{name}`: {reason}");
            findings
                .problems
                .push(Problem::general(Code::Unreadable, message));
            return None;
        }
    };
    files_read.push(path);
    let source = SourceFile::new(name, text);
    let year = options.year.as_deref().unwrap_or_default();
    let header = source
        .text()
        .replace("\r\n", "\n")
        .replace(" YEAR", &format!(" {year}"));
    let (language, is_comment, sign) = match job.generator.product {
        // Pages have no header.
        Product::Manifests | Product::Pages | Product::Package => {
            ("YAML", is_yaml_comment as fn(&str) -> bool, "#")
        }
        Product::Code => ("Rust", is_rust_comment as fn(&str) -> bool, "//"),
    };
    if let Some(range) = no_comment(source.text(), is_comment) {
        let span = Span::of(findings.files.add(source), range);
        let message = format!(
            "this line is not a {language} comment and would break every file of `{}`",
            job.generator.name
        );
        findings.problems.push(
            Problem::error(Code::Configuration, span, message)
                .help(format!("start every line of the header file with `{sign}`")),
        );
        return None;
    }
    Some(header)
}

fn is_yaml_comment(line: &str) -> bool {
    line.starts_with('#')
}

/// Returns whether a line is a comment. Documentation is not: it belongs to the next item.
fn is_rust_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
}

/// Returns the first line that is not a comment.
fn no_comment(text: &str, is_comment: fn(&str) -> bool) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() && !is_comment(content) {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_others_are_not_replaced() {
        let new = "# @generated by kgen rbac. Do not edit.\n---\nkind: ClusterRole\n";
        assert!(may_replace(b"# @generated by kgen rbac. Do not edit.\n", new));
        assert!(
            may_replace(b"---\nkind: ClusterRole\n", new),
            "what controller-gen wrote for the same source"
        );
        assert!(may_replace(
            b"metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.21.0\n",
            new
        ));
        assert!(may_replace(b"\n", new));
        let merged = "# @generated by kgen helm. Your changes are kept.\nreplicas: 1\n";
        assert!(may_replace(&merged.replace('\n', "\r\n").into_bytes(), merged));
        assert!(!may_replace(b"replicas: 2\n", merged));
        assert!(!may_replace(b"---\nkind: ClusterRole # mine\n", new));
        assert!(!may_replace(
            b"# The other files here are @generated by kgen rbac. Do not edit.\nkind: Role\n",
            new
        ));
    }

    #[test]
    fn controller_gen_is_known_by_its_annotation_only() {
        let definition = "---\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    a: b\n    \
                          controller-gen.kubebuilder.io/version: v0.21.0\n  name: kilns.example.org\nspec:\n";
        assert!(is_of_controller_gen(definition));
        assert!(is_of_controller_gen(&format!("{definition}{definition}---\n")));
        for mine in [
            format!("{definition}---\nkind: Mine\n"),
            format!("kind: Mine\n{definition}"),
            "# controller-gen.kubebuilder.io/version: v0.21.0\nkind: Mine\n".to_owned(),
            definition.replace("    controller-gen", "    # controller-gen"),
            definition.replace("    a: b\n    controller-gen", "    a: |\n      controller-gen"),
            definition.replace("metadata:\n  annotations:", "data:\n  annotations:"),
            definition.replace("annotations:", "labels:"),
            definition.replace("metadata:", "spec:\n metadata:"),
        ] {
            assert!(!is_of_controller_gen(&mine), "{mine}");
        }
    }

    #[test]
    fn a_header_is_made_of_comments() {
        assert_eq!(no_comment("# a\n\n  # b\n", is_yaml_comment), None);
        assert_eq!(no_comment("# a\n/* b */\r\n", is_yaml_comment), Some(4..11));
        assert_eq!(no_comment("// a\n\n// b\n", is_rust_comment), None);
        assert_eq!(no_comment("// a\n//! b\n", is_rust_comment), Some(5..10));
    }
}
