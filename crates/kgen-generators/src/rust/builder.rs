//! The builder methods of apply configurations: one per field, with the name of the field.

use kgen_model::{RustField, RustRole, RustRoot, RustType};
use proc_macro2::TokenStream;
use quote::quote;

use super::identifiers;

/// Method names that have another meaning for readers of Rust, and for clippy.
const MISLEADING: &[&str] = &[
    "add",
    "as_mut",
    "as_ref",
    "bitand",
    "bitor",
    "bitxor",
    "borrow",
    "borrow_mut",
    "clone",
    "cmp",
    "default",
    "deref",
    "deref_mut",
    "div",
    "drop",
    "eq",
    "from_iter",
    "from_str",
    "hash",
    "index",
    "index_mut",
    "into_iter",
    "mul",
    "ne",
    "neg",
    "new",
    "next",
    "not",
    "partial_cmp",
    "rem",
    "serialize",
    "shl",
    "shr",
    "sub",
];

/// Returns the method that sets a field whose type, without `Option`, is `value`. `mirrored` writes a type as tokens.
pub(super) fn setter(
    field: &RustField,
    value: Option<&RustType>,
    mirrored: &mut dyn FnMut(&RustType) -> TokenStream,
) -> TokenStream {
    let name = identifiers::existing(&field.name);
    let Some(value) = value else { return quote!() };
    let method = method_name(&field.name);
    match (value.role, value.arguments.as_slice()) {
        (RustRole::List, [item]) if grows(value) => {
            let item = mirrored(item);
            let documentation = format!(
                " Appends to `{}`. An empty iterator sets an empty list.",
                field.json_name
            );
            quote! {
                #[doc = #documentation]
                #[must_use]
                pub fn #method(mut self, values: impl IntoIterator<Item = #item>) -> Self {
                    self.#name.get_or_insert_default().extend(values);
                    self
                }
            }
        }
        (RustRole::Map, [key, item]) if grows(value) => {
            let (key, item) = (mirrored(key), mirrored(item));
            let documentation = format!(
                " Inserts into `{}`. An empty iterator sets an empty map.",
                field.json_name
            );
            quote! {
                #[doc = #documentation]
                #[must_use]
                pub fn #method(mut self, values: impl IntoIterator<Item = (#key, #item)>) -> Self {
                    self.#name.get_or_insert_default().extend(values);
                    self
                }
            }
        }
        _ => {
            let documentation = format!(" Sets `{}`.", field.json_name);
            let written = mirrored(value);
            let (parameter, assigned) = if is_string(value) {
                (quote!(impl Into<String>), quote!(value.into()))
            } else {
                (written, quote!(value))
            };
            quote! {
                #[doc = #documentation]
                #[must_use]
                pub fn #method(mut self, value: #parameter) -> Self {
                    self.#name = Some(#assigned);
                    self
                }
            }
        }
    }
}

/// Returns the name of the field, or `with_` and the name if a method of that name would mislead.
fn method_name(name: &str) -> proc_macro2::Ident {
    let misleading = ["as_", "from_", "into_", "is_", "to_"]
        .iter()
        .any(|start| name.starts_with(start));
    if misleading || MISLEADING.contains(&name) {
        return identifiers::ident(&format!("with_{name}"));
    }
    identifiers::existing(name)
}

/// Returns whether a list or map is a type of the standard library, which can be extended.
fn grows(value: &RustType) -> bool {
    matches!(&value.path.root, RustRoot::Library(library) if library == "std")
}

fn is_string(value: &RustType) -> bool {
    grows(value) && value.path.name() == "String"
}

/// Returns the documentation of a mirrored field: the first paragraph of the field, if it is plain text.
pub(super) fn documentation(field: &RustField) -> String {
    let paragraph: Vec<&str> = field
        .description
        .as_deref()
        .unwrap_or_default()
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .collect();
    // The meaning of lists, headings, tables and links depends on the text around them.
    let special = |line: &&str| {
        line.starts_with(['-', '*', '+', '#', '|', '>', '`', '~'])
            || line.starts_with(|first: char| first.is_ascii_digit())
            || line.contains(['[', ']', '<'])
            || line.contains("*/")
    };
    if paragraph.is_empty() || paragraph.iter().any(special) {
        return format!(" The field `{}`.", field.json_name);
    }
    let lines: Vec<String> = paragraph.iter().map(|line| format!(" {line}")).collect();
    lines.join("\n")
}
