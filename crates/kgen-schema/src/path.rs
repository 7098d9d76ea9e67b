//! The path from the object to a value, in the two notations of the API server.
//!
//! A path is a chain on the stack and is turned into text only if there is an error.

use std::fmt::Write;

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// A property that the schema lists.
    Property(&'a str),
    /// A key of a map.
    Key(&'a str),
    /// An item of a list.
    Index(usize),
}

/// A step from a value to a part of it, as part of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A property or the key of a map.
    Name(String),
    /// An item of a list.
    Index(usize),
}

/// A path. Without a step it is the whole object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Option<Step<'a>>,
}

/// The path of the whole object.
pub(crate) const ROOT: Path<'static> = Path {
    parent: None,
    step: None,
};

impl<'a> Path<'a> {
    pub(crate) fn property(&'a self, name: &'a str) -> Self {
        self.step(Step::Property(name))
    }

    pub(crate) fn key(&'a self, name: &'a str) -> Self {
        self.step(Step::Key(name))
    }

    pub(crate) fn index(&'a self, index: usize) -> Self {
        self.step(Step::Index(index))
    }

    fn step(&'a self, step: Step<'a>) -> Self {
        Self {
            parent: Some(self),
            step: Some(step),
        }
    }

    pub(crate) fn is_root(&self) -> bool {
        self.step.is_none()
    }

    fn steps(&self) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        let mut next = Some(*self);
        while let Some(path) = next {
            steps.extend(path.step);
            next = path.parent.copied();
        }
        steps.reverse();
        steps
    }

    /// Returns the path as a list.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let segment = |step: Step<'_>| match step {
            Step::Property(name) | Step::Key(name) => Segment::Name(name.to_owned()),
            Step::Index(index) => Segment::Index(index),
        };
        self.steps().into_iter().map(segment).collect()
    }

    /// Returns the path in the notation of schema validation: `spec.labels.a`, `spec.ports[0]`; empty for the object.
    pub(crate) fn dotted(&self) -> String {
        let mut text = String::new();
        for step in self.steps() {
            match step {
                Step::Property(name) if text.is_empty() => text.push_str(name),
                Step::Property(name) | Step::Key(name) => {
                    text.push('.');
                    text.push_str(name);
                }
                Step::Index(index) => {
                    let _ = write!(text, "[{index}]");
                }
            }
        }
        text
    }

    /// Returns the path in the notation of all other checks: `spec.labels[a]`; `<nil>` for the object.
    pub(crate) fn bracketed(&self) -> String {
        let mut text = String::new();
        for step in self.steps() {
            match step {
                // A path has no name for an empty key, so that it looks like an index without a value.
                Step::Property("") => text.push_str("[]"),
                Step::Property(name) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(name);
                }
                Step::Key(name) => {
                    let _ = write!(text, "[{name}]");
                }
                Step::Index(index) => {
                    let _ = write!(text, "[{index}]");
                }
            }
        }
        if self.is_root() { "<nil>".to_owned() } else { text }
    }
}
