//! JSON paths as `kubectl` and the API server read them in columns.
//!
//! Mirrors `client-go/util/jsonpath` for what columns can use: fields with escapes, quoted names, indices, slices,
//! wildcards, filters, unions and recursive descent. [`resolve`] then follows a path through a schema.

mod parse;
mod resolve;

pub(super) use parse::parse;
pub(super) use resolve::{Found, resolve};

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Selector {
    /// A property, or a key of a map.
    Field(String),
    /// Items of a list, by index or slice.
    Items,
    /// All items, values or properties.
    Wildcard,
    /// Items for which something holds; the paths in it start at an item.
    Filter(Vec<Vec<Selector>>),
    /// Everything below.
    Descent,
    /// Several ways at once.
    Union(Vec<Vec<Selector>>),
}

#[cfg(test)]
mod tests;
