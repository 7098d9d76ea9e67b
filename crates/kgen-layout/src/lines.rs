//! Joins each statement, field, attribute and signature of prettyplease's output to one line.

use super::brackets::open_at_end;

/// A logical line.
pub(super) struct Line {
    /// The number of lines in the input.
    pub(super) count: usize,
    pub(super) indent: usize,
    pub(super) text: String,
}

/// Returns the logical line that starts at the first of `lines`.
pub(super) fn first(lines: &[&str]) -> Line {
    let first = lines.first().copied().unwrap_or_default();
    let indent = indent_of(first);
    let mut count = 1;
    let mut open = open_at_end(first);
    let mut last = first;
    for line in lines.get(1..).unwrap_or_default() {
        // A struct expression in brackets has one line per field.
        let is_block = last.ends_with('{');
        if is_block || !(open > 0 || continues(first, last, line, indent)) {
            break;
        }
        open += open_at_end(line);
        count += 1;
        last = line;
    }
    Line {
        count,
        indent,
        text: join(lines.get(..count).unwrap_or_default())
            .trim_start()
            .to_owned(),
    }
}

/// Returns whether `line` belongs to the statement with the given first and last lines.
fn continues(first: &str, last: &str, line: &str, indent: usize) -> bool {
    let text = line.trim_start();
    if first.starts_with("impl") && text.starts_with("for ") {
        return true;
    }
    // Documentation and attributes are complete, and so is a line with one of these endings.
    if first.trim_start().starts_with(['/', '#']) || last.trim() == "where" {
        return false;
    }
    if last.ends_with(['{', ';', '}', ',']) {
        return false;
    }
    indent_of(line) > indent || text == "{"
}

pub(super) fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Joins lines without a space after an opening bracket or before a dot, and without a comma before a closing bracket.
fn join(lines: &[&str]) -> String {
    let mut joined = String::new();
    for line in lines {
        let part = if joined.is_empty() {
            line.trim_end()
        } else {
            line.trim()
        };
        if part.starts_with([')', '>', ']']) && joined.ends_with(',') {
            joined.pop();
        } else if !joined.is_empty()
            && !joined.ends_with(['(', '<', '['])
            && !part.starts_with([')', '>', ']', '.', '?'])
        {
            joined.push(' ');
        }
        joined.push_str(part);
    }
    joined
}
