//! What a rule says of a value that is known already: the default of a field.
//!
//! Mirrors the interpreter of `cel-go` as far as rules of definitions need it. There are three answers to every expression: a
//! value, a failure while it is worked out, and "not known here", for what only the API server can tell. Only the first two
//! refuse anything, so what is missing here never refuses a rule that is right.

mod functions;
mod lists;
mod meter;
mod operators;
mod texts;
mod value;

use std::borrow::Cow;
use std::rc::Rc;

use super::super::patterns::Patterns;
use super::checker::Checked;
use super::tree::{Comprehension, Expression, Id, Literal};
use value::List;

pub(super) use meter::Meter;
pub(super) use value::Value;

/// The most entries of a map that an expression makes. Each key is compared with all others.
const LARGEST_MAP: usize = 10_000;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stop {
    /// The expression fails with this message, and the API server refuses the value.
    Failure(String),
    /// Not known here.
    Unknown,
}

pub(super) type Outcome<T = Value> = Result<T, Stop>;

fn fail<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Stop::Failure(message.into()))
}

/// Evaluates an expression for a value. The value before the change is the same one.
pub(super) fn evaluate(
    checked: &Checked<'_>,
    root: Id,
    own: &Value,
    optional_old_value: bool,
    patterns: &Patterns,
    meter: &mut Meter,
) -> Outcome {
    meter.start();
    let old = if optional_old_value {
        Value::Optional(Some(Rc::new(own.clone())))
    } else {
        own.clone()
    };
    let mut evaluator = Evaluator {
        checked,
        own,
        old,
        scopes: Vec::new(),
        meter,
        patterns,
    };
    evaluator.value(root)
}

/// An expression that is being worked out.
struct Evaluator<'c, 'a> {
    checked: &'c Checked<'a>,
    own: &'c Value,
    old: Value,
    /// The variables of macros, the innermost last. What a loop has gathered so far can be a failure.
    scopes: Vec<(Cow<'a, str>, Outcome)>,
    meter: &'c mut Meter,
    patterns: &'c Patterns,
}

impl<'c, 'a> Evaluator<'c, 'a> {
    fn value(&mut self, id: Id) -> Outcome {
        self.meter.step()?;
        let checked = self.checked;
        let Some(expression) = checked.tree.expression(id) else {
            return Err(Stop::Unknown);
        };
        match expression {
            Expression::Literal(literal) => Ok(constant(literal)),
            Expression::Name(name) => {
                self.meter.charge(1)?;
                self.name(name)
            }
            Expression::Select {
                operand, field, test, ..
            } => {
                let operand = self.value(*operand)?;
                self.meter.charge(1)?;
                if *test {
                    operators::has(&operand, field).map(Value::Bool)
                } else {
                    operators::select(&operand, field)
                }
            }
            Expression::Call {
                function,
                target,
                arguments,
            } => self.call(function, *target, arguments),
            Expression::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items {
                    let value = self.value(item.value)?;
                    match value {
                        Value::Optional(inner) if item.optional => {
                            list.extend(inner.map(|inner| inner.as_ref().clone()));
                        }
                        value => list.push(value),
                    }
                }
                Ok(Value::List(Rc::new(List::plain(list))))
            }
            Expression::Map(entries) => {
                let mut map = Vec::with_capacity(entries.len());
                for entry in entries {
                    if entry.optional {
                        return Err(Stop::Unknown);
                    }
                    let key = self.value(entry.key)?;
                    insert(&mut map, key, self.value(entry.value)?)?;
                }
                Ok(Value::Map(Rc::new(map)))
            }
            Expression::Message { .. } => Err(Stop::Unknown),
            Expression::Comprehension(parts) => self.comprehension(parts),
        }
    }

    fn name(&self, name: &str) -> Outcome {
        let mut scopes = self.scopes.iter().rev();
        if !name.starts_with('.')
            && let Some((_, value)) = scopes.find(|(known, _)| known == name)
        {
            return value.clone();
        }
        match name.trim_start_matches('.') {
            "self" => Ok(self.own.clone()),
            "oldSelf" => Ok(self.old.clone()),
            _ => Err(Stop::Unknown),
        }
    }

    fn call(&mut self, function: &str, target: Option<Id>, arguments: &[Id]) -> Outcome {
        match (function, arguments) {
            ("_&&_", [left, right]) => return self.logical(*left, *right, false),
            ("_||_", [left, right]) => return self.logical(*left, *right, true),
            ("_?_:_", [condition, yes, no]) => {
                let chosen = if boolean(self.value(*condition)?)? {
                    yes
                } else {
                    no
                };
                return self.value(*chosen);
            }
            ("@not_strictly_false", [condition]) => {
                // Only a plain no ends a loop; a failure may still be made up for.
                let goes_on = self.value(*condition) != Ok(Value::Bool(false));
                return Ok(Value::Bool(goes_on));
            }
            ("or" | "orValue", [_]) => {
                // What stands in for a value is worked out only if there is none.
                if let Some(target) = target
                    && let whole @ Value::Optional(Some(inner)) = &self.value(target)?
                {
                    let value = if function == "or" { whole } else { inner };
                    return Ok(value.clone());
                }
            }
            _ => {}
        }
        let mut values = Vec::with_capacity(arguments.len() + 1);
        for argument in target.iter().chain(arguments) {
            values.push(self.value(*argument)?);
        }
        self.meter.call(function, &values)?;
        let answer = operators::call(function, &values)
            .or_else(|| functions::call(function, &values))
            .or_else(|| texts::call(function, &values, self.patterns))
            .or_else(|| lists::call(function, &values));
        answer.unwrap_or(Err(Stop::Unknown))
    }

    /// `&&` and `||`: one side alone may decide, whatever is the matter with the other one.
    fn logical(&mut self, left: Id, right: Id, decides: bool) -> Outcome {
        let sides = [left, right].map(|side| self.value(side).and_then(boolean));
        if sides.contains(&Ok(decides)) {
            return Ok(Value::Bool(decides));
        }
        // Which of two failures is told does not matter, but one that is not known may be no failure.
        let mut failure = None;
        for side in sides {
            match side {
                Ok(_) => {}
                Err(Stop::Unknown) => return Err(Stop::Unknown),
                Err(stop) => failure = failure.or(Some(stop)),
            }
        }
        failure.map_or(Ok(Value::Bool(!decides)), Err)
    }

    fn comprehension(&mut self, parts: &Comprehension<'a>) -> Outcome {
        let range = self.value(parts.range)?;
        let rounds: Vec<(Value, Option<Value>)> = match &range {
            Value::List(list) => list
                .items
                .iter()
                .zip(0..)
                .map(|(item, index)| match parts.second_variable {
                    None => (item.clone(), None),
                    Some(_) => (Value::Int(index), Some(item.clone())),
                })
                .collect(),
            Value::Map(entries) => entries
                .iter()
                .map(|(key, value)| {
                    let second = parts.second_variable.is_some().then(|| value.clone());
                    (key.clone(), second)
                })
                .collect(),
            _ => return Err(Stop::Unknown),
        };
        let mut gathered = self.value(parts.start);
        for (first, second) in rounds {
            let depth = self.scopes.len();
            self.scopes.push((parts.accumulator.clone(), gathered.clone()));
            self.scopes.push((parts.variable.clone(), Ok(first)));
            if let (Some(name), Some(value)) = (&parts.second_variable, second) {
                self.scopes.push((name.clone(), Ok(value)));
            }
            let goes_on = self.value(parts.condition);
            if goes_on == Ok(Value::Bool(true)) {
                gathered = self.value(parts.step);
            }
            self.scopes.truncate(depth);
            match goes_on {
                Ok(Value::Bool(true)) => {}
                Ok(_) => break,
                Err(stop) => return Err(stop),
            }
            self.meter.step()?;
        }
        self.scopes.push((parts.accumulator.clone(), gathered));
        let result = self.value(parts.result);
        self.scopes.pop();
        result
    }
}

fn constant(literal: &Literal<'_>) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Uint(value) => Value::Uint(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::Text(text) => Value::text(text),
        Literal::Bytes(bytes) => Value::Bytes(bytes.as_slice().into()),
    }
}

fn boolean(value: Value) -> Outcome<bool> {
    match value {
        Value::Bool(value) => Ok(value),
        Value::Unknown => Err(Stop::Unknown),
        _ => fail("no such overload"),
    }
}

/// Adds an entry to a map. One that is there already is a failure.
fn insert(map: &mut Vec<(Value, Value)>, key: Value, value: Value) -> Outcome<()> {
    if map.len() >= LARGEST_MAP {
        return Err(Stop::Unknown);
    }
    for (known, _) in map.iter() {
        if known.equals(&key)? {
            return fail("a key stands twice in a map");
        }
    }
    map.push((key, value));
    Ok(())
}

#[cfg(test)]
mod tests;
