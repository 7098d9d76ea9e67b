//! Estimates the most that a rule can cost, as the API server does before it accepts a CRD.
//!
//! Mirrors the estimator of `cel-go`, node by node, with the sizes that follow from the schema and the costs that
//! Kubernetes gives to the functions of its libraries (`library.rs`). Where versions of Kubernetes differ, the lower cost
//! counts.

mod library;
mod overloads;
mod paths;
mod range;
mod sizes;
mod unlimited;

use std::borrow::Cow;
use std::cell::RefCell;

use crate::schema::Schema;

use super::checker::Typed;
use super::declared::Declared;
use super::macros::ACCUMULATOR;
use super::tree::{Comprehension, Entry, Expression, Id, Item, Literal, Tree};
use super::types::{Type, TypeId};
use paths::{Path, Paths, Step};
use range::Range;

pub use unlimited::{Unlimited, limiting_keyword};

pub(super) use unlimited::reasons;

/// The costs of creating a list, a map or a message.
const LIST: Range = Range::exactly(10);
const MAP: Range = Range::exactly(30);
const MESSAGE: Range = Range::exactly(40);

/// Returns the most that an expression can cost.
pub(super) fn estimate<S: Schema>(checked: &Typed<'_>, root: Id, value: Option<Declared<S>>) -> u64 {
    estimator(checked, value).cost(root).most
}

fn estimator<'c, 'a, S: Schema>(checked: &'c Typed<'a>, value: Option<Declared<S>>) -> Estimator<'c, 'a, S> {
    let count = checked.tree.len();
    Estimator {
        checked,
        value,
        paths: Paths::default(),
        node_paths: vec![None; count],
        sizes: vec![None; count],
        entries: vec![None; count],
        variables: Vec::new(),
        is_watching: false,
        unlimited: RefCell::new(Vec::new()),
        small: None,
    }
}

/// The sizes of the keys and values of a list or map.
#[derive(Clone, Copy, Debug)]
struct EntrySize {
    is_list: bool,
    key: Range,
    value: Range,
}

impl EntrySize {
    fn joined(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (one, other) = (one?, other?);
        Some(Self {
            is_list: one.is_list,
            key: one.key.joined(other.key),
            value: one.value.joined(other.value),
        })
    }
}

/// A variable of a macro.
#[derive(Clone, Debug)]
struct Variable<'a> {
    name: Cow<'a, str>,
    path: Option<Path>,
    size: Option<Range>,
    entries: Option<EntrySize>,
}

/// An argument of a call, with everything that the cost can depend on.
#[derive(Clone, Copy, Debug)]
struct Argument {
    id: Id,
    path: Option<Path>,
    type_id: TypeId,
    size: Option<Range>,
}

/// The cost of a call, and the size of its result if it is known.
#[derive(Clone, Copy, Debug)]
struct CallCost {
    cost: Range,
    result: Option<Range>,
}

impl CallCost {
    fn of(cost: Range) -> Self {
        Self { cost, result: None }
    }

    fn with_result(cost: Range, result: Range) -> Self {
        Self {
            cost,
            result: Some(result),
        }
    }
}

struct Estimator<'c, 'a, S> {
    checked: &'c Typed<'a>,
    /// The value that the rule is evaluated for; `None` if the sizes of variables are not known.
    value: Option<Declared<S>>,
    paths: Paths<'a>,
    node_paths: Vec<Option<Path>>,
    sizes: Vec<Option<Range>>,
    entries: Vec<Option<EntrySize>>,
    variables: Vec<Variable<'a>>,
    /// Whether schemas without limits are collected.
    is_watching: bool,
    unlimited: RefCell<Vec<Unlimited<S>>>,
    /// A schema that counts as limited to one element.
    small: Option<S>,
}

impl<'c, 'a, S: Schema> Estimator<'c, 'a, S> {
    fn tree(&self) -> &'c Tree<'a> {
        &self.checked.tree
    }

    fn cost(&mut self, id: Id) -> Range {
        let Some(expression) = self.tree().expression(id) else {
            return Range::NONE;
        };
        match expression {
            Expression::Literal(_) => Range::NONE,
            Expression::Name(name) => self.name(id, name.clone()),
            Expression::Select {
                operand, test: true, ..
            } => self.cost(*operand),
            Expression::Select { operand, field, .. } => self.select(id, *operand, field.clone()),
            Expression::Call {
                function,
                target,
                arguments,
            } => self.call(id, function, *target, arguments),
            Expression::List(items) => self.list(id, items),
            Expression::Map(entries) => self.map(id, entries),
            Expression::Message { fields, .. } => fields
                .iter()
                .fold(MESSAGE, |sum, field| sum.plus(self.cost(*field))),
            Expression::Comprehension(comprehension) => {
                if self.is_binding(comprehension) {
                    self.binding(id, comprehension)
                } else {
                    self.comprehension(id, comprehension)
                }
            }
        }
    }

    fn name(&mut self, id: Id, name: Cow<'a, str>) -> Range {
        let path = match self.variable(&name) {
            Some(variable) => variable.path,
            None => Some(self.paths.start(Step::Name(name))),
        };
        self.set_path(id, path);
        Range::ONE
    }

    fn select(&mut self, id: Id, operand: Id, field: Cow<'a, str>) -> Range {
        let mut sum = self.cost(operand);
        if matches!(
            self.checked.type_of(operand),
            Type::Map(..) | Type::Object(_) | Type::Named(_)
        ) {
            sum = sum.plus(Range::ONE);
        }
        let path = self.path(operand);
        let path = self.paths.grown(path, Step::Name(field));
        self.set_path(id, Some(path));
        sum
    }

    fn call(&mut self, id: Id, function: &str, target: Option<Id>, arguments: &[Id]) -> Range {
        if let ("dyn", [argument]) = (function, arguments) {
            let cost = self.cost(*argument);
            self.copy_sizes(id, *argument);
            return cost.plus(Range::ONE);
        }
        let mut costs = Vec::with_capacity(arguments.len());
        let mut seen = Vec::with_capacity(arguments.len());
        for argument in arguments {
            costs.push(self.cost(*argument));
            seen.push(self.argument(*argument));
        }
        let overloads: Vec<_> = self.checked.overloads(id).collect();
        if overloads.is_empty() {
            return Range::NONE;
        }
        let (mut sum, mut seen_target) = (Range::NONE, None);
        if let Some(target) = target {
            sum = self.cost(target);
            seen_target = Some(self.argument(target));
        }
        let call = Call {
            id,
            function,
            target: seen_target,
            arguments: &seen,
            costs: &costs,
        };
        let mut cost = Range::EMPTY;
        let mut size: Option<Range> = None;
        for overload in overloads {
            let one = self.overload(&call, overload.id);
            cost = cost.joined(one.cost);
            size = match (size, one.result) {
                (Some(before), Some(result)) => Some(before.joined(result)),
                (before, result) => before.or(result),
            };
            let step = match overload.id {
                "index_list" => Some(Step::Items),
                "index_map" => Some(Step::Values),
                _ => None,
            };
            if let (Some(step), Some(container)) = (step, arguments.first()) {
                size = self.entry_size(*container).map(|entries| entries.value);
                let path = self.path(*container);
                let path = self.paths.grown(path, step);
                self.set_path(id, Some(path));
            }
            if size.is_none() {
                size = self.size(id);
            }
        }
        self.set_size(id, size);
        sum.plus(cost)
    }

    fn list(&mut self, id: Id, items: &[Item]) -> Range {
        let mut sum = LIST;
        let mut value = Range::EMPTY;
        if items.is_empty() {
            value.least = 0;
        }
        for item in items {
            sum = sum.plus(self.cost(item.value));
            value = value.joined(self.size_or_unknown(item.value));
        }
        let key = Range::ONE;
        self.set_entries(
            id,
            Some(EntrySize {
                is_list: true,
                key,
                value,
            }),
        );
        sum
    }

    fn map(&mut self, id: Id, entries: &[Entry]) -> Range {
        let mut sum = MAP;
        let (mut key, mut value) = (Range::EMPTY, Range::EMPTY);
        if entries.is_empty() {
            (key.least, value.least) = (0, 0);
        }
        for entry in entries {
            sum = sum.plus(self.cost(entry.key)).plus(self.cost(entry.value));
            key = key.joined(self.size_or_unknown(entry.key));
            value = value.joined(self.size_or_unknown(entry.value));
        }
        self.set_entries(
            id,
            Some(EntrySize {
                is_list: false,
                key,
                value,
            }),
        );
        sum
    }

    /// Returns whether a comprehension only binds a value to a name.
    fn is_binding(&self, comprehension: &Comprehension<'_>) -> bool {
        let range = self.tree().expression(comprehension.range);
        let condition = self.tree().expression(comprehension.condition);
        matches!(range, Some(Expression::List(items)) if items.is_empty())
            && matches!(condition, Some(Expression::Literal(Literal::Bool(false))))
    }

    fn binding(&mut self, id: Id, comprehension: &Comprehension<'a>) -> Range {
        let mut sum = self.cost(comprehension.range);
        sum = sum.plus(self.cost(comprehension.start));
        self.declare_accumulator(comprehension);
        sum = sum.plus(self.cost(comprehension.result));
        self.variables.pop();
        self.copy_sizes(id, comprehension.result);
        sum
    }

    fn comprehension(&mut self, id: Id, comprehension: &Comprehension<'a>) -> Range {
        let mut sum = self.cost(comprehension.range);
        sum = sum.plus(self.cost(comprehension.start));
        self.declare_accumulator(comprehension);
        let outside = self.variables.len();
        self.declare_loop(comprehension);
        let round = self.cost(comprehension.condition);
        let round = self.cost(comprehension.step).plus(round);
        self.variables.truncate(outside);
        sum = sum.plus(self.cost(comprehension.result));
        self.variables.pop();
        let rounds = self.size_or_unknown(comprehension.range);
        sum = sum.plus(rounds.times(round));
        match self.tree().expression(comprehension.start) {
            Some(Expression::Literal(_)) => {
                let size = self.size(comprehension.start);
                self.set_size(id, size);
            }
            Some(Expression::List(_) | Expression::Map(_)) => {
                self.set_size(id, Some(rounds));
                let entries = self.entry_size(comprehension.step);
                self.set_entries(id, entries);
            }
            _ => {}
        }
        sum
    }

    fn declare_accumulator(&mut self, comprehension: &Comprehension<'a>) {
        let start = comprehension.start;
        let variable = Variable {
            name: comprehension.accumulator.clone(),
            path: self.path(start),
            entries: self.entry_size(start),
            size: self.size(start),
        };
        self.variables.push(variable);
    }

    fn declare_loop(&mut self, comprehension: &Comprehension<'a>) {
        let range = comprehension.range;
        let entries = self.entry_size(range);
        let is_list = entries.map_or_else(
            || matches!(self.checked.type_of(range), Type::List(_)),
            |entries| entries.is_list,
        );
        let (keys, values) = if is_list {
            (Step::Indices, Step::Items)
        } else {
            (Step::Keys, Step::Values)
        };
        let key = (keys, entries.map(|entries| entries.key));
        let value = (values, entries.map(|entries| entries.value));
        match &comprehension.second_variable {
            Some(second) => {
                self.declare_part(range, comprehension.variable.clone(), key);
                self.declare_part(range, second.clone(), value);
            }
            None => {
                let part = if is_list { value } else { key };
                self.declare_part(range, comprehension.variable.clone(), part);
            }
        }
    }

    fn declare_part(&mut self, range: Id, name: Cow<'a, str>, (step, size): (Step<'a>, Option<Range>)) {
        let path = self.path(range);
        let path = Some(self.paths.grown(path, step));
        self.variables.push(Variable {
            name,
            path,
            size,
            entries: None,
        });
    }

    fn argument(&mut self, id: Id) -> Argument {
        let path = self.path(id).filter(|path| {
            let first = self.paths.steps(*path).first();
            !matches!(first, Some(Step::Name(name)) if name == ACCUMULATOR)
        });
        Argument {
            id,
            path,
            type_id: self.checked.type_id(id),
            size: self.size(id),
        }
    }

    fn known_size(&self, argument: &Argument) -> Range {
        argument.size.unwrap_or(Range::UNKNOWN)
    }
}

/// A call whose cost is estimated.
struct Call<'e> {
    id: Id,
    function: &'e str,
    target: Option<Argument>,
    arguments: &'e [Argument],
    /// The costs of evaluating the arguments.
    costs: &'e [Range],
}
