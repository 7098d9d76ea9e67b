//! The tree of a template: YAML whose leaves are data or expressions, with conditions around nodes.
//!
//! [`Node::Data`] is opened only where an expression is put into it, so most of a manifest stays plain JSON. The module
//! `print` writes the tree.

use std::collections::BTreeMap;

use serde_json::Value;

/// A node of a template.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A value without expressions. Braces in it are escaped when it is printed.
    Data(Value),
    /// A map.
    Map(Vec<Entry>),
    /// A list.
    List(Vec<Item>),
    /// A string of several parts.
    Text(Vec<Part>),
    /// A string that an expression computes.
    Quoted(Expression),
    /// A number or boolean that an expression computes.
    Plain(Expression),
    /// A map or list that an expression computes.
    Block(Expression),
}

/// An entry of a map.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) node: Node,
    pub(crate) condition: Option<Condition>,
}

/// A part of a list.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) content: ItemContent,
    pub(crate) condition: Option<Condition>,
}

/// The content of a part of a list.
#[derive(Clone, Debug)]
pub(crate) enum ItemContent {
    /// One item.
    One(Node),
    /// All items of a list that an expression computes.
    All(Expression),
}

/// A part of a string.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Expression(Expression),
}

/// An expression of Go's template language. `$` is always the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// A value of `values.yaml`.
    Value(String),
    /// The name of an object of the chart, from its suffix.
    Name(String),
    /// The text of a helper of the chart.
    Include(&'static str),
    /// A map of labels that a helper computes from labels of the manifests.
    Labels(&'static str, BTreeMap<String, String>),
    /// The namespace of the release.
    Namespace,
    /// A variable of a loop.
    Variable(&'static str),
    /// The items of a list of strings, with commas.
    Joined(String),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A value is set: not empty, not zero, not false.
    Set(String),
    /// A value is this text.
    Is(String, &'static str),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    pub(crate) fn set(path: &str) -> Self {
        Self::Set(path.to_owned())
    }

    pub(crate) fn is(path: &str, text: &'static str) -> Self {
        Self::Is(path.to_owned(), text)
    }

    pub(crate) fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Returns a condition that holds if both hold.
    pub(crate) fn and(self, other: Option<Self>) -> Self {
        match other {
            None => self,
            Some(other) if other == self => self,
            Some(other) => {
                let mut all = match self {
                    Self::All(all) => all,
                    one => vec![one],
                };
                match other {
                    Self::All(more) => all.extend(more),
                    one => all.push(one),
                }
                Self::All(all)
            }
        }
    }
}

impl Expression {
    pub(crate) fn value(path: &str) -> Self {
        Self::Value(path.to_owned())
    }
}

impl Node {
    pub(crate) fn text(text: &str) -> Self {
        Self::Data(Value::String(text.to_owned()))
    }

    /// Turns data into a map or list of nodes, if it is one.
    fn open(&mut self) {
        let Self::Data(value) = self else { return };
        let opened = match value.take() {
            Value::Object(map) => Self::Map(
                map.into_iter()
                    .map(|(key, value)| Entry {
                        key,
                        node: Self::Data(value),
                        condition: None,
                    })
                    .collect(),
            ),
            Value::Array(items) => Self::List(
                items
                    .into_iter()
                    .map(|item| Item::one(Self::Data(item)))
                    .collect(),
            ),
            scalar => Self::Data(scalar),
        };
        *self = opened;
    }

    /// Returns the node at a path of keys.
    pub(crate) fn at(&mut self, path: &[&str]) -> Option<&mut Self> {
        let mut node = self;
        for key in path {
            node = node.get(key)?;
        }
        Some(node)
    }

    /// Returns the value of a key of a map.
    pub(crate) fn get(&mut self, key: &str) -> Option<&mut Self> {
        self.open();
        let Self::Map(entries) = self else { return None };
        let entry = entries.iter_mut().find(|entry| entry.key == key)?;
        Some(&mut entry.node)
    }

    /// Returns the items of a list; empty for other nodes.
    pub(crate) fn items(&mut self) -> &mut [Item] {
        self.list().map(Vec::as_mut_slice).unwrap_or_default()
    }

    /// Returns the list itself; `None` for other nodes.
    pub(crate) fn list(&mut self) -> Option<&mut Vec<Item>> {
        self.open();
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the text of a string without expressions; empty for other nodes.
    pub(crate) fn as_text(&self) -> &str {
        match self {
            Self::Data(Value::String(text)) => text,
            _ => "",
        }
    }

    /// Sets the value of a key. A value without entries becomes a map.
    pub(crate) fn set(&mut self, key: &str, node: Self) {
        self.set_if(None, key, node);
    }

    /// Sets the value of a key under a condition.
    pub(crate) fn set_if(&mut self, condition: Option<Condition>, key: &str, node: Self) {
        self.open();
        if !matches!(self, Self::Map(_)) {
            *self = Self::Map(Vec::new());
        }
        let Self::Map(entries) = self else { return };
        entries.retain(|entry| entry.key != key);
        entries.push(Entry {
            key: key.to_owned(),
            node,
            condition,
        });
        entries.sort_by(|left, right| left.key.cmp(&right.key));
    }

    /// Sets the value of a key to a map or list of `values.yaml`, if that is not empty.
    pub(crate) fn set_block(&mut self, key: &str, path: &str) {
        let block = Self::Block(Expression::value(path));
        self.set_if(Some(Condition::set(path)), key, block);
    }

    /// Adds a condition to an entry.
    pub(crate) fn guard(&mut self, key: &str, condition: Condition) {
        self.open();
        let Self::Map(entries) = self else { return };
        for entry in entries.iter_mut().filter(|entry| entry.key == key) {
            entry.condition = Some(condition.clone().and(entry.condition.take()));
        }
    }

    /// Removes an entry.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Self> {
        self.open();
        let Self::Map(entries) = self else { return None };
        let position = entries.iter().position(|entry| entry.key == key)?;
        Some(entries.remove(position).node)
    }

    /// Adds an item to the list at a key, which is created if it does not exist.
    pub(crate) fn push(&mut self, key: &str, item: Item) {
        if self.get(key).is_none() {
            self.set(key, Self::List(Vec::new()));
        }
        if let Some(list) = self.get(key) {
            list.open();
            if !matches!(list, Self::List(_)) {
                *list = Self::List(Vec::new());
            }
            if let Self::List(items) = list {
                items.push(item);
            }
        }
    }

    /// Returns the condition under which a map or list has content; `None` if it always has.
    pub(crate) fn has_content(&self) -> Option<Condition> {
        let conditions: Vec<Option<Condition>> = match self {
            Self::Map(entries) if !entries.is_empty() => {
                entries.iter().map(|entry| entry.condition.clone()).collect()
            }
            Self::List(items) if !items.is_empty() => {
                items.iter().map(|item| item.condition.clone()).collect()
            }
            _ => return None,
        };
        let mut all: Vec<Condition> = conditions.into_iter().collect::<Option<_>>()?;
        all.dedup();
        match all.len() {
            1 => all.pop(),
            _ => Some(Condition::Any(all)),
        }
    }
}

impl Item {
    pub(crate) fn one(node: Node) -> Self {
        Self {
            content: ItemContent::One(node),
            condition: None,
        }
    }

    /// Returns all items of a list of `values.yaml`.
    pub(crate) fn all_of(path: &str) -> Self {
        Self {
            content: ItemContent::All(Expression::value(path)),
            condition: Some(Condition::set(path)),
        }
    }

    pub(crate) fn when(mut self, condition: Condition) -> Self {
        self.condition = Some(condition.and(self.condition));
        self
    }

    /// Returns the node of a single item.
    pub(crate) fn node(&mut self) -> Option<&mut Node> {
        match &mut self.content {
            ItemContent::One(node) => Some(node),
            ItemContent::All(_) => None,
        }
    }
}

/// An object of a template, and when it is rendered.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) node: Node,
    pub(crate) condition: Option<Condition>,
    /// A list of values, and the variable: the object is rendered once for each item.
    pub(crate) each: Option<(&'static str, &'static str)>,
    /// A sentence before the object that ends the rendering.
    pub(crate) fails: Option<String>,
}
