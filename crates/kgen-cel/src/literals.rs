//! Checks the constants that the API server checks when it compiles an expression: lists and maps of one type,
//! durations, times, regular expressions, and strings that are converted to numbers.

use std::borrow::Cow;

use crate::go_regex;
use crate::go_text::parse_float;
use crate::go_time;
use crate::schema::Schema;

use super::checker::Checker;
use super::format_calls;
use super::mistake::Mistake;
use super::tree::{Expression, Id, Literal};
use super::types::{Type, TypeId};

/// Checks all literals below a node. The types of the nodes must be known.
pub(super) fn check<S: Schema>(checker: &mut Checker<'_, S>, root: Id) {
    let mut open = vec![(root, false)];
    while let Some((id, formatted)) = open.pop() {
        let Some(expression) = checker.tree.expression(id) else {
            continue;
        };
        // The list that `format` takes can mix types.
        let formatted =
            formatted || matches!(expression, Expression::Call { function, .. } if function == "format");
        expression.each_part(|part| open.push((part, formatted)));
        match expression {
            Expression::List(items) if !formatted => {
                let items: Vec<_> = items.iter().map(|item| (item.value, item.optional)).collect();
                check_types(checker, &items);
            }
            Expression::Map(entries) if !formatted => {
                let keys: Vec<_> = entries.iter().map(|entry| (entry.key, false)).collect();
                let values: Vec<_> = entries
                    .iter()
                    .map(|entry| (entry.value, entry.optional))
                    .collect();
                check_types(checker, &keys);
                check_types(checker, &values);
            }
            Expression::Call {
                function,
                target,
                arguments,
            } => {
                let (function, target, arguments) = (function.to_string(), *target, arguments.clone());
                match target {
                    Some(target) if function == "format" => {
                        format_calls::check(checker, id, target, &arguments);
                    }
                    _ => check_texts(checker, &function, &arguments),
                }
            }
            _ => {}
        }
    }
}

/// Checks that all items of a list, or all keys or values of a map, have the same type.
fn check_types<S: Schema>(checker: &mut Checker<'_, S>, items: &[(Id, bool)]) {
    let type_of = |checker: &Checker<'_, S>, (id, optional): (Id, bool)| -> Option<TypeId> {
        let own = checker.type_of(id);
        match checker.types.get(own) {
            Type::Optional(value) if optional => Some(value),
            _ if optional => None,
            _ => Some(own),
        }
    };
    let Some(first) = items.first().and_then(|item| type_of(checker, *item)) else {
        return;
    };
    for item in items {
        let Some(own) = type_of(checker, *item) else {
            continue;
        };
        let is_unknown = match (checker.types.get(first), checker.types.get(own)) {
            // The API server may know more about the type of a value that is not simple.
            (Type::Meta(first), Type::Meta(own)) => ![first, own]
                .iter()
                .all(|named| is_simple(checker.types.get(*named))),
            (Type::Error, _) | (_, Type::Error) => true,
            _ => false,
        };
        if own != first && !is_unknown {
            checker.mixed(item.0, first, own);
            return;
        }
    }
}

fn is_simple(named: Type) -> bool {
    matches!(
        named,
        Type::Null
            | Type::Bool
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::Text
            | Type::Bytes
            | Type::Timestamp
            | Type::Duration
    )
}

/// Checks constant strings that a function parses.
fn check_texts<S: Schema>(checker: &mut Checker<'_, S>, function: &str, arguments: &[Id]) {
    for (index, argument) in arguments.iter().enumerate() {
        let found = match (function, index) {
            // The API server also reads the first argument of `matches(text, pattern)` as a pattern.
            ("matches", _) | ("find" | "findAll", 0) => refused_pattern(checker, *argument),
            (_, 0) => refused_conversion(checker, function, *argument),
            _ => None,
        };
        if let Some((message, help)) = found {
            let place = checker.tree.start(*argument);
            let message = message.replace(['\n', '\r'], " ");
            checker.mistakes.add(Mistake::types(place, message).help(help));
        }
    }
}

fn refused_pattern<S: Schema>(checker: &Checker<'_, S>, argument: Id) -> Option<(String, &'static str)> {
    let Some(Expression::Literal(Literal::Text(text))) = checker.tree.expression(argument) else {
        return None;
    };
    let reason = go_regex::translate(text).err()?;
    Some((
        format!("`{text}` is not a valid regular expression in Kubernetes: {reason}"),
        "use the syntax of RE2: https://github.com/google/re2/wiki/Syntax",
    ))
}

/// Returns why a function cannot convert a constant. The API server tries it when it compiles a rule.
fn refused_conversion<S: Schema>(
    checker: &Checker<'_, S>,
    function: &str,
    argument: Id,
) -> Option<(String, &'static str)> {
    if let ("string", Some(Expression::Literal(Literal::Bytes(bytes)))) =
        (function, checker.tree.expression(argument))
    {
        let is_text = std::str::from_utf8(bytes).is_ok();
        return (!is_text).then(|| {
            let message = "the bytes are not UTF-8".to_owned();
            (message, "use bytes that are valid UTF-8")
        });
    }
    let text = constant_text(checker, argument)?;
    let (is_fine, what, help) = match function {
        "bool" => {
            let known = [
                "1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False",
            ];
            (
                known.contains(&text.as_ref()),
                "boolean",
                "write `true` or `false`",
            )
        }
        "double" => (parse_float(&text).is_some(), "number", "write the number itself"),
        "duration" => (
            go_time::is_duration(&text),
            "duration",
            "write it as in `1h30m`, with `h`, `m`, `s`, `ms`, `us` or `ns`",
        ),
        "int" => (text.parse::<i64>().is_ok(), "integer", "write the number itself"),
        "timestamp" => (
            go_time::Timestamp::parse(&text).is_some_and(|time| time.in_range().is_some()),
            "time",
            "write it as in `2006-01-02T15:04:05Z`",
        ),
        "uint" => (
            text.parse::<u64>().is_ok(),
            "unsigned integer",
            "write the number itself, followed by `u`",
        ),
        _ => return None,
    };
    (!is_fine).then(|| (format!("`{text}` is not a valid {what}"), help))
}

/// Returns the string that a constant is, also after conversions of constants.
fn constant_text<'t, S: Schema>(checker: &'t Checker<'_, S>, id: Id) -> Option<Cow<'t, str>> {
    match checker.tree.expression(id)? {
        Expression::Literal(Literal::Text(text)) => Some(Cow::Borrowed(text)),
        Expression::Call {
            function,
            target: None,
            arguments,
        } => {
            let [argument] = arguments.as_slice() else {
                return None;
            };
            match (function.as_ref(), checker.tree.expression(*argument)?) {
                ("string", Expression::Literal(Literal::Bool(value))) => Some(value.to_string().into()),
                ("string", Expression::Literal(Literal::Int(value))) => Some(value.to_string().into()),
                ("dyn" | "string", _) => constant_text(checker, *argument),
                _ => None,
            }
        }
        _ => None,
    }
}
