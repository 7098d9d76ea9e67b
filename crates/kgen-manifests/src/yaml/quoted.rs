//! Quoted text whose further lines are not indented: go-yaml reads it, and the parser does not.
//!
//! The breaks and blanks around such a line are folded, so more blanks do not change the value. The lines get some, and
//! places are translated back.

/// A text with blanks at the start of the further lines of quoted values.
pub(super) struct Indented {
    pub(super) text: String,
    /// Where the blanks of these lines start in this text.
    blanks: Vec<usize>,
    /// The number of blanks that each line got.
    width: usize,
}

impl Indented {
    /// Indents the further lines of all quoted values. Returns `None` if no quoted value has further lines.
    pub(super) fn of(text: &str) -> Option<Self> {
        let lines = further_lines(text);
        if lines.is_empty() {
            return None;
        }
        let width = 1 + text.lines().map(indentation).max().unwrap_or_default();
        let indentation = " ".repeat(width);
        let mut blanks = Vec::with_capacity(lines.len());
        let mut result = String::with_capacity(text.len() + lines.len() * width);
        let mut end = 0;
        for start in &lines {
            result.push_str(text.get(end..*start).unwrap_or_default());
            blanks.push(result.len());
            result.push_str(&indentation);
            end = *start;
        }
        result.push_str(text.get(end..).unwrap_or_default());
        Some(Self {
            text: result,
            blanks,
            width,
        })
    }

    /// Returns the place in the original text.
    pub(super) fn original(&self, at: usize) -> usize {
        let behind = self.blanks.partition_point(|blanks| *blanks <= at);
        let Some(last) = behind.checked_sub(1).and_then(|last| self.blanks.get(last)) else {
            return at;
        };
        let shift = (behind - 1) * self.width;
        at.saturating_sub(self.width).max(*last) - shift
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns where the further lines of quoted values start.
fn further_lines(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    // The quote of an open value, and the column of the key or the dash before an open block of text.
    let (mut open, mut block): (Option<char>, Option<usize>) = (None, None);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if let Some(quote) = open {
            if !content.trim().is_empty() {
                found.push(start);
            }
            open = end_of_quoted(content, quote).is_none().then_some(quote);
        } else {
            let is_blank = content.trim().is_empty();
            if block.is_some_and(|indent| is_blank || indentation(content) > indent) {
                start += line.len();
                continue;
            }
            block = None;
            if let Some((column, value)) = value_of(content) {
                let is_block = value.starts_with(['|', '>'])
                    && value
                        .split(" #")
                        .next()
                        .is_some_and(|head| head.trim().len() <= 3);
                if is_block {
                    block = Some(column);
                } else if let Some(quote) = value.chars().next().filter(|first| matches!(first, '\'' | '"')) {
                    let inside = value.get(1..).unwrap_or_default();
                    open = end_of_quoted(inside, quote).is_none().then_some(quote);
                }
            }
        }
        start += line.len();
    }
    found
}

/// Returns the end of a quoted text, behind its closing quote. The opening quote is before `text`. Returns `None` if the
/// quote is still open at the end of `text`.
fn end_of_quoted(text: &str, quote: char) -> Option<usize> {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' && quote == '"' {
            letters.next();
        } else if letter == quote {
            let is_escape = quote == '\'' && letters.peek().is_some_and(|(_, next)| *next == '\'');
            if !is_escape {
                return Some(at + 1);
            }
            letters.next();
        }
    }
    None
}

/// Returns the value on a line with keys or the dashes of a list before it, and the column of the key. A value without a
/// key has the column of the last dash.
fn value_of(line: &str) -> Option<(usize, &str)> {
    let column = |rest: &str| line.len() - rest.len();
    let mut rest = line.trim_start();
    let mut before = column(rest);
    while let Some(item) = rest.strip_prefix("- ") {
        before = column(rest);
        rest = item.trim_start();
    }
    if rest.starts_with(['\'', '"']) {
        let quote = rest.chars().next()?;
        let inside = rest.get(1..)?;
        let end = end_of_quoted(inside, quote);
        return match end.and_then(|end| inside.get(end..)?.trim_start().strip_prefix(": ")) {
            Some(value) => Some((column(rest), value.trim_start())),
            None => Some((before, rest)),
        };
    }
    if rest.starts_with('#') {
        return None;
    }
    match rest.split_once(": ") {
        Some((_, value)) => Some((column(rest), value.trim_start())),
        None => rest.starts_with(['|', '>']).then_some((before, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text() {
        let text = "a: 'b\nc'\nd: \"e\n  f\"\ng: h\n";
        let indented = Indented::of(text).unwrap();
        assert_eq!(indented.text, "a: 'b\n   c'\nd: \"e\n     f\"\ng: h\n");
        for letter in ["a", "c", "d", "f", "g", "h"] {
            let at = indented.text.find(letter).unwrap();
            assert_eq!(indented.original(at), text.find(letter).unwrap(), "{letter}");
        }
    }

    #[test]
    fn a_block_behind_a_dash_ends_at_the_next_key() {
        let indented = |text: &str| Indented::of(text).map(|indented| indented.text);
        let text = "- description: |-\n    it's\n  path: '.a\n .b'\n";
        let wanted = "- description: |-\n    it's\n  path: '.a\n      .b'\n";
        assert_eq!(indented(text).as_deref(), Some(wanted));
        let text = "- - 'a': >\n      it's\n    b: 'c\nd'\n";
        let wanted = "- - 'a': >\n      it's\n    b: 'c\n       d'\n";
        assert_eq!(indented(text).as_deref(), Some(wanted));
        // The text of an item is behind its dash.
        assert_eq!(indented("- |\n a: 'b\n c\n"), None);
        assert_eq!(indented("- - |\n   a: 'b\n   c\n"), None);
    }

    #[test]
    fn a_quoted_key_can_have_quotes() {
        let indented = |text: &str| Indented::of(text).map(|indented| indented.text);
        let wanted = Some("'it''s': 'x\n y'\n".to_owned());
        assert_eq!(indented("'it''s': 'x\ny'\n"), wanted);
        let wanted = Some("\"a\\\"b\": \"x\n y\"\n".to_owned());
        assert_eq!(indented("\"a\\\"b\": \"x\ny\"\n"), wanted);
    }

    #[test]
    fn blocks_and_plain_values_are_left_alone() {
        let text = "a: |\n  it's: 'open\n  more\nb: it's\nc: d\n'e': 'f'\n- 'g': \"h \\\" i\"\n";
        assert!(Indented::of(text).is_none());
    }
}
