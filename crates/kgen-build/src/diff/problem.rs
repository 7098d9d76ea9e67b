//! Findings as problems, for people and for GitHub, and their places for programs.

use kgen_diagnostics::{Files, Problem, Remark, Severity, Span};
use kgen_diff::{Finding, Witness};
use serde_json::Value;

use super::{Compared, Comparison};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The line, from one.
    pub line: usize,
    /// The column, from one.
    pub column: usize,
}

/// Returns the place of a span.
#[must_use]
pub fn place(span: Option<Span>, files: &Files) -> Option<Place> {
    let span = span?;
    let file = files.get(span.file)?;
    let position = file.position(span.start);
    Some(Place {
        file: file.name().to_owned(),
        line: position.line,
        column: position.column,
    })
}

/// A finding as a problem.
#[derive(Clone, Debug)]
pub struct Shown<'c> {
    /// The problem.
    pub problem: Problem,
    /// The proof, and what it means for stored objects.
    pub remarks: Vec<Remark>,
    /// The files that its place is in.
    pub files: Option<&'c Files>,
}

/// Returns a finding as a problem. For GitHub, a removed field is at its struct, because
/// annotations show only the new state.
#[must_use]
pub fn as_problem<'c>(compared: &Compared, comparison: &'c Comparison, is_github: bool) -> Shown<'c> {
    let finding = &compared.finding;
    let (old, new) = match comparison.files.get(compared.pair) {
        Some((old, new)) => (Some(old), Some(new)),
        None => (None, None),
    };
    let (span, files) = match finding.new {
        Some(span) => (Some(span), new),
        None if is_github => (finding.around.first().copied(), new),
        None => (finding.old, old),
    };
    let mut problem = Problem::note(finding.code, finding.message.clone());
    problem.span = span;
    problem.severity = if compared.allowed.is_some() {
        Severity::Note
    } else {
        finding.level.severity()
    };
    problem.label = label(finding, old, comparison).into();
    let mut remarks = remarks(finding, comparison);
    match &compared.allowed {
        Some(Some(reason)) => remarks.push(("allowed", reason.clone())),
        Some(None) => remarks.push(("allowed", "by a marker".to_owned())),
        None => {
            problem.help.clone_from(&finding.help);
            if finding.level > kgen_diff::Level::Compatible {
                let above = if finding.new.is_none() {
                    "its struct"
                } else {
                    "the field"
                };
                let above = if finding.path == "." { "the kind" } else { above };
                problem.help.push(format!(
                    "if this is intentional, add `// +kgen:allow={}` above {above}",
                    finding.code
                ));
            }
        }
    }
    Shown {
        problem,
        remarks,
        files,
    }
}

/// Returns the text beside the place: what was there in the old state, and where.
fn label(finding: &Finding, old: Option<&Files>, comparison: &Comparison) -> String {
    let place = old.and_then(|files| place(finding.old, files));
    let name = &comparison.old_name;
    match (finding.new, place) {
        (Some(_), Some(place)) if !finding.label.is_empty() => {
            format!("{} in {name} ({}:{})", finding.label, place.file, place.line)
        }
        (Some(_), _) => finding.label.clone(),
        (None, _) => format!("in {name}"),
    }
}

fn remarks(finding: &Finding, comparison: &Comparison) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let name = &comparison.old_name;
    match (&finding.witness, &finding.reads) {
        (Some(Witness::Object(object)), Some(reads)) => {
            let text = format!(
                "this object, which both states accept:\n{}reads as {} in {name}, and as {} now",
                indented(object),
                changed_part(&reads.old, &reads.new),
                changed_part(&reads.new, &reads.old),
            );
            remarks.push(("breaks", text));
        }
        (Some(Witness::Object(object)), None) => {
            let says = whole_message(finding);
            let text = format!(
                "kubectl apply of this object, which {name} accepts:\n{}{says}",
                indented(object)
            );
            remarks.push(("breaks", text));
        }
        (Some(Witness::Update(before, after)), _) => {
            let says = whole_message(finding);
            let text = format!(
                "the change of this object, which {name} accepts:\n{}to\n{}{says}",
                indented(before),
                indented(after)
            );
            remarks.push(("breaks", text));
        }
        (None, _) if finding.unproved => {
            remarks.push(("note", "no object was found that proves it".to_owned()));
        }
        (None, _) => {}
    }
    if let Some(node) = &finding.ratchets_at {
        let text = format!(
            "existing objects can be updated as long as `{node}` does not change (Kubernetes 1.30 and newer)"
        );
        remarks.push(("stored", text));
    }
    remarks
}

/// Returns the message of the API server as kubectl shows it.
fn whole_message(finding: &Finding) -> String {
    let says = finding.says.as_deref().unwrap_or_default();
    if says.starts_with("unknown field") {
        return format!("strict decoding error: {says}");
    }
    let object = match &finding.witness {
        Some(Witness::Object(object) | Witness::Update(_, object)) => object,
        None => &Value::Null,
    };
    let name = object["metadata"]["name"].as_str().unwrap_or("witness");
    format!("{}.{} \"{name}\" is invalid: {says}", finding.kind, finding.group)
}

/// Returns an object as compact YAML, one line for each of its fields.
fn indented(object: &Value) -> String {
    let mut text = String::new();
    for (name, value) in object.as_object().into_iter().flatten() {
        text.push_str(&format!("  {name}: {}\n", flow(value)));
    }
    text
}

/// Returns a value in the flow style of YAML.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(name, value)| format!("{name}: {}", flow(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) if is_plain(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Returns whether YAML reads a word as that string.
fn is_plain(text: &str) -> bool {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    let starts = text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_reserved = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    starts && !is_reserved && text.chars().all(is_word)
}

/// Returns the smallest part of a value that differs from another value.
fn changed_part(value: &Value, other: &Value) -> String {
    let (Value::Object(entries), Value::Object(others)) = (value, other) else {
        return flow(value);
    };
    let mut changed = entries
        .iter()
        .filter(|(name, value)| others.get(*name) != Some(value));
    match (changed.next(), changed.next()) {
        (Some((name, value)), None) => match others.get(name) {
            Some(other) if value.is_object() && other.is_object() => {
                format!("{name}: {{{}}}", changed_part(value, other))
            }
            _ => format!("{name}: {}", flow(value)),
        },
        _ => flow(value),
    }
}
