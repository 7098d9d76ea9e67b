//! Half a rule: the value before the cursor, followed through fields, indexes and the variables of macros.
//!
//! `kgen-cel` only reads whole expressions. Here, everything that is not needed for the value is skipped, so the text may end
//! anywhere.

use std::sync::Arc;

use kgen_markers::cel_field;
use kgen_model::{JsonType, Schema};

/// The macros that bind variables to the parts of a list or map.
const MACROS: &[&str] = &[
    "all",
    "exists",
    "existsOne",
    "exists_one",
    "filter",
    "map",
    "transformList",
    "transformMap",
    "transformMapEntry",
];

/// How deeply variables may be bound by the parts of others.
const MOST_VARIABLES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    Dot,
    Comma,
    Open(char),
    Close(char),
    Other,
}

/// The word that is being typed at the end of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed<'t> {
    /// The start of a name.
    Name(&'t str),
    /// The start of the name of a field or function, behind a dot.
    Member(&'t str),
    /// A text in quotes.
    Text,
}

/// Returns what is being typed at the end of a rule.
pub(crate) fn before_cursor(rule: &str) -> Typed<'_> {
    let (tokens, is_text) = tokens(rule);
    if is_text {
        return Typed::Text;
    }
    let before = rule.trim_end_matches(is_word);
    let word = rule.get(before.len()..).unwrap_or_default();
    let end = tokens.len() - usize::from(!word.is_empty() && !tokens.is_empty());
    match end.checked_sub(1).and_then(|last| tokens.get(last)) {
        Some(Token::Dot) => Typed::Member(word),
        _ => Typed::Name(word),
    }
}

/// Returns the schema of the value before the last dot of a rule. `root` is the schema of `self`.
pub(crate) fn receiver(rule: &str, root: &Arc<Schema>) -> Option<Arc<Schema>> {
    let (tokens, _) = tokens(rule);
    let dot = tokens.iter().rposition(|token| *token == Token::Dot)?;
    value(&tokens, dot, root, MOST_VARIABLES)
}

/// Returns the schema of the field whose name ends a rule.
pub(crate) fn field(rule: &str, root: &Arc<Schema>) -> Option<Arc<Schema>> {
    let (tokens, is_text) = tokens(rule);
    let is_field = matches!(tokens.as_slice(), [.., Token::Dot, Token::Word(_)]);
    if is_text || !is_field {
        return None;
    }
    value(&tokens, tokens.len(), root, MOST_VARIABLES)
}

/// Returns the variables of the macros around the end of a rule, the innermost first.
pub(crate) fn variables(rule: &str) -> Vec<&str> {
    let (tokens, _) = tokens(rule);
    let mut found = Vec::new();
    let mut end = tokens.len();
    while let Some((open, names)) = macro_around(&tokens, end) {
        found.extend(names);
        end = open;
    }
    found
}

/// Returns the schema of the value whose last token is before `end`.
fn value(tokens: &[Token<'_>], end: usize, root: &Arc<Schema>, left: usize) -> Option<Arc<Schema>> {
    let last = end.checked_sub(1)?;
    let before = |at: usize| at.checked_sub(1).and_then(|before| tokens.get(before));
    match *tokens.get(last)? {
        Token::Word(name) if before(last) == Some(&Token::Dot) => {
            let owner = value(tokens, last - 1, root, left)?;
            let mut fields = owner.properties.iter();
            let field = fields.find(|(known, _)| cel_field(known) == name);
            field
                .map(|(_, schema)| Arc::clone(schema))
                .or_else(|| owner.additional_properties.clone())
        }
        Token::Word("self" | "oldSelf") => Some(Arc::clone(root)),
        Token::Word(name) => variable(tokens, last, name, root, left.checked_sub(1)?),
        Token::Close(']') => {
            let open = opening(tokens, last)?;
            let owner = value(tokens, open, root, left)?;
            owner
                .items
                .clone()
                .or_else(|| owner.additional_properties.clone())
        }
        Token::Close(')') => {
            let open = opening(tokens, last)?;
            match tokens.get(..open)? {
                // Only some items are left, but they have the same form.
                [owner @ .., Token::Dot, Token::Word("filter")] => value(tokens, owner.len(), root, left),
                [.., Token::Word(_)] => None,
                _ => value(tokens, last, root, left),
            }
        }
        _ => None,
    }
}

/// Returns the schema of the variable of a macro around a token.
fn variable(
    tokens: &[Token<'_>],
    at: usize,
    name: &str,
    root: &Arc<Schema>,
    left: usize,
) -> Option<Arc<Schema>> {
    let mut end = at;
    while let Some((open, names)) = macro_around(tokens, end) {
        if let Some(number) = names.iter().position(|known| *known == name) {
            let owner = value(tokens, open.checked_sub(2)?, root, left)?;
            let is_value = number + 1 == names.len();
            return match (&owner.items, &owner.additional_properties) {
                (Some(items), _) if is_value => Some(Arc::clone(items)),
                (Some(_), _) => Some(plain(JsonType::Integer)),
                (None, Some(values)) if names.len() == 2 && is_value => Some(Arc::clone(values)),
                (None, Some(_)) => Some(plain(JsonType::String)),
                (None, None) => None,
            };
        }
        end = open;
    }
    None
}

fn plain(json_type: JsonType) -> Arc<Schema> {
    Arc::new(Schema {
        json_type: Some(json_type),
        ..Schema::default()
    })
}

/// Returns the parenthesis of the nearest macro around the tokens before `end`, and its variables.
fn macro_around<'t>(tokens: &[Token<'t>], end: usize) -> Option<(usize, Vec<&'t str>)> {
    let mut depth = 0_usize;
    for at in (0..end).rev() {
        match tokens.get(at)? {
            Token::Close(_) => depth += 1,
            Token::Open(_) if depth > 0 => depth -= 1,
            Token::Open('(') => {
                let name = at.checked_sub(2).and_then(|start| tokens.get(start..at));
                let Some([Token::Dot, Token::Word(name)]) = name else {
                    continue;
                };
                let inside = tokens.get(at + 1..end).unwrap_or_default();
                match inside {
                    _ if !MACROS.contains(name) => {}
                    [
                        Token::Word(first),
                        Token::Comma,
                        Token::Word(second),
                        Token::Comma,
                        ..,
                    ] if *name != "map" && *name != "filter" => {
                        return Some((at, vec![first, second]));
                    }
                    [Token::Word(only), Token::Comma, ..] => return Some((at, vec![only])),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the bracket that a closing one belongs to.
fn opening(tokens: &[Token<'_>], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        match tokens.get(at)? {
            Token::Close(_) => depth += 1,
            Token::Open(_) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the tokens of a rule, and whether it ends inside a text.
fn tokens(rule: &str) -> (Vec<Token<'_>>, bool) {
    let mut tokens = Vec::new();
    let mut rest = rule;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if is_word(c) => {
                let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                let word = rest.get(..end).unwrap_or_default();
                let is_number = word.starts_with(|c: char| c.is_ascii_digit());
                tokens.push(if is_number {
                    Token::Other
                } else {
                    Token::Word(word)
                });
                end
            }
            '\'' | '"' => {
                let Some(end) = text_end(rest, first) else {
                    return (tokens, true);
                };
                tokens.push(Token::Other);
                end
            }
            '\\' if rest.starts_with("\\\"") => {
                // A quote of the rule inside the quotes of the marker.
                let behind = rest.get(2..).unwrap_or_default();
                let Some(end) = behind.find("\\\"") else {
                    return (tokens, true);
                };
                tokens.push(Token::Other);
                end + 4
            }
            c => {
                match c {
                    '.' => tokens.push(Token::Dot),
                    ',' => tokens.push(Token::Comma),
                    '(' | '[' | '{' => tokens.push(Token::Open(c)),
                    ')' | ']' | '}' => tokens.push(Token::Close(c)),
                    c if c.is_whitespace() || c == '?' && matches!(tokens.last(), Some(Token::Dot)) => {}
                    _ => tokens.push(Token::Other),
                }
                c.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    (tokens, false)
}

/// Returns the length of a text in quotes.
fn text_end(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return Some(at + 1);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `self` has `name`, a list `tiles` of objects with `size` and `tags`, and a map `labels` of texts.
    fn root() -> Arc<Schema> {
        let object = |fields: Vec<(&str, Arc<Schema>)>| {
            Arc::new(Schema {
                json_type: Some(JsonType::Object),
                properties: fields
                    .into_iter()
                    .map(|(name, schema)| (name.to_owned(), schema))
                    .collect(),
                ..Schema::default()
            })
        };
        let list = |items: Arc<Schema>| {
            Arc::new(Schema {
                json_type: Some(JsonType::Array),
                items: Some(items),
                ..Schema::default()
            })
        };
        let map = Arc::new(Schema {
            json_type: Some(JsonType::Object),
            additional_properties: Some(plain(JsonType::String)),
            ..Schema::default()
        });
        let tile = object(vec![
            ("size", plain(JsonType::Integer)),
            ("tags", list(plain(JsonType::String))),
        ]);
        object(vec![
            ("labels", map),
            ("name", plain(JsonType::String)),
            ("tiles", list(tile)),
        ])
    }

    /// Describes the value before the last dot: its fields, or its type.
    fn shown(rule: &str) -> String {
        match receiver(rule, &root()) {
            Some(schema) if !schema.properties.is_empty() => {
                let names: Vec<_> = schema.properties.keys().map(String::as_str).collect();
                names.join(" ")
            }
            Some(schema) => format!("{:?}", schema.json_type),
            None => "nothing".to_owned(),
        }
    }

    #[test]
    fn the_value_before_a_dot_is_known() {
        let (text, integer) = ("Some(String)", "Some(Integer)");
        for (rule, expected) in [
            ("self.", "labels name tiles"),
            ("self.name == 'a.b' && oldSelf.", "labels name tiles"),
            ("self.tiles[0].", "size tags"),
            ("self.tiles[self.tiles.size() - 1].ta", "size tags"),
            ("self.labels['a.b'].", text),
            ("self.labels.a.", text),
            ("self.tiles.all(t, t.", "size tags"),
            ("self.tiles.all(t, t.tags.exists(x, x.", text),
            ("self.tiles.all(t, t.tags.exists(x, x == 'a') && t.", "size tags"),
            ("self.tiles.all(i, t, t.", "size tags"),
            ("self.tiles.all(i, t, i.", integer),
            ("self.labels.all(k, k.", text),
            ("self.labels.all(k, v, v.", text),
            ("self.tiles.filter(t, t.size > 1)[0].", "size tags"),
            ("self.tiles.filter(t, t.size > 1).all(u, u.", "size tags"),
            ("(self.tiles)[0].", "size tags"),
            ("self.tiles.map(t, t.size)[0].", "nothing"),
            ("t.", "nothing"),
            ("self.other.", "nothing"),
            (")].", "nothing"),
            ("().", "nothing"),
        ] {
            assert_eq!(shown(rule), expected, "{rule}");
        }
    }

    #[test]
    fn the_typed_part_and_the_variables_are_known() {
        assert_eq!(before_cursor("self.na"), Typed::Member("na"));
        assert_eq!(before_cursor("self."), Typed::Member(""));
        assert_eq!(before_cursor("self.a + se"), Typed::Name("se"));
        assert_eq!(before_cursor(""), Typed::Name(""));
        assert_eq!(before_cursor("self.a == 'x. "), Typed::Text);
        assert_eq!(before_cursor("self.a == \\\"x."), Typed::Text);
        assert_eq!(variables("self.tiles.all(t, t.tags.exists(x, "), ["x", "t"]);
        assert_eq!(variables("self.tiles.all(t, t.a) && "), [""; 0]);
    }

    #[test]
    fn the_field_at_the_end_is_known() {
        let found = field("self.tiles.all(t, t.size", &root()).unwrap();
        assert_eq!(found.json_type, Some(JsonType::Integer));
        assert!(field("self", &root()).is_none());
        assert!(field("'self.name", &root()).is_none());
    }
}
