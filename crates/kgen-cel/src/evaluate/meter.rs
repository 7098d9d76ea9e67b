//! Counts the cost of an evaluation and the memory of its intermediate values, and stops it at the limits.
//!
//! The cost is never higher than the one that the runtime cost tracker of `cel-go` counts, so an evaluation that is
//! stopped here is also stopped by the API server. Where the cost there depends on something that is not known here,
//! the lower cost counts.

use crate::limits::{EVALUATION_COST, OBJECT_COST};

use super::{EvaluateError, Outcome};

/// The most work, which bounds the time for everything that costs nothing: nodes, comparisons, and costs that do not count.
const MOST_WORK: u64 = 8 * EVALUATION_COST;
/// The maximum memory of all intermediate strings and lists together, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The cost that is left for expressions that are evaluated for the same object.
///
/// ```
/// use kgen_cel::{Budget, Environment, EvaluateError, Expression, OpenApi, Value};
/// use serde_json::json;
///
/// let schema = json!({"type": "array", "items": {"type": "integer"}});
/// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
/// let checked = Expression::parse("self.all(size, size > 0)")?.check(&environment)?;
/// let bindings = environment.bind([("self", &json!([1, 2, 3]))]);
///
/// let mut budget = Budget::new(25);
/// assert_eq!(checked.evaluate_within(&bindings, &mut budget)?, Value::Bool(true));
/// assert!(budget.remaining() < 25);
/// let second = checked.evaluate_within(&bindings, &mut budget);
/// assert_eq!(second, Err(EvaluateError::CostExceeded));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    remaining: u64,
}

impl Default for Budget {
    /// Returns the budget that the API server has for one object, [`limits::OBJECT_COST`](OBJECT_COST).
    fn default() -> Self {
        Self::new(OBJECT_COST)
    }
}

impl Budget {
    /// Returns a budget of this cost.
    pub fn new(cost: u64) -> Self {
        Self { remaining: cost }
    }

    /// Returns the cost that is left.
    pub fn remaining(&self) -> u64 {
        self.remaining
    }
}

/// The counts of one evaluation.
#[derive(Debug)]
pub(super) struct Meter {
    limit: u64,
    cost: u64,
    work: u64,
    bytes: usize,
    /// Whether the API server may have taken a cheaper way, so that the cost proves nothing anymore.
    uncertain: bool,
    /// The number of open parts that the API server may not count.
    free_parts: usize,
    stopped: Option<EvaluateError>,
}

impl Meter {
    pub(super) fn new(budget: &Budget) -> Self {
        Self {
            limit: budget.remaining.min(EVALUATION_COST),
            cost: 0,
            work: 0,
            bytes: 0,
            uncertain: false,
            free_parts: 0,
            stopped: None,
        }
    }

    /// Subtracts the cost from the budget, and returns the outcome of the evaluation, which is an error if it was stopped.
    pub(super) fn settle<T>(self, outcome: Outcome<T>, budget: &mut Budget) -> Outcome<T> {
        budget.remaining = budget.remaining.saturating_sub(self.cost);
        match self.stopped {
            Some(stopped) => Err(stopped),
            None => outcome,
        }
    }

    /// Counts a node, or the comparison of two values. Once the evaluation is stopped, no node has a value.
    pub(super) fn step(&mut self) -> Outcome<()> {
        self.work(1)?;
        self.running()
    }

    /// Returns the error that stopped the evaluation.
    pub(super) fn running(&self) -> Outcome<()> {
        self.stopped.clone().map_or(Ok(()), Err)
    }

    pub(super) fn spend(&mut self, cost: u64) -> Outcome<()> {
        self.work(cost)?;
        self.cost = self.cost.saturating_add(cost);
        if self.cost <= self.limit {
            return Ok(());
        }
        self.stop(if self.uncertain || self.free_parts > 0 {
            EvaluateError::NotKnown
        } else {
            EvaluateError::CostExceeded
        })
    }

    fn work(&mut self, work: u64) -> Outcome<()> {
        self.work = self.work.saturating_add(work);
        if self.work <= MOST_WORK {
            return Ok(());
        }
        self.stop(EvaluateError::NotKnown)
    }

    /// Counts the memory of a value before it is built.
    pub(super) fn allocate(&mut self, bytes: usize) -> Outcome<()> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes <= MOST_BYTES {
            return Ok(());
        }
        self.stop(EvaluateError::NotKnown)
    }

    /// Counts the memory of a list before it is built.
    pub(super) fn allocate_items(&mut self, count: usize) -> Outcome<()> {
        self.allocate(count.saturating_mul(size_of::<super::Value>()))
    }

    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    /// Goes back to an earlier cost, because the API server may not count the part since then.
    pub(super) fn refund_to(&mut self, cost: u64) {
        self.cost = cost;
    }

    /// Begins a part that the API server may not count. Returns the cost to end it with.
    pub(super) fn begin_free(&mut self) -> u64 {
        self.free_parts += 1;
        self.cost
    }

    /// Ends a part that the API server may not count.
    pub(super) fn end_free(&mut self, before: u64) {
        self.free_parts = self.free_parts.saturating_sub(1);
        self.refund_to(before);
    }

    /// Records that the API server may take a cheaper way from here on.
    pub(super) fn set_uncertain(&mut self) {
        self.uncertain = true;
    }

    fn stop(&mut self, error: EvaluateError) -> Outcome<()> {
        Err(self.stopped.get_or_insert(error).clone())
    }
}
