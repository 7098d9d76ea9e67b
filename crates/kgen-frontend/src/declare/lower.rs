//! Lowers syn's tree to declarations, for one file: modules and their items.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_markers::{Marker, Position};
use syn::{Attribute, Ident, Item, Visibility};

use super::attach::{Attachments, Place};
use super::documentation::DocumentationStyle;
use super::fields::{NodeAttributes, attribute_ranges, literal_text};
use super::imports::{ImportFlags, Uses};
use super::mistakes::Mistakes;
use super::versioned::Versions;
use super::{
    Attributes, Features, FileDeclarations, Implementation, Import, ImportPlace, MacroCall, ModuleBody,
    ModuleDeclaration, Reach, Source, SwitchedOff, TypeDeclaration, TypeKind, ValueDeclaration,
    kube_root_name, spans, types,
};
use crate::ForeignMarkers;
use crate::source::{Comments, comments};
use kgen_threads::on_large_stack;

/// The nesting that the parser handles on any stack, even in a build without optimization.
const SHALLOW: usize = 32;

/// An expression that the parser handles on any stack.
const SHORT: usize = 64;

/// A statement, type or path, in tokens, that the parser handles on any stack.
const LONG: usize = 512;

/// Returns the place of a syn span in its file.
pub(super) fn span_of(source: Source<'_>, span: proc_macro2::Span) -> Span {
    Span::of(source.file, source.start_of(span)..source.end_of(span))
}

/// Returns an identifier without `r#`.
pub(super) fn plain_name(ident: &Ident) -> String {
    without_raw(ident.to_string())
}

/// Returns an identifier without `r#`, and its place. The end follows from the text, which is faster.
pub(super) fn placed_name(ident: &Ident, source: Source<'_>) -> (String, Span) {
    let written = ident.to_string();
    let start = source.start_of(ident.span());
    let span = Span::of(source.file, start..start + written.len());
    (without_raw(written), span)
}

fn without_raw(written: String) -> String {
    match written.strip_prefix("r#") {
        Some(name) => name.to_owned(),
        None => written,
    }
}

/// Reads the declarations of a file. Returns `None` if it is not Rust; the problem has the place.
pub(crate) fn lower(
    source: Source<'_>,
    features: &Features,
    foreign_markers: &ForeignMarkers,
    style: DocumentationStyle,
    problems: &mut Problems,
) -> Option<FileDeclarations> {
    lower_as(source, features, foreign_markers, style, Reader::Run, problems)
}

/// Reads the declarations of a file as [`lower`] does, with every marker and its node.
///
/// If the text is not Rust, the mistakes in its markers are reported beside the syntax error.
pub(crate) fn lower_for_editor(
    source: Source<'_>,
    features: &Features,
    foreign_markers: &ForeignMarkers,
    style: DocumentationStyle,
    problems: &mut Problems,
) -> Option<FileDeclarations> {
    lower_as(source, features, foreign_markers, style, Reader::Editor, problems)
}

/// For whom a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    Run,
    Editor,
}

fn lower_as(
    source: Source<'_>,
    features: &Features,
    foreign_markers: &ForeignMarkers,
    style: DocumentationStyle,
    reader: Reader,
    problems: &mut Problems,
) -> Option<FileDeclarations> {
    let found = comments(source.text);
    if let Some(offset) = found.too_deep {
        let span = Span::new(source.file, offset, offset + 1);
        problems.push(Problem::error(
            Code::Syntax,
            span,
            "brackets or operators are nested too deeply",
        ));
        return None;
    }
    if let Some(offset) = found.long_number {
        let span = Span::new(source.file, offset, offset + 1);
        let message = "this number has too many digits";
        problems.push(Problem::error(Code::Syntax, span, message));
        return None;
    }
    if nests_deeply(&found) {
        on_large_stack(|| parse_and_lower(source, found, features, foreign_markers, style, reader, problems))
    } else {
        parse_and_lower(source, found, features, foreign_markers, style, reader, problems)
    }
}

/// Returns whether parsing the code in the file needs a large stack.
fn nests_deeply(found: &Comments) -> bool {
    found.depth > SHALLOW || found.chain > SHORT || found.run > LONG
}

/// Parses a text that is not part of the code of a file, such as the value of `#[serde(from = "…")]`. Returns `None` if
/// it is not a `T`, or if it is nested too deeply.
pub(crate) fn parse_text<T: syn::parse::Parse>(text: &str) -> Option<T> {
    let found = comments(text);
    if found.too_deep.is_some() || found.long_number.is_some() || nests_deeply(&found) {
        return None;
    }
    syn::parse_str(text).ok()
}

/// Parses a file whose comments are known, and lowers it.
fn parse_and_lower(
    source: Source<'_>,
    found: Comments,
    features: &Features,
    foreign_markers: &ForeignMarkers,
    style: DocumentationStyle,
    reader: Reader,
    problems: &mut Problems,
) -> Option<FileDeclarations> {
    let nests_deeply = nests_deeply(&found);
    let Comments {
        list,
        blocks,
        unmatched,
        code,
        lines,
        line_starts,
        ..
    } = found;
    let source = source.seen_as(&code, &lines);
    let attachments = || {
        let mistakes = Mistakes::of_style(style);
        Attachments::new(source, list, blocks, line_starts, foreign_markers, mistakes)
    };
    let lowered = match syn::parse_str(&code) {
        Ok(file) => {
            let comments = match reader {
                Reader::Run => attachments(),
                Reader::Editor => attachments().recording(),
            };
            let lowering = Lowering {
                source,
                features,
                problems,
                comments,
                style,
                nests_deeply,
                switched_off: Vec::new(),
                version_documentation: Vec::new(),
            };
            lowering.file(file)
        }
        Err(error) => {
            problems.push(syntax_problem(&error, unmatched, source));
            if reader == Reader::Editor {
                attachments().without_nodes(problems);
            }
            None
        }
    };
    spans::forget();
    lowered
}

fn syntax_problem(error: &syn::Error, unmatched: Option<(u32, &'static str)>, source: Source<'_>) -> Problem {
    let mut range = source.start_of(error.span())..source.end_of(error.span());
    let mut reason = error.to_string();
    if let Some((at, what)) = unmatched {
        // The parser only reports that it failed; the lexer knows which bracket is wrong.
        range = at as usize..at as usize + 1;
        reason = what.to_owned();
    } else if range.is_empty() {
        // The parser was at the end of the text.
        let end = source.text.trim_end().len();
        range = end.saturating_sub(1)..end;
    }
    Problem::error(
        Code::Syntax,
        Span::of(source.file, range),
        "this file is not valid Rust",
    )
    .label(reason)
    .help("run `cargo check` for more detail; kgen parses the file like the compiler")
}

/// Returns whether a function returns a schema of schemars.
fn makes_schema(signature: &syn::Signature) -> bool {
    let syn::ReturnType::Type(_, output) = &signature.output else {
        return false;
    };
    let syn::Type::Path(path) = output.as_ref() else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| {
        ["Schema", "SchemaObject", "RootSchema"]
            .iter()
            .any(|name| last.ident == *name)
    })
}

/// Gives derives that are imported under another name (`use kube::CustomResource as Kind;`) their own name.
fn resolve_derives(body: &mut ModuleBody) {
    let renamed = |import: &&Import| import.name.is_some() && import.name.as_ref() != import.path.last();
    let renamed: Vec<_> = body.imports.iter().filter(renamed).collect();
    if renamed.is_empty() {
        return;
    }
    for derive in body
        .types
        .iter_mut()
        .flat_map(|declared| declared.attributes.derives.iter_mut())
    {
        let import = renamed
            .iter()
            .find(|import| import.name.as_ref() == Some(&derive.value));
        if let Some(name) = import.and_then(|import| import.path.last()) {
            derive.value.clone_from(name);
        }
    }
}

/// Declares the root structs that kube-derive generates from the types of a module, so that paths can name them.
fn declare_roots(body: &mut ModuleBody) {
    let root = |(index, spec): (usize, &TypeDeclaration)| {
        spec.attributes.derives("CustomResource")?;
        let name = kube_root_name(&spec.attributes.kube)?;
        Some(TypeDeclaration {
            name: name.to_owned(),
            reach: spec.reach,
            span: spec.span,
            generics: Vec::new(),
            attributes: Attributes::default(),
            description: None,
            markers: Vec::new(),
            kind: TypeKind::Root(index),
            switched_off: Vec::new(),
        })
    };
    let roots: Vec<_> = body.types.iter().enumerate().filter_map(root).collect();
    for root in roots {
        if body.types.iter().all(|declared| declared.name != root.name) {
            body.types.push(root);
        }
    }
}

pub(super) struct Lowering<'a, 'b> {
    pub(super) source: Source<'a>,
    pub(super) features: &'b Features,
    pub(super) problems: &'b mut Problems,
    pub(super) comments: Attachments<'a>,
    pub(super) style: DocumentationStyle,
    nests_deeply: bool,
    /// The fields of the current type that `cfg` disables.
    pub(super) switched_off: Vec<SwitchedOff>,
    /// The lines that the documentation of types starts with, inside of a version that states some.
    version_documentation: Vec<String>,
}

/// The parts that structs, enums and aliases share.
struct TypeNode<'a> {
    ident: &'a Ident,
    visibility: &'a Visibility,
    keyword: proc_macro2::Span,
    generics: &'a syn::Generics,
    attributes: Vec<Attribute>,
    /// Whether it has a field `metadata`, and therefore may be a kind.
    has_metadata: bool,
}

impl Lowering<'_, '_> {
    fn file(mut self, file: syn::File) -> Option<FileDeclarations> {
        if !self.features.allow(&file.attrs) {
            return Some(FileDeclarations {
                switched_off_by: Some(self.features.refused(&file.attrs)?),
                ..FileDeclarations::default()
            });
        }
        let end = u32::try_from(self.source.text.len()).unwrap_or(u32::MAX);
        let module = self.module(file.items, 0, end);
        let (anywhere, attached) = self.comments.finish(self.problems);
        Some(FileDeclarations {
            module: Arc::new(module),
            attached,
            anywhere,
            nests_deeply: self.nests_deeply,
            switched_off_by: None,
        })
    }

    fn module(&mut self, items: Vec<Item>, start: u32, end: u32) -> ModuleBody {
        let mut body = ModuleBody::default();
        let mut head = Vec::new();
        let head_end = items.first().map_or(end, |item| self.first_token(item));
        body.import_place = self.import_place(&items);
        for (index, item) in items.into_iter().enumerate() {
            if self.features.allow(item_attributes(&item)) {
                if index > 0 {
                    self.markers_of_other_item(&item);
                }
                self.item(item, &mut body, (index == 0).then_some(&mut head));
            } else {
                let place = Place {
                    start: self.first_token(&item),
                    attributes: &attribute_ranges(item_attributes(&item), self.source),
                };
                self.comments.exclude_above(&place, index == 0);
                self.exclude(syn::spanned::Spanned::span(&item));
                body.switched_off.extend(self.switched_off_item(&item));
                if let Item::Mod(mut item) = item {
                    // The contents of the braces are ignored; files of modules inside it are in a folder of its name.
                    item.content = None;
                    body.disabled.push(self.module_declaration(item));
                }
            }
        }
        resolve_derives(&mut body);
        declare_roots(&mut body);
        let known_errors = self.problems.error_count();
        head.extend(self.comments.head(start, head_end, self.problems));
        body.has_marker_mistake = self.problems.error_count() > known_errors;
        head.sort_by_key(|marker| marker.span().start);
        Mistakes::of_style(self.style).check_together(&mut head, self.source, self.problems);
        body.markers = head;
        body
    }

    /// Describes a type or module that `cfg` disables.
    fn switched_off_item(&self, item: &Item) -> Option<SwitchedOff> {
        let (ident, may_be_kind) = match item {
            Item::Struct(item) => {
                let has_metadata =
                    |field: &syn::Field| field.ident.as_ref().is_some_and(|name| name == "metadata");
                let derives = |attribute: &Attribute| {
                    attribute
                        .meta
                        .require_list()
                        .is_ok_and(|list| list.tokens.to_string().contains("CustomResource"))
                };
                let is_kind = item.fields.iter().any(has_metadata) || item.attrs.iter().any(derives);
                (&item.ident, is_kind)
            }
            Item::Enum(item) => (&item.ident, false),
            Item::Type(item) => (&item.ident, false),
            Item::Mod(item) => (&item.ident, true),
            _ => return None,
        };
        Some(SwitchedOff {
            name: plain_name(ident),
            rename: None,
            may_be_kind,
            condition: self.features.refused(item_attributes(item))?,
        })
    }

    fn type_description(
        &mut self,
        start: u32,
        node: &NodeAttributes,
        attributes: &Attributes,
    ) -> Option<String> {
        let before = std::mem::take(&mut self.version_documentation);
        let text = self.description(start, node, attributes, &before);
        self.version_documentation = before;
        text
    }

    /// Returns the position of a new import: before the first one, or before the first item with the comments above it.
    fn import_place(&self, items: &[Item]) -> Option<ImportPlace> {
        let start = |item: &Item| {
            let attributes = item_attributes(item).iter();
            let starts = attributes.map(|attribute| offset(self.source.start_of(attribute.pound_token.span)));
            starts.min().unwrap_or_else(|| self.first_token(item))
        };
        match items.iter().find(|item| matches!(item, Item::Use(_))) {
            Some(import) => Some(ImportPlace {
                offset: start(import),
                among_imports: true,
            }),
            None => Some(ImportPlace {
                offset: self.comments.start_above(start(items.first()?))?,
                among_imports: false,
            }),
        }
    }

    fn item(&mut self, item: Item, body: &mut ModuleBody, head: Option<&mut Vec<Marker>>) {
        let Some(item) = self.versioned_item(item, body) else {
            return;
        };
        match item {
            Item::Struct(item) => {
                let has_metadata = item
                    .fields
                    .iter()
                    .any(|field| field.ident.as_ref().is_some_and(|ident| ident == "metadata"));
                let node = TypeNode {
                    ident: &item.ident,
                    visibility: &item.vis,
                    keyword: item.struct_token.span,
                    generics: &item.generics,
                    attributes: item.attrs,
                    has_metadata,
                };
                let fields = item.fields;
                let declaration =
                    self.declare(node, head, |lowering| TypeKind::Struct(lowering.fields(fields)));
                body.types.push(declaration);
            }
            Item::Enum(item) => {
                let node = TypeNode {
                    ident: &item.ident,
                    visibility: &item.vis,
                    keyword: item.enum_token.span,
                    generics: &item.generics,
                    attributes: item.attrs,
                    has_metadata: false,
                };
                let variants = item.variants;
                let declaration = self.declare(node, head, |lowering| {
                    TypeKind::Enum(
                        variants
                            .into_iter()
                            .filter_map(|variant| lowering.variant(variant))
                            .collect(),
                    )
                });
                body.types.push(declaration);
            }
            Item::Type(item) => {
                let node = TypeNode {
                    ident: &item.ident,
                    visibility: &item.vis,
                    keyword: item.type_token.span,
                    generics: &item.generics,
                    attributes: item.attrs,
                    has_metadata: false,
                };
                let target = types::lower(&item.ty, self.source);
                body.types
                    .push(self.declare(node, head, |_| TypeKind::Alias(target)));
            }
            Item::Union(item) => body.types.push(self.nameless_type(&item.ident, "a union")),
            Item::Trait(item) => body.types.push(self.nameless_type(&item.ident, "a trait")),
            Item::Use(item) => {
                let flags = ImportFlags {
                    absolute: item.leading_colon.is_some(),
                    reach: Reach::of(&item.vis),
                };
                let uses = Uses {
                    source: self.source,
                    flags,
                };
                uses.flatten(item.tree, &mut Vec::new(), None, &mut body.imports);
            }
            Item::ExternCrate(item) => {
                let name = item.rename.as_ref().map_or(&item.ident, |(_, rename)| rename);
                body.imports.push(Import {
                    path: vec![plain_name(&item.ident)],
                    absolute: item.ident != "self",
                    name: Some(plain_name(name)),
                    reach: Reach::of(&item.vis),
                    span: span_of(self.source, item.ident.span()),
                });
            }
            Item::Mod(item) => {
                let declaration = self.module_declaration(item);
                body.modules.push(declaration);
            }
            Item::Fn(item) => {
                let function = self.function(&item.sig, &item.block, &mut body.modules);
                body.values.push(function);
            }
            Item::Const(item) => {
                let body_span = self.between(item.eq_token.span, item.semi_token.span);
                body.values.push(ValueDeclaration {
                    name: plain_name(&item.ident),
                    body: body_span,
                    inputs: None,
                    output: Some(self.between(item.colon_token.span, item.eq_token.span)),
                    generics: None,
                    block: None,
                });
            }
            Item::Static(item) => {
                let body_span = self.between(item.eq_token.span, item.semi_token.span);
                body.values.push(ValueDeclaration {
                    name: plain_name(&item.ident),
                    body: body_span,
                    inputs: None,
                    output: Some(self.between(item.colon_token.span, item.eq_token.span)),
                    generics: None,
                    block: None,
                });
            }
            Item::Impl(item) => {
                let implementation = self.implementation(&item, &mut body.modules);
                body.implementations.extend(implementation);
            }
            Item::Macro(item) if is_condition(&item.mac) => {
                // Some crates write `cfg_client! { pub use … }` as a `#[cfg]` for several items.
                let inner = syn::parse2::<syn::File>(item.mac.tokens)
                    .map(|file| file.items)
                    .unwrap_or_default();
                for item in inner
                    .into_iter()
                    .filter(|item| matches!(item, Item::Use(_) | Item::Mod(_)))
                {
                    if self.features.allow(item_attributes(&item)) {
                        self.item(item, body, None);
                    }
                }
            }
            Item::Macro(item)
                if item
                    .mac
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident == "lazy_static") =>
            {
                self.lazy_statics(&item.mac, &mut body.values);
            }
            Item::Macro(item) => self.macro_item(&item, body),
            _ => {}
        }
    }

    /// Declares the modules that `#[versioned(…)]` makes of a module or type. Returns every other item.
    fn versioned_item(&mut self, item: Item, body: &mut ModuleBody) -> Option<Item> {
        if !matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Mod(_)) {
            return Some(item);
        }
        let Some(versions) = Versions::of(item_attributes(&item)) else {
            return Some(item);
        };
        let (visibility, items, inside) = match &item {
            Item::Mod(module) => {
                // A macro cannot see the file of a module.
                let (brace, items) = module.content.as_ref()?;
                let inside = self.between(brace.span.open(), brace.span.close());
                (&module.vis, items.as_slice(), (inside.start, inside.end))
            }
            Item::Struct(declared) => (&declared.vis, std::slice::from_ref(&item), (0, 0)),
            Item::Enum(declared) => (&declared.vis, std::slice::from_ref(&item), (0, 0)),
            _ => return None,
        };
        let untaken = self.comments.untaken();
        let mut modules = Vec::with_capacity(versions.names.len());
        for version in &versions.names {
            // Every version has all the comments.
            self.comments.give_back(&untaken);
            self.version_documentation = versions.documentation(version);
            let mut inline = self.module(versions.items(version, items), inside.0, inside.1);
            let span = span_of(self.source, version.span());
            inline.import_place = None;
            inline.imports.push(Import {
                path: vec!["super".to_owned()],
                absolute: false,
                name: None,
                reach: Reach::of(&Visibility::Inherited),
                span,
            });
            modules.push(ModuleDeclaration {
                name: version.value(),
                span,
                reach: Reach::of(visibility),
                path: None,
                inline: Some(Arc::new(inline)),
                is_block: false,
            });
        }
        self.version_documentation.clear();
        match &item {
            Item::Mod(module) if versions.keeps_module => {
                let (name, span) = placed_name(&module.ident, self.source);
                let mut around = ModuleBody {
                    modules,
                    ..ModuleBody::default()
                };
                for import in items.iter().filter(|item| matches!(item, Item::Use(_))) {
                    self.item(import.clone(), &mut around, None);
                }
                body.modules.push(ModuleDeclaration {
                    name,
                    span,
                    reach: Reach::of(visibility),
                    path: None,
                    inline: Some(Arc::new(around)),
                    is_block: false,
                });
            }
            _ => body.modules.extend(modules),
        }
        None
    }

    /// Lowers a macro that kgen does not expand: its definition, or its call.
    fn macro_item(&self, item: &syn::ItemMacro, body: &mut ModuleBody) {
        let span = span_of(self.source, syn::spanned::Spanned::span(item));
        let text = self.source.text.get(span.range()).unwrap_or_default();
        let derives_kind = text.contains("CustomResource");
        if let Some(defined) = &item.ident {
            body.macro_definitions.push(span);
            if derives_kind {
                body.kind_macros.push(plain_name(defined));
            }
        } else if let Some(last) = item.mac.path.segments.last() {
            body.macro_calls.push(MacroCall {
                name: last.ident.to_string(),
                span,
                derives_kind,
            });
        }
    }

    /// Reads `static ref NAME: Type = value;`, the syntax of `lazy_static!`.
    fn lazy_statics(&self, call: &syn::Macro, values: &mut Vec<ValueDeclaration>) {
        let mut tokens = call.tokens.clone().into_iter().peekable();
        while let Some(token) = tokens.next() {
            if !matches!(&token, proc_macro2::TokenTree::Ident(word) if word == "ref") {
                continue;
            }
            let Some(proc_macro2::TokenTree::Ident(name)) = tokens.next() else {
                continue;
            };
            let is = |token: &proc_macro2::TokenTree, sign: char| matches!(token, proc_macro2::TokenTree::Punct(found) if found.as_char() == sign);
            let equals = tokens.by_ref().find(|token| is(token, '='));
            let end = tokens.by_ref().find(|token| is(token, ';'));
            if let (Some(equals), Some(end)) = (equals, end) {
                values.push(ValueDeclaration {
                    name: plain_name(&name),
                    body: self.between(equals.span(), end.span()),
                    inputs: None,
                    output: None,
                    generics: None,
                    block: None,
                });
            }
        }
    }

    /// Reports markers above an item that cannot have markers: most of them are mistakes.
    fn markers_of_other_item(&mut self, item: &Item) {
        let what = match item {
            Item::Fn(_) => "a function",
            Item::Impl(_) => "an impl",
            Item::Trait(_) => "a trait",
            Item::Const(_) => "a constant",
            Item::Static(_) => "a static",
            Item::Mod(_) => "a module declaration",
            Item::Union(_) => "a union",
            _ => return,
        };
        let place = Place {
            start: self.first_token(item),
            attributes: &attribute_ranges(item_attributes(item), self.source),
        };
        self.comments
            .node(&place, Position::OtherItem(what), None, self.problems);
    }

    /// Lowers a struct, an enum or an alias with its attributes, markers and documentation. Its contents are lowered
    /// last, because comments belong to the outer node first.
    fn declare(
        &mut self,
        item: TypeNode<'_>,
        head: Option<&mut Vec<Marker>>,
        inside: impl FnOnce(&mut Self) -> TypeKind,
    ) -> TypeDeclaration {
        let start = self.start_of(item.visibility, item.keyword);
        let generics = self.generics(item.generics);
        let mut node = self.node_attributes(item.attributes);
        let attributes = self.lower_attributes(&mut node);
        let is_kind = item.has_metadata || attributes.derives("CustomResource").is_some();
        let position = if is_kind { Position::Kind } else { Position::Type };
        let markers = self.markers(start, &node, position, head);
        TypeDeclaration {
            name: plain_name(item.ident),
            reach: Reach::of(item.visibility),
            span: span_of(self.source, item.ident.span()),
            generics,
            description: self.type_description(start, &node, &attributes),
            attributes,
            markers,
            kind: inside(self),
            switched_off: std::mem::take(&mut self.switched_off),
        }
    }

    fn nameless_type(&self, ident: &Ident, what: &'static str) -> TypeDeclaration {
        TypeDeclaration {
            name: plain_name(ident),
            reach: Reach::Everywhere,
            span: span_of(self.source, ident.span()),
            generics: Vec::new(),
            attributes: Attributes::default(),
            description: None,
            markers: Vec::new(),
            kind: TypeKind::Other(what),
            switched_off: Vec::new(),
        }
    }

    fn module_declaration(&mut self, item: syn::ItemMod) -> ModuleDeclaration {
        let attributes = self.features.expand(item.attrs);
        let path = attributes
            .iter()
            .find(|attribute| attribute.path().is_ident("path"))
            .and_then(|attribute| {
                let syn::Meta::NameValue(pair) = &attribute.meta else {
                    return None;
                };
                literal_text(&pair.value)
            });
        let reach = Reach::of(&item.vis);
        let inline = item.content.map(|(brace, items)| {
            let inside = self.between(brace.span.open(), brace.span.close());
            self.module(items, inside.start, inside.end)
        });
        let (name, span) = placed_name(&item.ident, self.source);
        ModuleDeclaration {
            name,
            span,
            reach,
            path,
            inline: inline.map(Arc::new),
            is_block: false,
        }
    }

    /// Lowers a function. The types in the block of a function that returns a schema become a separate module.
    fn function(
        &mut self,
        signature: &syn::Signature,
        block: &syn::Block,
        modules: &mut Vec<ModuleDeclaration>,
    ) -> ValueDeclaration {
        let body = span_of(self.source, block.brace_token.span.join());
        let generics = &signature.generics;
        let generics = generics.lt_token.zip(generics.gt_token).map(|(open, close)| {
            let (open, close) = (span_of(self.source, open.span), span_of(self.source, close.span));
            open.to(close)
        });
        let module = if makes_schema(signature) {
            self.block_module(block, body)
        } else {
            None
        };
        let name = module.as_ref().map(|module| module.name.as_str().into());
        modules.extend(module);
        ValueDeclaration {
            name: plain_name(&signature.ident),
            body,
            inputs: Some(self.inputs(signature)),
            output: Some(self.output(signature, block)),
            generics,
            block: name,
        }
    }

    /// Returns the module of the types that a block declares. Returns `None` if it declares none.
    fn block_module(&mut self, block: &syn::Block, span: Span) -> Option<ModuleDeclaration> {
        let items = || {
            block.stmts.iter().filter_map(|statement| match statement {
                syn::Stmt::Item(item) => Some(item),
                _ => None,
            })
        };
        if !items().any(|item| matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Type(_))) {
            return None;
        }
        let mut body = ModuleBody::default();
        for item in items().filter(|item| self.features.allow(item_attributes(item))) {
            self.item(item.clone(), &mut body, None);
        }
        // A block sees the names of the module around it.
        body.imports.push(Import {
            path: vec!["self".to_owned()],
            absolute: false,
            name: None,
            reach: Reach::Everywhere,
            span,
        });
        Some(ModuleDeclaration {
            // No path can have this name.
            name: format!("{{block at {}}}", span.start),
            span,
            reach: Reach::Everywhere,
            path: None,
            inline: Some(Arc::new(body)),
            is_block: true,
        })
    }

    fn implementation(
        &mut self,
        item: &syn::ItemImpl,
        modules: &mut Vec<ModuleDeclaration>,
    ) -> Option<Implementation> {
        let trait_segment = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let syn::Type::Path(self_type) = item.self_ty.as_ref() else {
            return None;
        };
        let values = item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(function) => Some(self.function(&function.sig, &function.block, modules)),
            syn::ImplItem::Const(constant) => Some(ValueDeclaration {
                name: plain_name(&constant.ident),
                body: self.between(constant.eq_token.span, constant.semi_token.span),
                inputs: None,
                output: Some(self.between(constant.colon_token.span, constant.eq_token.span)),
                generics: None,
                block: None,
            }),
            _ => None,
        });
        let values = values.collect();
        let segments = self_type.path.segments.iter();
        let type_path: Vec<_> = segments.map(|segment| plain_name(&segment.ident)).collect();
        Some(Implementation {
            trait_name: trait_segment
                .map(|segment| plain_name(&segment.ident))
                .unwrap_or_default(),
            type_name: type_path.last()?.clone(),
            type_path,
            span: span_of(
                self.source,
                trait_segment.map_or(item.impl_token.span, |segment| segment.ident.span()),
            ),
            values,
        })
    }

    fn start_of(&self, visibility: &Visibility, keyword: proc_macro2::Span) -> u32 {
        self.visibility_start(visibility)
            .unwrap_or_else(|| offset(self.source.start_of(keyword)))
    }

    pub(super) fn visibility_start(&self, visibility: &Visibility) -> Option<u32> {
        match visibility {
            Visibility::Public(public) => Some(offset(self.source.start_of(public.span))),
            Visibility::Restricted(restricted) => {
                Some(offset(self.source.start_of(restricted.pub_token.span)))
            }
            Visibility::Inherited => None,
        }
    }

    /// Returns the first byte of an item behind its attributes.
    fn first_token(&self, item: &Item) -> u32 {
        match item {
            Item::Struct(item) => self.start_of(&item.vis, item.struct_token.span),
            Item::Enum(item) => self.start_of(&item.vis, item.enum_token.span),
            Item::Type(item) => self.start_of(&item.vis, item.type_token.span),
            Item::Use(item) => self.start_of(&item.vis, item.use_token.span),
            Item::Mod(item) => self.start_of(&item.vis, item.mod_token.span),
            Item::Fn(item) => self.start_of(&item.vis, item.sig.fn_token.span),
            Item::Impl(item) => offset(self.source.start_of(item.impl_token.span)),
            Item::Trait(item) => self.start_of(&item.vis, item.trait_token.span),
            Item::Const(item) => self.start_of(&item.vis, item.const_token.span),
            Item::Static(item) => self.start_of(&item.vis, item.static_token.span),
            other => {
                let attributes = item_attributes(other);
                let end = attributes
                    .last()
                    .map(|last| self.source.end_of(last.bracket_token.span.close()));
                offset(end.unwrap_or_else(|| self.source.start_of(syn::spanned::Spanned::span(other))))
            }
        }
    }

    /// Removes the comments of an item that `cfg` disables.
    pub(super) fn exclude(&mut self, span: proc_macro2::Span) {
        let range = span_of(self.source, span);
        self.comments.exclude(range.start, range.end);
    }

    /// Returns the text in the parentheses of a function.
    fn inputs(&self, signature: &syn::Signature) -> Span {
        let parentheses = signature.paren_token.span;
        self.between(parentheses.open(), parentheses.close())
    }

    fn output(&self, signature: &syn::Signature, block: &syn::Block) -> Span {
        self.between(signature.paren_token.span.close(), block.brace_token.span.open())
    }

    fn between(&self, before: proc_macro2::Span, after: proc_macro2::Span) -> Span {
        Span::of(
            self.source.file,
            self.source.end_of(before)..self.source.start_of(after),
        )
    }
}

/// Returns whether a macro has the name of a macro that only adds a condition to items.
fn is_condition(call: &syn::Macro) -> bool {
    let name = call
        .path
        .segments
        .last()
        .map(|segment| segment.ident.to_string())
        .unwrap_or_default();
    name.starts_with("cfg_") && matches!(call.delimiter, syn::MacroDelimiter::Brace(_))
}

pub(super) fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
