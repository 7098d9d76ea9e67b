//! Lists, also those whose order does not matter.

use std::sync::Arc;

use super::meter::Meter;
use super::value::all_equal;
use super::{EvaluateError, Outcome, Value};

/// A list.
#[derive(Debug, PartialEq)]
pub struct List {
    items: Vec<Value>,
    order: Order,
}

/// How a list is compared and joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// By its order; the list is a result of an expression.
    Plain,
    /// By its order; the list is a value of a schema.
    Schema,
    /// As a set: `x-kubernetes-list-type: set`.
    Set,
    /// By these keys: `x-kubernetes-list-type: map`.
    Map(Arc<[String]>),
}

impl List {
    pub(super) fn new(items: Vec<Value>, order: Order) -> Self {
        Self { items, order }
    }

    /// Returns the items.
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    pub(super) fn is_of_schema(&self) -> bool {
        self.order != Order::Plain
    }

    /// Returns whether two lists are equal. The left one decides whether the order matters.
    pub(super) fn equals(&self, other: &Self, meter: &mut Meter) -> Outcome<bool> {
        if self.items.len() != other.items.len() {
            return Ok(false);
        }
        match &self.order {
            Order::Plain | Order::Schema => all_equal(self.items.iter().zip(&other.items), meter),
            // Keys are unique, so lists with keys are equal if they have the same items.
            Order::Set | Order::Map(_) => {
                Ok(self.holds_all_of(other, meter)? && other.holds_all_of(self, meter)?)
            }
        }
    }

    fn holds_all_of(&self, other: &Self, meter: &mut Meter) -> Outcome<bool> {
        for item in &other.items {
            let mut found = false;
            for own in &self.items {
                found = found || own.equals(item, meter)?;
            }
            if !found {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Joins two lists. In a set, items that already exist are left out; in a list with keys, they are replaced.
    pub(super) fn joined(&self, other: &Self, meter: &mut Meter) -> Outcome {
        meter.allocate_items(self.items.len().saturating_add(other.items.len()))?;
        match &self.order {
            Order::Plain | Order::Schema => {
                let items = self.items.iter().chain(&other.items);
                Ok(Value::list(items.cloned().collect()))
            }
            Order::Set => {
                let mut items = self.items.clone();
                'others: for item in &other.items {
                    for known in &items {
                        if known.equals(item, meter)? {
                            continue 'others;
                        }
                    }
                    items.push(item.clone());
                }
                Ok(Value::List(Arc::new(Self::new(items, Order::Set))))
            }
            Order::Map(keys) => {
                let mut items = self.items.clone();
                for item in &other.items {
                    let mut place = None;
                    for (index, known) in items.iter().enumerate() {
                        if has_same_keys(known, item, keys, meter)? {
                            place = Some(index);
                        }
                    }
                    match place.and_then(|place| items.get_mut(place)) {
                        Some(known) => *known = item.clone(),
                        None => items.push(item.clone()),
                    }
                }
                Ok(Value::List(Arc::new(Self::new(items, self.order.clone()))))
            }
        }
    }
}

fn has_same_keys(left: &Value, right: &Value, keys: &[String], meter: &mut Meter) -> Outcome<bool> {
    let (Value::Object(left), Value::Object(right)) = (left, right) else {
        return Err(EvaluateError::NotKnown);
    };
    if keys.is_empty() {
        return Err(EvaluateError::NotKnown);
    }
    for key in keys {
        let is_same = match (left.get(key), right.get(key)) {
            (Some(left), Some(right)) => left.equals(right, meter)?,
            (left, right) => left.is_none() && right.is_none(),
        };
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}
