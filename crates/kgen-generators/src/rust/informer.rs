//! `informer`: typed accessors to shared informers, with one watch per kind.

use kgen_check::Checked;
use kgen_check::clients::{GroupVersion, Kind};
use kgen_diagnostics::{Problem, Problems};
use quote::quote;

use super::frame::{Frame, GroupType, print_kind};
use super::identifiers;
use super::imports::Imports;
use super::options::RustOptions;
use crate::Artifact;

const FRAME: Frame = Frame {
    generator: "informer",
    noun: "informers",
    methods: &[
        "new",
        "from_factory",
        "factory",
        "start",
        "wait_for_sync",
        "shutdown",
    ],
    all: ("informers.rs", factory),
    group: ("informers.rs", group_informers),
    kind: ("informer.rs", file),
};

/// Generates an informer for each kind that can be listed and watched, and the factory that hands them out.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &RustOptions) -> (Vec<Artifact>, Problems) {
    FRAME.generate(&checked.clients().with_client(Kind::has_informer), options)
}

fn group_type(group: &GroupVersion<'_>) -> String {
    format!("{}Informers", group.type_name)
}

fn factory(groups: &[GroupVersion<'_>], options: &RustOptions) -> Result<String, Problem> {
    let mut imports = Imports::new(["Informers".to_owned()]);
    let runtime = |name: &str| format!("{}::{name}", options.runtime);
    let connection = imports.name(&runtime("Connection"));
    let factory = imports.name(&runtime("InformerFactory"));
    let report = imports.name(&runtime("SyncReport"));
    let accessors = FRAME.accessors(groups, &mut imports, group_type);
    let items = quote! {
        /// Shared informers for every group and version, with one watch per kind. Cheap to clone.
        #[derive(Clone)]
        pub struct Informers(#factory);

        impl Informers {
            /// Creates informers that watch through `connection`, which can be that of a clientset.
            #[must_use]
            pub fn new(connection: impl AsRef<#connection>) -> Self {
                Self(#factory::new(connection.as_ref()))
            }

            /// Creates informers that share the watches of `factory`.
            #[must_use]
            pub fn from_factory(factory: #factory) -> Self {
                Self(factory)
            }

            /// Returns the underlying factory, for kinds without generated informers.
            #[must_use]
            pub fn factory(&self) -> &#factory {
                &self.0
            }

            /// Starts every requested informer that is not running yet.
            pub fn start(&self) {
                self.0.start();
            }

            /// Waits until every running informer has synced, and reports the outcome for each of them.
            pub async fn wait_for_sync(&self) -> #report {
                self.0.wait_for_sync().await
            }

            /// Stops every informer and waits until all of them have ended.
            pub async fn shutdown(&self) {
                self.0.shutdown().await;
            }

            #(#accessors)*
        }
    };
    let documentation = "Shared informers for every group and version.";
    FRAME.print(groups, documentation, options, &imports, items)
}

fn group_informers(group: &GroupVersion<'_>, options: &RustOptions) -> Result<String, Problem> {
    let name = group_type(group);
    let mut imports = Imports::new([name.clone()]);
    let factory = imports.name(&format!("{}::InformerFactory", options.runtime));
    let mut accessors = Vec::new();
    for kind in &group.kinds {
        let informer = imports.name(&format!("super::{}_informer::{}Informer", kind.stem, kind.name()));
        let accessor = identifiers::ident(&kind.accessor);
        let documentation = format!(
            " Returns the informer for `{}` objects. `start` starts it.",
            kind.name()
        );
        accessors.push(quote! {
            #[doc = #documentation]
            #[must_use]
            pub fn #accessor(&self) -> #informer {
                #informer::new(self.0.informer())
            }
        });
    }
    let group_type = GroupType {
        group,
        name: &name,
        title: "Shared informers",
        constructor: (
            "Creates informers that share the watches of `factory`.",
            "factory",
            factory,
        ),
        accessors,
    };
    FRAME.print_group(group_type, options, &imports)
}

fn file(kind: &Kind<'_>, options: &RustOptions) -> Result<String, Problem> {
    let name = format!("{}Informer", kind.name());
    let mut imports = Imports::new([name.clone()]);
    let informer = imports.name(&format!("{}::Informer", options.runtime));
    let lister = imports.name(&format!("super::{}_lister::{}Lister", kind.stem, kind.name()));
    let partial = imports.name("kube::core::PartialObjectMeta");
    let object = imports.object(&options.path(&kind.rust.path));
    let type_name = identifiers::ident(&name);
    let documentation = format!(" The shared informer for `{}` objects.", kind.name());
    let items = quote! {
        #[doc = #documentation]
        #[derive(Clone)]
        pub struct #type_name(#informer<#object>);

        impl #type_name {
            /// Wraps `informer`.
            #[must_use]
            pub fn new(informer: #informer<#object>) -> Self {
                Self(informer)
            }

            /// Returns the underlying informer, for handlers, events and indexes.
            #[must_use]
            pub fn informer(&self) -> &#informer<#object> {
                &self.0
            }

            /// Returns a lister that reads from the cache of the informer.
            #[must_use]
            pub fn lister(&self) -> #lister {
                #lister::new(self.0.lister())
            }

            /// Returns the informer for the metadata of these objects instead, which needs less memory.
            #[must_use]
            pub fn metadata(self) -> #informer<#partial<#object>> {
                self.0.metadata()
            }
        }
    };
    let documentation = format!("The shared informer for `{}`.", kind.title());
    print_kind(FRAME.generator, kind, &documentation, options, &imports, items)
}
