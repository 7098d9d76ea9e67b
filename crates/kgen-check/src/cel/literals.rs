//! Values that are written down in an expression, and that the API server looks at when it compiles the expression: lists and
//! maps of one type, durations, times, regular expressions, and texts that are converted to numbers.

use std::borrow::Cow;

use super::super::go_regex;
use super::super::values::formats;
use super::checker::Checker;
use super::format_calls;
use super::mistake::Sort;
use super::tree::{Expression, Id, Literal};
use super::types::{Type, TypeId};

/// Checks all values below a node whose types are known.
pub(super) fn check(checker: &mut Checker<'_, '_>, root: Id) {
    let mut open = vec![(root, false)];
    while let Some((id, formatted)) = open.pop() {
        let Some(expression) = checker.tree.expression(id) else {
            continue;
        };
        // The arguments of `format` are a list of values of any types.
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

/// All items of a list, or all keys or values of a map, must have the same type.
fn check_types(checker: &mut Checker<'_, '_>, items: &[(Id, bool)]) {
    let type_of = |checker: &Checker<'_, '_>, (id, optional): (Id, bool)| -> Option<TypeId> {
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
        let are_types = matches!(
            (checker.types.get(first), checker.types.get(own)),
            (Type::Meta(_), Type::Meta(_)) | (Type::Error, _) | (_, Type::Error)
        );
        if own != first && !are_types {
            checker.mixed(item.0, first, own);
            return;
        }
    }
}

/// Texts that mean something to the function they are given to.
fn check_texts(checker: &mut Checker<'_, '_>, function: &str, arguments: &[Id]) {
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
            checker
                .mistakes
                .add(Sort::Type, place, message, Some(help.to_owned()));
        }
    }
}

fn refused_pattern(checker: &Checker<'_, '_>, argument: Id) -> Option<(String, &'static str)> {
    let Some(Expression::Literal(Literal::Text(text))) = checker.tree.expression(argument) else {
        return None;
    };
    let reason = go_regex::translate(text).err()?;
    Some((
        format!("`{text}` is no regular expression that Kubernetes knows: {reason}"),
        "the syntax is that of RE2: https://github.com/google/re2/wiki/Syntax",
    ))
}

/// Why a constant cannot be converted by a function, which the API server tries when it compiles a rule.
fn refused_conversion(
    checker: &Checker<'_, '_>,
    function: &str,
    argument: Id,
) -> Option<(String, &'static str)> {
    if let ("string", Some(Expression::Literal(Literal::Bytes(bytes)))) =
        (function, checker.tree.expression(argument))
    {
        let is_text = std::str::from_utf8(bytes).is_ok();
        return (!is_text).then(|| {
            let message = "the bytes are no text".to_owned();
            (message, "bytes become a text only if they are UTF-8")
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
                "truth value",
                "write `true` or `false`",
            )
        }
        "double" => (may_be_float(&text), "number", "write the number itself"),
        "duration" => (
            formats::is_go_duration(&text),
            "duration",
            "write it as in `1h30m`, with `h`, `m`, `s`, `ms`, `us` or `ns`",
        ),
        "int" => (
            text.parse::<i64>().is_ok(),
            "whole number",
            "write the number itself",
        ),
        "timestamp" => (
            may_be_timestamp(&text),
            "time",
            "write it as in `2006-01-02T15:04:05Z`",
        ),
        "uint" => (
            text.parse::<u64>().is_ok(),
            "whole number without a sign",
            "write the number itself, with a `u` behind it",
        ),
        _ => return None,
    };
    (!is_fine).then(|| (format!("`{text}` is no {what}"), help))
}

/// The text of a constant, also within conversions that change nothing about it being one.
fn constant_text<'t>(checker: &'t Checker<'_, '_>, id: Id) -> Option<Cow<'t, str>> {
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

/// Whether Go could read a text as a number. It knows hexadecimal fractions, which Rust does not.
fn may_be_float(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    text.parse::<f64>().is_ok() || digits.starts_with("0x") || digits.starts_with("0X")
}

/// Whether a text begins as a time does. What comes behind the `T`, only Go can tell.
fn may_be_timestamp(text: &str) -> bool {
    text.get(..10).is_some_and(formats::is_date) && text.get(10..11) == Some("T")
}
