//! Columns of `kubectl get`: that they can be shown, and that they show something.
//!
//! The API server accepts almost any path and then shows an empty column; only paths that cannot work are rejected
//! here.

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned, words};
use kgen_model::{Column, JsonType, KindVersion, Schema};

use super::json_path::{self, Found};
use super::refusal::Refusal;
use super::text;

const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const FORMATS: [&str; 8] = [
    "byte",
    "date",
    "date-time",
    "double",
    "float",
    "int32",
    "int64",
    "password",
];

/// Checks all columns of a version.
pub(super) fn check(version: &KindVersion, problems: &mut Problems) {
    for column in &version.columns {
        check_words(column, problems);
        check_path(version, column, problems);
    }
}

fn check_words(column: &Spanned<Column>, problems: &mut Problems) {
    let Column {
        name,
        column_type,
        format,
        priority,
        ..
    } = &column.value;
    let error = |message: String| Problem::error(Code::MarkerValue, column.span, message);
    if name.is_empty() {
        problems.push(error("a column needs a name".to_owned()));
    }
    if !TYPES.contains(&column_type.as_str()) {
        let problem = error(format!("`{column_type}` is not a valid column type"));
        problems.push(with_advice(problem, column.span, column_type, &TYPES));
    }
    if let Some(format) = format
        .as_deref()
        .filter(|format| !format.is_empty() && !FORMATS.contains(format))
    {
        let problem = error(format!("`{format}` is not a valid column format"));
        problems.push(with_advice(problem, column.span, format, &FORMATS));
    }
    if let Some(priority) = priority.filter(|priority| i32::try_from(*priority).is_err()) {
        problems.push(error(format!("the priority {priority} does not fit in 32 bits")));
    }
}

/// Adds the nearest of `known` to a problem at `span`, or all of them.
fn with_advice(problem: Problem, span: Span, word: &str, known: &[&'static str]) -> Problem {
    match text::meant_within(span, word, known.iter().copied()) {
        Some(fix) => problem.with_fix(fix),
        None => problem.help(format!("use one of {}", words::all_of(known.iter().copied()))),
    }
}

fn check_path(version: &KindVersion, column: &Spanned<Column>, problems: &mut Problems) {
    let Column {
        name,
        column_type,
        json_path,
        ..
    } = &column.value;
    let (json_path, span) = (json_path.value.as_str(), json_path.span);
    let parsed = json_path::parse(json_path);
    // The API server parses the path too, but does not follow it.
    let is_parsed = parsed.is_ok();
    let found = parsed
        .map_err(Refusal::from)
        .and_then(|path| json_path::resolve(version, &path));
    let tolerated = |problem: Problem| if is_parsed { problem.tolerated() } else { problem };
    let message = match found {
        Err(refusal) => {
            let message = format!(
                "the path `{json_path}` of the column `{name}` is not valid: {}",
                refusal.message
            );
            let problem = tolerated(Problem::error(Code::JsonPath, span, message));
            problems.push(refusal.add_to(problem, json_path, Some(span)));
            return;
        }
        Ok(Found::Schema(schema)) if !fits(column_type, schema) => {
            format!(
                "the column `{name}` has type `{column_type}`, but `{json_path}` is {}",
                description(schema)
            )
        }
        Ok(_) => return,
    };
    problems.push(tolerated(Problem::error(Code::JsonPath, span, message)));
}

/// Returns whether the API server could show such a value in such a column. A column of texts shows anything.
fn fits(column_type: &str, schema: &Schema) -> bool {
    let Some(json_type) = schema.json_type else {
        return !schema.int_or_string || matches!(column_type, "integer" | "number" | "string");
    };
    match column_type {
        "boolean" => json_type == JsonType::Boolean,
        "integer" | "number" => matches!(json_type, JsonType::Integer | JsonType::Number),
        // A time in a field without a format is still shown.
        "date" => json_type == JsonType::String && schema.format().is_none_or(|format| format == "date-time"),
        _ => true,
    }
}

fn description(schema: &Schema) -> String {
    match (schema.json_type, schema.format()) {
        (Some(json_type), Some(format)) => format!("of type `{}` and format `{format}`", json_type.word()),
        (Some(json_type), None) => format!("of type `{}`", json_type.word()),
        (None, _) => "an integer or a string".to_owned(),
    }
}
