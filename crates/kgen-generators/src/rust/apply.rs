//! `applyconfiguration`: what server-side apply sends, a mirror of each struct with every field optional.
//!
//! A mirror lies in a module that is called after the module of its struct, so that structs of the same name stay
//! apart. Enums, newtypes, generic types and types of other crates are used as they are.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{Api, RustField, RustPath, RustRole, RustRoot, RustType, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::imports::Imports;
use super::kinds::{self, Kind};
use super::options::{RustOptions, type_tokens, with_arguments};
use super::printer::SourceText;
use super::{builder, camel, names, write};
use crate::{Artifact, check};

const GENERATOR: &str = "applyconfiguration";

/// The folder of the mirrors.
pub(super) const FOLDER: &str = "apply";

/// What a file holds: kinds and structs of one module.
#[derive(Default)]
struct Module<'a> {
    kinds: Vec<(&'a Kind<'a>, &'a str)>,
    structs: BTreeSet<&'a RustPath>,
    sources: BTreeSet<&'a str>,
}

/// Writes a mirror of each kind that can be applied, and of every struct that is part of it.
#[must_use]
pub fn generate(api: &Api, options: &RustOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = check::check(api);
    let groups = kinds::with_client(api, &mut problems);
    let mut found = Modules::default();
    for group in &groups {
        for kind in &group.kinds {
            if kind.has(Verb::Apply) || kind.has(Verb::ApplyStatus) {
                found.add_kind(api, kind, &group.api_version, &mut problems);
            }
        }
    }
    found.check_names(&mut problems);
    if problems.has_errors() {
        return (Vec::new(), problems);
    }
    let mut artifacts = Vec::new();
    for (name, module) in &found.modules {
        let printed = file(api, name, module, options);
        write(
            &mut artifacts,
            &mut problems,
            GENERATOR,
            format!("{FOLDER}/{name}.rs"),
            printed,
        );
    }
    (artifacts, problems)
}

#[derive(Default)]
struct Modules<'a> {
    modules: BTreeMap<String, Module<'a>>,
    /// Structs that were looked at.
    seen: BTreeSet<&'a RustPath>,
}

impl<'a> Modules<'a> {
    fn add_kind(&mut self, api: &'a Api, kind: &'a Kind<'a>, api_version: &'a str, problems: &mut Problems) {
        let module = self.modules.entry(module_of(&kind.rust.path)).or_default();
        module.kinds.push((kind, api_version));
        module.sources.insert(&kind.rust.source);
        for field in kind.rust.fields.iter().filter(|field| field.name != "metadata") {
            self.add_field(api, field, problems);
        }
    }

    fn add_field(&mut self, api: &'a Api, field: &'a RustField, problems: &mut Problems) {
        let name = &field.name;
        if let Some(span) = field.custom {
            problems.push(
                Problem::error(
                    Code::ApplyField,
                    span,
                    format!("code decides the JSON of `{name}`, and its mirror would not know it"),
                )
                .help("give the field a type whose own serde code does it")
                .help("or take the kind out of apply: `+genclient:skipVerbs=apply,applyStatus`"),
            );
        }
        match &field.field_type {
            Some(field_type) => self.add_type(api, field_type, problems),
            None => problems.push(
                Problem::error(
                    Code::ApplyField,
                    field.span,
                    format!("the type of `{name}` cannot be named outside of its module"),
                )
                .help("give the type a name of its own: a struct, an enum or an alias")
                .help("or take the kind out of apply: `+genclient:skipVerbs=apply,applyStatus`"),
            ),
        }
    }

    fn add_type(&mut self, api: &'a Api, rust_type: &'a RustType, problems: &mut Problems) {
        for argument in &rust_type.arguments {
            self.add_type(api, argument, problems);
        }
        let described = api.rust.structs.get(&rust_type.path);
        let Some(described) = described.filter(|_| rust_type.role == RustRole::Struct) else {
            return;
        };
        if !self.seen.insert(&described.path) {
            return;
        }
        let module = self.modules.entry(module_of(&described.path)).or_default();
        module.structs.insert(&described.path);
        module.sources.insert(&described.source);
        for field in &described.fields {
            self.add_field(api, field, problems);
        }
    }

    /// Reports structs whose mirrors would have one name: `Foo` beside `FooApply` that is mirrored itself cannot happen,
    /// but modules of different crates may be called the same.
    fn check_names(&self, problems: &mut Problems) {
        for module in self.modules.values() {
            let mut taken: BTreeMap<&str, &RustPath> = BTreeMap::new();
            let kinds = module.kinds.iter().map(|(kind, _)| &kind.rust.path);
            for path in kinds.chain(module.structs.iter().copied()) {
                if let Some(other) = taken.insert(path.name(), path)
                    && other != path
                {
                    let message = format!("two structs called `{}` would have one mirror", path.name());
                    problems.push(
                        Problem::general(Code::ClientName, message)
                            .help(format!("`{}` and `{}`", shown(other), shown(path)))
                            .help("rename one of them or its module"),
                    );
                }
            }
        }
    }
}

fn shown(path: &RustPath) -> String {
    let root = match &path.root {
        RustRoot::Own => "crate",
        RustRoot::Library(library) => library,
        RustRoot::Language => "",
    };
    format!("{root}::{}", path.names.join("::"))
}

/// The module of the mirrors of a module.
fn module_of(path: &RustPath) -> String {
    let mut parts: Vec<&str> = Vec::new();
    if let RustRoot::Library(library) = &path.root {
        parts.push(library);
    }
    parts.extend(path.modules().iter().map(String::as_str));
    if parts.is_empty() {
        parts.push("root");
    }
    names::free(&names::snake(&parts.join("_")))
}

fn mirror_name(path: &RustPath) -> String {
    format!("{}Apply", path.name())
}

fn file(api: &Api, name: &str, module: &Module<'_>, options: &RustOptions) -> Result<String, Problem> {
    let kinds = module.kinds.iter().map(|(kind, _)| &kind.rust.path);
    let own = kinds.chain(module.structs.iter().copied()).map(mirror_name);
    let mut mirror = Mirror {
        module: name,
        options,
        imports: Imports::new(own),
    };
    let mut items = TokenStream::new();
    for (kind, api_version) in &module.kinds {
        items.extend(mirror.kind(kind, api_version));
    }
    for path in &module.structs {
        if let Some(described) = api.rust.structs.get(*path) {
            items.extend(mirror.part(path, &described.fields));
        }
    }
    let sources: Vec<&str> = module.sources.iter().copied().collect();
    SourceText {
        generator: GENERATOR,
        source: &sources.join(", "),
        header: options.header.as_deref(),
        documentation: Some(&format!(
            "What server-side apply sends of the types of `{}`.",
            module_shown(module)
        )),
        imports: &mirror.imports,
        items,
    }
    .print()
}

/// The module that the types of a file come from.
fn module_shown(module: &Module<'_>) -> String {
    let kind = module.kinds.first().map(|(kind, _)| &kind.rust.path);
    kind.or_else(|| module.structs.first().copied())
        .map_or_else(String::new, |path| {
            let mut modules = path.clone();
            modules.names.pop();
            let text = shown(&modules);
            text.trim_end_matches(':').to_owned()
        })
}

/// Writes the mirrors of one file.
struct Mirror<'a> {
    module: &'a str,
    options: &'a RustOptions,
    imports: Imports,
}

impl Mirror<'_> {
    /// The mirror of a whole object.
    fn kind(&mut self, kind: &Kind<'_>, api_version: &str) -> TokenStream {
        let name = names::ident(&mirror_name(&kind.rust.path));
        let object = self.imports.name(&self.options.path(&kind.rust.path));
        let metadata = self
            .imports
            .name(&format!("{}::ObjectMetaApply", self.options.runtime));
        let configuration = self
            .imports
            .name(&format!("{}::ApplyConfiguration", self.options.runtime));
        let serialize = self.imports.name(&format!("{}::Serialize", self.options.serde));
        let crate_path = self.serde_crate();
        let fields: Vec<&RustField> = kind
            .rust
            .fields
            .iter()
            .filter(|field| field.name != "metadata" && !is_type_meta(field))
            .collect();
        let members = fields.iter().map(|field| self.member(field)).collect::<Vec<_>>();
        let setters = fields.iter().map(|field| self.setter(field)).collect::<Vec<_>>();
        let unset = fields.iter().map(|field| {
            let name = names::existing(&field.name);
            quote!(#name: None)
        });
        let kind_name = kind.name();
        let documentation = format!(" What server-side apply sends of `{kind_name}`.");
        let (parameters, arguments, start, constructed) = if kind.is_namespaced() {
            (
                quote!(name: impl Into<String>, namespace: impl Into<String>),
                quote!(name, namespace),
                quote!(#metadata::default().name(name).namespace(namespace)),
                format!(" Nothing yet of the `{kind_name}` called `name` in `namespace`."),
            )
        } else {
            (
                quote!(name: impl Into<String>),
                quote!(name),
                quote!(#metadata::default().name(name)),
                format!(" Nothing yet of the `{kind_name}` called `name`."),
            )
        };
        let shortcut = self.options.beside_types().then(|| {
            quote! {
                impl #object {
                    #[doc = #constructed]
                    #[must_use]
                    pub fn apply(#parameters) -> #name {
                        #name::new(#arguments)
                    }
                }
            }
        });
        quote! {
            #[doc = #documentation]
            #[derive(Clone, Debug, #serialize)]
            #crate_path
            #[serde(rename_all = "camelCase")]
            pub struct #name {
                api_version: &'static str,
                kind: &'static str,
                /// Its name, and what else of its metadata is to be applied.
                pub metadata: #metadata,
                #(#members),*
            }

            impl #name {
                #[doc = #constructed]
                #[must_use]
                pub fn new(#parameters) -> Self {
                    Self {
                        api_version: #api_version,
                        kind: #kind_name,
                        metadata: #start,
                        #(#unset),*
                    }
                }

                /// Replaces the metadata, the name included.
                #[must_use]
                pub fn metadata(mut self, value: #metadata) -> Self {
                    self.metadata = value;
                    self
                }

                #(#setters)*
            }

            #shortcut

            impl #configuration for #name {
                type Object = #object;

                fn name(&self) -> Option<&str> {
                    self.metadata.name.as_deref()
                }

                fn namespace(&self) -> Option<&str> {
                    self.metadata.namespace.as_deref()
                }
            }
        }
    }

    /// The mirror of a struct that is part of an object.
    fn part(&mut self, path: &RustPath, fields: &[RustField]) -> TokenStream {
        let name = names::ident(&mirror_name(path));
        let serialize = self.imports.name(&format!("{}::Serialize", self.options.serde));
        let crate_path = self.serde_crate();
        let fields: Vec<&RustField> = fields.iter().filter(|field| !is_type_meta(field)).collect();
        let members = fields.iter().map(|field| self.member(field)).collect::<Vec<_>>();
        let setters = fields.iter().map(|field| self.setter(field)).collect::<Vec<_>>();
        let documentation = format!(" What server-side apply sends of `{}`.", path.name());
        let implementation = (!setters.is_empty()).then(|| {
            quote! {
                impl #name {
                    #(#setters)*
                }
            }
        });
        quote! {
            #[doc = #documentation]
            #[derive(Clone, Debug, Default, #serialize)]
            #crate_path
            #[serde(rename_all = "camelCase")]
            pub struct #name {
                #(#members),*
            }

            #implementation
        }
    }

    fn serde_crate(&self) -> Option<TokenStream> {
        let path = &self.options.serde;
        (path != "serde").then(|| quote!(#[serde(crate = #path)]))
    }

    fn member(&mut self, field: &RustField) -> TokenStream {
        let name = names::existing(&field.name);
        let json = &field.json_name;
        let attribute = if field.flatten {
            quote!(#[serde(flatten)])
        } else if *json == camel(&field.name) {
            quote!(#[serde(skip_serializing_if = "Option::is_none")])
        } else {
            quote!(#[serde(rename = #json, skip_serializing_if = "Option::is_none")])
        };
        let documentation = builder::documentation(field);
        let field_type = self.field_type(field);
        quote! {
            #[doc = #documentation]
            #attribute
            pub #name: Option<#field_type>
        }
    }

    fn setter(&mut self, field: &RustField) -> TokenStream {
        let value = field
            .field_type
            .as_ref()
            .map(|known| known.optional().unwrap_or(known));
        let mut mirrored = |inner: &RustType| self.mirrored(inner);
        builder::setter(field, value, &mut mirrored)
    }

    /// The type of a field without its `Option`.
    fn field_type(&mut self, field: &RustField) -> TokenStream {
        match &field.field_type {
            Some(known) => self.mirrored(known.optional().unwrap_or(known)),
            None => quote!(()),
        }
    }

    /// A type with mirrors in the place of structs.
    fn mirrored(&mut self, rust_type: &RustType) -> TokenStream {
        match rust_type.role {
            RustRole::Struct => {
                let name = self.mirror(&rust_type.path);
                quote!(#name)
            }
            RustRole::ObjectMeta => {
                let name = self
                    .imports
                    .name(&format!("{}::ObjectMetaApply", self.options.runtime));
                quote!(#name)
            }
            RustRole::Other | RustRole::TypeMeta => type_tokens(rust_type, self.options, &mut self.imports),
            _ => {
                let arguments: Vec<_> = rust_type
                    .arguments
                    .iter()
                    .map(|argument| self.mirrored(argument))
                    .collect();
                with_arguments(rust_type, &arguments, self.options, &mut self.imports)
            }
        }
    }

    fn mirror(&mut self, path: &RustPath) -> Ident {
        let (module, name) = (module_of(path), mirror_name(path));
        if module == self.module {
            return names::ident(&name);
        }
        self.imports.name(&format!("super::{module}::{name}"))
    }
}

/// Whether a field holds `apiVersion` and `kind`, which the mirror has of its own.
fn is_type_meta(field: &RustField) -> bool {
    field
        .field_type
        .as_ref()
        .is_some_and(|known| known.optional().unwrap_or(known).role == RustRole::TypeMeta)
}
