//! What the user can decide about generated Rust: where the types and the libraries are, and the header.

use kgen_model::{RustPath, RustRole, RustRoot, RustType};
use proc_macro2::TokenStream;
use quote::quote;

use super::identifiers;
use super::imports::Imports;

/// Paths of the crates that generated Rust names, and the header of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustOptions {
    /// The text of `headerFile`, with the year in place.
    pub header: Option<String>,
    /// Where the crate of the types is: `crate`, or its name.
    pub types: String,
    /// Where kube is.
    pub kube: String,
    /// Where k8s-openapi is.
    pub k8s_openapi: String,
    /// Where the runtime of kgen is.
    pub runtime: String,
    /// Where serde is.
    pub serde: String,
    /// Where serde_json is.
    pub serde_json: String,
}

impl Default for RustOptions {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            header: None,
            types: text("crate"),
            kube: text("kube"),
            k8s_openapi: text("k8s_openapi"),
            runtime: text("kgen_runtime"),
            serde: text("serde"),
            serde_json: text("serde_json"),
        }
    }
}

impl RustOptions {
    /// A path as `use` writes it.
    pub(super) fn path(&self, path: &RustPath) -> String {
        let root = match &path.root {
            RustRoot::Language => return path.name().to_owned(),
            RustRoot::Own => self.types.as_str(),
            RustRoot::Library(library) => match library.as_str() {
                "kube" => self.kube.as_str(),
                "k8s_openapi" => self.k8s_openapi.as_str(),
                "serde_json" => self.serde_json.as_str(),
                other => other,
            },
        };
        format!("{root}::{}", path.names.join("::"))
    }

    /// The metadata of objects.
    pub(super) fn object_meta(&self) -> String {
        format!(
            "{}::apimachinery::pkg::apis::meta::v1::ObjectMeta",
            self.k8s_openapi
        )
    }

    /// Whether the generated code is part of the crate of the types, so that it can implement traits for them.
    pub(super) fn beside_types(&self) -> bool {
        self.types == "crate" || self.types.starts_with("crate::")
    }
}

/// A type in generated code, with its imports noted.
pub(super) fn type_tokens(rust_type: &RustType, options: &RustOptions, imports: &mut Imports) -> TokenStream {
    let arguments: Vec<_> = rust_type
        .arguments
        .iter()
        .map(|argument| type_tokens(argument, options, imports))
        .collect();
    with_arguments(rust_type, &arguments, options, imports)
}

/// A type with other arguments than its own.
pub(super) fn with_arguments(
    rust_type: &RustType,
    arguments: &[TokenStream],
    options: &RustOptions,
    imports: &mut Imports,
) -> TokenStream {
    if let (RustRole::Array(length), [inner]) = (rust_type.role, arguments) {
        let length = proc_macro2::Literal::u64_unsuffixed(length);
        return quote!([#inner; #length]);
    }
    let name = match &rust_type.path.root {
        RustRoot::Language => identifiers::existing(rust_type.path.name()),
        RustRoot::Library(library) if library == "std" && in_prelude(rust_type.path.name()) => {
            identifiers::existing(rust_type.path.name())
        }
        _ => imports.name(&options.path(&rust_type.path)),
    };
    match arguments {
        [] => quote!(#name),
        // Lifetimes are not part of the model; the only one that can stand in an object is this.
        [inner] if rust_type.path.name() == "Cow" => quote!(#name<'static, #inner>),
        _ => quote!(#name<#(#arguments),*>),
    }
}

fn in_prelude(name: &str) -> bool {
    matches!(name, "Option" | "Vec" | "String" | "Box")
}
