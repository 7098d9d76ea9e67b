//! Constants and functions by their path, wherever in the crate they are.

use kgen_diagnostics::Span;

use super::Shapes;
use crate::program::{ModuleId, Target, TypeId};

/// A constant or function that a path leads to.
pub(super) struct Found {
    pub(super) module: ModuleId,
    /// The type whose impl it is part of.
    pub(super) this: Option<TypeId>,
    pub(super) body: Span,
}

/// How many imports may stand behind each other.
const MAX_IMPORTS: usize = 8;

impl Shapes<'_> {
    /// The constant, static or function at a path.
    pub(super) fn find_value(&mut self, module: ModuleId, path: &[&str]) -> Option<Found> {
        self.find_value_from(module, path, 0)
    }

    fn find_value_from(&mut self, module: ModuleId, path: &[&str], depth: usize) -> Option<Found> {
        if depth > MAX_IMPORTS {
            return None;
        }
        let (last, before) = path.split_last()?;
        if before.is_empty() {
            return self.find_in_module(module, last, depth);
        }
        match self.program.resolve(module, before, false).ok()? {
            Target::Module(home) => self.find_in_module(home, last, depth),
            Target::Type(id) => {
                let body = self.associated_value(id, last)?;
                Some(Found {
                    module: id.module,
                    this: Some(id),
                    body,
                })
            }
            Target::External(_) => None,
        }
    }

    fn find_in_module(&mut self, module: ModuleId, name: &str, depth: usize) -> Option<Found> {
        let body = self.program.shared_body(module)?;
        if let Some(value) = body.values.iter().find(|value| value.name == name) {
            return Some(Found {
                module,
                this: None,
                body: value.body,
            });
        }
        let named = body
            .imports
            .iter()
            .filter(|import| import.name.as_deref() == Some(name));
        for import in named {
            let path: Vec<_> = import.path.iter().map(String::as_str).collect();
            if let Some(found) = self.find_value_from(module, &path, depth + 1) {
                return Some(found);
            }
        }
        let globs = body.imports.iter().filter(|import| import.name.is_none());
        for import in globs {
            let path: Vec<_> = import.path.iter().map(String::as_str).chain([name]).collect();
            if let Some(found) = self.find_value_from(module, &path, depth + 1) {
                return Some(found);
            }
        }
        None
    }

    /// The body of a function or constant in an impl of a type.
    pub(super) fn associated_value(&self, id: TypeId, name: &str) -> Option<Span> {
        let body = self.program.body(id.module)?;
        let declaration = body.types.get(id.index)?;
        body.implementations
            .iter()
            .filter(|found| found.type_name == declaration.name)
            .find_map(|found| found.functions.iter().find(|(known, _)| known == name))
            .map(|(_, span)| *span)
    }
}
