//! One file as an editor sees it: its declarations, its markers with their nodes, and its mistakes.
//!
//! Nothing is resolved here, so an outline takes as long as parsing one file. It never reads another file.

mod extents;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use kgen_diagnostics::{FileId, Files, Problems, SourceFile, Span};
use kgen_markers::{MarkerText, Position};

use crate::declare::{
    DocumentationStyle, Features, FileDeclarations, ModuleBody, Source, TypeKind, lower_for_editor,
};
use crate::{Compat, ForeignMarkers};
use extents::Extents;

/// The declarations and markers of one file.
#[derive(Debug)]
pub struct Outline {
    /// The file, for the places of problems and markers.
    pub files: Files,
    /// The mistakes of the file alone. If it is not valid Rust, only those in its comments, and the syntax error.
    pub problems: Problems,
    /// Whether the file is valid Rust.
    pub is_valid: bool,
    /// The declarations, in source order.
    pub items: Vec<Item>,
    /// The markers, in source order.
    pub markers: Vec<Attachment>,
}

/// A marker with its node.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Its text and place.
    pub text: Arc<MarkerText>,
    /// The kind of its node.
    pub position: Position,
    /// The index of its node in the items of the outline.
    pub item: Option<usize>,
}

/// A declaration that markers can belong to.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name without `r#`.
    pub name: String,
    /// The place of the name.
    pub span: Span,
    /// The place of the whole declaration, without its attributes and documentation.
    pub whole: Span,
    /// The sort of the declaration.
    pub kind: ItemKind,
    /// The index of the type around a field or variant.
    pub parent: Option<usize>,
    /// Whether it is a field of the type `Option`.
    pub is_option: bool,
}

/// The sort of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A struct that is or may be a kind.
    Kind,
    /// Another struct.
    Struct,
    /// An enum.
    Enum,
    /// An alias.
    Alias,
    /// A field of a struct or variant.
    Field,
    /// A variant of an enum.
    Variant,
    /// A module.
    Module,
}

impl Outline {
    /// Reads the text of the file at `path`, which messages call `name`.
    #[must_use]
    pub fn of(name: &str, path: &Path, text: &str, foreign_markers: &ForeignMarkers, compat: Compat) -> Self {
        let mut files = Files::default();
        let file = files.add(SourceFile::new(name, text).editable_at(path));
        let source = Source::new(file, files.get(file).map_or("", SourceFile::text));
        let style = if compat.is_kube_derive() {
            DocumentationStyle::AsWritten
        } else {
            DocumentationStyle::ControllerGen
        };
        let features = Features {
            all: true,
            ..Features::default()
        };
        let mut problems = Problems::new();
        let lowered = lower_for_editor(source, &features, foreign_markers, style, &mut problems);
        let is_valid = lowered.is_some();
        let FileDeclarations { module, attached, .. } = lowered.unwrap_or_default();
        let mut items = Vec::new();
        add_module(&module, &mut items);
        items.sort_by_key(|item| (item.span.start, item.span.end));
        let parents: Vec<_> = items.iter().map(|item: &Unplaced| item.parent).collect();
        let places: Vec<_> = items.iter().map(|item| item.span).collect();
        let find = |span: Span| places.iter().position(|place| *place == span);
        let extents = Extents::of(text_of_file(&files, file));
        let items: Vec<_> = items
            .into_iter()
            .zip(parents)
            .map(|(item, parent)| Item {
                name: item.name,
                span: item.span,
                whole: Span::of(
                    file,
                    extents.whole(text_of_file(&files, file), item.span.range(), item.kind),
                ),
                kind: item.kind,
                parent: parent.and_then(find),
                is_option: item.kind == ItemKind::Field && is_option(text_of(&files, item.span)),
            })
            .collect();
        let mut markers: Vec<_> = attached
            .into_iter()
            .map(|attached| Attachment {
                text: attached.text,
                position: attached.position,
                // The name is the first one behind the start of the node.
                item: attached.node.and_then(|start| {
                    let index = items.partition_point(|item| item.span.start < start);
                    (index < items.len()).then_some(index)
                }),
            })
            .collect();
        markers.sort_by_key(|marker| marker.text.whole().start);
        Self {
            files,
            problems,
            is_valid,
            items,
            markers,
        }
    }

    /// Returns the outline with the places that its declarations and markers have in another version of the file. Those for
    /// which `to` returns `None` are left out, with the fields of such a type.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(usize) -> Option<usize>) -> Self {
        let mut items: Vec<Item> = Vec::with_capacity(self.items.len());
        // The new number of each declaration. A type is before its fields.
        let mut numbers: Vec<Option<usize>> = Vec::with_capacity(self.items.len());
        let number = |numbers: &[Option<usize>], old: usize| numbers.get(old).copied().flatten();
        for item in self.items {
            let range = item.span.range();
            let parent = item.parent.map(|parent| number(&numbers, parent));
            let start = to(range.start).filter(|_| parent != Some(None));
            numbers.push(start.map(|_| items.len()));
            items.extend(start.map(|start| Item {
                span: Span::of(item.span.file, start..start + range.len()),
                whole: {
                    let name = start..start + range.len();
                    let old = item.whole.range();
                    let start = to(old.start).map_or(name.start, |start| start.min(name.start));
                    let end = to(old.end).map_or(name.end, |end| end.max(name.end));
                    Span::of(item.span.file, start..end)
                },
                parent: parent.flatten(),
                ..item
            }));
        }
        let markers = self.markers.into_iter();
        Self {
            items,
            markers: markers
                .filter_map(|marker| {
                    Some(Attachment {
                        text: Arc::new(marker.text.moved(to)?),
                        item: marker.item.and_then(|item| number(&numbers, item)),
                        ..marker
                    })
                })
                .collect(),
            ..self
        }
    }

    /// Returns the innermost declaration whose name is at a byte.
    #[must_use]
    pub fn item_at(&self, offset: u32) -> Option<&Item> {
        self.items
            .iter()
            .find(|item| contains(item.span.range(), offset as usize))
    }

    /// Returns the innermost declaration around a byte.
    #[must_use]
    pub fn item_around(&self, offset: u32) -> Option<&Item> {
        let around = self.items.iter();
        let around = around.filter(|item| contains(item.whole.range(), offset as usize));
        around.min_by_key(|item| item.whole.range().len())
    }

    /// Returns the marker at a byte; its end counts.
    #[must_use]
    pub fn marker_at(&self, offset: u32) -> Option<&Attachment> {
        self.markers.iter().find(|marker| {
            let range = marker.text.whole().range();
            // The sign before the name counts, too.
            contains(range.start.saturating_sub(1)..range.end, offset as usize)
        })
    }
}

fn contains(range: Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}

fn text_of_file(files: &Files, file: FileId) -> &str {
    files.get(file).map_or("", SourceFile::text)
}

/// Returns the text behind a name.
fn text_of(files: &Files, name: Span) -> &str {
    let text = files.get(name.file).map_or("", SourceFile::text);
    text.get(name.range().end..).unwrap_or_default()
}

/// Returns whether the type behind the colon is an `Option`.
fn is_option(behind: &str) -> bool {
    let declared = behind.trim_start().strip_prefix(':').unwrap_or_default();
    let path = declared.split(['<', ',', '\n']).next().unwrap_or_default();
    path.trim().rsplit("::").next() == Some("Option")
}

/// A declaration whose parent is known by its place only.
struct Unplaced {
    name: String,
    span: Span,
    kind: ItemKind,
    parent: Option<Span>,
}

fn add_module(body: &ModuleBody, items: &mut Vec<Unplaced>) {
    for declared in &body.types {
        let kind = match &declared.kind {
            TypeKind::Struct(fields) => {
                let mut fields = fields.list().iter();
                let is_kind = fields.any(|field| field.name == "metadata")
                    || declared.attributes.derives("CustomResource").is_some();
                if is_kind { ItemKind::Kind } else { ItemKind::Struct }
            }
            TypeKind::Enum(_) => ItemKind::Enum,
            TypeKind::Alias(_) => ItemKind::Alias,
            TypeKind::Root(_) | TypeKind::Other(_) => continue,
        };
        items.push(Unplaced {
            name: declared.name.clone(),
            span: declared.span,
            kind,
            parent: None,
        });
        let mut add_fields = |fields: &crate::declare::Fields, parent: Span| {
            for field in fields.list().iter().filter(|field| !field.name.is_empty()) {
                items.push(Unplaced {
                    name: field.name.clone(),
                    span: field.span,
                    kind: ItemKind::Field,
                    parent: Some(parent),
                });
            }
        };
        match &declared.kind {
            TypeKind::Struct(fields) => add_fields(fields, declared.span),
            TypeKind::Enum(variants) => {
                for variant in variants {
                    add_fields(&variant.fields, variant.span);
                }
                items.extend(variants.iter().map(|variant| Unplaced {
                    name: variant.name.clone(),
                    span: variant.span,
                    kind: ItemKind::Variant,
                    parent: Some(declared.span),
                }));
            }
            TypeKind::Alias(_) | TypeKind::Root(_) | TypeKind::Other(_) => {}
        }
    }
    for module in body.modules.iter().filter(|module| !module.is_block) {
        items.push(Unplaced {
            name: module.name.clone(),
            span: module.span,
            kind: ItemKind::Module,
            parent: None,
        });
        if let Some(inline) = &module.inline {
            add_module(inline, items);
        }
    }
}
