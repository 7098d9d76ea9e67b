//! Tests of the crate as its users see it.

mod access;
mod conformance;
mod errors;
mod fixes;
mod kinds;
mod lines;
mod mangled;
mod render;
mod schemas;
mod settings;
mod table;
mod together;
mod written;

use std::sync::Arc;

use kgen_diagnostics::{Code, FileId, Files, Problem, Problems, SourceFile};
use kgen_model::{JsonType, KindStyle, KindVersion, Schema};

use crate::{CommentLine, Marker, MarkerText, Position, apply_to_schema, parse, read_marker};

/// A file of one comment line, and the text of the marker in it.
struct Line {
    files: Files,
    text: Arc<MarkerText>,
}

/// Returns `text` with its `+`, as the front end would read it from `// text`.
fn line(text: &str) -> Line {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.rs", format!("// {text}")));
    let (text, used) = read_marker(file, &[CommentLine { text, offset: 3 }]);
    assert_eq!(used, 1);
    Line { files, text }
}

fn file_id() -> FileId {
    Files::default().add(SourceFile::new("a.rs", ""))
}

fn marker(text: &str, position: Position) -> Marker {
    match parse(&line(text).text, position) {
        Ok(Some(marker)) => marker,
        other => panic!("{text}: {other:?}"),
    }
}

fn markers(texts: &[&str], position: Position) -> Vec<Marker> {
    texts.iter().map(|text| marker(text, position)).collect()
}

fn problem(text: &str, position: Position) -> (Problem, String) {
    let line = line(text);
    let problem = parse(&line.text, position).expect_err(text);
    let span = problem.span.expect("a place");
    (problem, line.files.slice(span).to_owned())
}

/// Returns the code of the problem, and the text that it underlines.
fn refused(text: &str, position: Position) -> (Code, String) {
    let (problem, underlined) = problem(text, position);
    check_wording(&problem);
    (problem.code, underlined)
}

fn check_wording(problem: &Problem) {
    let message = &problem.message;
    assert!(
        !message.ends_with('.') && !message.contains('\n') && !message.is_empty(),
        "{message:?}"
    );
    for help in &problem.help {
        assert!(!help.ends_with('.') && !help.is_empty(), "{help:?}");
    }
}

/// Returns the schema after `texts` of a field, and the codes of all problems.
fn applied(texts: &[&str], schema: Schema) -> (Schema, Vec<Code>) {
    applied_at(Position::Field, texts, schema)
}

fn applied_at(position: Position, texts: &[&str], mut schema: Schema) -> (Schema, Vec<Code>) {
    let mut problems = Problems::new();
    apply_to_schema(&markers(texts, position), &mut schema, &mut problems);
    problems.iter().for_each(check_wording);
    (schema, problems.iter().map(|problem| problem.code).collect())
}

/// Does the same as [`applied`], and expects no problem.
fn clean(texts: &[&str], schema: Schema) -> Schema {
    let (schema, codes) = applied(texts, schema);
    assert_eq!(codes, [], "{texts:?}");
    schema
}

fn string() -> Schema {
    Schema::of_type(JsonType::String)
}

fn kind_version() -> KindVersion {
    KindVersion {
        schema: Schema::of_type(JsonType::Object),
        ..KindVersion::new(
            "example.com".to_owned(),
            "v1".to_owned(),
            "Foo".to_owned(),
            KindStyle::WholeStruct,
            kgen_diagnostics::Span::new(file_id(), 0, 0),
            "api::v1::Foo".to_owned(),
        )
    }
}
