//! Constants and functions by their path, wherever in the crate they are.

use kgen_diagnostics::Span;
use syn::{FnArg, Pat};

use super::Shapes;
use crate::declare::ValueDeclaration;
use crate::program::{ModuleId, Target, TypeId};

/// A constant or function that a path leads to.
pub(in crate::shape) struct Found {
    pub(in crate::shape) module: ModuleId,
    /// The type whose impl it is part of.
    pub(in crate::shape) this: Option<TypeId>,
    pub(in crate::shape) body: Span,
    /// What stands in the parentheses of a function.
    inputs: Option<Span>,
}

impl Found {
    fn new(module: ModuleId, this: Option<TypeId>, value: &ValueDeclaration) -> Self {
        Self {
            module,
            this,
            body: value.body,
            inputs: value.inputs,
        }
    }
}

/// How many imports may stand behind each other.
const MAX_IMPORTS: usize = 8;

impl Shapes<'_> {
    /// The constant, static or function at a path.
    pub(in crate::shape) fn find_value(&mut self, module: ModuleId, path: &[&str]) -> Option<Found> {
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
            Target::Type(id) => self.associated_value(id, last),
            Target::External(_) => None,
        }
    }

    fn find_in_module(&mut self, module: ModuleId, name: &str, depth: usize) -> Option<Found> {
        let body = self.program.shared_body(module)?;
        if let Some(value) = body.values.iter().find(|value| value.name == name) {
            return Some(Found::new(module, None, value));
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

    /// The names of the parameters of a function; nothing for a constant. One that is a pattern has no name.
    pub(in crate::shape) fn parameters(&self, found: &Found) -> Vec<Option<String>> {
        let inputs = found.inputs.map_or("", |span| self.program.text(span));
        let parser = syn::punctuated::Punctuated::<FnArg, syn::Token![,]>::parse_terminated;
        let inputs = syn::parse::Parser::parse_str(parser, inputs).unwrap_or_default();
        let name = |input: &FnArg| match input {
            FnArg::Typed(typed) => match typed.pat.as_ref() {
                Pat::Ident(name) => Some(name.ident.to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        };
        inputs.iter().map(name).collect()
    }

    /// A function or constant in an impl of a type.
    pub(in crate::shape) fn associated_value(&self, id: TypeId, name: &str) -> Option<Found> {
        let body = self.program.body(id.module)?;
        let declaration = body.types.get(id.index)?;
        body.implementations
            .iter()
            .filter(|found| found.type_name == declaration.name)
            .find_map(|found| found.values.iter().find(|value| value.name == name))
            .map(|value| Found::new(id.module, Some(id), value))
    }
}
