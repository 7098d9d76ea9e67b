//! Prints a file from tokens: the header line, the documentation of the module, the imports and the items.
//!
//! prettyplease prints the items, and `kgen-layout` formats them like rustfmt, so that `cargo fmt` does not change
//! generated files.

use kgen_diagnostics::{Code, Problem};
use kgen_model::{GeneratedLine, Language};
use proc_macro2::TokenStream;

use super::imports::Imports;
use crate::artifact;

/// The parts of a file.
#[derive(Debug)]
pub(super) struct SourceText<'a> {
    /// The name of the generator, for the first line.
    pub(super) generator: &'a str,
    /// The source files, for the first line.
    pub(super) source: &'a str,
    /// The text of the header file.
    pub(super) header: Option<&'a str>,
    /// The documentation of the module; `None` for a file that is read with `include!`.
    pub(super) documentation: Option<&'a str>,
    pub(super) imports: &'a Imports,
    pub(super) items: TokenStream,
}

impl SourceText<'_> {
    /// Returns the text of the file.
    ///
    /// # Errors
    /// Returns an error if the items are not valid Rust, which is a bug in kgen.
    pub(super) fn print(self) -> Result<String, Problem> {
        let mut text = head(self.generator, self.source, self.header);
        if let Some(documentation) = self.documentation {
            text.push('\n');
            for line in documentation.lines() {
                text.push_str(format!("//! {line}").trim_end());
                text.push('\n');
            }
        }
        let imports = self.imports.lines();
        if !imports.is_empty() {
            text.push('\n');
            text.push_str(&imports);
        }
        let file: syn::File = syn::parse2(self.items).map_err(|error| {
            let message = format!("kgen generated invalid Rust for `{}`: {error}", self.source);
            Problem::general(Code::Syntax, message).help("this is a bug in kgen; please report it")
        })?;
        for item in file.items {
            text.push('\n');
            text.push_str(&print_item(item));
        }
        Ok(text)
    }
}

/// Returns the first lines of a generated file.
pub(super) fn head(generator: &str, source: &str, header: Option<&str>) -> String {
    let line = GeneratedLine {
        language: Language::Rust,
        generator,
        source,
    };
    artifact::head(line, header)
}

fn print_item(item: syn::Item) -> String {
    let is_impl = matches!(item, syn::Item::Impl(_));
    let is_constant = matches!(item, syn::Item::Const(_));
    let printed = prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    });
    // The content of a raw string must not be formatted.
    if is_constant && printed.contains(" = r#") {
        return printed;
    }
    let widened = kgen_layout::widen(&printed);
    if is_impl {
        kgen_layout::spread(&widened)
    } else {
        widened
    }
}
