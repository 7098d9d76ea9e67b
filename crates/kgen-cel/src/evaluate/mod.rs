//! Evaluates expressions for values that are known.
//!
//! Mirrors the interpreter of `cel-go` as far as rules of CRDs need it. Every expression has one of three answers: a
//! value, a failure, or "not known" for everything that only the API server can tell. A caller that ignores the last one
//! never rejects a value that the API server accepts.

mod call_cost;
mod failure;
mod functions;
mod lists;
mod meter;
mod operators;
mod texts;
mod value;

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use crate::checker::Typed;
use crate::environment::Bindings;
use crate::go_regex::Patterns;
use crate::tree::{Comprehension, Expression, Id, Literal};
use crate::types::Type;
use call_cost::call_cost;
use meter::Meter;

pub use failure::Failure;
pub use meter::Budget;
pub use value::{List, Value};

/// The cost of creating a list or a map.
const LIST: u64 = 10;
const MAP: u64 = 30;

/// The reason why an expression does not have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The evaluation fails, so that the API server rejects the value.
    Failed(Failure),
    /// The evaluation costs more than the API server allows, so that the API server rejects the value.
    CostExceeded,
    /// This crate cannot tell the value.
    NotKnown,
}

impl Display for EvaluateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failure) => failure.fmt(formatter),
            Self::CostExceeded => {
                formatter.write_str("the evaluation exceeds the cost limit of the API server")
            }
            Self::NotKnown => formatter.write_str("the value is not known"),
        }
    }
}

impl Error for EvaluateError {}

pub(super) type Outcome<T = Value> = Result<T, EvaluateError>;

const NOT_KNOWN: Outcome = Err(EvaluateError::NotKnown);

/// Fails with a message in the words of this crate and one in the words of `cel-go`.
fn fail<T>(message: impl Into<String>, server_message: impl Into<String>) -> Outcome<T> {
    Err(EvaluateError::Failed(Failure::new(message, server_message)))
}

/// Evaluates an expression and subtracts its cost from a budget.
pub(super) fn evaluate(
    checked: &Typed<'_>,
    root: Id,
    bindings: &Bindings<'_>,
    budget: &mut Budget,
) -> Outcome {
    let own_patterns = Patterns::default();
    let mut evaluator = Evaluator {
        checked,
        bindings,
        scopes: Vec::new(),
        meter: Meter::new(budget),
        patterns: bindings.patterns().unwrap_or(&own_patterns),
    };
    let outcome = evaluator.value(root);
    evaluator.meter.settle(outcome, budget)
}

/// The state of an evaluation.
struct Evaluator<'c, 'a> {
    checked: &'c Typed<'a>,
    bindings: &'c Bindings<'c>,
    /// The variables of macros, the innermost last. The accumulator of a loop can be a failure.
    scopes: Vec<(Cow<'a, str>, Outcome)>,
    meter: Meter,
    patterns: &'c Patterns,
}

impl<'c, 'a> Evaluator<'c, 'a> {
    fn value(&mut self, id: Id) -> Outcome {
        self.meter.step()?;
        let outcome = self.node(id);
        if outcome == Err(EvaluateError::NotKnown) {
            self.meter.set_uncertain();
        }
        outcome
    }

    fn node(&mut self, id: Id) -> Outcome {
        let checked = self.checked;
        let Some(expression) = checked.tree.expression(id) else {
            return Err(EvaluateError::NotKnown);
        };
        match expression {
            Expression::Literal(literal) => Ok(constant(literal)),
            Expression::Name(name) => match checked.named_type(id) {
                Some(name) => Ok(Value::Type(name)),
                None => self.name(name),
            },
            Expression::Select {
                operand, field, test, ..
            } => {
                if *test {
                    let operand = self.free(*operand)?;
                    return operators::has(&operand, field, &mut self.meter).map(Value::Bool);
                }
                // If a field of something optional is absent, Kubernetes does not count the way to it.
                if matches!(checked.type_of(*operand), Type::Optional(_) | Type::Dyn) {
                    let operand = self.free(*operand)?;
                    return operators::select(&operand, field, &mut self.meter);
                }
                let operand = self.value(*operand)?;
                let found = operators::select(&operand, field, &mut self.meter)?;
                self.meter.spend(1)?;
                Ok(found)
            }
            Expression::Call {
                function,
                target,
                arguments,
            } => self.call(function, *target, arguments),
            Expression::List(items) => {
                // The planner turns a constant list into one constant.
                if !self.is_constant(id) {
                    self.meter.spend(LIST)?;
                }
                self.meter.allocate_items(items.len())?;
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
                Ok(Value::list(list))
            }
            Expression::Map(entries) => {
                if !self.is_constant(id) {
                    self.meter.spend(MAP)?;
                }
                self.meter.allocate_items(entries.len() * 2)?;
                let mut map = Vec::with_capacity(entries.len());
                for entry in entries {
                    if entry.optional {
                        return Err(EvaluateError::NotKnown);
                    }
                    let key = self.value(entry.key)?;
                    let value = self.value(entry.value)?;
                    insert(&mut map, key, value, &mut self.meter)?;
                }
                Ok(Value::Map(Arc::new(map)))
            }
            Expression::Message { .. } => Err(EvaluateError::NotKnown),
            Expression::Comprehension(parts) => self.comprehension(parts),
        }
    }

    /// Returns whether an expression consists of constants.
    fn is_constant(&self, id: Id) -> bool {
        match self.checked.tree.expression(id) {
            Some(Expression::Literal(_)) => true,
            Some(Expression::List(items)) => items.iter().all(|item| self.is_constant(item.value)),
            Some(Expression::Map(entries)) => entries
                .iter()
                .all(|entry| self.is_constant(entry.key) && self.is_constant(entry.value)),
            _ => false,
        }
    }

    fn name(&mut self, name: &str) -> Outcome {
        self.meter.spend(1)?;
        let mut scopes = self.scopes.iter().rev();
        if !name.starts_with('.')
            && let Some((_, value)) = scopes.find(|(known, _)| known == name)
        {
            return value.clone();
        }
        let bound = self.bindings.get(name.trim_start_matches('.'));
        bound.cloned().ok_or(EvaluateError::NotKnown)
    }

    fn call(&mut self, function: &str, target: Option<Id>, arguments: &[Id]) -> Outcome {
        match (function, arguments) {
            ("_&&_", [left, right]) => return self.logical(*left, *right, false),
            ("_||_", [left, right]) => return self.logical(*left, *right, true),
            ("_?_:_", [condition, yes, no]) => {
                let chosen = if boolean(self.value(*condition)?)? {
                    *yes
                } else {
                    *no
                };
                return self.attribute_part(chosen);
            }
            ("@not_strictly_false", [condition]) => {
                // Only `false` ends a loop; a later item can still make up for a failure.
                let goes_on = self.value(*condition) != Ok(Value::Bool(false));
                self.meter.spend(1)?;
                return Ok(Value::Bool(goes_on));
            }
            ("_[_]", [operand, index]) => return self.item(*operand, *index),
            ("or" | "orValue", [otherwise]) => return self.alternative(function, target, *otherwise),
            _ => {}
        }
        let parts = target.iter().chain(arguments);
        // If something optional is absent, Kubernetes does not count the way to it.
        let values = if matches!(function, "_?._" | "_[?_]") {
            parts.map(|part| self.free(*part)).collect::<Outcome<Vec<_>>>()?
        } else {
            let values = parts.map(|part| self.value(*part)).collect::<Outcome<Vec<_>>>()?;
            self.meter.spend(call_cost(function, &values))?;
            values
        };
        let answer = operators::call(function, &values, &mut self.meter)
            .or_else(|| functions::call(function, &values))
            .or_else(|| texts::call(function, &values, self.patterns, &mut self.meter))
            .or_else(|| lists::call(function, &values, &mut self.meter));
        answer.unwrap_or(NOT_KNOWN)
    }

    /// `a.or(b)` and `a.orValue(b)`. The alternative is evaluated only if there is no value.
    fn alternative(&mut self, function: &str, target: Option<Id>, otherwise: Id) -> Outcome {
        let Some(target) = target else { return NOT_KNOWN };
        match self.value(target)? {
            Value::Optional(None) => self.value(otherwise),
            Value::Optional(Some(inner)) if function == "orValue" => Ok(inner.as_ref().clone()),
            whole @ Value::Optional(_) => Ok(whole),
            _ => NOT_KNOWN,
        }
    }

    /// `a[b]`. If the item does not exist, Kubernetes does not count the whole way to it.
    fn item(&mut self, operand: Id, index: Id) -> Outcome {
        let before = self.meter.cost();
        let operand = self.value(operand)?;
        let index = self.attribute_part(index);
        let found = index.and_then(|index| operators::at(&operand, &index, &mut self.meter));
        match &found {
            Ok(_) => self.meter.spend(1)?,
            Err(_) => self.meter.refund_to(before),
        }
        found
    }

    /// Evaluates an index or a branch of `? :`. In these, Kubernetes does not count every variable, field and item.
    fn attribute_part(&mut self, id: Id) -> Outcome {
        let is_attribute = match self.checked.tree.expression(id) {
            Some(Expression::Name(_) | Expression::Select { .. }) => true,
            Some(Expression::Call { function, .. }) => {
                matches!(function.as_ref(), "_[_]" | "_[?_]" | "_?._")
            }
            _ => false,
        };
        if is_attribute {
            self.free(id)
        } else {
            self.value(id)
        }
    }

    /// Evaluates a part whose cost Kubernetes may not count.
    fn free(&mut self, id: Id) -> Outcome {
        let before = self.meter.begin_free();
        let outcome = self.value(id);
        self.meter.end_free(before);
        outcome
    }

    /// `&&` and `||`: one side alone may decide, even if the other one fails. The right side is evaluated only if the left
    /// one does not decide.
    fn logical(&mut self, left: Id, right: Id, decides: bool) -> Outcome {
        let first = self.value(left).and_then(boolean);
        if first == Ok(decides) {
            return Ok(Value::Bool(decides));
        }
        let sides = [first, self.value(right).and_then(boolean)];
        if sides.contains(&Ok(decides)) {
            return Ok(Value::Bool(decides));
        }
        // It does not matter which of two failures is reported, but a side that is not known may decide.
        let mut failure = None;
        for side in sides {
            match side {
                Ok(_) => {}
                Err(EvaluateError::NotKnown) => return Err(EvaluateError::NotKnown),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(Value::Bool(!decides)), Err)
    }

    fn comprehension(&mut self, parts: &Comprehension<'a>) -> Outcome {
        let range = self.value(parts.range)?;
        let rounds: Vec<(Value, Option<Value>)> = match &range {
            Value::List(list) => list
                .items()
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
            _ => return Err(EvaluateError::NotKnown),
        };
        // Go visits maps in random order, and evaluates the start of a loop without rounds only if it is used.
        if rounds.is_empty() || rounds.len() > 1 && matches!(range, Value::Map(_)) {
            self.meter.set_uncertain();
        }
        self.meter.allocate_items(rounds.len() * 2)?;
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
                Err(error) => return Err(error),
            }
            self.meter.running()?;
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
        Value::Unknown => Err(EvaluateError::NotKnown),
        _ => fail("no such overload", "no such overload"),
    }
}

/// Adds an entry to a map. Fails if the key already exists.
fn insert(map: &mut Vec<(Value, Value)>, key: Value, value: Value, meter: &mut Meter) -> Outcome<()> {
    for (known, _) in map.iter() {
        if known.equals(&key, meter)? {
            return fail(
                "a map has two entries with the same key",
                "Failed with repeated key",
            );
        }
    }
    map.push((key, value));
    Ok(())
}

#[cfg(test)]
mod tests;
