//! Label selectors in the syntax of `kubectl -l`, converted to the objects in webhooks.
//!
//! Equality becomes `matchLabels`; `!=`, `in`, `notin`, `key` and `!key` become `matchExpressions`, in the order in
//! which they are written. The grammar is that of `labels.Parse` in Kubernetes. Mistakes are reported at their place.

mod parse;
mod tokens;

use std::ops::Range;

use kgen_diagnostics::{Code, Problem, Span, Spanned};
use serde_json::{Map, Value, json};

use parse::{Operator, Requirement};

/// An invalid part of the text of a selector.
#[derive(Debug, PartialEq, Eq)]
struct Mistake {
    /// Where in the text.
    range: Range<usize>,
    message: String,
    help: String,
}

impl Mistake {
    fn new(range: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            range,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// Returns the selector object of a text.
pub(super) fn read(text: &Spanned<String>) -> Result<Value, Problem> {
    parse::requirements(&text.value)
        .and_then(|requirements| object(&requirements))
        .map_err(|mistake| {
            Problem::error(Code::Webhook, place(text, &mistake.range), mistake.message).help(mistake.help)
        })
}

/// Returns the place of a range of the text in the source. If the text has escapes, it is the whole text.
fn place(text: &Spanned<String>, range: &Range<usize>) -> Span {
    let written = text.span.range();
    let start = match written.len().checked_sub(text.value.len()) {
        Some(0) => written.start,
        // Quotes around it.
        Some(2) => written.start + 1,
        _ => return text.span,
    };
    Span::of(text.span.file, start + range.start..start + range.end)
}

fn object(requirements: &[Requirement]) -> Result<Value, Mistake> {
    let mut labels = Map::new();
    let mut expressions = Vec::new();
    for requirement in requirements {
        let Requirement {
            key,
            operator,
            values,
            ..
        } = requirement;
        let operator = match operator {
            Operator::Equals => {
                add_label(&mut labels, requirement)?;
                continue;
            }
            Operator::NotEquals | Operator::NotIn => "NotIn",
            Operator::In => "In",
            Operator::Exists => "Exists",
            Operator::DoesNotExist => "DoesNotExist",
        };
        expressions.push(match values.is_empty() {
            true => json!({ "key": key, "operator": operator }),
            false => json!({ "key": key, "operator": operator, "values": values }),
        });
    }
    let mut selector = Map::new();
    if !labels.is_empty() {
        selector.insert("matchLabels".to_owned(), Value::Object(labels));
    }
    if !expressions.is_empty() {
        selector.insert("matchExpressions".to_owned(), Value::Array(expressions));
    }
    Ok(Value::Object(selector))
}

fn add_label(labels: &mut Map<String, Value>, requirement: &Requirement) -> Result<(), Mistake> {
    let Requirement {
        key, values, range, ..
    } = requirement;
    let value = values.first().cloned().unwrap_or_default();
    let before = labels
        .get(key)
        .and_then(Value::as_str)
        .filter(|before| *before != value);
    if let Some(before) = before {
        let message = format!("the label `{key}` cannot be both `{before}` and `{value}`");
        let help = format!("write `{key} in ({before},{value})` to accept either value");
        return Err(Mistake::new(range.clone(), message, help));
    }
    labels.insert(key.clone(), Value::String(value));
    Ok(())
}

#[cfg(test)]
mod tests {
    use kgen_diagnostics::Files;

    use super::*;

    fn selector(text: &str) -> Result<Value, (Range<usize>, String)> {
        let span = Span::of(Files::default().next_id(), 0..text.len());
        read(&Spanned::new(text.to_owned(), span))
            .map_err(|problem| (problem.span.map(Span::range).unwrap_or_default(), problem.message))
    }

    #[test]
    fn equality_becomes_labels() {
        assert_eq!(
            selector("a=b, c==d,e="),
            Ok(json!({ "matchLabels": { "a": "b", "c": "d", "e": "" } }))
        );
        assert_eq!(selector("a=b,a=b"), Ok(json!({ "matchLabels": { "a": "b" } })));
        assert_eq!(selector(" "), Ok(json!({})));
    }

    #[test]
    fn the_rest_becomes_expressions_in_the_order_written() {
        assert_eq!(
            selector("tier in (web, api,web),!old,example.com/new,env notin (),x!=y,b=c"),
            Ok(json!({
                "matchLabels": { "b": "c" },
                "matchExpressions": [
                    { "key": "tier", "operator": "In", "values": ["web", "api"] },
                    { "key": "old", "operator": "DoesNotExist" },
                    { "key": "example.com/new", "operator": "Exists" },
                    { "key": "env", "operator": "NotIn", "values": [""] },
                    { "key": "x", "operator": "NotIn", "values": ["y"] },
                ],
            }))
        );
    }

    #[test]
    fn words_of_the_grammar_can_be_keys_and_values() {
        assert_eq!(
            selector("in in (in,notin),notin"),
            Ok(json!({ "matchExpressions": [
                { "key": "in", "operator": "In", "values": ["in", "notin"] },
                { "key": "notin", "operator": "Exists" },
            ] }))
        );
        assert_eq!(
            selector("a in (,b,)"),
            Ok(json!({ "matchExpressions": [
            { "key": "a", "operator": "In", "values": ["", "b"] },
        ] }))
        );
    }

    #[test]
    fn mistakes_are_reported_where_they_stand() {
        for (text, range, message) in [
            ("a=b,", 4..4, "a label is missing here"),
            (",a", 0..1, "expected a label, found `,`"),
            ("a b", 2..3, "expected `,` or an operator, found `b`"),
            ("a=b c", 4..5, "expected `,` or the end, found `c`"),
            ("a=(b)", 2..3, "expected a value, found `(`"),
            ("a in b", 5..6, "expected `(`, found `b`"),
            ("a in (b", 7..7, "a `)` is missing here"),
            ("a in (b=c)", 7..8, "expected `,` or `)`, found `=`"),
            ("!a=b", 2..3, "expected `,` or the end, found `=`"),
            ("!", 1..1, "a label is missing here"),
            ("a>1", 1..2, "`>` cannot be used in the selector of a webhook"),
            ("-a=b", 0..2, "`-a` cannot be the key of a label"),
            ("a=b/c", 2..5, "`b/c` cannot be the value of a label"),
            ("a in (b,c/d)", 8..11, "`c/d` cannot be the value of a label"),
            ("a=b,a=c", 4..7, "the label `a` cannot be both `b` and `c`"),
        ] {
            assert_eq!(selector(text), Err((range, message.to_owned())), "{text}");
        }
    }

    #[test]
    fn places_know_about_quotes() {
        let file = Files::default().next_id();
        let quoted = Spanned::new("a b".to_owned(), Span::of(file, 10..15));
        assert_eq!(read(&quoted).unwrap_err().span, Some(Span::of(file, 13..14)));
        let escaped = Spanned::new("a b".to_owned(), Span::of(file, 10..18));
        assert_eq!(read(&escaped).unwrap_err().span, Some(Span::of(file, 10..18)));
    }
}
