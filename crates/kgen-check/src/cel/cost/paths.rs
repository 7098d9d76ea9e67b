//! Where the values of an expression lie in the schema, so that their limits can be looked up.
//!
//! Paths behave like the slices of Go that the estimator of the API server has for them: a path that grows may share its
//! memory with the one it grew from, and two that grow from the same one then overwrite each other's last step. The API
//! server looks up the wrong field in such a case, and its verdict depends on it.

use std::borrow::Cow;

use super::super::declared::{Declared, Sort};

/// A step of a path. The first one is a variable, and is not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Name(Cow<'a, str>),
    Items,
    Values,
    Keys,
    Indices,
}

/// The beginning of a shared list of steps.
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
    /// A path of one step.
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

    /// A path with one more step.
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

    /// The steps of a path as they are now.
    pub(super) fn steps(&self, path: Path) -> &[Step<'a>] {
        let memory = self.memories.get(path.memory);
        memory
            .and_then(|memory| memory.steps.get(..path.length))
            .unwrap_or_default()
    }
}

/// What the steps lead to, from what the rule stands on; nothing if they lead nowhere. The keys of maps have no limits.
pub(super) fn follow<'s>(root: Declared<'s>, steps: &[Step<'_>]) -> Option<Place<'s>> {
    let mut place = Place::Value(root);
    for step in steps.get(1..)? {
        let Place::Value(value) = place else { return None };
        place = match (step, value.sort()) {
            (Step::Items | Step::Values, Sort::List(part) | Sort::Map(part)) => Place::Value(part),
            (Step::Keys, Sort::Map(_)) => Place::Key,
            (Step::Name(name), Sort::Object) => Place::Value(value.field(name)?),
            _ => return None,
        };
    }
    Some(place)
}

/// Where a path leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'s> {
    Value(Declared<'s>),
    /// The key of a map, of which the API server says that it has no length.
    Key,
}
