//! The order of lists that a strategic merge patch merges.
//!
//! Items of the patch have the order of the patch. The other items keep their order, and come before the items of the patch that
//! they came before.

use serde_json::Value;

use super::go_value;
use super::strategic::{StrategicPatchError, failed};

type Outcome<T> = Result<T, StrategicPatchError>;

/// A list: of objects, if it has a merge key, or of other values.
pub(super) struct List<'k> {
    key: Option<&'k str>,
}

pub(super) fn no_merge_key<T>(item: &Value, key: &str) -> Outcome<T> {
    failed(format!(
        "map: {} does not contain declared merge key: {key}",
        go_value(item)
    ))
}

impl<'k> List<'k> {
    pub(super) fn of(key: Option<&'k str>) -> Self {
        Self { key }
    }

    pub(super) fn key(&self) -> Option<&'k str> {
        self.key
    }

    /// Returns what identifies an item.
    fn identity<'v>(&self, item: &'v Value) -> Option<&'v Value> {
        match self.key {
            Some(key) => item.get(key),
            None => Some(item),
        }
    }

    fn position(&self, list: &[Value], item: &Value) -> Option<usize> {
        list.iter()
            .position(|other| self.identity(other) == self.identity(item))
    }

    /// Separates the items that a list names from the others.
    pub(super) fn split(&self, items: Vec<Value>, named: &[Value]) -> Outcome<(Vec<Value>, Vec<Value>)> {
        if let Some(key) = self.key
            && let Some(item) = items.iter().find(|item| item.get(key).is_none())
        {
            return no_merge_key(item, key);
        }
        Ok(items
            .into_iter()
            .partition(|item| self.position(named, item).is_some()))
    }

    /// Joins the items of the patch and those of the server.
    pub(super) fn arrange(
        &self,
        from_patch: Vec<Value>,
        from_server: Vec<Value>,
        patch_order: &[Value],
        server_order: &[Value],
    ) -> Outcome<Vec<Value>> {
        let right = self.sorted(from_patch, patch_order)?;
        let left = self.sorted(from_server, server_order)?;
        let mut joined = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
            let places = (
                self.position(server_order, one),
                self.position(server_order, other),
            );
            let is_before = matches!(places, (Some(one), Some(other)) if one < other);
            joined.extend(if is_before { left.next() } else { right.next() });
        }
        joined.extend(left);
        joined.extend(right);
        Ok(joined)
    }

    /// Sorts items as another list. Like Go's insertion sort, it moves an item to the front if the list does not have it.
    fn sorted(&self, mut items: Vec<Value>, order: &[Value]) -> Outcome<Vec<Value>> {
        if let Some(key) = self.key
            && let Some(item) = items.iter().chain(order).find(|item| item.get(key).is_none())
        {
            return no_merge_key(item, key);
        }
        for end in 1..items.len() {
            for place in (1..=end).rev() {
                let (Some(one), Some(before)) = (items.get(place), items.get(place - 1)) else {
                    break;
                };
                let places = (self.position(order, one), self.position(order, before));
                if matches!(places, (Some(one), Some(before)) if one >= before) {
                    break;
                }
                items.swap(place, place - 1);
            }
        }
        Ok(items)
    }
}

/// Checks that a list of items has the order that the patch sets, and no other items.
pub(super) fn check(list: &List<'_>, items: &[Value], wanted: &[Value]) -> Outcome<()> {
    if wanted.is_empty() || items.is_empty() {
        return Ok(());
    }
    let mut rest = wanted.iter();
    for item in items.iter().filter(|item| item.get("$patch").is_none()) {
        if let Some(key) = list.key
            && let Some(item) = [item]
                .into_iter()
                .chain(wanted)
                .find(|item| item.get(key).is_none())
        {
            return no_merge_key(item, key);
        }
        if !rest.any(|wanted| list.identity(wanted) == list.identity(item)) {
            return failed(format!(
                "The order in patch list:\n{}\n doesn't match $setElementOrder list:\n{}\n",
                go_value(&Value::from(items.to_vec())),
                go_value(&Value::from(wanted.to_vec()))
            ));
        }
    }
    Ok(())
}
