//! Paths of fields in a CRD, such as `fieldPath` of a rule: names after dots, and names in brackets and quotes.
//!
//! Mirrors `cel.ValidFieldPath` of the API server.

use crate::schema::Schema;

/// The ways to write a name in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `.spec.name`.
    Dots,
    /// Also `.spec['name']`.
    DotsAndBrackets,
}

/// Returns the names in a path, one after the other. The iterator ends after the first error, which says in words what is
/// wrong with the path.
///
/// ```
/// use kgen_schema::field_path::{Notation, names};
///
/// let read = |path| names(path, Notation::DotsAndBrackets).collect::<Result<Vec<_>, _>>();
/// assert_eq!(read(".spec['a.b']"), Ok(vec!["spec".to_owned(), "a.b".to_owned()]));
/// assert_eq!(read(".spec."), Err("it ends in a `.`".to_owned()));
/// ```
pub fn names(path: &str, notation: Notation) -> Names<'_> {
    Names { rest: path, notation }
}

/// The names in a path; see [`names`].
#[derive(Clone, Debug)]
pub struct Names<'p> {
    rest: &'p str,
    notation: Notation,
}

impl Iterator for Names<'_> {
    type Item = Result<String, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        match next_name(self.rest, self.notation) {
            Ok((name, rest)) => {
                self.rest = rest;
                Some(Ok(name))
            }
            Err(error) => {
                self.rest = "";
                Some(Err(error))
            }
        }
    }
}

/// Reads one name. Returns it and the text after it.
fn next_name(path: &str, notation: Notation) -> Result<(String, &str), String> {
    let (sign, after) = token(path);
    match (sign, notation) {
        (".", _) if after.is_empty() => Err("it ends in a `.`".to_owned()),
        (".", _) => {
            let (name, after) = token(after);
            Ok((name.to_owned(), after))
        }
        ("[", Notation::DotsAndBrackets) => bracketed(after),
        ("[", Notation::Dots) => Err("brackets are not allowed".to_owned()),
        _ => Err(format!("`.` is missing before `{sign}`")),
    }
}

/// Splits off the next sign, or the text up to it. A text in single quotes ends at the closing quote.
fn token(text: &str) -> (&str, &str) {
    let length = match text.chars().next() {
        Some('.' | '[' | ']') => 1,
        Some('\'') => {
            let mut before = '\'';
            let mut end = text.len();
            for (offset, letter) in text.char_indices().skip(1) {
                if letter == '\'' && before != '\\' {
                    end = offset + 1;
                    break;
                }
                before = letter;
            }
            end
        }
        _ => text.find(['.', '[', ']']).unwrap_or(text.len()),
    };
    text.split_at_checked(length).unwrap_or((text, ""))
}

/// Reads a name in single quotes and the closing bracket.
fn bracketed(text: &str) -> Result<(String, &str), String> {
    let (quoted, after) = token(text);
    let inside = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let Some(inside) = inside.filter(|_| quoted.len() >= 2) else {
        return Err("brackets need a name in single quotes".to_owned());
    };
    let after = after.strip_prefix(']').ok_or("a `[` is never closed")?;
    Ok((unescaped(inside)?, after))
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut result = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        result.push(match letter {
            '\\' => match letters.next() {
                Some('a') => '\u{7}',
                Some('b') => '\u{8}',
                Some('f') => '\u{C}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('v') => '\u{B}',
                Some(same @ ('\'' | '\\')) => same,
                Some(other) => return Err(format!("`\\{other}` is not a valid escape")),
                None => '\\',
            },
            _ => letter,
        });
    }
    Ok(result)
}

/// Converts the `fieldPath` of a rule to the notation of errors. Returns `None` if the path leads nowhere.
pub(crate) fn normalized(path: &str, schema: &Schema) -> Option<String> {
    let mut schema = schema;
    let mut text = String::new();
    for name in names(path, Notation::DotsAndBrackets) {
        let name = name.ok()?;
        if let Some(property) = schema.properties.get(&name) {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&name);
            schema = property;
        } else {
            let other = schema
                .additional_schema()
                .filter(|_| schema.properties.is_empty())?;
            text.push_str(&format!("[{name}]"));
            schema = other;
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        for (path, mistake) in [
            ("spec", "`.` is missing before `spec`"),
            (".", "it ends in a `.`"),
            (".spec.", "it ends in a `.`"),
            (".spec[name]", "brackets need a name in single quotes"),
            (".spec['name'", "a `[` is never closed"),
            (".spec['name", "brackets need a name in single quotes"),
            (".spec['\\q']", "`\\q` is not a valid escape"),
        ] {
            let read: Result<Vec<_>, _> = names(path, Notation::DotsAndBrackets).collect();
            assert_eq!(read, Err(mistake.to_owned()), "{path}");
        }
        let read: Result<Vec<_>, _> = names(".spec['name']", Notation::Dots).collect();
        assert_eq!(read, Err("brackets are not allowed".to_owned()));
    }

    #[test]
    fn quotes_may_contain_signs() {
        let read: Result<Vec<_>, _> = names(".a['b.[c]\\'d']", Notation::DotsAndBrackets).collect();
        assert_eq!(read, Ok(vec!["a".to_owned(), "b.[c]'d".to_owned()]));
    }
}
