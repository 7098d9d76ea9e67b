//! Quoted text whose further lines are not indented: go-yaml reads it, and the parser does not.
//!
//! The breaks and blanks around such a line are folded, so more blanks do not change the value. The lines get some, and
//! places are translated back.

/// A text with blanks at the start of the further lines of quoted values.
pub(super) struct Indented {
    pub(super) text: String,
    /// Where the blanks of these lines start in this text.
    blanks: Vec<usize>,
    /// How many blanks each line got.
    width: usize,
}

impl Indented {
    /// Indents the further lines of all quoted values. Returns `None` if no value has some.
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
    // The quote of an open value, and the indentation of the key of an open block of text.
    let (mut open, mut block): (Option<char>, Option<usize>) = (None, None);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if let Some(quote) = open {
            if !content.trim().is_empty() {
                found.push(start);
            }
            open = after_quoted(content, quote);
        } else {
            let is_blank = content.trim().is_empty();
            if block.is_some_and(|indent| is_blank || indentation(content) > indent) {
                start += line.len();
                continue;
            }
            block = None;
            if let Some(value) = value_of(content) {
                let is_block = value.starts_with(['|', '>'])
                    && value
                        .split(" #")
                        .next()
                        .is_some_and(|head| head.trim().len() <= 3);
                if is_block {
                    block = Some(indentation(content));
                } else if let Some(quote) = value.chars().next().filter(|first| matches!(first, '\'' | '"')) {
                    let inside = value.get(1..).unwrap_or_default();
                    open = after_quoted(inside, quote);
                }
            }
        }
        start += line.len();
    }
    found
}

/// Returns the quote of a value that was opened before a text, if the value is still open at its end.
fn after_quoted(text: &str, quote: char) -> Option<char> {
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\\' && quote == '"' {
            letters.next();
        } else if letter == quote {
            if quote == '\'' && letters.peek() == Some(&'\'') {
                letters.next();
                continue;
            }
            return None;
        }
    }
    Some(quote)
}

/// Returns the value on a line with keys or the dashes of a list before it.
fn value_of(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item.trim_start();
    }
    if rest.starts_with(['\'', '"']) {
        let quote = rest.chars().next()?;
        let inside = rest.get(1..)?;
        let end = inside.find(quote).map(|end| end + 2);
        return match end.and_then(|end| rest.get(end..)?.trim_start().strip_prefix(": ")) {
            Some(value) => Some(value.trim_start()),
            None => Some(rest),
        };
    }
    if rest.starts_with('#') {
        return None;
    }
    match rest.split_once(": ") {
        Some((_, value)) => Some(value.trim_start()),
        None => rest.starts_with(['|', '>']).then_some(rest),
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
    fn blocks_and_plain_values_are_left_alone() {
        let text = "a: |\n  it's: 'open\n  more\nb: it's\nc: d\n'e': 'f'\n- 'g': \"h \\\" i\"\n";
        assert!(Indented::of(text).is_none());
    }
}
