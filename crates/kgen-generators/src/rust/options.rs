//! The options of generated Rust: the paths of the types and of the libraries, and the header.

use kgen_model::{RustPath, RustRole, RustRoot, RustType};
use proc_macro2::TokenStream;
use quote::quote;

use super::identifiers;
use super::imports::Imports;

/// The paths of the crates that generated Rust uses, and the header of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustOptions {
    /// The text of `headerFile`, with the year filled in.
    pub header: Option<String>,
    /// The path of the crate with the types: `crate`, or its name.
    pub types: String,
    /// The path of kube.
    pub kube: String,
    /// The path of k8s-openapi.
    pub k8s_openapi: String,
    /// The path of kgen-runtime.
    pub runtime: String,
    /// The path of serde.
    pub serde: String,
    /// The path of serde_json.
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
    /// Returns a path as it is written in a `use` declaration.
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

    /// Returns the path of `ObjectMeta`.
    pub(super) fn object_meta(&self) -> String {
        format!(
            "{}::apimachinery::pkg::apis::meta::v1::ObjectMeta",
            self.k8s_openapi
        )
    }

    /// Returns whether the generated code is in the crate of the types, so that it can implement traits for them.
    pub(super) fn beside_types(&self) -> bool {
        self.types == "crate" || self.types.starts_with("crate::")
    }
}

/// Returns a type as tokens and adds its imports.
pub(super) fn type_tokens(rust_type: &RustType, options: &RustOptions, imports: &mut Imports) -> TokenStream {
    let arguments: Vec<_> = rust_type
        .arguments
        .iter()
        .map(|argument| type_tokens(argument, options, imports))
        .collect();
    with_arguments(rust_type, &arguments, options, imports)
}

/// Returns a type with other generic arguments than its own.
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
        // Lifetimes are not part of the model; an object can only have this one.
        [inner] if rust_type.path.name() == "Cow" => quote!(#name<'static, #inner>),
        _ => quote!(#name<#(#arguments),*>),
    }
}

fn in_prelude(name: &str) -> bool {
    matches!(name, "Option" | "Vec" | "String" | "Box")
}
