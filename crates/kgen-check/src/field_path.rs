//! Paths of selectable fields and of rules: dots, and for rules names in brackets, nothing else.
//!
//! Mirrors `cel.ValidFieldPath` of the API server.

use std::sync::LazyLock;

use kgen_model::{JsonType, Schema};

use super::refusal::Refusal;

/// How a path may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// `.spec.name`.
    Dots,
    /// `.spec['name']` too.
    DotsAndBrackets,
}

/// Follows a path from a schema, which may be that of a whole object. Says why it leads nowhere.
pub(super) fn follow<'a>(
    schema: &'a Schema,
    is_root: bool,
    path: &str,
    notation: Notation,
) -> Result<&'a Schema, Refusal> {
    let mut schema = schema;
    let mut is_root = is_root;
    let mut rest = path;
    while !rest.is_empty() {
        let (token, behind) = token(rest);
        let name;
        (name, rest) = match (token, notation) {
            (".", _) if behind.is_empty() => return Err("it ends in a `.`".into()),
            (".", _) => {
                let (name, behind) = self::token(behind);
                (name.to_owned(), behind)
            }
            ("[", Notation::DotsAndBrackets) => bracketed(behind)?,
            ("[", Notation::Dots) => return Err("brackets are not allowed".into()),
            _ => return Err(format!("`.` is missing before `{token}`").into()),
        };
        schema = step(schema, is_root, &name)?;
        is_root = false;
    }
    Ok(schema)
}

/// The next sign, or the text up to it. A text in single quotes goes up to the closing one.
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

/// A name in single quotes and the closing bracket.
fn bracketed(text: &str) -> Result<(String, &str), String> {
    let (quoted, behind) = token(text);
    let inside = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let Some(inside) = inside.filter(|_| quoted.len() >= 2) else {
        return Err("brackets need a name in single quotes".to_owned());
    };
    let behind = behind.strip_prefix(']').ok_or("a `[` is never closed")?;
    Ok((unescaped(inside)?, behind))
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

fn step<'a>(schema: &'a Schema, is_root: bool, name: &str) -> Result<&'a Schema, Refusal> {
    match name {
        "apiVersion" | "kind" if is_root => return Ok(&TEXT),
        "metadata" if is_root => return Ok(&METADATA),
        _ => {}
    }
    if let Some(property) = schema.properties.get(name) {
        return Ok(property);
    }
    if let Some(values) = schema
        .additional_properties
        .as_deref()
        .filter(|_| schema.properties.is_empty())
    {
        return Ok(values);
    }
    let message = format!("there is no field `{name}`");
    Err(Refusal::unknown_field(message, name, schema))
}

/// What a definition says of the properties that every object has: only their types.
static TEXT: LazyLock<Schema> = LazyLock::new(|| Schema::of_type(JsonType::String));
static METADATA: LazyLock<Schema> = LazyLock::new(|| Schema::of_type(JsonType::Object));

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Schema {
        let leaf = || Schema::of_type(JsonType::String).into();
        let spec = Schema {
            properties: [("name".to_owned(), leaf()), ("a.b".to_owned(), leaf())].into(),
            ..Schema::of_type(JsonType::Object)
        };
        let labels = Schema::map_of(Schema::of_type(JsonType::Integer));
        let properties = [
            ("spec".to_owned(), spec.into()),
            ("labels".to_owned(), labels.into()),
        ];
        Schema {
            properties: properties.into(),
            ..Schema::of_type(JsonType::Object)
        }
    }

    #[test]
    fn paths_with_dots_and_brackets() {
        let schema = schema();
        let found = |path: &str, notation| follow(&schema, true, path, notation).map(|found| found.json_type);
        assert_eq!(found(".spec.name", Notation::Dots), Ok(Some(JsonType::String)));
        assert_eq!(found(".labels.any", Notation::Dots), Ok(Some(JsonType::Integer)));
        assert_eq!(found(".kind", Notation::Dots), Ok(Some(JsonType::String)));
        assert_eq!(
            found(".spec['a.b']", Notation::DotsAndBrackets),
            Ok(Some(JsonType::String))
        );
        assert_eq!(found("", Notation::Dots), Ok(Some(JsonType::Object)));
    }

    #[test]
    fn what_leads_nowhere() {
        let schema = schema();
        for path in [
            ".spec.nam",
            "spec",
            ".",
            ".spec.",
            ".spec[name]",
            ".spec['name'",
            ".spec['name",
            ".metadata.name",
            "..a",
            ".spec['\\q']",
        ] {
            assert!(
                follow(&schema, true, path, Notation::DotsAndBrackets).is_err(),
                "{path}"
            );
        }
        assert!(follow(&schema, true, ".spec['name']", Notation::Dots).is_err());
    }
}
