//! Methods: those of declared types are entered, those of the standard library are known by name.

use kgen_diagnostics::Span;
use syn::Expr;

use super::builders;
use super::calls::{Receiver, receiver as receiver_of};
use super::expressions::{stop, unread};
use super::format::display;
use super::types::Type;
use super::value::{Pending, Value};
use super::{Evaluator, Step, names};

/// How long a text that one method makes may be.
const LONGEST_TEXT: usize = 64 * 1024;

impl Evaluator<'_> {
    /// Returns the value of a method call.
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall, span: Span) -> Step<Value> {
        let name = call.method.to_string();
        let turbofish = call
            .turbofish
            .as_ref()
            .and_then(|turbofish| turbofish.args.first());
        if matches!(
            name.as_str(),
            "subschema_for" | "root_schema_for" | "into_root_schema_for"
        ) {
            let range = turbofish.map(|argument| syn::spanned::Spanned::span(argument).byte_range());
            return self.type_schema(range.ok_or_else(|| unread(span))?, span);
        }
        if let Some(value) = self.change(call, &name, span)? {
            return Ok(value);
        }
        let receiver = self.value(&call.receiver)?;
        let wanted = match turbofish {
            Some(syn::GenericArgument::Type(written)) => self.type_at(written),
            _ => Type::Unknown,
        };
        match (name.as_str(), &receiver) {
            ("collect", Value::List(list)) => return Ok(self.collected(list.clone(), &wanted, span)?),
            ("parse", Value::Text(text)) => {
                let parsed = match (&wanted, text.parse::<i128>()) {
                    (Type::Text, _) => Some(Value::Text(text.clone())),
                    (Type::Integer(integer), Ok(number)) if integer.holds(number) => {
                        Some(Value::Integer(number))
                    }
                    _ => None,
                };
                let parsed =
                    parsed.ok_or_else(|| stop(span, "kgen does not know the target type of this `parse`"))?;
                return Ok(Value::ok(parsed));
            }
            _ => {}
        }
        if let Some(value) = self.adapted(&receiver, &name, call, span)? {
            return Ok(value);
        }
        let arguments = self.list(call.args.iter())?;
        self.method_of_value(receiver, &name, arguments, span)
    }

    /// Returns the value of a method whose arguments are known.
    pub(super) fn method_of_value(
        &mut self,
        receiver: Value,
        name: &str,
        arguments: Vec<Value>,
        span: Span,
    ) -> Step<Value> {
        if let Value::Instance(instance) = &receiver {
            let found: Vec<_> = names::associated(self.program(), instance.id, name)
                .into_iter()
                .filter_map(|found| {
                    let text = found.inputs.map_or("", |span| self.host.program().text(span));
                    Some((receiver_of(text)?, found))
                })
                .collect();
            match found.as_slice() {
                [] => {}
                [(Receiver::Changed, _)] => {
                    return Err(stop(span, "the method may change this variable"));
                }
                [(Receiver::Read, method)] => {
                    return Ok(self.enter(method, Some(receiver), arguments, span)?);
                }
                _ => return Err(stop(span, "several methods have this name")),
            }
        }
        self.budget.spend(receiver.size(), span)?;
        let unknown = || stop(span, format!("kgen does not evaluate `.{name}()` here"));
        if let Some(value) = builders::method(&receiver, name, &arguments) {
            return Ok(value);
        }
        if let Some(value) = of_any(&receiver, name, &arguments) {
            return Ok(value);
        }
        let value = match &receiver {
            Value::Text(text) => of_text(text, name, &arguments),
            Value::Integer(number) => of_integer(*number, name, &arguments),
            Value::Option(held) => of_option(held.as_deref(), name, &arguments),
            Value::Result(result) => of_result(
                result.as_ref().map(AsRef::as_ref).map_err(AsRef::as_ref),
                name,
                &arguments,
            ),
            Value::List(list) => of_list(list, name, &arguments),
            Value::Map(entries) => of_map(entries, name, &arguments),
            Value::Schema(_) => {
                matches!(name, "into_object" | "to_value" | "as_value").then(|| receiver.clone())
            }
            _ => None,
        };
        value.ok_or_else(unknown)
    }

    /// Calls a method that takes a closure or the path of a function. Returns `None` for any other.
    fn adapted(
        &mut self,
        receiver: &Value,
        name: &str,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Step<Option<Value>> {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let value = match (receiver, name, arguments.as_slice()) {
            (Value::List(list), _, [function]) => return self.adapted_list(list, name, function, span),
            (Value::Option(Some(held)) | Value::Result(Ok(held)), "map", [function]) => {
                let mapped = self.apply(function, vec![held.as_ref().clone()])?;
                match receiver {
                    Value::Option(_) => Value::some(mapped),
                    _ => Value::ok(mapped),
                }
            }
            (Value::Option(Some(held)) | Value::Result(Ok(held)), "and_then", [function]) => {
                self.apply(function, vec![held.as_ref().clone()])?
            }
            (Value::Option(Some(held)), "is_some_and", [function]) => {
                self.apply(function, vec![held.as_ref().clone()])?
            }
            (Value::Option(None), "is_some_and", [_]) => Value::Boolean(false),
            (Value::Option(None) | Value::Result(Err(_)), "map" | "and_then", [_]) => receiver.clone(),
            (
                Value::Option(Some(held)) | Value::Result(Ok(held)),
                "map_or" | "map_or_else",
                [_, function],
            ) => self.apply(function, vec![held.as_ref().clone()])?,
            (Value::Option(None), "map_or", [otherwise, _]) => self.value(otherwise)?,
            (Value::Option(None), "map_or_else", [otherwise, _]) => self.apply(otherwise, Vec::new())?,
            (Value::Option(Some(held)) | Value::Result(Ok(held)), "unwrap_or_else", [_]) => {
                held.as_ref().clone()
            }
            (Value::Option(None), "unwrap_or_else" | "or_else", [otherwise]) => {
                self.apply(otherwise, Vec::new())?
            }
            (Value::Option(Some(_)), "or_else", [_]) => receiver.clone(),
            (Value::Boolean(flag), "then", [function]) => {
                if *flag {
                    Value::some(self.apply(function, Vec::new())?)
                } else {
                    Value::none()
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }
}

/// Methods that nearly every type has, and that keep the value.
fn of_any(receiver: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
    match (name, arguments) {
        ("into", []) => Some(Value::pending(Pending::Into(receiver.clone()))),
        ("try_into", []) => Some(Value::ok(Value::pending(Pending::Into(receiver.clone())))),
        (
            "clone" | "cloned" | "copied" | "to_owned" | "as_ref" | "as_deref" | "as_str" | "as_slice"
            | "borrow" | "into_boxed_str" | "into_boxed_slice" | "into_string" | "by_ref" | "into_owned",
            [],
        ) => Some(receiver.clone()),
        ("to_string", []) => display(receiver).map(Value::Text),
        _ => None,
    }
}

fn of_text(text: &str, name: &str, arguments: &[Value]) -> Option<Value> {
    let made = |text: String| (text.len() <= LONGEST_TEXT).then_some(Value::Text(text));
    let parts =
        |parts: &mut dyn Iterator<Item = &str>| Some(Value::List(parts.map(Value::text_of).collect()));
    match (name, arguments) {
        ("to_uppercase", []) => made(text.to_uppercase()),
        ("to_lowercase", []) => made(text.to_lowercase()),
        ("to_ascii_uppercase", []) => made(text.to_ascii_uppercase()),
        ("to_ascii_lowercase", []) => made(text.to_ascii_lowercase()),
        ("trim", []) => made(text.trim().to_owned()),
        ("trim_start", []) => made(text.trim_start().to_owned()),
        ("trim_end", []) => made(text.trim_end().to_owned()),
        ("len", []) => i128::try_from(text.len()).ok().map(Value::Integer),
        ("is_empty", []) => Some(Value::Boolean(text.is_empty())),
        ("chars", []) => Some(Value::List(text.chars().map(Value::Character).collect())),
        ("lines", []) => parts(&mut text.lines()),
        ("split_whitespace", []) => parts(&mut text.split_whitespace()),
        ("split", [separator]) => {
            let separator = separator.key()?;
            parts(&mut text.split(separator.as_str()))
        }
        ("starts_with", [start]) => Some(Value::Boolean(text.starts_with(&start.key()?))),
        ("ends_with", [end]) => Some(Value::Boolean(text.ends_with(&end.key()?))),
        ("contains", [part]) => Some(Value::Boolean(text.contains(&part.key()?))),
        ("replace", [from, to]) => {
            let (from, to) = (from.key()?, to.text()?);
            let longest = (text.len() + 1).checked_mul(to.len() + 1)?;
            (longest <= 16 * LONGEST_TEXT).then(|| made(text.replace(&from, to)))?
        }
        ("repeat", [Value::Integer(times)]) => {
            let times = usize::try_from(*times).ok()?;
            let length = text.len().checked_mul(times)?;
            (length <= LONGEST_TEXT && times <= LONGEST_TEXT).then(|| Value::Text(text.repeat(times)))
        }
        _ => None,
    }
}

fn of_integer(number: i128, name: &str, arguments: &[Value]) -> Option<Value> {
    let number = match (name, arguments) {
        ("pow", [Value::Integer(exponent)]) => number.checked_pow(u32::try_from(*exponent).ok()?)?,
        ("abs", []) => number.checked_abs()?,
        ("min", [Value::Integer(other)]) => number.min(*other),
        ("max", [Value::Integer(other)]) => number.max(*other),
        // A `NonZero` is its number.
        ("get", []) => number,
        _ => return None,
    };
    Some(Value::Integer(number))
}

fn of_option(held: Option<&Value>, name: &str, arguments: &[Value]) -> Option<Value> {
    let whole = || Value::Option(held.cloned().map(Box::new));
    match (name, held, arguments) {
        ("unwrap", Some(value), []) | ("expect", Some(value), [_]) => Some(value.clone()),
        ("unwrap_or", Some(value), [_]) | ("unwrap_or_default", Some(value), []) => Some(value.clone()),
        ("unwrap_or", None, [otherwise]) => Some(otherwise.clone()),
        ("unwrap_or_default", None, []) => Some(Value::pending(Pending::Default)),
        ("is_some", _, []) => Some(Value::Boolean(held.is_some())),
        ("is_none", _, []) => Some(Value::Boolean(held.is_none())),
        ("or", Some(_), [_]) | ("ok_or", None, [_]) => Some(whole()),
        ("or", None, [otherwise]) => Some(otherwise.clone()),
        ("ok_or", Some(value), [_]) => Some(Value::ok(value.clone())),
        ("iter" | "into_iter", _, []) => Some(Value::List(held.cloned().into_iter().collect())),
        ("flatten", Some(inner @ Value::Option(_)), []) => Some(inner.clone()),
        ("flatten", None, []) => Some(Value::none()),
        _ => None,
    }
}

fn of_result(result: Result<&Value, &Value>, name: &str, arguments: &[Value]) -> Option<Value> {
    match (name, result, arguments) {
        ("unwrap", Ok(value), []) | ("expect", Ok(value), [_]) => Some(value.clone()),
        ("unwrap_or", Ok(value), [_]) | ("unwrap_or_default", Ok(value), []) => Some(value.clone()),
        ("unwrap_or", Err(_), [otherwise]) => Some(otherwise.clone()),
        ("unwrap_or_default", Err(_), []) => Some(Value::pending(Pending::Default)),
        ("ok", Ok(value), []) => Some(Value::some(value.clone())),
        ("ok", Err(_), []) => Some(Value::none()),
        ("is_ok", _, []) => Some(Value::Boolean(result.is_ok())),
        ("is_err", _, []) => Some(Value::Boolean(result.is_err())),
        _ => None,
    }
}

fn of_list(list: &[Value], name: &str, arguments: &[Value]) -> Option<Value> {
    let length = || i128::try_from(list.len()).ok().map(Value::Integer);
    match (name, arguments) {
        ("iter" | "into_iter" | "to_vec" | "into_vec", []) => Some(Value::List(list.to_vec())),
        ("join", [separator]) => {
            let texts = list.iter().map(|part| part.text().map(str::to_owned));
            let text = texts.collect::<Option<Vec<_>>>()?.join(separator.text()?);
            (text.len() <= LONGEST_TEXT).then_some(Value::Text(text))
        }
        ("concat", []) if list.iter().all(|part| matches!(part, Value::List(_))) => {
            let parts = list.iter().filter_map(Value::list).flatten();
            Some(Value::List(parts.cloned().collect()))
        }
        ("concat", []) => {
            let texts = list.iter().map(|part| part.text());
            Some(Value::Text(texts.collect::<Option<String>>()?))
        }
        ("len" | "count", []) => length(),
        ("is_empty", []) => Some(Value::Boolean(list.is_empty())),
        ("rev", []) => Some(Value::List(list.iter().rev().cloned().collect())),
        ("first", []) => Some(Value::Option(list.first().cloned().map(Box::new))),
        ("last", []) => Some(Value::Option(list.last().cloned().map(Box::new))),
        ("chain", [Value::List(more)]) => Some(Value::List(list.iter().chain(more).cloned().collect())),
        ("enumerate", []) => {
            let numbered = list.iter().cloned().enumerate();
            let pair = |(index, value)| {
                Some(Value::Tuple(vec![
                    Value::Integer(i128::try_from(index).ok()?),
                    value,
                ]))
            };
            Some(Value::List(numbered.map(pair).collect::<Option<_>>()?))
        }
        ("contains", [value]) if value.is_plain() && list.iter().all(Value::is_plain) => {
            Some(Value::Boolean(list.contains(value)))
        }
        _ => None,
    }
}

fn of_map(entries: &[(String, Value)], name: &str, arguments: &[Value]) -> Option<Value> {
    match (name, arguments) {
        // A schema of schemars is its object.
        ("into_object" | "to_value" | "as_value", []) => Some(Value::Map(entries.to_vec())),
        ("as_object", []) => Some(Value::some(Value::Map(entries.to_vec()))),
        ("len", []) => i128::try_from(entries.len()).ok().map(Value::Integer),
        ("is_empty", []) => Some(Value::Boolean(entries.is_empty())),
        ("iter" | "into_iter", []) => {
            let pair =
                |(key, value): &(String, Value)| Value::Tuple(vec![Value::text_of(key), value.clone()]);
            Some(Value::List(entries.iter().map(pair).collect()))
        }
        ("get", [key]) => {
            let key = key.key()?;
            let found = entries.iter().find(|(known, _)| *known == key);
            Some(Value::Option(found.map(|(_, value)| Box::new(value.clone()))))
        }
        ("contains_key", [key]) => {
            let key = key.key()?;
            Some(Value::Boolean(entries.iter().any(|(known, _)| *known == key)))
        }
        _ => None,
    }
}
