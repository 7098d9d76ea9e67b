//! Breaks signatures of functions: one line, or one line per parameter.

use super::types::broken_type;
use super::{SHORT, WIDTH, brackets, spaces, width};

/// Returns whether a line starts a function.
pub(super) fn is_signature(line: &str) -> bool {
    ["fn ", "pub fn ", "pub(super) fn ", "pub async fn "]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Formats a signature like rustfmt.
pub(super) fn signature(joined: &str) -> String {
    let result = joined.rsplit_once(") -> ").map(|(_, result)| result);
    if width(joined) <= WIDTH && !result.is_some_and(is_long_tuple) {
        return joined.to_owned();
    }
    let parted = one_parameter_per_line(joined).unwrap_or_else(|| joined.to_owned());
    brace_below(broken_result(parted))
}

/// Breaks the return type if its line is still too long.
fn broken_result(signature: String) -> String {
    let Some((before, last)) = signature.rsplit_once('\n') else {
        return signature;
    };
    // The brace of a body may be on the next line.
    let (line, end) = match last.strip_suffix(" {") {
        Some(line) => (line, " {"),
        None => (last, ""),
    };
    let result = line.trim_start().strip_prefix(") -> ");
    match (result, result.is_some_and(is_long_tuple) || width(line) > WIDTH) {
        (Some(result), true) => {
            let indent = last.len() - last.trim_start().len();
            let result = broken_type(indent, result);
            format!("{before}\n{}) -> {result}{end}", spaces(indent))
        }
        _ => signature,
    }
}

/// Returns whether a return type is a tuple that rustfmt breaks even if it fits on its line.
fn is_long_tuple(result: &str) -> bool {
    result.starts_with('(')
        && brackets::first(result, '(', ')').is_some_and(|(_, inside, _)| width(inside) > SHORT)
}

/// Puts the brace on the next line if the line of the return type is nearly full, as rustfmt does.
fn brace_below(signature: String) -> String {
    let Some(rest) = signature.strip_suffix(" {") else {
        return signature;
    };
    let last = rest.lines().next_back().unwrap_or_default();
    let is_nearly_full = (WIDTH - 5..=WIDTH).contains(&width(last));
    if is_nearly_full && last.trim_start().starts_with(')') {
        let indent = last.len() - last.trim_start().len();
        format!("{rest}\n{}{{", spaces(indent))
    } else {
        signature
    }
}

/// Returns a signature with one parameter per line.
fn one_parameter_per_line(signature: &str) -> Option<String> {
    let indent = signature.len() - signature.trim_start().len();
    let open = opening(signature)?;
    let (start, rest) = signature.split_at_checked(open)?;
    let (_, parameters, behind) = brackets::first(rest, '(', ')')?;
    if parameters.is_empty() {
        return None;
    }
    let inner: String = brackets::list(parameters)
        .into_iter()
        .map(|parameter| {
            format!(
                "{}{},\n",
                spaces(indent + 4),
                parameter_lines(indent + 4, parameter)
            )
        })
        .collect();
    Some(format!("{start}(\n{inner}{}){behind}", spaces(indent)))
}

/// Returns a parameter, with its type broken if it does not fit on one line.
fn parameter_lines(indent: usize, parameter: &str) -> String {
    // rustfmt ignores the width around a pair that is short enough itself.
    let has_short_pair =
        brackets::first(parameter, '(', ')').is_some_and(|(_, inside, _)| width(inside) <= SHORT);
    match parameter.split_once(": ") {
        Some((name, written)) if indent + width(parameter) >= WIDTH && !has_short_pair => {
            format!("{name}: {}", broken_type(indent, written))
        }
        _ => parameter.to_owned(),
    }
}

/// Returns the offset of the bracket that opens the parameters: the first one outside of the type parameters.
fn opening(signature: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let name = signature.find("fn ")?;
    for (index, letter) in signature.char_indices().skip_while(|(index, _)| *index < name) {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => return Some(index),
            _ => {}
        }
    }
    None
}
