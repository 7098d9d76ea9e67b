//! `client`: typed handles with exactly the verbs of a kind, one type per kind and scope.
//!
//! A handle does not have methods for verbs that the kind does not support, and the handle for all namespaces only
//! reads. The runtime implements the verbs.

use kgen_check::Checked;
use kgen_check::clients::{GroupVersion, Kind};
use kgen_diagnostics::{Problem, Problems};
use quote::quote;

use super::frame::{Frame, GroupType, print_kind};
use super::imports::Imports;
use super::options::RustOptions;
use super::{identifiers, methods};
use crate::Artifact;

const FRAME: Frame = Frame {
    generator: "client",
    noun: "clients",
    methods: &["new", "try_default", "with_field_manager", "connection", "as_ref"],
    all: ("clientset.rs", clientset),
    group: ("client.rs", group_client),
    kind: ("client.rs", file),
};

/// Generates the clientset, the clients of each group and version, and the handles of each kind.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &RustOptions) -> (Vec<Artifact>, Problems) {
    FRAME.generate(&checked.clients().with_client(|_| true), options)
}

fn clientset(groups: &[GroupVersion<'_>], options: &RustOptions) -> Result<String, Problem> {
    let mut imports = Imports::new(["Clientset".to_owned()]);
    let connection = imports.name(&format!("{}::Connection", options.runtime));
    let result = imports.runtime_result(&options.runtime);
    let client = imports.name(&format!("{}::Client", options.kube));
    let accessors = FRAME.accessors(groups, &mut imports, |group| group.type_name.clone());
    let items = quote! {
        /// Typed clients for every group and version, over one connection. Cheap to clone.
        #[derive(Clone)]
        pub struct Clientset(#connection);

        impl Clientset {
            /// Creates clients that send their requests through `client`.
            #[must_use]
            pub fn new(client: #client) -> Self {
                Self(#connection::new(client))
            }

            /// Creates clients from the kubeconfig or the service account of the pod.
            ///
            /// # Errors
            /// Returns an error if there is no configuration, or if no client can be built from it.
            pub async fn try_default() -> #result<Self> {
                #connection::try_default().await.map(Self)
            }

            /// Returns the same clients with `name` as the field manager of their writes.
            #[must_use]
            pub fn with_field_manager(self, name: impl Into<String>) -> Self {
                Self(self.0.with_field_manager(name))
            }

            /// Returns the underlying connection, for informers and for kinds without generated clients.
            #[must_use]
            pub fn connection(&self) -> &#connection {
                &self.0
            }

            #(#accessors)*
        }

        impl AsRef<#connection> for Clientset {
            fn as_ref(&self) -> &#connection {
                &self.0
            }
        }
    };
    let documentation = "Typed clients for every group and version.";
    FRAME.print(groups, documentation, options, &imports, items)
}

fn group_client(group: &GroupVersion<'_>, options: &RustOptions) -> Result<String, Problem> {
    let mut imports = Imports::new([group.type_name.clone()]);
    let connection = imports.name(&format!("{}::Connection", options.runtime));
    let mut accessors = Vec::new();
    for kind in &group.kinds {
        let module = format!("super::{}_client", kind.stem);
        let handle = imports.name(&format!("{module}::{}", kind.client_type));
        let name = identifiers::ident(&kind.accessor);
        if !kind.is_namespaced() {
            let documentation = format!(
                " Returns the client for cluster-scoped `{}` objects.",
                kind.name()
            );
            accessors.push(quote! {
                #[doc = #documentation]
                #[must_use]
                pub fn #name(&self) -> #handle {
                    #handle::new(&self.0)
                }
            });
            continue;
        }
        let documentation = format!(
            " Returns the client for `{}` objects in `namespace`.",
            kind.name()
        );
        accessors.push(quote! {
            #[doc = #documentation]
            #[must_use]
            pub fn #name(&self, namespace: &str) -> #handle {
                #handle::new(&self.0, namespace)
            }
        });
        if kind.reads_everywhere() {
            let all = imports.name(&format!("{module}::All{}", kind.client_type));
            let name = identifiers::ident(&format!("all_{}", kind.accessor));
            let documentation = format!(
                " Returns the read-only client for `{}` objects in all namespaces.",
                kind.name()
            );
            accessors.push(quote! {
                #[doc = #documentation]
                #[must_use]
                pub fn #name(&self) -> #all {
                    #all::new(&self.0)
                }
            });
        }
    }
    let group_type = GroupType {
        group,
        name: &group.type_name,
        title: "Typed clients",
        constructor: (
            "Creates clients that send their requests through `connection`.",
            "connection",
            connection,
        ),
        accessors,
    };
    FRAME.print_group(group_type, options, &imports)
}

fn file(kind: &Kind<'_>, options: &RustOptions) -> Result<String, Problem> {
    let all_name = format!("All{}", kind.client_type);
    let mut imports = Imports::new([kind.client_type.clone(), all_name.clone()]);
    let connection = imports.name(&format!("{}::Connection", options.runtime));
    let handle = imports.name(&format!("{}::Handle", options.runtime));
    let object = imports.object(&options.path(&kind.rust.path));
    let type_name = identifiers::ident(&kind.client_type);
    let mut writer = methods::Writer {
        kind,
        options,
        imports: &mut imports,
        object: object.clone(),
    };
    let verbs = writer.all();
    let (documentation, constructor) = if kind.is_namespaced() {
        let constructor = quote! {
            pub(super) fn new(connection: &#connection, namespace: &str) -> Self {
                Self(#handle::namespaced(connection, namespace))
            }
        };
        (
            format!(" A client for `{}` objects in one namespace.", kind.name()),
            constructor,
        )
    } else {
        let constructor = quote! {
            pub(super) fn new(connection: &#connection) -> Self {
                Self(#handle::cluster(connection))
            }
        };
        (
            format!(" A client for cluster-scoped `{}` objects.", kind.name()),
            constructor,
        )
    };
    let mut items = quote! {
        #[doc = #documentation]
        #[derive(Clone, Debug)]
        pub struct #type_name(#handle<#object>);

        impl #type_name {
            #constructor
            #verbs
        }
    };
    if kind.reads_everywhere() {
        let reading = writer.reading();
        let all = identifiers::ident(&all_name);
        let documentation = format!(
            " A read-only client for `{}` objects in all namespaces.",
            kind.name()
        );
        items.extend(quote! {
            #[doc = #documentation]
            #[derive(Clone, Debug)]
            pub struct #all(#handle<#object>);

            impl #all {
                pub(super) fn new(connection: &#connection) -> Self {
                    Self(#handle::all_namespaces(connection))
                }
                #reading
            }
        });
    }
    print_kind(
        FRAME.generator,
        kind,
        &format!("The typed client for `{}`.", kind.title()),
        options,
        &imports,
        items,
    )
}
