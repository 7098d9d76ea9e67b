//! The text of one function, constant or attribute, with its variables and local items.

use std::rc::Rc;

use kgen_diagnostics::Span;
use syn::Expr;

use super::Found;
use super::value::Value;
use crate::declare::KeepPlaces;
use crate::shape::Scope;

/// The state of one function.
pub(super) struct Frame {
    pub(super) scope: Scope,
    pub(super) text: String,
    /// The place of the text.
    pub(super) start: Span,
    pub(super) bindings: Vec<(String, Binding)>,
    pub(super) items: Vec<Item>,
    /// Evaluating may lead to files that are not read yet.
    _places: KeepPlaces,
}

/// A variable.
#[derive(Clone)]
pub(super) enum Binding {
    Value(Value),
    /// A mutable reference to a variable, or to a part of a variable.
    Alias(Place),
}

/// A variable or a part of a variable: the names of entries and fields that lead there.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) binding: usize,
    pub(super) path: Vec<String>,
}

/// An item inside a block.
#[derive(Clone)]
pub(super) enum Item {
    Constant(String, Rc<syn::ItemConst>),
    Function(String, Found),
    /// `use path;` or `use path as name;`.
    Import(String, Vec<String>),
    Glob(Vec<String>),
    /// A type of another crate that the attribute knows by its last name.
    Known(Vec<String>),
    /// A type or a static, which is not read.
    Other(String),
}

impl Frame {
    pub(super) fn new(scope: Scope, text: String, start: Span) -> Self {
        Self {
            scope,
            text,
            start,
            bindings: Vec::new(),
            items: Vec::new(),
            _places: KeepPlaces::new(),
        }
    }

    pub(super) fn parse<T: syn::parse::Parse>(&self) -> Option<T> {
        syn::parse_str(&self.text).ok()
    }

    /// Returns the place of an expression.
    pub(super) fn place(&self, expression: &Expr) -> Span {
        self.span(syn::spanned::Spanned::span(expression))
    }

    pub(super) fn span(&self, span: proc_macro2::Span) -> Span {
        let range = span.byte_range();
        let start = self.start.start as usize;
        let end = self.start.end as usize;
        let clamp = |offset: usize| (start + offset).min(end);
        Span::of(self.start.file, clamp(range.start)..clamp(range.end))
    }

    pub(super) fn bind(&mut self, name: impl Into<String>, value: Value) {
        self.bindings.push((name.into(), Binding::Value(value)));
    }

    /// Returns the newest variable of a name.
    pub(super) fn binding(&self, name: &str) -> Option<usize> {
        self.bindings.iter().rposition(|(known, _)| known == name)
    }
}

/// Returns the names of a path.
pub(super) fn names_of(path: &syn::Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|segment| {
            let name = segment.ident.to_string();
            name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
        })
        .collect()
}
