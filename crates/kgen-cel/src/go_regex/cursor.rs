//! A position in a pattern.

/// The rest of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Returns the rest.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Returns the next character without consuming it.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Consumes the next character.
    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.skip(letter.len_utf8());
        Some(letter)
    }

    /// Skips a number of bytes.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Consumes `text` if it comes next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.rest.starts_with(text);
        if found {
            self.skip(text.len());
        }
        found
    }
}
