//! Writes strings: chooses between plain, single-quoted, double-quoted and literal style, and folds long lines.

use std::fmt::Write;

use super::resolve::reads_as_other;
use super::shape::Shape;
use super::{Writer, push_blanks};

/// A line is folded at the first single space after this column.
const WIDTH: usize = 80;

/// The line breaks that need no escape: YAML 1.1 starts a new line after each.
const BREAKS: [char; 3] = ['\n', '\u{2028}', '\u{2029}'];

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// Double quotes, with every character escaped.
    Escaped,
    Literal,
}

impl Style {
    fn of(text: &str, shape: Shape) -> Self {
        if text.starts_with('\u{FEFF}') {
            // go-yaml looks for a byte order mark at the start of the text instead of at the current character, so it
            // finds one everywhere.
            Self::Escaped
        } else if shape.has_newline {
            if shape.may_be_literal() {
                Self::Literal
            } else {
                Self::DoubleQuoted
            }
        } else if reads_as_other(text) {
            Self::DoubleQuoted
        } else if shape.may_be_plain() {
            Self::Plain
        } else if shape.may_be_single_quoted() {
            Self::SingleQuoted
        } else {
            Self::DoubleQuoted
        }
    }

    fn quote(self) -> &'static str {
        match self {
            Self::Plain | Self::Literal => "",
            Self::SingleQuoted => "'",
            Self::DoubleQuoted | Self::Escaped => "\"",
        }
    }

    /// Appends `text`, or a part of a text, in the form that it has between the quotes.
    fn push(self, text: &str, indent: usize, out: &mut String) {
        match self {
            Self::Plain | Self::Literal => out.push_str(text),
            Self::SingleQuoted => push_single_quoted(text, indent, out),
            Self::DoubleQuoted => push_double_quoted(text, out),
            Self::Escaped => text.chars().for_each(|character| push_escape(character, out)),
        }
    }
}

impl Writer<'_> {
    /// Writes a key on the line of its colon. It does not have line breaks and is never folded.
    pub(super) fn simple_key(&mut self, key: &str, shape: Shape) {
        // go-yaml writes this key plain, where it means "merge the following mapping into this one".
        let style = if key == "<<" {
            Style::DoubleQuoted
        } else {
            Style::of(key, shape)
        };
        self.out.push_str(style.quote());
        style.push(key, 0, self.out);
        self.out.push_str(style.quote());
    }

    /// Writes `text`, with any further lines at column `indent`, and ends the line.
    pub(super) fn text(&mut self, text: &str, shape: Shape, indent: usize) {
        let style = Style::of(text, shape);
        if style == Style::Literal {
            return self.literal(text, shape, indent);
        }
        self.out.push_str(style.quote());
        // A text has at least as many bytes as columns, so most texts are known to be short enough.
        let fits = style == Style::Plain && self.out.len() - self.line_start + text.len() <= WIDTH;
        if fits || style == Style::Escaped {
            style.push(text, indent, self.out);
        } else {
            self.folded(text, style, indent);
        }
        self.out.push_str(style.quote());
        self.end_line();
    }

    /// Writes `text` and breaks the line at each single space after the maximum width; the parser reads the break as a
    /// space. In double quotes, a backslash keeps further spaces from being read as indentation, so there the space may
    /// be the first of several.
    fn folded(&mut self, text: &str, style: Style, indent: usize) {
        let mut column = self
            .out
            .get(self.line_start..)
            .map_or(0, |line| line.chars().count());
        let mut rest = text;
        while let Some((word, after)) = rest.split_once(' ') {
            rest = after;
            column = self.word(word, style, indent, column);
            let more_blanks = after.starts_with(' ');
            // An empty word means that a space precedes this one, or that the text starts with this one.
            let may_fold =
                !word.is_empty() && !after.is_empty() && (!more_blanks || style == Style::DoubleQuoted);
            if column > WIDTH && may_fold {
                self.end_line();
                self.indent(indent);
                column = indent;
                if more_blanks {
                    self.out.push('\\');
                    column += 1;
                }
            } else {
                self.out.push(' ');
                column += 1;
            }
        }
        style.push(rest, indent, self.out);
    }

    /// Writes a part of a text that starts in `column`, and returns the column after it.
    fn word(&mut self, word: &str, style: Style, indent: usize, column: usize) -> usize {
        let start = self.out.len();
        style.push(word, indent, self.out);
        let written = self.out.get(start..).unwrap_or_default();
        // Only single quotes keep line breaks.
        if style == Style::SingleQuoted
            && let Some((_, last_line)) = written.rsplit_once(BREAKS)
        {
            return last_line.chars().count();
        }
        column + written.chars().count()
    }

    /// Writes `text` line by line, unchanged, under a header with its indentation and its end.
    fn literal(&mut self, text: &str, shape: Shape, indent: usize) {
        self.out.push('|');
        if shape.starts_with_blank || shape.starts_with_break {
            // A parser could not detect the indentation from the first line, so the header has it: one level.
            self.out.push('2');
        }
        let ends_with_break = match text.strip_suffix(BREAKS) {
            None => {
                self.out.push('-');
                false
            }
            Some(before) => {
                if before.is_empty() || before.ends_with(BREAKS) {
                    self.out.push('+');
                }
                true
            }
        };
        self.out.push('\n');
        if shape.has_separator {
            self.lines(text.split_inclusive(BREAKS), indent);
        } else {
            self.lines(text.split_inclusive('\n'), indent);
        }
        if !ends_with_break {
            self.out.push('\n');
        }
        self.line_start = self.out.len();
    }

    fn lines<'t>(&mut self, lines: impl Iterator<Item = &'t str>, indent: usize) {
        for line in lines {
            if !line.starts_with(BREAKS) {
                self.indent(indent);
            }
            self.out.push_str(line);
        }
    }
}

fn push_single_quoted(text: &str, indent: usize, out: &mut String) {
    let mut at_line_start = false;
    for character in text.chars() {
        if BREAKS.contains(&character) {
            at_line_start = true;
        } else {
            if at_line_start {
                push_blanks(indent, out);
                at_line_start = false;
            }
            if character == '\'' {
                out.push('\'');
            }
        }
        out.push(character);
    }
}

fn push_double_quoted(text: &str, out: &mut String) {
    // The start of the current run: characters that do not need an escape are copied together.
    let mut run = text;
    for (position, character) in text.char_indices() {
        if matches!(
            character,
            '\0'..'\x20'
                | '"'
                | '\\'
                | '\x7F'..'\u{A0}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{FEFF}'
                | '\u{FFFE}'
                | '\u{FFFF}'..
        ) {
            let run_start = text.len() - run.len();
            out.push_str(run.get(..position - run_start).unwrap_or_default());
            push_escape(character, out);
            run = text.get(position + character.len_utf8()..).unwrap_or_default();
        }
    }
    out.push_str(run);
}

fn push_escape(character: char, out: &mut String) {
    let letter = match character {
        '"' | '\\' => character,
        '\0' => '0',
        '\x07' => 'a',
        '\x08' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\x0B' => 'v',
        '\x0C' => 'f',
        '\r' => 'r',
        '\x1B' => 'e',
        '\u{85}' => 'N',
        '\u{A0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(character);
            // Writing to a string cannot fail.
            let _ = match code {
                0..=0xFF => write!(out, "\\x{code:02X}"),
                0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.push('\\');
    out.push(letter);
}
