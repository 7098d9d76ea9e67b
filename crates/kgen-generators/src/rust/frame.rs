//! The frame that `client` and `informer` share: a file for all groups, one per group and version, and one per kind.
//!
//! The types in the first two files wrap one value and have one accessor per group, or per kind.

use kgen_check::clients::{GroupVersion, Kind};
use kgen_diagnostics::{Problem, Problems};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::imports::Imports;
use super::options::RustOptions;
use super::printer::SourceText;
use super::{identifiers, sources, write};
use crate::Artifact;

/// A generator with such files.
pub(super) struct Frame {
    pub(super) generator: &'static str,
    /// The objects that the types give access to, such as "clients".
    pub(super) noun: &'static str,
    /// The methods of the type for all groups, which accessors cannot have.
    pub(super) methods: &'static [&'static str],
    /// The name and the printer of the file for all groups.
    pub(super) all: (&'static str, PrintAll),
    /// The name and the printer of the file of a group and version.
    pub(super) group: (&'static str, PrintGroup),
    /// The end of the name and the printer of the file of a kind.
    pub(super) kind: (&'static str, PrintKind),
}

type PrintAll = fn(&[GroupVersion<'_>], &RustOptions) -> Result<String, Problem>;
type PrintGroup = fn(&GroupVersion<'_>, &RustOptions) -> Result<String, Problem>;
type PrintKind = fn(&Kind<'_>, &RustOptions) -> Result<String, Problem>;

/// The type of a group and version.
pub(super) struct GroupType<'a> {
    pub(super) group: &'a GroupVersion<'a>,
    pub(super) name: &'a str,
    /// Its first line of documentation, up to "for the kinds of".
    pub(super) title: &'static str,
    /// The documentation, the argument and the type of its constructor.
    pub(super) constructor: (&'static str, &'static str, Ident),
    pub(super) accessors: Vec<TokenStream>,
}

impl Frame {
    /// Prints all files.
    pub(super) fn generate(
        &self,
        groups: &[GroupVersion<'_>],
        options: &RustOptions,
    ) -> (Vec<Artifact>, Problems) {
        let (mut artifacts, mut problems) = (Vec::new(), Problems::new());
        if groups.is_empty() {
            return (artifacts, problems);
        }
        let mut add =
            |name: String, printed| write(&mut artifacts, &mut problems, self.generator, name, printed);
        let ((all, print_all), (file, print_group), (end, print_kind)) = (self.all, self.group, self.kind);
        add(all.to_owned(), print_all(groups, options));
        for group in groups {
            add(format!("{}/{file}", group.module), print_group(group, options));
            for kind in &group.kinds {
                let name = format!("{}/{}_{end}", group.module, kind.stem);
                add(name, print_kind(kind, options));
            }
        }
        (artifacts, problems)
    }

    /// Returns the accessors of the type for all groups. `type_name` names the type of a group.
    pub(super) fn accessors(
        &self,
        groups: &[GroupVersion<'_>],
        imports: &mut Imports,
        type_name: impl Fn(&GroupVersion<'_>) -> String,
    ) -> Vec<TokenStream> {
        let accessor = |group: &GroupVersion<'_>| {
            let type_name = imports.name(&format!("super::{}::{}", group.module, type_name(group)));
            let is_taken = self.methods.contains(&group.module.as_str());
            let suffix = if is_taken { "_" } else { "" };
            let name = identifiers::ident(&format!("{}{suffix}", group.module));
            let documentation = format!(
                " Returns the {} for the kinds of `{}`.",
                self.noun, group.api_version
            );
            quote! {
                #[doc = #documentation]
                #[must_use]
                pub fn #name(&self) -> #type_name {
                    #type_name::new(self.0.clone())
                }
            }
        };
        groups.iter().map(accessor).collect()
    }

    /// Prints the file of a group and version.
    pub(super) fn print_group(
        &self,
        group_type: GroupType<'_>,
        options: &RustOptions,
        imports: &Imports,
    ) -> Result<String, Problem> {
        let GroupType {
            group,
            name,
            title,
            constructor: (constructor, argument, inner),
            accessors,
        } = group_type;
        let name = identifiers::ident(name);
        let argument = identifiers::ident(argument);
        let constructor = format!(" {constructor}");
        let documentation = format!(" {title} for the kinds of `{}`.", group.api_version);
        let items = quote! {
            #[doc = #documentation]
            #[derive(Clone)]
            pub struct #name(#inner);

            impl #name {
                #[doc = #constructor]
                #[must_use]
                pub fn new(#argument: #inner) -> Self {
                    Self(#argument)
                }

                #(#accessors)*
            }
        };
        let documentation = documentation.trim_start();
        self.print(
            std::slice::from_ref(group),
            documentation,
            options,
            imports,
            items,
        )
    }

    /// Prints a file about groups.
    pub(super) fn print(
        &self,
        groups: &[GroupVersion<'_>],
        documentation: &str,
        options: &RustOptions,
        imports: &Imports,
        items: TokenStream,
    ) -> Result<String, Problem> {
        SourceText {
            generator: self.generator,
            source: &sources(groups),
            header: options.header.as_deref(),
            documentation: Some(documentation),
            imports,
            items,
        }
        .print()
    }
}

/// Prints the file of one kind.
pub(super) fn print_kind(
    generator: &str,
    kind: &Kind<'_>,
    documentation: &str,
    options: &RustOptions,
    imports: &Imports,
    items: TokenStream,
) -> Result<String, Problem> {
    SourceText {
        generator,
        source: &kind.rust.source,
        header: options.header.as_deref(),
        documentation: Some(documentation),
        imports,
        items,
    }
    .print()
}
