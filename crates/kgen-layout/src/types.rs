//! Breaks fields of structs, associated types and constants whose types are too long for one line.

use super::{SHORT, brackets, fits, spaces, width};

/// Breaks the line of a field, an associated type or a constant. Returns `None` for other lines.
pub(super) fn field(indent: usize, text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("const ") {
        let (name, value) = rest.split_once(" = ")?;
        if fits(indent, text) {
            return Some(format!("{}{text}", spaces(indent)));
        }
        // A value that does not fit anywhere stays on its line.
        if !fits(indent + 4, value) {
            return Some(format!("{}{text}", spaces(indent)));
        }
        return Some(format!(
            "{}const {name} =\n{}{value}",
            spaces(indent),
            spaces(indent + 4)
        ));
    }
    let (name, written) = text.split_once(": ")?;
    let name = name.strip_prefix("pub ").unwrap_or(name);
    let is_name = name
        .chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '#');
    let written = written.strip_suffix(',').filter(|_| is_name && is_type(text))?;
    let prefix = text.split_once(": ").map(|(prefix, _)| prefix)?;
    if fits(indent, text) {
        return Some(format!("{}{text}", spaces(indent)));
    }
    if fits(indent + 4, &format!("{written},")) {
        return Some(format!(
            "{}{prefix}:\n{}{written},",
            spaces(indent),
            spaces(indent + 4)
        ));
    }
    let lines = broken_type(indent, written);
    Some(format!("{}{prefix}: {lines},", spaces(indent)))
}

/// Returns whether a line `name: something,` declares a field. Otherwise it is a value, and values in generated code
/// are calls, strings, fields and `None`.
fn is_type(text: &str) -> bool {
    let written = text.split_once(": ").map_or("", |(_, written)| written);
    let is_value = written.starts_with(['"', '&'])
        || written.starts_with("None")
        || written.starts_with("Some(")
        || written.starts_with("object.")
        || written.contains('(') && !written.contains('<') && !written.starts_with('(');
    !is_value || text.starts_with("pub ")
}

/// Breaks a type at its outermost bracket, with one argument per line.
pub(super) fn broken_type(indent: usize, written: &str) -> String {
    let array = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some((item, length)) = array.and_then(|inside| inside.rsplit_once("; ")) {
        return format!("[{item};\n{}{length}]", spaces(indent + 4));
    }
    let (open, close) = if written.starts_with('[') {
        ('[', ']')
    } else if written.starts_with("Item = (") || written.starts_with('(') {
        ('(', ')')
    } else {
        ('<', '>')
    };
    let Some((before, inside, behind)) = brackets::first(written, open, close) else {
        return written.to_owned();
    };
    let mut lines = format!("{before}{open}\n");
    for argument in brackets::list(inside) {
        let one_line = format!("{argument},");
        let has_long_pair =
            brackets::first(argument, '(', ')').is_some_and(|(_, inside, _)| width(inside) > SHORT);
        let argument = if fits(indent + 4, &one_line) && !has_long_pair {
            one_line
        } else {
            format!("{},", broken_type(indent + 4, argument))
        };
        lines.push_str(&format!("{}{argument}\n", spaces(indent + 4)));
    }
    format!("{lines}{}{close}{behind}", spaces(indent))
}
