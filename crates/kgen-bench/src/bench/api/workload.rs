//! A kind of the benchmark: a typical workload of an operator, ten types with eighty fields.
//!
//! `workload.txt` describes it once for both languages: a line that starts a type, a choice or a field, and indented
//! below it its comment with markers. A question mark makes a field optional. `{kind}` is replaced with the name of the
//! kind, `{index}` with its index, and `{n}` with a number from 10 to 99 that differs from kind to kind, so that no two
//! kinds are alike.

use anyhow::{Context, Result, bail};

use super::{Body, Comment, Field, Kind, Type, Value, names};

const TEMPLATE: &str = include_str!("workload.txt");

/// Returns the kind with this index.
pub fn kind(index: usize) -> Result<Kind> {
    let mut kind = Kind {
        name: names::kind(index),
        types: Vec::new(),
    };
    for (number, line) in TEMPLATE.lines().enumerate() {
        // Neighbors get numbers that are far apart.
        let varied = 10 + (index + number) * 37 % 90;
        let line = line
            .replace("{kind}", &kind.name)
            .replace("{index}", &index.to_string());
        let line = line.replace("{n}", &varied.to_string());
        read(&line, &mut kind).with_context(|| format!("line {} of workload.txt", number + 1))?;
    }
    Ok(kind)
}

/// Adds the statement of a line to the kind.
fn read(line: &str, kind: &mut Kind) -> Result<()> {
    let (keyword, rest) = line.split_once(' ').unwrap_or((line, ""));
    match keyword {
        "type" => {
            let body = if rest.is_empty() {
                Body::Kind(Vec::new())
            } else {
                Body::Struct(Vec::new())
            };
            kind.types.push(Type {
                name: format!("{}{rest}", kind.name),
                comment: Comment::default(),
                body,
            });
        }
        "choice" => {
            let (suffix, values) = rest.split_once(": ").context("a choice is `NAME: VALUES`")?;
            let body = Body::Choice(values.split(' ').map(str::to_owned).collect());
            kind.types.push(Type {
                name: format!("{}{suffix}", kind.name),
                comment: Comment::default(),
                body,
            });
        }
        "field" => {
            let (words, value) = rest.split_once(": ").context("a field is `WORDS: TYPE`")?;
            let value = value_of(value, &kind.name)?;
            let (words, optional) = words
                .strip_suffix('?')
                .map_or((words, false), |words| (words, true));
            let field = Field {
                words: words.to_owned(),
                comment: Comment::default(),
                value,
                optional,
            };
            match kind.types.last_mut().map(|last| &mut last.body) {
                Some(Body::Kind(fields) | Body::Struct(fields)) => fields.push(field),
                _ => bail!("a field belongs to a type"),
            }
        }
        "" => {
            let comment = last_comment(kind).context("a comment belongs to something")?;
            match line.trim().strip_prefix('+') {
                Some(marker) => comment.markers.push(marker.to_owned()),
                None if line.trim().is_empty() => {}
                None => comment.docs.push(line.trim().to_owned()),
            }
        }
        other => bail!("`{other}` starts nothing"),
    }
    Ok(())
}

/// Returns the comment of the type or field that was read last.
fn last_comment(kind: &mut Kind) -> Option<&mut Comment> {
    let last = kind.types.last_mut()?;
    match &mut last.body {
        Body::Kind(fields) | Body::Struct(fields) if !fields.is_empty() => {
            fields.last_mut().map(|field| &mut field.comment)
        }
        _ => Some(&mut last.comment),
    }
}

fn value_of(text: &str, kind: &str) -> Result<Value> {
    Ok(match text {
        "text" => Value::Text,
        "texts" => Value::Texts,
        "text map" => Value::TextMap,
        "int32" => Value::Int32,
        "int64" => Value::Int64,
        "bool" => Value::Bool,
        "quantity" => Value::Quantity,
        "int or string" => Value::IntOrString,
        "time" => Value::Time,
        _ => match text.split_once(' ') {
            Some(("one", suffix)) => Value::One(format!("{kind}{suffix}")),
            Some(("many", suffix)) => Value::Many(format!("{kind}{suffix}")),
            _ => bail!("`{text}` is not a type"),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_differ_in_names_and_numbers_only() {
        let [first, second] = [kind(0).unwrap(), kind(1).unwrap()];
        let Body::Struct(fields) = &first.types[1].body else {
            panic!("{first:?}")
        };
        assert_eq!((fields[0].words.as_str(), fields[0].optional), ("replicas", true));
        assert_eq!(
            fields[0].comment.docs[1],
            "Zero stops the AmberAnchor and keeps its volumes."
        );
        assert_ne!(
            format!("{first:?}").replace(&first.name, &second.name),
            format!("{second:?}")
        );
    }

    #[test]
    fn mistakes_in_the_template_are_found() {
        for line in ["field a: text", "  comment", "thing a", "choice a"] {
            let mut empty = Kind {
                name: "Foo".to_owned(),
                types: Vec::new(),
            };
            assert!(read(line, &mut empty).is_err(), "{line}");
        }
        let mut kind = Kind {
            name: "Foo".to_owned(),
            types: Vec::new(),
        };
        read("type Spec", &mut kind).unwrap();
        assert!(read("field a: float", &mut kind).is_err());
    }
}
