//! Helm charts: lines that are a template action are passed over, and other actions are explained.

use kgen_diagnostics::{Code, FileId, Problem, Span};

/// Returns the text with blanks in place of every line that consists of one action, so that places stay the same. Returns
/// `None` if there is no such line.
pub(super) fn without_actions(text: &str) -> Option<String> {
    let is_action = |line: &str| {
        let line = line.trim();
        line.starts_with("{{") && line.ends_with("}}")
    };
    if !text.lines().any(is_action) {
        return None;
    }
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_action(line) {
            let content = line.trim_end_matches(['\n', '\r']);
            result.extend(std::iter::repeat_n(' ', content.len()));
            result.push_str(line.get(content.len()..).unwrap_or_default());
        } else {
            result.push_str(line);
        }
    }
    Some(result)
}

/// Replaces a problem of YAML by one about the template syntax on its line, or on the first line before it that has some.
pub(super) fn explain(text: &str, file: FileId, problem: Problem) -> Problem {
    let end = problem.span.map_or(text.len(), |span| span.range().end);
    let end = end + text.get(end..).and_then(|rest| rest.find('\n')).unwrap_or(0);
    let before = text.get(..end).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.get(start..).unwrap_or_default();
    let Some(at) = line.find("{{") else {
        return problem;
    };
    let length = line
        .get(at..)
        .and_then(|rest| rest.find("}}"))
        .map_or(line.len() - at, |length| length + 2);
    let span = Span::of(file, start + at..start + at + length);
    Problem::error(
        Code::TemplateSyntax,
        span,
        "this is template syntax, so the YAML cannot be read",
    )
    .help("render the template first, such as with `helm template`, and import the result")
    .help("kgen skips only template actions that are alone on a line")
}
