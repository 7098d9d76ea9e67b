//! The form for programs: one JSON object a line.

use serde::Serialize;

use crate::{Edit, Files, Fix, Problem, Span};

#[derive(Serialize)]
struct Message<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    help: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<RelatedPlace<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixMessage<'a>>,
}

#[derive(Serialize)]
struct FixMessage<'a> {
    applicability: &'static str,
    edits: Vec<EditMessage<'a>>,
}

#[derive(Serialize)]
struct EditMessage<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: String,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    byte_start: u32,
    byte_end: u32,
}

#[derive(Serialize)]
struct RelatedPlace<'a> {
    #[serde(flatten)]
    place: Option<Place<'a>>,
    label: &'a str,
}

pub(super) fn render(problem: &Problem, files: &Files) -> String {
    let beside = problem.beside();
    let suggestion = beside.starts_with("did you mean").then_some(beside.as_ref());
    let message = Message {
        code: problem.code.name(),
        severity: problem.severity.word(),
        message: &problem.message,
        place: problem.span.and_then(|span| place(span, files)),
        label: &beside,
        // A suggestion is drawn beside the place for people; for programs it is help like any other.
        help: suggestion
            .into_iter()
            .chain(problem.help.iter().map(String::as_str))
            .collect(),
        related: problem
            .related
            .iter()
            .map(|related| RelatedPlace {
                place: place(related.span, files),
                label: &related.label,
            })
            .collect(),
        fixes: problem
            .fixes
            .iter()
            .filter_map(|fix| fix_message(fix, files))
            .collect(),
    };
    // Strings and numbers only: there is nothing in it that JSON could refuse.
    let mut line = serde_json::to_string(&message).unwrap_or_default();
    line.push('\n');
    line
}

/// The edits of a fix as bytes of the files; `None` if one of them cannot be made.
fn fix_message<'a>(fix: &Fix, files: &'a Files) -> Option<FixMessage<'a>> {
    let edit_message = |edit: &Edit| {
        let edit = edit.resolve(files)?;
        Some(EditMessage {
            place: place(edit.span, files)?,
            replacement: edit.replacement,
        })
    };
    Some(FixMessage {
        applicability: fix.applicability.word(),
        edits: fix.edits.iter().map(edit_message).collect::<Option<_>>()?,
    })
}

fn place(span: Span, files: &Files) -> Option<Place<'_>> {
    let file = files.get(span.file)?;
    let (start, end) = (file.position(span.start), file.position(span.end));
    Some(Place {
        file: file.name(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        byte_start: start.byte,
        byte_end: end.byte,
    })
}
