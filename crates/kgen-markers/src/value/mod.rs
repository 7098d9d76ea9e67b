//! The grammar of values and named arguments, as controller-gen has it.
//!
//! A [`Parser`] walks over one text and reads typed values from it; every mistake comes with its byte range. Markers
//! use it, and the command line uses it as well: `crd:maxDescLen=0`, `paths=a;b` and `output:crd:dir=x` follow the
//! same rules for quotes and lists.

mod any;
mod choice;
mod error;
mod lists;
mod part;
mod scalars;
mod strings;
mod types;
pub(crate) mod written;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use kgen_diagnostics::nearest;

use crate::comment::{MarkerText, name_length, starts_marker};
use crate::table;

pub use any::{Any, Json};
pub(crate) use choice::choice;
pub use error::{Cause, Error, Shown, TextFix};
pub(crate) use part::{Contents, Part, Parts, contents_of};
pub(crate) use strings::{closing_quote, string_parts};
pub use types::{Count, Located, Map, MaybeEmpty, Value, ValueType};

/// How deep braces may nest; far more than anybody writes, and far less than the stack holds.
const DEPTH_LIMIT: usize = 32;

/// Reads values from a text, from left to right.
#[derive(Clone, Debug)]
pub struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Whether the value is an element of a list, where `;` and `,` separate elements.
    in_list: bool,
    /// Whether a closing parenthesis ends a bare value.
    in_parentheses: bool,
    /// Where the text comes from, for values that are markers themselves.
    origin: Option<&'a Arc<MarkerText>>,
}

impl<'a> Parser<'a> {
    /// Creates a parser at the start of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self::starting_at(text, 0)
    }

    /// Creates a parser at byte `at` of `text`; ranges count from the start of `text`.
    #[must_use]
    pub fn starting_at(text: &'a str, at: usize) -> Self {
        let at = if text.is_char_boundary(at) { at } else { text.len() };
        Self {
            text,
            at,
            depth: 0,
            in_list: false,
            in_parentheses: false,
            origin: None,
        }
    }

    pub(crate) fn of_marker(origin: &'a Arc<MarkerText>, at: usize, depth: usize) -> Self {
        Self {
            origin: Some(origin),
            depth,
            ..Self::starting_at(origin.text(), at)
        }
    }

    pub(crate) fn origin(&self) -> Option<&'a Arc<MarkerText>> {
        self.origin
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the position of the parser.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the rest of the text.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the next character.
    #[must_use]
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips blanks and line breaks.
    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes the next character if it is `wanted`.
    pub fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Takes everything that is left.
    pub fn take_rest(&mut self) -> &'a str {
        let rest = self.rest();
        self.at = self.text.len();
        rest
    }

    pub(crate) fn jump(&mut self, at: usize) {
        if self.text.is_char_boundary(at) {
            self.at = at;
        }
    }

    pub(crate) fn parenthesised<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.in_parentheses, true);
        let result = read(self);
        self.in_parentheses = before;
        result
    }

    /// Reads one value.
    ///
    /// # Errors
    /// Returns an error if the text is not such a value.
    pub fn read<T: Value>(&mut self) -> Result<T, Error> {
        T::read(self)
    }

    /// Reads a whole text as one value.
    ///
    /// # Errors
    /// Returns an error if the text is not such a value, or continues after it.
    pub fn whole<T: Value>(text: &'a str) -> Result<T, Error> {
        let mut parser = Self::new(text);
        let value = T::read(&mut parser)?;
        parser.end()?;
        Ok(value)
    }

    /// Makes sure that nothing is left.
    ///
    /// # Errors
    /// When text follows.
    pub fn end(&mut self) -> Result<(), Error> {
        self.skip_blanks();
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.surplus()),
        }
    }

    /// Returns the error for text where the value should have ended.
    pub(crate) fn surplus(&self) -> Error {
        let start = self.at;
        if let Some(error) = self.quotes_inside().or_else(|| second_marker(self.text, start)) {
            return error;
        }
        match self.peek() {
            Some(separator @ (',' | ';' | '}')) => {
                let error = Error::text(
                    start..self.text.trim_end().len(),
                    format!("`{separator}` ends the value here"),
                );
                match separator {
                    ',' => error
                        .help("separate the values of a list with `;`, or quote a value that contains `,`"),
                    _ => error.help(format!(
                        "put a value that contains `{separator}` in double quotes or backticks"
                    )),
                }
            }
            _ => Error::trailing_text(
                start..self.text.trim_end().len().max(start),
                "text after the value has no meaning",
            ),
        }
    }

    /// Returns the error for a value in double quotes that contains more quotes, if the value that ends here is one.
    fn quotes_inside(&self) -> Option<Error> {
        let (before, rest) = (self.text.get(..self.at)?, self.rest());
        let closed = before.strip_suffix('"')?;
        let open = closed
            .match_indices('"')
            .map(|(at, _)| at)
            .rfind(|at| !closed.get(..*at).is_some_and(|text| text.ends_with('\\')))?;
        // The value ends at the quote behind which the marker ends, or the next argument starts.
        let end = rest.match_indices('"').map(|(at, _)| self.at + at).find(|at| {
            let behind = self.text.get(at + 1..).unwrap_or_default().trim_start();
            behind.is_empty() || behind.strip_prefix(',').is_some_and(starts_argument)
        })?;
        let inner = self.text.get(open + 1..end)?;
        let range = open..end + 1;
        let is_certain = !inner.contains(['`', '\\', '\n']);
        let fix = TextFix::replace(range.clone(), format!("`{inner}`")).told();
        Some(
            Error::value(range, "the quotes inside this value end it")
                .with_fix(fix.certain_if(is_certain))
                .help("write `\\\"` for a quote inside double quotes, or put the whole value in backticks"),
        )
    }

    /// Returns the text since a byte, without trailing spaces.
    pub(crate) fn written_since(&self, start: usize) -> Range<usize> {
        start..start + self.slice(start..self.at).trim_end().len()
    }

    /// Reads `name=value` pairs separated by commas up to the end of the text. `read` gets each name and must read
    /// its value; a name that it does not know is its error to make, see [`Parser::unknown_argument`].
    ///
    /// # Errors
    /// Those of `read`, and those of the text between the values.
    pub fn named(
        &mut self,
        mut read: impl FnMut(&mut Self, &Located<&'a str>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut seen: Vec<&str> = Vec::new();
        loop {
            self.skip_blanks();
            let name = self.argument_name(seen.last().copied())?;
            if seen.contains(&name.value) {
                return Err(Error::argument(
                    name.range,
                    format!("argument `{}` is given twice", name.value),
                ));
            }
            seen.push(name.value);
            read(self, &name)?;
            self.skip_blanks();
            if self.peek().is_none() {
                return Ok(());
            }
            let comma = self.at;
            if !self.take(',') {
                return Err(self.surplus());
            }
            self.skip_blanks();
            if self.peek().is_none() {
                return Err(
                    Error::text(comma..comma + 1, "an argument is missing after this comma")
                        .help("remove the comma, or add the argument")
                        .with_fix(TextFix::replace(comma..comma + 1, "").certain_if(false)),
                );
            }
        }
    }

    /// Returns the name of an argument and its `=`.
    fn argument_name(&mut self, previous: Option<&str>) -> Result<Located<&'a str>, Error> {
        let start = self.at;
        let rest = self.rest();
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = Located {
            value: rest.get(..length).unwrap_or_default(),
            range: start..start + length,
        };
        self.at = start + length;
        self.skip_blanks();
        if length > 0 && self.take('=') {
            return Ok(name);
        }
        let end = rest.find([',', '=']).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default().trim_end();
        let range = start..start + word.len().max(rest.chars().next().map_or(0, char::len_utf8));
        if rest.get(end..).is_some_and(|behind| behind.starts_with('=')) {
            return Err(Error::argument(
                range,
                format!("`{word}` is not the name of an argument"),
            ));
        }
        let error = Error::argument(range, format!("`{word}` is not an argument: `=` is missing"));
        Err(match previous {
            Some(previous) => error.help(format!(
                "separate the values of `{previous}` with `;`, or quote a value that contains `,`"
            )),
            None => error.help("write arguments as `name=value`, separated by commas"),
        })
    }

    /// Returns the error for an argument that is not among `known`, with the nearest one.
    #[must_use]
    pub fn unknown_argument(name: &Located<&str>, known: &[&str]) -> Error {
        let error = Error::argument(
            name.range.clone(),
            format!("there is no argument `{}`", name.value),
        );
        let near = nearest(name.value, known.iter().copied());
        error
            .near(name.range.clone(), near)
            .help(format!("the arguments are {}", quoted_list(known)))
    }

    /// Runs `read` one level deeper.
    fn nested<T>(
        &mut self,
        opening: usize,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.depth >= DEPTH_LIMIT {
            return Err(Error::value(
                opening..opening + 1,
                "the value is nested too deeply",
            ));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }
}

/// Returns whether a text starts with `name=`.
fn starts_argument(text: &str) -> bool {
    let text = text.trim_start();
    let length = text
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(text.len());
    length > 0 && text.get(length..).is_some_and(|behind| behind.starts_with('='))
}

/// Returns the error for a known marker at byte `at` of a text, behind another one.
pub(crate) fn second_marker(text: &str, at: usize) -> Option<Error> {
    let rest = text.get(at..)?;
    let start = at + rest.len() - rest.trim_start().len();
    let marker = text.get(start..)?;
    let name = marker.get(1..).filter(|_| starts_marker(marker))?;
    let length = name_length(name);
    let behind = name.get(length..)?;
    let is_marker =
        table::find(name).is_some() && (behind.trim().is_empty() || behind.starts_with(['=', '(']));
    is_marker.then(|| {
        let written = name.get(..length).unwrap_or_default();
        let first = text.get(..start).unwrap_or_default().trim_end().len();
        Error::text(
            start..text.trim_end().len(),
            format!("the marker `{written}` is on the line of another marker"),
        )
        .help("write each marker on a comment line of its own")
        .with_fix(TextFix::comment_line(first..start))
    })
}

/// Joins words in back quotes, separated by commas.
pub(crate) fn quoted_list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
