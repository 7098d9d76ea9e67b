//! The declarations of a file, as plain data with places.
//!
//! syn's trees cannot be sent to another thread and contain far more than kgen needs. So each file is lowered right
//! after parsing: `cfg` is evaluated, comments are attached to nodes, markers are parsed. The result is the
//! declarations of this module. Names are not resolved yet: a type is still the path that was written.

mod attach;
mod attributes;
mod cfg;
mod documentation;
mod fields;
mod imports;
pub(crate) mod kubernetes;
mod lower;
mod mistakes;
mod plain_attributes;
mod reach;
mod spans;
mod types;
mod versioned;

use std::sync::Arc;

use kgen_diagnostics::{FileId, Span};
use kgen_markers::Marker;

pub(crate) use attach::Attached;
pub(crate) use attributes::{Attributes, Literal, Meta, MetaValue, kube_root_name};
pub(crate) use cfg::Features;
pub(crate) use documentation::DocumentationStyle;
pub(crate) use lower::{lower, lower_for_editor, parse_text};
pub(crate) use reach::Reach;
pub(crate) use spans::KeepPlaces;
pub(crate) use types::{
    ASSOCIATED_TYPE, ArrayLength, PathExpression, TypeExpression, TypeExpressionKind, parse_type,
};

impl ModuleBody {
    /// Returns all markers of the module, its types, their fields and variants.
    pub(crate) fn all_markers(&self) -> impl Iterator<Item = &Marker> {
        let of_types = self.types.iter().flat_map(|declared| {
            let (fields, variants) = match &declared.kind {
                TypeKind::Struct(fields) => (fields.list(), &[][..]),
                TypeKind::Enum(variants) => (&[][..], variants.as_slice()),
                TypeKind::Alias(_) | TypeKind::Root(_) | TypeKind::Other(_) => (&[][..], &[][..]),
            };
            let of_variants = variants.iter().flat_map(|variant| {
                let of_fields = variant.fields.list().iter().flat_map(|field| &field.markers);
                variant.markers.iter().chain(of_fields)
            });
            let of_fields = fields.iter().flat_map(|field| &field.markers);
            declared.markers.iter().chain(of_fields).chain(of_variants)
        });
        self.markers.iter().chain(of_types)
    }
}

/// The declarations of one file.
#[derive(Debug, Default)]
pub(crate) struct FileDeclarations {
    /// The module that the file is.
    pub(crate) module: Arc<ModuleBody>,
    /// Every marker with its node, if an editor asks for them.
    pub(crate) attached: Vec<Attached>,
    /// Markers that are allowed on any comment line: RBAC rules and webhooks, block by block.
    pub(crate) anywhere: Vec<Vec<Marker>>,
    /// Whether types or code in it may be nested too deeply for a normal stack.
    pub(crate) nests_deeply: bool,
    /// The condition in `#![cfg(…)]` that does not hold, so that the file is ignored.
    pub(crate) switched_off_by: Option<String>,
}

/// The declarations of a module.
#[derive(Debug, Default)]
pub(crate) struct ModuleBody {
    /// Markers at its head.
    pub(crate) markers: Vec<Marker>,
    /// Whether a marker at its start is invalid, so that its group and version may be wrong.
    pub(crate) has_marker_mistake: bool,
    pub(crate) imports: Vec<Import>,
    pub(crate) modules: Vec<ModuleDeclaration>,
    /// Modules that `cfg` disables; their files are not read.
    pub(crate) disabled: Vec<ModuleDeclaration>,
    pub(crate) types: Vec<TypeDeclaration>,
    /// Types and modules that `cfg` disables, for messages.
    pub(crate) switched_off: Vec<SwitchedOff>,
    pub(crate) values: Vec<ValueDeclaration>,
    pub(crate) implementations: Vec<Implementation>,
    /// The position of a new import; `None` if it is not certain.
    pub(crate) import_place: Option<ImportPlace>,
    /// Macros that are called at module level; they may declare types.
    pub(crate) macro_calls: Vec<MacroCall>,
    /// The names of `macro_rules!` whose text derives `CustomResource`.
    pub(crate) kind_macros: Vec<String>,
    /// The `macro_rules!` that it defines.
    pub(crate) macro_definitions: Vec<Span>,
}

/// The call of a macro at module level.
#[derive(Clone, Debug)]
pub(crate) struct MacroCall {
    pub(crate) name: String,
    /// The whole call.
    pub(crate) span: Span,
    /// Whether the text of the call itself derives `CustomResource`.
    pub(crate) derives_kind: bool,
}

/// An item or a field that `cfg` disables.
#[derive(Clone, Debug)]
pub(crate) struct SwitchedOff {
    pub(crate) name: String,
    /// The name in JSON, for fields that have an explicit one.
    pub(crate) rename: Option<String>,
    /// Whether it may be a kind, or contain kinds.
    pub(crate) may_be_kind: bool,
    /// The condition that does not hold, as it is written.
    pub(crate) condition: String,
}

/// The position of a new import in a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImportPlace {
    /// The byte before which its line is inserted.
    pub(crate) offset: u32,
    /// Whether another import follows; otherwise, a blank line is needed.
    pub(crate) among_imports: bool,
}

/// One name that a `use` imports, or all names of a module.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// The path, `crate`, `self` and `super` included.
    pub(crate) path: Vec<String>,
    /// Whether the path starts with `::`.
    pub(crate) absolute: bool,
    /// The imported name; `None` for a glob.
    pub(crate) name: Option<String>,
    /// The modules that may use the name from here.
    pub(crate) reach: Reach,
    /// Where the name is written.
    pub(crate) span: Span,
}

/// `mod name;` or `mod name { … }`.
#[derive(Debug)]
pub(crate) struct ModuleDeclaration {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) reach: Reach,
    /// `#[path = "…"]`.
    pub(crate) path: Option<String>,
    /// The contents of the braces; `None` for a module in another file.
    pub(crate) inline: Option<Arc<ModuleBody>>,
    /// Whether it is the block of a function: its names are not visible outside, and paths cannot name it.
    pub(crate) is_block: bool,
}

/// A struct, an enum or an alias.
#[derive(Debug)]
pub(crate) struct TypeDeclaration {
    pub(crate) name: String,
    pub(crate) reach: Reach,
    pub(crate) span: Span,
    pub(crate) generics: Vec<GenericParameter>,
    pub(crate) attributes: Attributes,
    pub(crate) description: Option<String>,
    pub(crate) markers: Vec<Marker>,
    pub(crate) kind: TypeKind,
    /// Fields that `cfg` disables.
    pub(crate) switched_off: Vec<SwitchedOff>,
}

/// A type parameter, or a constant one.
#[derive(Debug)]
pub(crate) struct GenericParameter {
    pub(crate) name: String,
    pub(crate) is_constant: bool,
    pub(crate) default: Option<TypeExpression>,
}

/// The declaration of a type.
#[derive(Debug)]
pub(crate) enum TypeKind {
    Struct(Fields),
    Enum(Vec<Variant>),
    Alias(TypeExpression),
    /// The root struct that kube-derive generates from the type at this index in the module.
    Root(usize),
    /// A union or a trait: a name in the type namespace without JSON.
    Other(&'static str),
}

/// The fields of a struct or variant.
#[derive(Debug)]
pub(crate) enum Fields {
    Named(Vec<Field>),
    Unnamed(Vec<Field>),
    Unit,
}

impl Fields {
    /// Returns all fields, whatever their style.
    pub(crate) fn list(&self) -> &[Field] {
        match self {
            Self::Named(fields) | Self::Unnamed(fields) => fields,
            Self::Unit => &[],
        }
    }
}

/// A field.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its name without `r#`; empty in tuples.
    pub(crate) name: String,
    pub(crate) reach: Reach,
    pub(crate) span: Span,
    pub(crate) attributes: Attributes,
    pub(crate) description: Option<String>,
    pub(crate) markers: Vec<Marker>,
    pub(crate) field_type: TypeExpression,
}

/// A variant of an enum.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) attributes: Attributes,
    pub(crate) description: Option<String>,
    pub(crate) markers: Vec<Marker>,
    pub(crate) fields: Fields,
    /// The number behind `=`.
    pub(crate) discriminant: Option<Box<MetaValue>>,
}

/// A function, a constant or a static: its body is parsed again only when a default needs it.
#[derive(Debug)]
pub(crate) struct ValueDeclaration {
    pub(crate) name: String,
    /// The expression of a constant, or the block of a function.
    pub(crate) body: Span,
    /// The text between the parentheses of a function.
    pub(crate) inputs: Option<Span>,
    /// The text of the type of a constant or static, or the text from the parentheses of a function to its block.
    pub(crate) output: Option<Span>,
    /// The text of the type parameters of a function, with `<` and `>`.
    pub(crate) generics: Option<Span>,
    /// The name of the module of the types that a function declares in its block.
    pub(crate) block: Option<Box<str>>,
}

/// `impl Trait for Type`, or `impl Type`.
#[derive(Debug)]
pub(crate) struct Implementation {
    /// Last segment of the trait; empty if there is none.
    pub(crate) trait_name: String,
    /// Last segment of the type.
    pub(crate) type_name: String,
    /// All segments of the type.
    pub(crate) type_path: Vec<String>,
    /// The trait, for messages.
    pub(crate) span: Span,
    /// Its functions and constants.
    pub(crate) values: Vec<ValueDeclaration>,
}

/// The text of a file with the place it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    /// The code that the parser saw, if that is not the whole text.
    seen: Option<Seen<'a>>,
}

/// The code that the parser saw.
#[derive(Clone, Copy, Debug)]
struct Seen<'a> {
    code: &'a str,
    is_ascii: bool,
    /// The starts of the lines of the code, in the code and in the text.
    lines: &'a [(u32, u32)],
}

impl<'a> Source<'a> {
    pub(crate) fn new(file: FileId, text: &'a str) -> Self {
        Self {
            file,
            text,
            seen: None,
        }
    }

    /// Returns the same text, of which the parser saw only the code.
    fn seen_as(self, code: &'a str, lines: &'a [(u32, u32)]) -> Self {
        let is_ascii = code.is_ascii();
        Self {
            seen: Some(Seen {
                code,
                is_ascii,
                lines,
            }),
            ..self
        }
    }

    /// Returns the offset of the first byte of a span.
    fn start_of(self, span: proc_macro2::Span) -> usize {
        match self.seen {
            Some(seen) => seen.offset_of(span.start()),
            None => span.byte_range().start,
        }
    }

    /// Returns the offset after the last byte of a span.
    fn end_of(self, span: proc_macro2::Span) -> usize {
        match self.seen {
            Some(seen) => seen.offset_of(span.end()),
            None => span.byte_range().end,
        }
    }
}

impl Seen<'_> {
    /// Returns the place in the text of a place in the code.
    fn offset_of(self, position: proc_macro2::LineColumn) -> usize {
        let line = position.line.checked_sub(1).and_then(|line| self.lines.get(line));
        let (in_code, in_text) = line.copied().unwrap_or_default();
        let within = if self.is_ascii {
            position.column
        } else {
            // Columns count characters.
            let line = self.code.get(in_code as usize..).unwrap_or_default();
            let mut characters = line.char_indices();
            characters.nth(position.column).map_or(line.len(), |(at, _)| at)
        };
        in_text as usize + within
    }
}
