//! Writes JSON values as YAML, byte for byte like gopkg.in/yaml.v2 v2.4.0, and therefore like controller-gen. A project
//! that moves to kgen does not see differences of style, and the text is safe for the YAML 1.1 parsers of Kubernetes.
//! This file lays out mappings and sequences; the modules below write scalars.
//!
//! The output equals that of go-yaml, with one exception: the key `<<`, which go-yaml writes plain and then reads as a
//! merge key, is quoted here. A parser of YAML 1.2 reads some rare strings differently than Kubernetes, because go-yaml
//! trusts its own rules: it treats U+2028 and U+2029 as line breaks (and indents after them, and even ends a literal
//! block with one), and it leaves numbers that overflow a float, such as `1e999`, plain.
//!
//! [`plain_scalar`] is the other direction for single scalars. This crate does not parse documents.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod keys;
mod number;
mod resolve;
mod scalar;
mod shape;
#[cfg(test)]
mod tests;
mod text;
mod timestamp;

pub use scalar::plain_scalar;
use serde_json::{Map, Value};

/// Columns by which nested content is indented.
const INDENT: usize = 2;

/// Spaces from which an indentation is copied.
const BLANKS: &str = "                                                                ";

/// The longest key, in bytes, that is written as `key:` and not as `? key`.
const LONGEST_SIMPLE_KEY: usize = 128;

/// Appends `value` as one YAML document (without `---`) to `out`, which must be empty or end with a line break.
pub fn write(value: &Value, out: &mut String) {
    let line_start = out.len();
    Writer { out, line_start }.node(value, 0);
}

/// Returns the YAML document (without `---`) for `value`.
#[must_use]
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// The output, and the start of its last line.
struct Writer<'a> {
    out: &'a mut String,
    /// Offset in `out` of the current line: the column is computed from it when a long text needs it.
    line_start: usize,
}

impl Writer<'_> {
    /// Writes `value` when the line is already at column `indent`: at the start of the document, after `- `, or after
    /// the `: ` of a key on its own line. It ends the line.
    fn node(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Object(entries) if !entries.is_empty() => self.mapping(entries, indent),
            Value::Array(items) if !items.is_empty() => self.sequence(items, indent),
            // Further lines are indented once more than the `-` or the key. The caller has already added this to
            // `indent`, except at the start of the document.
            scalar => self.scalar(scalar, indent.max(INDENT)),
        }
    }

    fn mapping(&mut self, entries: &Map<String, Value>, indent: usize) {
        if keys::stand_in_order(entries) {
            self.entries(entries, indent);
        } else {
            self.entries(keys::in_order(entries), indent);
        }
    }

    fn entries<'v>(&mut self, entries: impl IntoIterator<Item = (&'v String, &'v Value)>, indent: usize) {
        for (position, (key, value)) in entries.into_iter().enumerate() {
            if position > 0 {
                self.indent(indent);
            }
            if is_plain_word(key) {
                self.out.push_str(key);
                self.out.push(':');
                self.entry_value(value, indent);
                continue;
            }
            let shape = shape::Shape::of(key);
            if key.len() > LONGEST_SIMPLE_KEY || shape.has_break {
                self.out.push_str("? ");
                self.text(key, shape, indent + INDENT);
                self.indent(indent);
                self.out.push_str(": ");
                self.node(value, indent + INDENT);
            } else {
                self.simple_key(key, shape);
                self.out.push(':');
                self.entry_value(value, indent);
            }
        }
    }

    /// Writes the value of an entry whose `key:` is at column `indent`.
    fn entry_value(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Object(entries) if !entries.is_empty() => {
                self.end_line();
                self.indent(indent + INDENT);
                self.mapping(entries, indent + INDENT);
            }
            Value::Array(items) if !items.is_empty() => {
                self.end_line();
                // The dashes are in the column of the key.
                self.indent(indent);
                self.sequence(items, indent);
            }
            scalar => {
                self.out.push(' ');
                self.scalar(scalar, indent + INDENT);
            }
        }
    }

    fn sequence(&mut self, items: &[Value], indent: usize) {
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.indent(indent);
            }
            self.out.push_str("- ");
            self.node(item, indent + INDENT);
        }
    }

    /// Writes a value without entries, and ends the line.
    fn scalar(&mut self, value: &Value, indent: usize) {
        match value {
            Value::String(text) if is_plain_word(text) => self.out.push_str(text),
            Value::String(text) => return self.text(text, shape::Shape::of(text), indent),
            Value::Null => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Number(value) => number::write(value, self.out),
            Value::Array(_) => self.out.push_str("[]"),
            Value::Object(_) => self.out.push_str("{}"),
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        self.line_start = self.out.len();
    }

    fn indent(&mut self, columns: usize) {
        push_blanks(columns, self.out);
    }
}

/// Returns whether a text is a short word of letters, like nearly all keys and most values. It does not need quotes or
/// line breaks.
fn is_plain_word(text: &str) -> bool {
    text.len() <= LONGEST_SIMPLE_KEY
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !resolve::reads_as_other(text)
}

fn push_blanks(mut columns: usize, out: &mut String) {
    while columns > 0 {
        let step = columns.min(BLANKS.len());
        out.push_str(BLANKS.get(..step).unwrap_or(BLANKS));
        columns -= step;
    }
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
