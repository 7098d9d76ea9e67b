//! Evaluates expressions for values that are known.
//!
//! Mirrors the interpreter of `cel-go` as far as rules of CRDs need it. Every expression has one of three answers: a
//! value, a failure, or "not known" for everything that only the API server can tell. A caller that ignores the last one
//! never rejects a value that the API server accepts.

mod call_cost;
mod conversions;
mod extension;
mod extensions;
mod failure;
mod format;
mod functions;
mod list;
mod lists;
mod meter;
mod operators;
mod sort;
mod texts;
mod times;
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

pub use extension::Extension;
pub use failure::Failure;
pub use list::List;
pub use meter::Budget;
pub use value::Value;

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

/// Fails with the message of `cel-go`.
fn fail_alike<T>(message: impl Into<String>) -> Outcome<T> {
    let message = message.into();
    fail(message.clone(), message)
}

/// Fails because a value, whose type is known only at run time, does not fit.
fn no_such_overload<T>() -> Outcome<T> {
    fail_alike("no such overload")
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

/// Finds a conversion of a constant that fails. The API server converts constants when it compiles an expression, and then
/// refuses the expression.
pub(super) fn failing_constant(checked: &Typed<'_>, root: Id) -> Option<(Id, Failure)> {
    let (bindings, patterns) = (Bindings::default(), Patterns::default());
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let expression = checked.tree.expression(id)?;
        expression.each_part(|part| open.push(part));
        if !matches!(expression, Expression::Call { function, .. } if is_conversion(function)) {
            continue;
        }
        let mut evaluator = Evaluator {
            checked,
            bindings: &bindings,
            scopes: Vec::new(),
            meter: Meter::new(&Budget::default()),
            patterns: &patterns,
        };
        if evaluator.is_constant(id)
            && let Err(EvaluateError::Failed(failure)) = evaluator.value(id)
        {
            return Some((id, failure));
        }
    }
    None
}

/// The state of an evaluation.
struct Evaluator<'c, 'a> {
    checked: &'c Typed<'a>,
    bindings: &'c Bindings<'c>,
    /// The variables of macros, the innermost last.
    scopes: Vec<(Cow<'a, str>, Binding)>,
    meter: Meter,
    patterns: &'c Patterns,
}

/// The value of a variable of a macro.
#[derive(Clone, Debug)]
enum Binding {
    /// A value, or the failure of the round before.
    Known(Outcome),
    /// A part that is evaluated when the variable is first read.
    Lazy(Id),
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
                let is_constant = self.is_constant(id);
                if !is_constant {
                    self.meter.spend(MAP)?;
                }
                self.meter.allocate_items(entries.len() * 2)?;
                let mut map = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.value(entry.key)?;
                    let value = match self.value(entry.value)? {
                        Value::Optional(Some(inner)) if entry.optional => inner.as_ref().clone(),
                        Value::Optional(None) if entry.optional => continue,
                        _ if entry.optional => return Err(EvaluateError::NotKnown),
                        value => value,
                    };
                    if is_constant {
                        // In a constant map, the last entry of a key counts.
                        map.retain(|(known, _)| *known != key);
                    }
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
            // The planner also converts constants.
            Some(Expression::Call {
                function,
                target: None,
                arguments,
            }) => {
                matches!(arguments.as_slice(), [argument] if is_conversion(function) && self.is_constant(*argument))
            }
            _ => false,
        }
    }

    fn name(&mut self, name: &str) -> Outcome {
        self.meter.spend(1)?;
        let found = self.scopes.iter().rposition(|(known, _)| known == name);
        if let Some(index) = found.filter(|_| !name.starts_with('.')) {
            return self.variable(index);
        }
        let bound = self.bindings.get(name.trim_start_matches('.'));
        bound.cloned().ok_or(EvaluateError::NotKnown)
    }

    /// Returns the value of a variable of a macro.
    fn variable(&mut self, index: usize) -> Outcome {
        match self.scopes.get(index).map(|(_, binding)| binding.clone()) {
            None => NOT_KNOWN,
            Some(Binding::Known(value)) => value,
            Some(Binding::Lazy(id)) => {
                // The part sees only the variables outside of the macro.
                let inner = self.scopes.split_off(index);
                let value = self.value(id);
                self.scopes.extend(inner);
                if let Some((_, binding)) = self.scopes.get_mut(index) {
                    *binding = Binding::Known(value.clone());
                }
                value
            }
        }
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
        if let ("type" | "@in", Some(last)) = (function, arguments.last())
            && self.is_constant(*last)
        {
            return self.free_call(function, target, arguments);
        }
        if is_conversion(function) && arguments.iter().all(|argument| self.is_constant(*argument)) {
            return self.free_call(function, target, arguments);
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
        self.apply(function, target, &values)
    }

    /// Calls a function whose own cost Kubernetes does not count.
    fn free_call(&mut self, function: &str, target: Option<Id>, arguments: &[Id]) -> Outcome {
        let parts = target.iter().chain(arguments);
        let values = parts.map(|part| self.value(*part)).collect::<Outcome<Vec<_>>>()?;
        self.apply(function, target, &values)
    }

    fn apply(&mut self, function: &str, target: Option<Id>, values: &[Value]) -> Outcome {
        if let ("sum", Some(target), [Value::List(list)]) = (function, target, values)
            && list.items().is_empty()
        {
            return Ok(self.empty_sum(target));
        }
        let meter = &mut self.meter;
        let answer = operators::call(function, values, meter)
            .or_else(|| times::call(function, values))
            .or_else(|| extensions::call(function, values, meter))
            .or_else(|| conversions::call(function, values))
            .or_else(|| functions::call(function, values, meter))
            .or_else(|| format::call(function, values, meter))
            .or_else(|| texts::call(function, values, self.patterns, meter))
            .or_else(|| lists::call(function, values, meter));
        match answer {
            Some(answer) => answer,
            None if values.contains(&Value::Unknown) || is_for_server(function) => NOT_KNOWN,
            // Functions of the standard library have their own messages.
            None if function == "size" => fail_alike("no such overload: size"),
            None if matches!(function, "contains" | "endsWith" | "matches" | "startsWith") => {
                no_such_overload()
            }
            None => {
                let names: Vec<_> = values.iter().filter_map(Value::type_name).collect();
                fail_alike(format!("no such overload: {function}({})", names.join(", ")))
            }
        }
    }

    /// Returns the sum of an empty list, whose type tells which zero it is.
    fn empty_sum(&self, list: Id) -> Value {
        let item = match self.checked.type_of(list) {
            Type::List(item) => self.checked.types.get(item),
            _ => Type::Dyn,
        };
        match item {
            Type::Uint => Value::Uint(0),
            Type::Double => Value::Double(0.0),
            Type::Duration => Value::Duration(0),
            _ => Value::Int(0),
        }
    }

    /// Evaluates `a.or(b)` and `a.orValue(b)`. The alternative is evaluated only if there is no value.
    fn alternative(&mut self, function: &str, target: Option<Id>, otherwise: Id) -> Outcome {
        let Some(target) = target else { return NOT_KNOWN };
        match self.value(target)? {
            Value::Optional(None) => self.value(otherwise),
            Value::Optional(Some(inner)) if function == "orValue" => Ok(inner.as_ref().clone()),
            whole @ Value::Optional(_) => Ok(whole),
            Value::Unknown => NOT_KNOWN,
            _ => no_such_overload(),
        }
    }

    /// Evaluates `a[b]`. If the item does not exist, Kubernetes does not count the whole way to it.
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

    /// Evaluates `&&` and `||`: one side alone may decide, even if the other one fails. The right side is evaluated
    /// only if the left one does not decide.
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
            Value::Object(fields) => fields
                .iter()
                .filter(|(name, _)| !name.starts_with('#'))
                .map(|(name, value)| {
                    let second = parts.second_variable.is_some().then(|| value.clone());
                    (Value::text(name), second)
                })
                .collect(),
            other => return not_iterable(other),
        };
        // Go visits maps in random order.
        if rounds.len() > 1 && matches!(range, Value::Map(_) | Value::Object(_)) {
            self.meter.set_uncertain();
        }
        self.meter.allocate_items(rounds.len() * 2)?;
        if rounds.is_empty() {
            self.scopes
                .push((parts.accumulator.clone(), Binding::Lazy(parts.start)));
            let result = self.value(parts.result);
            self.scopes.pop();
            return result;
        }
        let mut gathered = self.value(parts.start);
        for (first, second) in rounds {
            let depth = self.scopes.len();
            self.scopes
                .push((parts.accumulator.clone(), Binding::Known(gathered.clone())));
            self.scopes
                .push((parts.variable.clone(), Binding::Known(Ok(first))));
            if let (Some(name), Some(value)) = (&parts.second_variable, second) {
                self.scopes.push((name.clone(), Binding::Known(Ok(value))));
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
        self.scopes
            .push((parts.accumulator.clone(), Binding::Known(gathered)));
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
        _ => no_such_overload(),
    }
}

/// Returns whether a function converts its argument, or returns its type.
fn is_conversion(function: &str) -> bool {
    matches!(
        function,
        "bool" | "bytes" | "double" | "duration" | "dyn" | "int" | "string" | "timestamp" | "type" | "uint"
    )
}

/// Fails because a macro is called on a value without items.
fn not_iterable<T>(value: &Value) -> Outcome<T> {
    let name = match value {
        Value::Bool(_) => "Bool",
        Value::Int(_) => "Int",
        Value::Uint(_) => "Uint",
        Value::Double(_) => "Double",
        Value::String(_) => "String",
        Value::Bytes(_) => "Bytes",
        Value::Null => "Null",
        Value::Timestamp(_) => "Timestamp",
        Value::Duration(_) => "Duration",
        _ => return Err(EvaluateError::NotKnown),
    };
    fail_alike(format!("got 'types.{name}', expected iterable type"))
}

/// Returns whether only the API server can call a function, because the result depends on its state.
fn is_for_server(function: &str) -> bool {
    matches!(
        function,
        "allowed"
            | "check"
            | "error"
            | "errored"
            | "fieldSelector"
            | "group"
            | "labelSelector"
            | "name"
            | "namespace"
            | "path"
            | "reason"
            | "resource"
            | "serviceAccount"
            | "subresource"
    )
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
