//! Regular expressions with the syntax of Go's `regexp`, which the API server uses for patterns and in CEL.
//!
//! The crate `regex` reads another dialect: there, `\d` is Unicode, `[a&&b]` is an intersection, and `\z` and `\Q…\E`
//! differ. [`translate`] parses a pattern by Go's rules and returns the equivalent in Rust's dialect. [`Patterns`] also
//! matches texts. The parser is a loop with a stack of open groups, so deep patterns cannot overflow the stack. It keeps
//! Go's own limits. It was compared with Go on 800,000 random patterns.

mod class;
mod cursor;
mod escape;
mod patterns;
mod unicode;

use cursor::Cursor;

pub use patterns::Patterns;

/// Go's limits for the product of nested repetitions and for the height of the tree.
const MOST_REPEATS: u64 = 1000;
const MOST_HEIGHT: usize = 1000;

/// The reason why Go rejects a pattern: one line, without a period.
pub type Refusal = String;

/// Translates a pattern to the dialect of the crate `regex`.
///
/// Returns `None` if Go accepts the pattern, but Rust does not have an equivalent.
///
/// # Errors
///
/// Returns the reason why Go rejects the pattern.
///
/// ```
/// use kgen_cel::go_regex::translate;
///
/// assert_eq!(translate(r"\d")?.as_deref(), Some("(?:[0-9])"));
/// assert!(translate("a**").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn translate(pattern: &str) -> Result<Option<String>, Refusal> {
    let mut parser = Parser::new(pattern);
    while let Some(letter) = parser.cursor.peek() {
        parser.token(letter)?;
    }
    if parser.groups.len() > 1 {
        return Err("a group is never closed: `)` is missing".to_owned());
    }
    Ok(parser.translatable.then_some(parser.output))
}

/// The state of inline flags such as `(?i)`.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    fold_case: bool,
    multi_line: bool,
    dot_matches_newline: bool,
    /// Whether repetitions match as little as possible, and as much as possible with `?`.
    is_lazy: bool,
}

/// A part that can be repeated.
#[derive(Clone, Copy, Debug)]
struct Atom {
    /// The start of its translation.
    start: usize,
    /// The product of the nested repetitions of its innermost part.
    repeats: u64,
    /// The height of its tree.
    height: usize,
}

/// An open group. The whole pattern is the first one.
#[derive(Debug)]
struct Group {
    /// The start of its translation.
    start: usize,
    /// The flags to restore when it closes.
    flags: Flags,
    /// Whether it captures, which makes the tree higher.
    captures: bool,
    /// The part that a repetition would repeat.
    last: Option<Atom>,
    /// The number of parts in the current alternative.
    neighbors: usize,
    /// Whether it has alternatives.
    alternatives: bool,
    /// The maximum of its parts.
    repeats: u64,
    height: usize,
}

impl Group {
    fn new(start: usize, flags: Flags, captures: bool) -> Self {
        Self {
            start,
            flags,
            captures,
            last: None,
            neighbors: 0,
            alternatives: false,
            repeats: 1,
            height: 1,
        }
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    flags: Flags,
    groups: Vec<Group>,
    output: String,
    translatable: bool,
    /// Whether the previous token was a repetition, so that another one must not follow.
    repeated: bool,
}

impl<'a> Parser<'a> {
    fn new(pattern: &'a str) -> Self {
        Self {
            cursor: Cursor::new(pattern),
            flags: Flags::default(),
            groups: vec![Group::new(0, Flags::default(), false)],
            output: String::new(),
            translatable: true,
            repeated: false,
        }
    }

    /// Reads one token, which begins with `letter`.
    fn token(&mut self, letter: char) -> Result<(), Refusal> {
        let was_repeated = std::mem::take(&mut self.repeated);
        match letter {
            '(' if self.cursor.rest().starts_with("(?") => self.special_group(),
            '(' => {
                self.cursor.next();
                self.open(true);
                Ok(())
            }
            ')' => {
                self.cursor.next();
                self.close()
            }
            '|' => {
                self.cursor.next();
                self.output.push('|');
                if let Some(group) = self.groups.last_mut() {
                    group.last = None;
                    group.neighbors = 0;
                    group.alternatives = true;
                }
                Ok(())
            }
            '*' | '+' | '?' => {
                self.cursor.next();
                self.repeat(&letter.to_string(), None, was_repeated)
            }
            '{' => self.counted_repeat(was_repeated),
            _ => self.single(letter),
        }
    }

    /// Reads a token that matches a character or a position.
    fn single(&mut self, letter: char) -> Result<(), Refusal> {
        let start = self.output.len();
        match letter {
            '\\' if self.cursor.rest().starts_with("\\Q") => {
                self.quoted();
                return Ok(());
            }
            '\\' => escape::outside_class(self)?,
            '[' => class::parse(self)?,
            '^' | '$' | '.' => {
                self.cursor.next();
                self.output.push_str(match (letter, self.flags) {
                    ('^', Flags { multi_line: true, .. }) => "(?m:^)",
                    ('^', _) => r"\A",
                    ('$', Flags { multi_line: true, .. }) => "(?m:$)",
                    ('$', _) => r"\z",
                    (
                        _,
                        Flags {
                            dot_matches_newline: true,
                            ..
                        },
                    ) => "(?s:.)",
                    _ => r"[^\n]",
                });
            }
            _ => {
                self.cursor.next();
                self.literal(letter as u32);
            }
        }
        self.push_atom(Atom {
            start,
            repeats: 1,
            height: 1,
        });
        Ok(())
    }

    /// Reads `\Q…\E`. Everything between is literal, also if `\E` is missing.
    fn quoted(&mut self) {
        let rest = self.cursor.rest().get(2..).unwrap_or_default();
        let (text, _) = rest.split_once("\\E").unwrap_or((rest, ""));
        for letter in text.chars() {
            let start = self.output.len();
            self.literal(letter as u32);
            self.push_atom(Atom {
                start,
                repeats: 1,
                height: 1,
            });
        }
        let ending = if rest.len() > text.len() { 2 } else { 0 };
        self.cursor.skip(2 + text.len() + ending);
    }

    /// Adds one character. Go's patterns can have surrogates, but Rust's strings cannot.
    fn literal(&mut self, code_point: u32) {
        if char::from_u32(code_point).is_none() {
            self.translatable = false;
        }
        let fold = if self.flags.fold_case { "i" } else { "" };
        self.output.push_str(&format!("(?{fold}:\\x{{{code_point:X}}})"));
    }

    fn push_atom(&mut self, atom: Atom) {
        if let Some(group) = self.groups.last_mut() {
            group.last = Some(atom);
            group.neighbors += 1;
            group.repeats = group.repeats.max(atom.repeats);
            // A separate node joins neighbors, except plain characters.
            let joined = group.neighbors > 1 && atom.height > 1;
            group.height = group.height.max(atom.height + usize::from(joined));
        }
    }

    fn open(&mut self, captures: bool) {
        let start = self.output.len();
        self.output.push_str("(?:");
        self.groups.push(Group::new(start, self.flags, captures));
    }

    fn close(&mut self) -> Result<(), Refusal> {
        if self.groups.len() < 2 {
            return Err("a `)` closes no group".to_owned());
        }
        let Some(group) = self.groups.pop() else {
            return Ok(());
        };
        self.output.push(')');
        self.flags = group.flags;
        let alternatives = group.alternatives && group.height > 1;
        let height = group.height + usize::from(group.captures) + usize::from(alternatives);
        self.limit_height(height)?;
        self.push_atom(Atom {
            start: group.start,
            repeats: group.repeats,
            height,
        });
        Ok(())
    }

    fn limit_height(&self, height: usize) -> Result<(), Refusal> {
        if height > MOST_HEIGHT {
            return Err(format!("groups are nested more than {MOST_HEIGHT} levels deep"));
        }
        Ok(())
    }

    /// Reads `(?P<name>`, `(?<name>`, `(?flags:` or `(?flags)`.
    fn special_group(&mut self) -> Result<(), Refusal> {
        let rest = self.cursor.rest();
        for (lookaround, what) in [
            ("(?=", "ahead"),
            ("(?!", "ahead"),
            ("(?<=", "behind"),
            ("(?<!", "behind"),
        ] {
            if rest.starts_with(lookaround) {
                return Err(format!("look{what} with `{lookaround}` is not supported"));
            }
        }
        let named = [("(?P<", 4), ("(?<", 3)]
            .into_iter()
            .find(|(opening, _)| rest.starts_with(opening));
        if let Some((opening, length)) = named {
            let name = rest
                .get(length..)
                .and_then(|rest| rest.split_once('>'))
                .map(|(name, _)| name);
            let valid = |name: &&str| {
                !name.is_empty()
                    && name
                        .chars()
                        .all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
            };
            let Some(name) = name.filter(valid) else {
                return Err(format!(
                    "the name of a group after `{opening}` must be letters, digits and `_`, followed by `>`"
                ));
            };
            self.cursor.skip(length + name.len() + 1);
            self.open(true);
            return Ok(());
        }
        self.cursor.skip(2);
        self.inline_flags()
    }

    fn inline_flags(&mut self) -> Result<(), Refusal> {
        let mut flags = self.flags;
        let mut value = true;
        let mut stated = false;
        while let Some(letter) = self.cursor.next() {
            match letter {
                'i' => flags.fold_case = value,
                'm' => flags.multi_line = value,
                's' => flags.dot_matches_newline = value,
                'U' => flags.is_lazy = value,
                '-' if value => {
                    value = false;
                    stated = false;
                    continue;
                }
                ':' | ')' if value || stated => {
                    if letter == ':' {
                        self.open(false);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => break,
            }
            stated = true;
        }
        Err(
            "`(?` must be followed by the flags `i`, `m`, `s` or `U`, or by `:`, `P<name>` or `<name>`"
                .to_owned(),
        )
    }

    /// Reads `{2}`, `{2,}` or `{2,5}`. Any other brace is an ordinary character.
    fn counted_repeat(&mut self, was_repeated: bool) -> Result<(), Refusal> {
        let Some((text, least, most)) = counted_repeat(self.cursor.rest()) else {
            let start = self.output.len();
            self.cursor.next();
            self.literal('{' as u32);
            self.push_atom(Atom {
                start,
                repeats: 1,
                height: 1,
            });
            return Ok(());
        };
        if least > MOST_REPEATS || most.is_some_and(|most| most > MOST_REPEATS) {
            return Err(format!("`{text}` repeats more than {MOST_REPEATS} times"));
        }
        if most.is_some_and(|most| least > most) {
            return Err(format!("the minimum of `{text}` is larger than its maximum"));
        }
        let text = text.to_owned();
        self.cursor.skip(text.len());
        self.repeat(&text, Some((least, most)), was_repeated)
    }

    fn repeat(
        &mut self,
        text: &str,
        counts: Option<(u64, Option<u64>)>,
        was_repeated: bool,
    ) -> Result<(), Refusal> {
        let mut is_lazy = self.flags.is_lazy;
        if self.cursor.peek() == Some('?') {
            self.cursor.next();
            is_lazy = !is_lazy;
        }
        if was_repeated {
            return Err(format!("`{text}` follows another repetition"));
        }
        let Some(atom) = self.groups.last().and_then(|group| group.last) else {
            return Err(format!("there is nothing before `{text}` to repeat"));
        };
        let repeats = match counts {
            None | Some((0, None)) => atom.repeats,
            Some((_, Some(0))) => 1,
            Some((least, most)) => most.unwrap_or(least).saturating_mul(atom.repeats),
        };
        let many = counts.is_some_and(|(least, most)| least >= 2 || most.is_some_and(|most| most >= 2));
        if many && repeats > MOST_REPEATS {
            return Err(format!(
                "nested repetitions up to `{text}` repeat more than {MOST_REPEATS} times in total"
            ));
        }
        let height = atom.height + 1;
        self.limit_height(height)?;
        self.output.insert_str(atom.start, "(?:");
        self.output.push(')');
        self.output.push_str(text);
        if is_lazy {
            self.output.push('?');
        }
        if let Some(group) = self.groups.last_mut() {
            group.neighbors -= 1;
        }
        self.push_atom(Atom {
            start: atom.start,
            repeats,
            height,
        });
        self.repeated = true;
        Ok(())
    }
}

/// Returns the text and the numbers of a counted repetition at the start of `rest`.
fn counted_repeat(rest: &str) -> Option<(&str, u64, Option<u64>)> {
    let (inside, _) = rest.strip_prefix('{')?.split_once('}')?;
    let text = rest.get(..inside.len() + 2)?;
    let (least, most) = match inside.split_once(',') {
        None => (count(inside)?, Some(count(inside)?)),
        Some((least, "")) => (count(least)?, None),
        Some((least, most)) => (count(least)?, Some(count(most)?)),
    };
    Some((text, least, most))
}

/// Parses a number without leading zeros. A number that is far too large saturates.
fn count(digits: &str) -> Option<u64> {
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    if digits.is_empty() || leading_zero || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
