//! `lister`: typed reads from the cache of an informer.

use kgen_check::Checked;
use kgen_check::clients::Kind;
use kgen_diagnostics::{Problem, Problems};
use quote::quote;

use super::frame::print_kind;
use super::imports::Imports;
use super::options::RustOptions;
use super::{identifiers, write};
use crate::Artifact;

const GENERATOR: &str = "lister";

/// Generates a lister for each kind that can be listed and read.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &RustOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let mut artifacts = Vec::new();
    for group in &checked.clients().with_client(Kind::has_lister) {
        for kind in &group.kinds {
            let name = format!("{}/{}_lister.rs", group.module, kind.stem);
            write(
                &mut artifacts,
                &mut problems,
                GENERATOR,
                name,
                file(kind, options),
            );
        }
    }
    (artifacts, problems)
}

fn file(kind: &Kind<'_>, options: &RustOptions) -> Result<String, Problem> {
    let lister_name = format!("{}Lister", kind.name());
    let namespace_name = format!("{}NamespaceLister", kind.name());
    let mut imports = Imports::new([lister_name.clone(), namespace_name.clone()]);
    let runtime = |name: &str| format!("{}::{name}", options.runtime);
    let lister = imports.name(&runtime("Lister"));
    let result = imports.runtime_result(&options.runtime);
    let selector = imports.name(&format!("{}::core::Selector", options.kube));
    let arc = imports.name("std::sync::Arc");
    let object = imports.object(&options.path(&kind.rust.path));
    let (lister_type, namespace_type) = (
        identifiers::ident(&lister_name),
        identifiers::ident(&namespace_name),
    );
    let one = if kind.is_namespaced() {
        quote! {
            /// Returns a lister for the objects in `namespace`.
            #[must_use]
            pub fn namespace(&self, namespace: &str) -> #namespace_type {
                #namespace_type(self.0.namespace(namespace))
            }
        }
    } else {
        quote! {
            /// Returns the object `name`.
            ///
            /// # Errors
            /// Returns an error if the cache does not have the object.
            pub fn get(&self, name: &str) -> #result<#arc<#object>> {
                self.0.get(None, name)
            }
        }
    };
    let documentation = format!(" Reads `{}` objects from the cache of an informer.", kind.name());
    let mut items = quote! {
        #[doc = #documentation]
        #[derive(Clone)]
        pub struct #lister_type(#lister<#object>);

        impl #lister_type {
            /// Wraps `lister`.
            #[must_use]
            pub fn new(lister: #lister<#object>) -> Self {
                Self(lister)
            }

            /// Returns the objects that match `selector`, sorted by namespace and name.
            #[must_use]
            pub fn list(&self, selector: &#selector) -> Vec<#arc<#object>> {
                self.0.list(selector)
            }

            #one

            /// Returns the objects that have `value` in the index `index`.
            ///
            /// # Errors
            /// Returns an error if the informer does not have the index.
            pub fn by_index(&self, index: &str, value: &str) -> #result<Vec<#arc<#object>>> {
                self.0.by_index(index, value)
            }

            /// Returns the objects that the object with the UID `uid` owns.
            #[must_use]
            pub fn by_owner(&self, uid: &str) -> Vec<#arc<#object>> {
                self.0.by_owner(uid)
            }
        }
    };
    if kind.is_namespaced() {
        let inner = imports.name(&runtime("NamespaceLister"));
        let documentation = format!(
            " Reads `{}` objects of one namespace from the cache of an informer.",
            kind.name()
        );
        items.extend(quote! {
            #[doc = #documentation]
            #[derive(Clone)]
            pub struct #namespace_type(#inner<#object>);

            impl #namespace_type {
                /// Returns the objects that match `selector`, sorted by name.
                #[must_use]
                pub fn list(&self, selector: &#selector) -> Vec<#arc<#object>> {
                    self.0.list(selector)
                }

                /// Returns the object `name`.
                ///
                /// # Errors
                /// Returns an error if the cache does not have the object.
                pub fn get(&self, name: &str) -> #result<#arc<#object>> {
                    self.0.get(name)
                }
            }
        });
    }
    let documentation = format!("The lister for `{}`.", kind.title());
    print_kind(GENERATOR, kind, &documentation, options, &imports, items)
}
