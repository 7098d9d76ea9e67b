//! Targets that need nothing but a text.

use kgen_diagnostics::{Files, SourceFile};
use kgen_markers::{CommentLine, Position};
use serde_json::Value;

use super::Run;

/// Every place that a marker can be at.
const POSITIONS: [Position; 6] = [
    Position::Module,
    Position::Kind,
    Position::Type,
    Position::Field,
    Position::Variant,
    Position::Nothing,
];

/// Runs the grammar of markers.
pub(crate) fn markers() -> Run {
    Box::new(|text| {
        let mut files = Files::default();
        let file = files.add(SourceFile::new("api.rs", text));
        let mut offset = 0;
        let mut lines = Vec::new();
        for line in text.split_inclusive('\n') {
            lines.push(CommentLine {
                text: line.trim_end_matches('\n'),
                offset,
            });
            offset += u32::try_from(line.len()).unwrap_or_default();
        }
        let (marker, _) = kgen_markers::read_marker(file, &lines);
        for position in POSITIONS {
            let _ = kgen_markers::parse(&marker, position);
        }
        let _ = kgen_markers::is_foreign(&marker);
    })
}

/// Runs the YAML writer: with JSON if the input is some, else with a string.
pub(crate) fn yaml() -> Run {
    Box::new(|text| {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
        let nested = serde_json::json!({ text: [value.clone(), { "a": text }] });
        for value in [value, nested] {
            let _ = kgen_yaml::to_string(&value);
        }
    })
}

/// Reads the arguments of controller-gen's command line.
pub(crate) fn arguments() -> Run {
    Box::new(|text| {
        let words: Vec<String> = text.split([' ', '\n']).map(str::to_owned).collect();
        let _ = kgen_build::parse_arguments("kgen", &words, &["generate", "verify", "explain"]);
    })
}
