//! The form for GitHub workflows: `::error file=…,line=…::message`.

use std::fmt::Write as _;

use super::Remark;
use crate::{Files, Problem, Severity};

pub(super) fn render(problem: &Problem, remarks: &[Remark], files: &Files) -> String {
    let command = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut line = format!("::{command} title={}", property(problem.code.name()));
    if let Some((span, file)) = problem.span.and_then(|span| Some((span, files.get(span.file)?))) {
        let (start, end) = (file.position(span.start), file.position(span.end));
        // Writing to a string cannot fail.
        let _ = write!(
            line,
            ",file={},line={},endLine={}",
            property(file.name()),
            start.line,
            end.line
        );
        if start.line == end.line {
            let _ = write!(line, ",col={},endColumn={}", start.column, end.column);
        }
    }
    let mut text = problem.message.clone();
    let beside = problem.beside();
    if !beside.is_empty() {
        let _ = write!(text, ": {beside}");
    }
    for (title, remark) in remarks {
        let _ = write!(text, "\n{title}: {remark}");
    }
    for help in &problem.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    let _ = writeln!(line, "::{}", data(&text));
    line
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
