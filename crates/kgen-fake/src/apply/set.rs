//! Sets of paths as tries.
//!
//! A node is an element, whether the path that ends there is a member, and the set below it. Nodes are sorted, so that union,
//! intersection and difference walk two sets side by side. Sets below a node are shared, because most operations keep most of
//! their input.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::element::Element;

/// A path in an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<Element>);

impl Path {
    /// Returns the path of nested fields.
    pub fn fields<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(Element::field).collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|element| element.fmt(formatter))
    }
}

/// A set of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// Sorted by element. Each node is a member or has members below it.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) element: Element,
    pub(crate) is_member: bool,
    /// `None` if no path continues.
    pub(crate) below: Option<Arc<Set>>,
}

impl Node {
    /// Returns `None` if nothing is left of the node.
    fn of(element: &Element, is_member: bool, below: Option<Arc<Set>>) -> Option<Self> {
        (is_member || below.is_some()).then(|| Self {
            element: element.clone(),
            is_member,
            below,
        })
    }
}

impl Set {
    /// Returns the empty set.
    pub const fn new() -> Self {
        Self { nodes: Vec::new() }
    }

    /// Returns the set of these paths. The empty path identifies the whole object, which nobody owns, and is left out.
    pub fn of(paths: impl IntoIterator<Item = Path>) -> Self {
        let mut set = Self::default();
        for path in paths {
            set.insert(&path.0);
        }
        set
    }

    /// Adds a path.
    pub fn insert(&mut self, path: &[Element]) {
        let Some((first, rest)) = path.split_first() else {
            return;
        };
        let place = match self.place(first) {
            Ok(place) => place,
            Err(place) => {
                let node = Node {
                    element: first.clone(),
                    is_member: false,
                    below: None,
                };
                self.nodes.insert(place, node);
                place
            }
        };
        if let Some(node) = self.nodes.get_mut(place) {
            if rest.is_empty() {
                node.is_member = true;
            } else {
                Arc::make_mut(node.below.get_or_insert_default()).insert(rest);
            }
        }
    }

    /// Adds a node whose element may already be present.
    pub(crate) fn add(&mut self, element: &Element, is_member: bool, below: Self) {
        let below = below.shared();
        if !is_member && below.is_none() {
            return;
        }
        let is_last = self.nodes.last().is_none_or(|last| last.element < *element);
        let place = if is_last {
            Err(self.nodes.len())
        } else {
            self.place(element)
        };
        match place {
            Err(place) => {
                let node = Node {
                    element: element.clone(),
                    is_member,
                    below,
                };
                self.nodes.insert(place, node);
            }
            Ok(place) => {
                if let Some(node) = self.nodes.get_mut(place) {
                    node.is_member |= is_member;
                    node.below = union(node.below.as_ref(), below.as_ref());
                }
            }
        }
    }

    fn place(&self, element: &Element) -> Result<usize, usize> {
        self.nodes.binary_search_by(|node| node.element.cmp(element))
    }

    fn shared(self) -> Option<Arc<Self>> {
        (!self.is_empty()).then(|| Arc::new(self))
    }

    /// Returns the node of an element.
    pub(crate) fn node(&self, element: &Element) -> Option<&Node> {
        self.place(element).ok().and_then(|place| self.nodes.get(place))
    }

    /// Returns the node of a field.
    pub(crate) fn field(&self, name: &str) -> Option<&Node> {
        let place = self.nodes.binary_search_by(|node| match &node.element {
            Element::Field(field) => field.as_bytes().cmp(name.as_bytes()),
            _ => Ordering::Greater,
        });
        place.ok().and_then(|place| self.nodes.get(place))
    }

    /// Adds a node whose element is greater than all others.
    pub(crate) fn push(&mut self, element: Element, is_member: bool, below: Self) {
        let below = below.shared();
        if is_member || below.is_some() {
            self.nodes.push(Node {
                element,
                is_member,
                below,
            });
        }
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns whether the set has no paths.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns whether a path is a member.
    pub fn contains(&self, path: &[Element]) -> bool {
        match path {
            [] => false,
            [last] => self.node(last).is_some_and(|node| node.is_member),
            [first, rest @ ..] => {
                let below = self.node(first).and_then(|node| node.below.as_ref());
                below.is_some_and(|below| below.contains(rest))
            }
        }
    }

    /// Returns whether all paths are members of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.nodes.iter().all(|node| {
            let Some(found) = other.node(&node.element) else {
                return false;
            };
            (found.is_member || !node.is_member)
                && match (&node.below, &found.below) {
                    (None, _) => true,
                    (Some(_), None) => false,
                    (Some(below), Some(others)) => Arc::ptr_eq(below, others) || below.is_subset(others),
                }
        })
    }

    /// Returns the paths that are in either set.
    pub fn union(&self, other: &Self) -> Self {
        self.combined(other, |left, right| match (left, right) {
            (Some(left), Some(right)) => Node::of(
                &left.element,
                left.is_member || right.is_member,
                union(left.below.as_ref(), right.below.as_ref()),
            ),
            (one, other) => one.or(other).cloned(),
        })
    }

    /// Returns the paths that are in both sets.
    pub fn intersection(&self, other: &Self) -> Self {
        self.combined(other, |left, right| {
            let (left, right) = (left?, right?);
            let below = match (&left.below, &right.below) {
                (Some(left), Some(right)) => left.intersection(right).shared(),
                _ => None,
            };
            Node::of(&left.element, left.is_member && right.is_member, below)
        })
    }

    /// Returns the paths that are not in `other`. Paths that continue a path of `other` are kept.
    pub fn difference(&self, other: &Self) -> Self {
        self.combined(other, |left, right| {
            let Some(right) = right else {
                return left.cloned();
            };
            let left = left?;
            let below = match (&left.below, &right.below) {
                (Some(left), Some(right)) => left.difference(right).shared(),
                (below, _) => below.clone(),
            };
            Node::of(&left.element, left.is_member && !right.is_member, below)
        })
    }

    /// Returns the paths that neither are in `other` nor continue a path of `other`.
    pub fn recursive_difference(&self, other: &Self) -> Self {
        self.combined(other, |left, right| {
            let Some(right) = right else {
                return left.cloned();
            };
            let left = left.filter(|_| !right.is_member)?;
            let below = match (&left.below, &right.below) {
                (Some(left), Some(right)) => left.recursive_difference(right).shared(),
                (below, _) => below.clone(),
            };
            Node::of(&left.element, left.is_member, below)
        })
    }

    /// Walks two sets side by side. `node` gets the nodes of an element in either set.
    fn combined(&self, other: &Self, node: impl Fn(Option<&Node>, Option<&Node>) -> Option<Node>) -> Self {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let (mut lefts, mut rights) = (self.nodes.iter().peekable(), other.nodes.iter().peekable());
        loop {
            let order = match (lefts.peek(), rights.peek()) {
                (Some(left), Some(right)) => left.element.cmp(&right.element),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let left = if order.is_le() { lefts.next() } else { None };
            let right = if order.is_ge() { rights.next() } else { None };
            nodes.extend(node(left, right));
        }
        Self { nodes }
    }

    /// Returns all paths in the order of the API server: the members at each level, then those below.
    pub fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        self.collect_paths(&mut Vec::new(), &mut paths);
        paths
    }

    fn collect_paths(&self, prefix: &mut Vec<Element>, paths: &mut Vec<Path>) {
        for node in self.nodes.iter().filter(|node| node.is_member) {
            let mut path = prefix.clone();
            path.push(node.element.clone());
            paths.push(Path(path));
        }
        for node in &self.nodes {
            if let Some(below) = &node.below {
                prefix.push(node.element.clone());
                below.collect_paths(prefix, paths);
                prefix.pop();
            }
        }
    }
}

/// Returns the union of two sets below the same element.
fn union(left: Option<&Arc<Set>>, right: Option<&Arc<Set>>) -> Option<Arc<Set>> {
    match (left, right) {
        (Some(left), Some(right)) if Arc::ptr_eq(left, right) => Some(Arc::clone(left)),
        (Some(left), Some(right)) => Some(Arc::new(left.union(right))),
        (one, other) => one.or(other).cloned(),
    }
}
