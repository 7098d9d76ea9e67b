//! How large the values of an expression can be: by what is written down, by the schema, by their type, or by the variable.

use super::super::tree::{Expression, Id, Literal};
use super::super::types::Type;
use super::paths::{Path, Place, Step, follow};
use super::range::Range;
use super::{EntrySize, Estimator, Variable};

impl<'a> Estimator<'_, 'a, '_> {
    /// The innermost variable with a name.
    pub(super) fn variable(&self, name: &str) -> Option<&Variable<'a>> {
        self.variables.iter().rev().find(|variable| variable.name == name)
    }

    /// The variable that an expression is, if it is nothing else.
    fn variable_of(&self, id: Id) -> Option<&Variable<'a>> {
        match self.tree().expression(id) {
            Some(Expression::Name(name)) => self.variable(name),
            _ => None,
        }
    }

    pub(super) fn path(&self, id: Id) -> Option<Path> {
        match self.variable_of(id) {
            Some(variable) => variable.path,
            None => self.node_paths.get(id.index()).copied().flatten(),
        }
    }

    pub(super) fn set_path(&mut self, id: Id, path: Option<Path>) {
        if let Some(slot) = self.node_paths.get_mut(id.index()) {
            *slot = path;
        }
    }

    /// How large a value can be by what the schema says of it.
    pub(super) fn declared_size(&self, path: Option<Path>) -> Option<Range> {
        self.declared_size_of(self.paths.steps(path?))
    }

    pub(super) fn declared_size_of(&self, steps: &[Step<'a>]) -> Option<Range> {
        let most = match follow(self.value, steps)? {
            Place::Value(value) => match value.schema() {
                Some(schema) if self.is_small(schema) => 1,
                schema => {
                    if let Some(schema) = schema {
                        self.watch(schema, steps);
                    }
                    value.most_elements()
                }
            },
            Place::Key => 0,
        };
        Some(Range::new(0, most.cast_unsigned()))
    }

    pub(super) fn size(&mut self, id: Id) -> Option<Range> {
        if let Some(size) = self.sizes.get(id.index()).copied().flatten() {
            return Some(size);
        }
        if let Some(size) = self.tree().expression(id).and_then(written_size) {
            return Some(Range::exactly(size));
        }
        if let Some(size) = self.declared_size(self.path(id)) {
            self.set_size(id, Some(size));
            return Some(size);
        }
        if self.is_scalar(self.checked.type_of(id)) {
            return Some(Range::ONE);
        }
        self.variable_of(id).and_then(|variable| variable.size)
    }

    pub(super) fn size_or_unknown(&mut self, id: Id) -> Range {
        self.size(id).unwrap_or(Range::UNKNOWN)
    }

    pub(super) fn set_size(&mut self, id: Id, size: Option<Range>) {
        if let (Some(size), Some(slot)) = (size, self.sizes.get_mut(id.index())) {
            *slot = Some(size);
        }
    }

    pub(super) fn entry_size(&self, id: Id) -> Option<EntrySize> {
        let known = self.entries.get(id.index()).copied().flatten();
        known.or_else(|| self.variable_of(id).and_then(|variable| variable.entries))
    }

    pub(super) fn set_entries(&mut self, id: Id, entries: Option<EntrySize>) {
        if let (Some(entries), Some(slot)) = (entries, self.entries.get_mut(id.index())) {
            *slot = Some(entries);
        }
    }

    pub(super) fn copy_sizes(&mut self, to: Id, from: Id) {
        let size = self.size(from);
        self.set_size(to, size);
        let entries = self.entry_size(from);
        self.set_entries(to, entries);
    }

    /// Whether values of a type have one size.
    fn is_scalar(&self, one: Type) -> bool {
        match one {
            Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => true,
            Type::Optional(value) => self.is_scalar(self.checked.types.get(value)),
            _ => false,
        }
    }
}

/// The size of a value that is written down.
fn written_size(expression: &Expression<'_>) -> Option<u64> {
    let size = match expression {
        Expression::Literal(Literal::Text(text)) => text.chars().count(),
        Expression::Literal(Literal::Bytes(bytes)) => bytes.len(),
        Expression::Literal(_) => 1,
        Expression::List(items) => items.len(),
        Expression::Map(entries) => entries.len(),
        _ => return None,
    };
    u64::try_from(size).ok()
}
