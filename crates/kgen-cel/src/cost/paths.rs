//! The paths of values in the schema, which lead to their limits.
//!
//! Paths behave like the Go slices of the API server's estimator. A longer path may share its memory with the path that it
//! extends, so that two extensions of the same path overwrite each other's last step. In such a case the API server looks
//! up the wrong field, and its verdict depends on it.

use std::borrow::Cow;

use crate::declared::{Declared, Shape};
use crate::schema::Schema;

/// A step of a path. The first one is a variable, whose name is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Name(Cow<'a, str>),
    Items,
    Values,
    Keys,
    Indices,
}

/// A prefix of a shared list of steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    memory: usize,
    length: usize,
}

/// The steps of all paths of an expression.
#[derive(Debug, Default)]
pub(super) struct Paths<'a> {
    memories: Vec<Memory<'a>>,
}

#[derive(Debug)]
struct Memory<'a> {
    steps: Vec<Step<'a>>,
    capacity: usize,
}

impl<'a> Paths<'a> {
    /// Creates a path of one step.
    pub(super) fn start(&mut self, step: Step<'a>) -> Path {
        self.allocate(vec![step], 1)
    }

    fn allocate(&mut self, steps: Vec<Step<'a>>, capacity: usize) -> Path {
        let length = steps.len();
        self.memories.push(Memory { steps, capacity });
        Path {
            memory: self.memories.len() - 1,
            length,
        }
    }

    /// Extends a path by one step.
    pub(super) fn grown(&mut self, path: Option<Path>, step: Step<'a>) -> Path {
        let Some(path) = path else { return self.start(step) };
        let Some(memory) = self.memories.get_mut(path.memory) else {
            return self.start(step);
        };
        if path.length < memory.capacity {
            match memory.steps.get_mut(path.length) {
                Some(slot) => *slot = step,
                None => memory.steps.push(step),
            }
            return Path {
                length: path.length + 1,
                ..path
            };
        }
        let mut steps: Vec<_> = memory.steps.iter().take(path.length).cloned().collect();
        let capacity = (memory.capacity * 2).max(1);
        steps.push(step);
        self.allocate(steps, capacity)
    }

    /// Returns the current steps of a path.
    pub(super) fn steps(&self, path: Path) -> &[Step<'a>] {
        let memory = self.memories.get(path.memory);
        memory
            .and_then(|memory| memory.steps.get(..path.length))
            .unwrap_or_default()
    }
}

/// Follows the steps from the value of the rule. Returns `None` if they do not lead to a declared value.
pub(super) fn follow<S: Schema>(root: Declared<S>, steps: &[Step<'_>]) -> Option<Place<S>> {
    let mut place = Place::Value(root);
    for step in steps.get(1..)? {
        let Place::Value(value) = place else { return None };
        place = match (step, value.shape()) {
            (Step::Items | Step::Values, Shape::List(part) | Shape::Map(part)) => Place::Value(part),
            (Step::Keys, Shape::Map(_)) => Place::Key,
            (Step::Name(name), Shape::Object) => Place::Value(value.field(name)?),
            _ => return None,
        };
    }
    Some(place)
}

/// The target of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<S> {
    Value(Declared<S>),
    /// The key of a map, for which the API server assumes the length 0.
    Key,
}
