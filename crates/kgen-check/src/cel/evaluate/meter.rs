//! Limits of evaluation: the API server's runtime cost, and kgen's own bounds on memory and time.
//!
//! The costs follow Kubernetes' runtime cost tracker. Where kgen does not know a cost exactly, it counts less, so that
//! it never refuses a rule that the API server accepts for its cost. Values that only kgen finds too large to work with
//! are unknown, apart from texts that would fill the memory.

use super::{Outcome, Stop, Value, fail};

/// The most that one evaluation of a rule may cost: Kubernetes' `PerCallLimit`.
pub(super) const MOST_OF_A_CALL: u64 = 1_000_000;

/// The most that all rules may cost for one value: Kubernetes' `RuntimeCELCostBudget`.
pub(super) const MOST_OF_A_VALUE: u64 = 10_000_000;

/// The most nodes that are evaluated for one rule.
const MOST_STEPS: u64 = 1_000_000;

/// The most values that the functions of one rule look at or copy.
const MOST_WORK: u64 = 50_000_000;

/// The longest text that an expression may make, in bytes.
const LONGEST_TEXT: usize = 64 * 1024 * 1024;

/// The longest list that an expression may make.
const LONGEST_LIST: usize = 1_000_000;

/// The costs of the rules that a value is checked with.
#[derive(Debug, Default)]
pub(in super::super) struct Meter {
    /// The cost of all rules so far.
    total: u64,
    /// The cost of the present rule.
    cost: u64,
    steps: u64,
    work: u64,
}

impl Meter {
    /// Starts the next rule.
    pub(super) fn start(&mut self) {
        (self.cost, self.steps, self.work) = (0, 0, 0);
    }

    /// Counts one node.
    pub(super) fn step(&mut self) -> Outcome<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.work > MOST_WORK {
            return Err(Stop::Unknown);
        }
        Ok(())
    }

    /// Adds a cost.
    pub(super) fn charge(&mut self, cost: u64) -> Outcome<()> {
        self.cost = self.cost.saturating_add(cost);
        self.total = self.total.saturating_add(cost);
        if self.cost > MOST_OF_A_CALL {
            return fail(format!(
                "it costs more than {MOST_OF_A_CALL} when it runs, which the API server does not allow"
            ));
        }
        if self.total > MOST_OF_A_VALUE {
            return fail(format!(
                "all rules cost more than {MOST_OF_A_VALUE} when they run, which the API server does not allow"
            ));
        }
        Ok(())
    }

    /// Adds the cost of a call, and stops calls whose result would be too large.
    pub(super) fn call(&mut self, function: &str, values: &[Value]) -> Outcome<()> {
        self.charge(cost(function, values))?;
        self.work = self.work.saturating_add(work(function, values));
        if self.work > MOST_WORK {
            return Err(Stop::Unknown);
        }
        match result_size(function, values) {
            Some(Size::Text(length)) if length > LONGEST_TEXT => fail("it makes a text of more than 64 MB"),
            Some(Size::List(length)) if length > LONGEST_LIST => Err(Stop::Unknown),
            _ => Ok(()),
        }
    }
}

/// The cost of walking over a text: a tenth of its characters.
fn walk(text: &str) -> u64 {
    count(text).div_ceil(10)
}

fn count(text: &str) -> u64 {
    u64::try_from(text.chars().count()).unwrap_or(u64::MAX)
}

/// The cost of a call, or less.
fn cost(function: &str, values: &[Value]) -> u64 {
    match (function, values) {
        ("contains", [Value::Text(text), Value::Text(part)]) => walk(text).saturating_mul(walk(part)),
        ("startsWith" | "endsWith", [_, Value::Text(part)]) => walk(part),
        ("lowerAscii" | "upperAscii" | "substring" | "trim", [Value::Text(text), ..]) => walk(text),
        ("replace" | "split", [Value::Text(text), ..]) => count(text).div_ceil(5),
        ("matches", [Value::Text(text), Value::Text(pattern)]) => {
            let text = count(text).saturating_add(1).div_ceil(10);
            text.saturating_mul(count(pattern).div_ceil(4))
        }
        ("_+_", [Value::Text(left), Value::Text(right)]) => {
            count(left).saturating_add(count(right)).div_ceil(10)
        }
        ("_==_" | "_!=_", [Value::Text(left), Value::Text(right)]) => walk(left).min(walk(right)),
        ("_&&_" | "_||_" | "_?_:_" | "@not_strictly_false", _) => 0,
        _ => 1,
    }
}

/// How many values a function looks at.
fn work(function: &str, values: &[Value]) -> u64 {
    let length = |value: &Value| u64::try_from(length(value)).unwrap_or(u64::MAX);
    let compares = matches!(
        function,
        "_==_" | "_!=_" | "@in" | "indexOf" | "lastIndexOf" | "_[_]" | "_[?_]"
    );
    match values {
        [Value::List(left), Value::List(right)] if function.starts_with("sets.") => {
            let size = |items: &[Value]| items.iter().map(|item| size(item, 2)).sum::<u64>();
            size(&left.items).saturating_mul(size(&right.items))
        }
        [Value::Map(left), Value::Map(right)] if compares => {
            let square = length(&Value::Map(left.clone())).saturating_mul(length(&Value::Map(right.clone())));
            square.saturating_add(values.iter().map(|value| size(value, 3)).sum())
        }
        values if compares => values.iter().map(|value| size(value, 3)).sum(),
        values => values.iter().map(length).sum(),
    }
}

/// The number of parts of a value, down to some depth. Values inside can be shared, so that all of them together can be
/// more than fit in memory.
fn size(value: &Value, depth: usize) -> u64 {
    let below = |values: &mut dyn Iterator<Item = &Value>| -> u64 {
        match depth.checked_sub(1) {
            Some(depth) => values.map(|value| size(value, depth)).sum(),
            None => 1000,
        }
    };
    1 + match value {
        Value::List(list) => below(&mut list.items.iter()),
        Value::Map(entries) => below(&mut entries.iter().flat_map(|(key, value)| [key, value])),
        Value::Object(fields) => below(&mut fields.values()),
        Value::Optional(Some(inner)) => below(&mut std::iter::once(inner.as_ref())),
        value => u64::try_from(length(value)).unwrap_or(u64::MAX),
    }
}

/// The number of elements of a value; texts count by blocks, which is how they are copied and compared.
fn length(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len() / 16,
        Value::Bytes(bytes) => bytes.len() / 16,
        Value::List(list) => list.items.len(),
        Value::Map(entries) => entries.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    }
}

/// The size of what a function makes.
enum Size {
    Text(usize),
    List(usize),
}

fn result_size(function: &str, values: &[Value]) -> Option<Size> {
    Some(match (function, values) {
        ("_+_", [Value::Text(left), Value::Text(right)]) => {
            Size::Text(left.len().saturating_add(right.len()))
        }
        ("_+_", [Value::Bytes(left), Value::Bytes(right)]) => {
            Size::Text(left.len().saturating_add(right.len()))
        }
        ("_+_", [Value::List(left), Value::List(right)]) => {
            Size::List(left.items.len().saturating_add(right.items.len()))
        }
        ("replace", [Value::Text(text), Value::Text(part), Value::Text(new), ..]) => {
            let places = text.matches(part.as_ref()).count();
            Size::Text(text.len().saturating_add(places.saturating_mul(new.len())))
        }
        ("split", [Value::Text(text), Value::Text(separator), ..]) if !separator.is_empty() => {
            Size::List(text.matches(separator.as_ref()).count())
        }
        ("join", [Value::List(list), rest @ ..]) => {
            let texts = list.items.iter().map(|item| match item {
                Value::Text(text) => text.len(),
                _ => 0,
            });
            let separator = match rest {
                [Value::Text(separator)] => separator.len(),
                _ => 0,
            };
            let between = separator.saturating_mul(list.items.len());
            Size::Text(texts.fold(between, usize::saturating_add))
        }
        _ => return None,
    })
}
