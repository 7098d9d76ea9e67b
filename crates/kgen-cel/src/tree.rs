//! An expression as a tree, in the form that `cel-go` checks: operators are calls, and macros are expanded.
//!
//! All nodes are in one list and refer to each other by index. So a deep tree is dropped without a deep stack, and the
//! results of the checker are a second list with the same indices.

use std::borrow::Cow;

/// The index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(u32);

impl Id {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An expression within a tree.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) expression: Expression<'a>,
    /// The offset of its first byte in the text.
    pub(super) start: usize,
    /// The offset of the operator, field or function name, which messages point at.
    pub(super) point: usize,
    /// The number of nodes on the longest path down from here.
    pub(super) height: usize,
}

/// The content of a node.
#[derive(Clone, Debug)]
pub(super) enum Expression<'a> {
    Literal(Literal<'a>),
    /// A variable or the name of a type, with the leading dot if the text has one.
    Name(Cow<'a, str>),
    /// A field of a value; with `test`, the test whether the field exists.
    Select {
        operand: Id,
        field: Cow<'a, str>,
        test: bool,
    },
    Call {
        function: Cow<'a, str>,
        target: Option<Id>,
        arguments: Vec<Id>,
    },
    List(Vec<Item>),
    Map(Vec<Entry>),
    /// A message. Only the values of its fields matter.
    Message {
        name: String,
        fields: Vec<Id>,
    },
    Comprehension(Box<Comprehension<'a>>),
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Cow<'a, str>),
    Bytes(Vec<u8>),
}

impl Literal<'_> {
    fn into_owned(self) -> Literal<'static> {
        match self {
            Self::Null => Literal::Null,
            Self::Bool(value) => Literal::Bool(value),
            Self::Int(value) => Literal::Int(value),
            Self::Uint(value) => Literal::Uint(value),
            Self::Double(value) => Literal::Double(value),
            Self::Text(text) => Literal::Text(owned(text)),
            Self::Bytes(bytes) => Literal::Bytes(bytes),
        }
    }
}

/// An item of a list. An optional item without a value is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) value: Id,
    pub(super) optional: bool,
}

/// An entry of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: Id,
    pub(super) value: Id,
    pub(super) optional: bool,
}

/// A loop over a list or map. Most macros expand to one.
#[derive(Clone, Debug)]
pub(super) struct Comprehension<'a> {
    pub(super) range: Id,
    pub(super) variable: Cow<'a, str>,
    pub(super) second_variable: Option<Cow<'a, str>>,
    pub(super) accumulator: Cow<'a, str>,
    pub(super) start: Id,
    pub(super) condition: Id,
    pub(super) step: Id,
    pub(super) result: Id,
}

/// The most nodes that a tree may have after a copy. Nested macros that copy their operand would exceed any limit.
const MOST_NODES: usize = 100_000;

/// All nodes of an expression.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    root: Option<Id>,
    /// Whether a copy is missing because it was too large. Such a tree must not be used.
    cut: bool,
}

impl<'a> Tree<'a> {
    /// Adds a node whose parts already exist.
    pub(super) fn add(&mut self, expression: Expression<'a>, start: usize, point: usize) -> Id {
        let mut height = 0;
        expression.each_part(|part| height = height.max(self.height(part)));
        let id = Id(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            expression,
            start,
            point,
            height: height + 1,
        });
        id
    }

    pub(super) fn get(&self, id: Id) -> Option<&Node<'a>> {
        self.nodes.get(id.index())
    }

    pub(super) fn expression(&self, id: Id) -> Option<&Expression<'a>> {
        self.get(id).map(|node| &node.expression)
    }

    /// Replaces a node; the checker does this when it has resolved a name.
    pub(super) fn replace(&mut self, id: Id, expression: Expression<'a>) {
        if let Some(node) = self.nodes.get_mut(id.index()) {
            node.expression = expression;
        }
    }

    pub(super) fn set_root(&mut self, id: Id) {
        self.root = Some(id);
    }

    /// Returns the root, or `None` if the tree is cut.
    pub(super) fn root(&self) -> Option<Id> {
        self.root.filter(|_| !self.cut)
    }

    /// Returns whether a name in the tree refers to a variable, with or without a dot in front of it.
    pub(super) fn mentions(&self, variable: &str) -> bool {
        self.nodes.iter().any(|node| {
            matches!(&node.expression, Expression::Name(name) if name.trim_start_matches('.') == variable)
        })
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn height(&self, id: Id) -> usize {
        self.get(id).map_or(0, |node| node.height)
    }

    pub(super) fn start(&self, id: Id) -> usize {
        self.get(id).map_or(0, |node| node.start)
    }

    pub(super) fn point(&self, id: Id) -> usize {
        self.get(id).map_or(0, |node| node.point)
    }

    /// Returns names that are joined by dots as one string, or `None` for other expressions.
    pub(super) fn dotted_name(&self, id: Id) -> Option<String> {
        let mut parts = Vec::new();
        let mut next = id;
        loop {
            match self.expression(next)? {
                Expression::Name(name) => {
                    parts.push(name.as_ref());
                    parts.reverse();
                    return Some(parts.join("."));
                }
                Expression::Select {
                    operand,
                    field,
                    test: false,
                } => {
                    parts.push(field.as_ref());
                    next = *operand;
                }
                _ => return None,
            }
        }
    }

    /// Copies an expression with all its nodes.
    ///
    /// Parts always come before the whole, so one pass over the nodes in their order is enough.
    pub(super) fn copy(&mut self, id: Id) -> Id {
        let mut parts = vec![id];
        let mut next = 0;
        while let Some(part) = parts.get(next).copied() {
            if let Some(expression) = self.expression(part) {
                expression.each_part(|part| parts.push(part));
            }
            next += 1;
            if self.nodes.len() + parts.len() > MOST_NODES {
                self.cut = true;
                return id;
            }
        }
        parts.sort_unstable_by_key(|part| part.0);
        parts.dedup();
        let mut copies: Vec<(Id, Id)> = Vec::with_capacity(parts.len());
        for part in parts {
            let Some(node) = self.get(part).cloned() else {
                continue;
            };
            let expression = node.expression.with_parts(|part| {
                let found = copies.binary_search_by_key(&part.0, |(from, _)| from.0);
                found
                    .ok()
                    .and_then(|found| copies.get(found))
                    .map_or(part, |(_, to)| *to)
            });
            let to = self.add(expression, node.start, node.point);
            copies.push((part, to));
        }
        copies.last().map_or(id, |(_, to)| *to)
    }
}

impl Tree<'_> {
    /// Copies the texts that the tree borrows.
    pub(super) fn into_owned(self) -> Tree<'static> {
        let node = |node: Node<'_>| Node {
            expression: node.expression.into_owned(),
            start: node.start,
            point: node.point,
            height: node.height,
        };
        Tree {
            nodes: self.nodes.into_iter().map(node).collect(),
            root: self.root,
            cut: self.cut,
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

impl Expression<'_> {
    /// Copies the texts that the expression borrows.
    fn into_owned(self) -> Expression<'static> {
        match self {
            Self::Literal(literal) => Expression::Literal(literal.into_owned()),
            Self::Name(name) => Expression::Name(owned(name)),
            Self::Select { operand, field, test } => Expression::Select {
                operand,
                field: owned(field),
                test,
            },
            Self::Call {
                function,
                target,
                arguments,
            } => Expression::Call {
                function: owned(function),
                target,
                arguments,
            },
            Self::List(items) => Expression::List(items),
            Self::Map(entries) => Expression::Map(entries),
            Self::Message { name, fields } => Expression::Message { name, fields },
            Self::Comprehension(parts) => Expression::Comprehension(Box::new(Comprehension {
                range: parts.range,
                variable: owned(parts.variable),
                second_variable: parts.second_variable.map(owned),
                accumulator: owned(parts.accumulator),
                start: parts.start,
                condition: parts.condition,
                step: parts.step,
                result: parts.result,
            })),
        }
    }

    /// Visits the direct parts of this expression.
    pub(super) fn each_part(&self, mut visit: impl FnMut(Id)) {
        match self {
            Self::Literal(_) | Self::Name(_) => {}
            Self::Select { operand, .. } => visit(*operand),
            Self::Call {
                target, arguments, ..
            } => target.iter().chain(arguments).copied().for_each(visit),
            Self::List(items) => items.iter().for_each(|item| visit(item.value)),
            Self::Map(entries) => {
                for entry in entries {
                    visit(entry.key);
                    visit(entry.value);
                }
            }
            Self::Message { fields, .. } => fields.iter().copied().for_each(visit),
            Self::Comprehension(parts) => [
                parts.range,
                parts.start,
                parts.condition,
                parts.step,
                parts.result,
            ]
            .into_iter()
            .for_each(visit),
        }
    }

    /// Replaces the parts of this expression.
    fn with_parts(mut self, other: impl Fn(Id) -> Id) -> Self {
        match &mut self {
            Self::Literal(_) | Self::Name(_) => {}
            Self::Select { operand, .. } => *operand = other(*operand),
            Self::Call {
                target, arguments, ..
            } => {
                for part in target.iter_mut().chain(arguments) {
                    *part = other(*part);
                }
            }
            Self::List(items) => items.iter_mut().for_each(|item| item.value = other(item.value)),
            Self::Map(entries) => {
                for entry in entries {
                    entry.key = other(entry.key);
                    entry.value = other(entry.value);
                }
            }
            Self::Message { fields, .. } => {
                fields.iter_mut().for_each(|field| *field = other(*field));
            }
            Self::Comprehension(parts) => {
                for part in [
                    &mut parts.range,
                    &mut parts.start,
                    &mut parts.condition,
                    &mut parts.step,
                    &mut parts.result,
                ] {
                    *part = other(*part);
                }
            }
        }
        self
    }
}
