//! `applyconfiguration`: the types that server-side apply sends, which mirror each struct with optional fields.
//!
//! A mirror is in a module that is named after the module of its struct, so that structs of the same name do not
//! collide. Enums, newtypes, generic types and types of other crates are used unchanged.

use kgen_check::Checked;
use kgen_check::clients::{Kind, MirrorModule, module_of};
use kgen_diagnostics::{Problem, Problems};
use kgen_model::{Api, RustField, RustPath, RustRole, RustType, rust_names};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::imports::Imports;
use super::options::{RustOptions, type_tokens, with_arguments};
use super::printer::SourceText;
use super::{builder, identifiers, write};
use crate::Artifact;

const GENERATOR: &str = "applyconfiguration";

/// The folder that contains the mirrors.
pub(super) const FOLDER: &str = "apply";

/// Generates a mirror of each kind that can be applied, and of every struct in it.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &RustOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let mut artifacts = Vec::new();
    for (name, module) in checked.clients().mirrors() {
        let printed = file(checked.api(), name, module, options);
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

/// The longest group and version that fit on the line of a field.
const LONGEST_VERSION: usize = 72;

fn mirror_name(path: &RustPath) -> String {
    format!("{}Apply", path.name())
}

fn file(api: &Api, name: &str, module: &MirrorModule<'_>, options: &RustOptions) -> Result<String, Problem> {
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
            "Apply configurations for the types of `{}`.",
            module_shown(module)
        )),
        imports: &mirror.imports,
        items,
    }
    .print()
}

/// Returns the module that the types of a file come from.
fn module_shown(module: &MirrorModule<'_>) -> String {
    let kind = module.kinds.first().map(|(kind, _)| &kind.rust.path);
    kind.or_else(|| module.structs.first().copied())
        .map_or_else(String::new, |path| {
            let mut modules = path.clone();
            modules.names.pop();
            let text = modules.to_string();
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
    /// Returns the mirror of a whole object.
    fn kind(&mut self, kind: &Kind<'_>, api_version: &str) -> TokenStream {
        let name = identifiers::ident(&mirror_name(&kind.rust.path));
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
            let name = identifiers::existing(&field.name);
            quote!(#name: None)
        });
        let kind_name = kind.name();
        // The style editions of rustfmt disagree about a long string that is the value of a field.
        let (variable, version) = if api_version.len() > LONGEST_VERSION {
            (Some(quote!(let api_version = #api_version;)), quote!(api_version))
        } else {
            (None, quote!(api_version: #api_version))
        };
        let documentation = format!(" An apply configuration for `{kind_name}`.");
        let (parameters, arguments, start, constructed) = if kind.is_namespaced() {
            (
                quote!(name: impl Into<String>, namespace: impl Into<String>),
                quote!(name, namespace),
                quote!(#metadata::default().name(name).namespace(namespace)),
                format!(" Starts an apply configuration for the `{kind_name}` `name` in `namespace`."),
            )
        } else {
            (
                quote!(name: impl Into<String>),
                quote!(name),
                quote!(#metadata::default().name(name)),
                format!(" Starts an apply configuration for the `{kind_name}` `name`."),
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
                /// The name, and the other metadata to apply.
                pub metadata: #metadata,
                #(#members),*
            }

            impl #name {
                #[doc = #constructed]
                #[must_use]
                pub fn new(#parameters) -> Self {
                    #variable
                    Self {
                        #version,
                        kind: #kind_name,
                        metadata: #start,
                        #(#unset),*
                    }
                }

                /// Replaces the metadata, including the name.
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

    /// Returns the mirror of a struct that is part of an object.
    fn part(&mut self, path: &RustPath, fields: &[RustField]) -> TokenStream {
        let name = identifiers::ident(&mirror_name(path));
        let serialize = self.imports.name(&format!("{}::Serialize", self.options.serde));
        let crate_path = self.serde_crate();
        let fields: Vec<&RustField> = fields.iter().filter(|field| !is_type_meta(field)).collect();
        let members = fields.iter().map(|field| self.member(field)).collect::<Vec<_>>();
        let setters = fields.iter().map(|field| self.setter(field)).collect::<Vec<_>>();
        let documentation = format!(" An apply configuration for `{}`.", path.name());
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
        let name = identifiers::existing(&field.name);
        let json = &field.json_name;
        let attribute = if field.flatten {
            quote!(#[serde(flatten)])
        } else if *json == rust_names::camel(&field.name) {
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

    /// Returns the type of a field without its `Option`.
    fn field_type(&mut self, field: &RustField) -> TokenStream {
        match &field.field_type {
            Some(known) => self.mirrored(known.optional().unwrap_or(known)),
            None => quote!(()),
        }
    }

    /// Returns a type in which mirrors replace the structs.
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
            return identifiers::ident(&name);
        }
        self.imports.name(&format!("super::{module}::{name}"))
    }
}

/// Returns whether a field holds `apiVersion` and `kind`, for which the mirror has its own fields.
fn is_type_meta(field: &RustField) -> bool {
    field
        .field_type
        .as_ref()
        .is_some_and(|known| known.optional().unwrap_or(known).role == RustRole::TypeMeta)
}
