//! Labels and annotations of a definition, and texts about versions that the API server limits.

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{KindVersion, Resource, article};
use kgen_schema::names::is_label as is_subdomain_label;

use super::written_versions;

/// All annotations of an object together.
const ANNOTATIONS_SIZE: usize = 262_144;
/// The longest name part of a key, and the longest value of a label.
const NAME_LENGTH: usize = 63;
/// The longest prefix of a key.
const PREFIX_LENGTH: usize = 253;
/// The longest warning about a deprecated version.
const WARNING_LENGTH: usize = 256;

/// Checks what the API server demands of metadata and of deprecation warnings.
pub(super) fn check(resource: &Resource, problems: &mut Problems) {
    let Some(first) = written_versions(resource).next() else {
        return;
    };
    for key in resource.annotations.keys() {
        // Keys of annotations are compared in lower case, those of labels are not.
        check_key(
            "annotation",
            key,
            &key.to_lowercase(),
            place(resource, key, annotations, first),
            problems,
        );
    }
    let size: usize = resource
        .annotations
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    if size > ANNOTATIONS_SIZE {
        let message = format!("the annotations have {size} bytes in total, more than {ANNOTATIONS_SIZE}");
        problems.push(Problem::error(Code::InvalidName, first.span, message));
    }
    for (key, value) in &resource.labels {
        let span = place(resource, key, labels, first);
        check_key("label", key, key, span, problems);
        if !(value.is_empty() || is_name(value)) {
            let message = format!("`{value}` cannot be the value of a label");
            problems.push(Problem::error(Code::InvalidName, span, message).help(NAME_HELP));
        }
    }
    for version in written_versions(resource) {
        check_warning(version, problems);
    }
}

const NAME_HELP: &str =
    "use at most 63 letters, digits, `-`, `_` and `.`; begin and end with a letter or digit";

fn annotations(version: &KindVersion) -> &[(String, String, Span)] {
    &version.annotations
}

fn labels(version: &KindVersion) -> &[(String, String, Span)] {
    &version.labels
}

/// Returns the place where a version states the entry.
fn place(
    resource: &Resource,
    key: &str,
    entries: fn(&KindVersion) -> &[(String, String, Span)],
    first: &KindVersion,
) -> Span {
    let mut stated = resource.versions.iter().flat_map(entries);
    stated
        .find(|(stated, _, _)| stated == key)
        .map_or(first.span, |(_, _, span)| *span)
}

fn check_key(what: &str, key: &str, compared: &str, span: Span, problems: &mut Problems) {
    let (prefix, name) = match compared.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, compared),
    };
    let prefix_fits = prefix
        .is_none_or(|prefix| prefix.len() <= PREFIX_LENGTH && prefix.split('.').all(is_subdomain_label));
    if !prefix_fits || !is_name(name) {
        problems.push(
            Problem::error(
                Code::InvalidName,
                span,
                format!("`{key}` cannot be the key of {} {what}", article(what)),
            )
            .help("write a name, or a domain, a slash and a name, as in `example.com/owner`")
            .help(format!("in the name, {NAME_HELP}")),
        );
    }
}

/// Returns whether a text can be the name part of a key, or the value of a label.
fn is_name(text: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let outer = |letter: char| letter.is_ascii_alphanumeric();
    text.len() <= NAME_LENGTH && text.chars().all(inner) && text.starts_with(outer) && text.ends_with(outer)
}

fn check_warning(version: &KindVersion, problems: &mut Problems) {
    let Some(deprecation) = &version.deprecation else {
        return;
    };
    let Some(warning) = &deprecation.warning else {
        return;
    };
    if warning.len() > WARNING_LENGTH {
        let message = format!(
            "the deprecation warning has {} bytes, more than {WARNING_LENGTH}",
            warning.len()
        );
        problems.push(Problem::error(Code::MarkerValue, deprecation.span, message));
    }
    let printable = |letter: char| letter == ' ' || !(letter.is_control() || letter.is_whitespace());
    if let Some(letter) = warning.chars().find(|letter| !printable(*letter)) {
        let message = format!("the deprecation warning contains {letter:?}, which cannot be printed");
        problems.push(Problem::error(Code::MarkerValue, deprecation.span, message));
    }
}
