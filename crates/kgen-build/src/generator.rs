//! The one table of generators.
//!
//! Everything that lists generators reads it: controller-gen's argument form, the flags of the command, `kgen.toml`
//! and its JSON schema, help and suggestions. A new generator is one row here; its options are declared in
//! [`options`](crate::options).

use kgen_check::{Checked, Part};
use kgen_diagnostics::{Code, Problems};
use kgen_generators::Artifact;
use kgen_generators::crd;
use kgen_generators::rbac;
use kgen_generators::rust::{apply, client, conversion, informer, lister, object};
use kgen_generators::webhook::{self, WebhookOptions};

use crate::inputs::Inputs;
use crate::options::{
    BUNDLE, CRD, CrdOptions, DOCS, HEADER, HELM, OBJECT, OptionDescription, Options, RBAC, RUST,
};

/// The kind of output, which determines the output folder and the syntax of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// YAML for `kubectl apply`.
    Manifests,
    /// Rust source.
    Code,
    /// Pages for people.
    Pages,
    /// Folders of files for package managers.
    Package,
}

impl Product {
    /// Returns whether files may be in folders below the output folder.
    pub(crate) fn has_folders(self) -> bool {
        match self {
            Self::Code | Self::Package => true,
            Self::Manifests | Self::Pages => false,
        }
    }
}

/// One generator.
#[derive(Debug)]
pub struct Generator {
    /// The name on the command line and in the first line of its files.
    pub name: &'static str,
    /// One line on what it writes.
    pub help: &'static str,
    /// The kind of output.
    pub product: Product,
    /// The default output folder.
    pub default_folder: &'static str,
    /// Whether it needs kinds, so that a source without kinds is a mistake.
    pub needs_kinds: bool,
    /// A description of its source, for runs that did not find any.
    pub looks_for: &'static str,
    /// Generators whose files it uses, so that they must be written to the same folder.
    pub stands_on: &'static [&'static str],
    /// The families of markers that it reads.
    pub marker_families: &'static [&'static str],
    /// Its options, table by table.
    pub(crate) options: &'static [&'static [OptionDescription]],
    /// Whether it uses the Rust side of the types.
    pub(crate) needs_rust_types: bool,
    /// Whether it reads the facts of the package, samples and the files of its options.
    pub(crate) reads_package: bool,
    /// The codes of warnings that a run reports only with it, or with one of the other generators that name them. All other
    /// warnings come from reading and checking.
    pub(crate) warns: &'static [Code],
    /// The parts of the API that it uses besides the definitions of kinds.
    pub(crate) parts: &'static [Part],
    pub(crate) generate: fn(&Checked<'_>, &Settings<'_>) -> (Vec<Artifact>, Problems),
}

/// The input of a generator besides the API.
pub(crate) struct Settings<'a> {
    pub(crate) options: &'a Options,
    /// The options for CRDs of the set, for any generator.
    pub(crate) crd: &'a CrdOptions,
    /// The files that the job reads.
    pub(crate) inputs: &'a Inputs,
}

/// All generators, in the order of help and documentation.
pub static GENERATORS: &[Generator] = &[
    Generator {
        name: "crd",
        help: "CRDs: <group>_<plural>.yaml for each kind",
        product: Product::Manifests,
        default_folder: "config/crd",
        needs_kinds: true,
        looks_for: "a struct with `metadata: ObjectMeta`, or one with `#[derive(CustomResource)]`",
        stands_on: &[],
        marker_families: SCHEMAS,
        options: &[CRD, HEADER],
        needs_rust_types: false,
        reads_package: false,
        warns: &[Code::DocumentSize, Code::StorageVersion],
        parts: &[],
        generate: |checked, settings| {
            crd::generate(checked, &settings.options.crd.for_generator(settings.header()))
        },
    },
    Generator {
        name: "rbac",
        help: "RBAC roles from markers: role.yaml",
        product: Product::Manifests,
        default_folder: "config/rbac",
        needs_kinds: false,
        looks_for: "a marker `+kubebuilder:rbac`",
        stands_on: &[],
        marker_families: &["rbac"],
        options: &[RBAC, HEADER],
        needs_rust_types: false,
        reads_package: false,
        warns: &[Code::RbacRule, Code::RbacVerb, Code::RbacWildcard],
        parts: &[Part::AccessRules],
        generate: |checked, settings| {
            rbac::generate(checked, &settings.options.rbac.for_generator(settings.header()))
        },
    },
    Generator {
        name: "webhook",
        help: "Webhook configurations from markers: manifests.yaml",
        product: Product::Manifests,
        default_folder: "config/webhook",
        needs_kinds: false,
        looks_for: "a marker `+kubebuilder:webhook`",
        stands_on: &[],
        marker_families: &["webhook"],
        options: &[HEADER],
        needs_rust_types: false,
        reads_package: false,
        warns: &[Code::Webhook],
        parts: &[Part::Webhooks],
        generate: |checked, settings| {
            let options = WebhookOptions {
                header: settings.header(),
            };
            (webhook::generate(checked, &options), Problems::new())
        },
    },
    Generator {
        name: "object",
        help: "Rust impls that make structs Kubernetes objects: kube's traits, serde, the CRD",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: "a struct with `metadata: ObjectMeta` (kube-derive implements the traits of its own kinds)",
        stands_on: &[],
        marker_families: KINDS,
        options: &[OBJECT, RUST, HEADER],
        needs_rust_types: true,
        reads_package: false,
        warns: CLIENT_WARNINGS,
        parts: &[Part::Objects],
        generate: |checked, settings| {
            let rust = settings.options.rust.for_generator(settings.header());
            let crd = settings.crd.for_generator(None);
            object::generate(checked, &rust, settings.options.object.definition.then_some(&crd))
        },
    },
    Generator {
        name: "client",
        help: "Typed Rust clients with the verbs of each kind",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &[],
        marker_families: CLIENTS,
        options: &[RUST, HEADER],
        needs_rust_types: true,
        reads_package: false,
        warns: CLIENT_WARNINGS,
        parts: &[],
        generate: |checked, settings| {
            client::generate(checked, &settings.options.rust.for_generator(settings.header()))
        },
    },
    Generator {
        name: "lister",
        help: "Rust listers, which read from the caches of informers",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &[],
        marker_families: CLIENTS,
        options: &[RUST, HEADER],
        needs_rust_types: true,
        reads_package: false,
        warns: CLIENT_WARNINGS,
        parts: &[Part::Listers],
        generate: |checked, settings| {
            lister::generate(checked, &settings.options.rust.for_generator(settings.header()))
        },
    },
    Generator {
        name: "informer",
        help: "Shared Rust informers, one watch per kind; needs `lister`",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &["lister"],
        marker_families: CLIENTS,
        options: &[RUST, HEADER],
        needs_rust_types: true,
        reads_package: false,
        warns: CLIENT_WARNINGS,
        parts: &[Part::Informers],
        generate: |checked, settings| {
            informer::generate(checked, &settings.options.rust.for_generator(settings.header()))
        },
    },
    Generator {
        name: "applyconfiguration",
        help: "Rust apply configurations for server-side apply: every struct of a kind with all fields optional",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &[],
        marker_families: CLIENTS,
        options: &[RUST, HEADER],
        needs_rust_types: true,
        reads_package: false,
        warns: CLIENT_WARNINGS,
        parts: &[Part::ApplyConfigurations],
        generate: |checked, settings| {
            apply::generate(checked, &settings.options.rust.for_generator(settings.header()))
        },
    },
    Generator {
        name: "conversion",
        help: "Rust that converts objects between the versions of a kind",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: "a kind with several versions that differ",
        stands_on: &[],
        marker_families: &["conversion", "kind", "module"],
        options: &[RUST, HEADER],
        needs_rust_types: true,
        reads_package: false,
        warns: &[Code::ConversionNeedless],
        parts: &[Part::Conversions],
        generate: |checked, settings| {
            conversion::generate(checked, &settings.options.rust.for_generator(settings.header()))
        },
    },
    Generator {
        name: "docs",
        help: "Reference pages for users: Markdown, or one HTML page with search",
        product: Product::Pages,
        default_folder: "docs/api",
        needs_kinds: true,
        looks_for: "a struct with `metadata: ObjectMeta`, or one with `#[derive(CustomResource)]`",
        stands_on: &[],
        marker_families: SCHEMAS,
        options: &[DOCS],
        needs_rust_types: true,
        reads_package: true,
        warns: &[Code::DocsLink, Code::DocsSample],
        parts: &[],
        generate: |checked, settings| {
            kgen_docs::generate(checked, &settings.options.docs.for_generator(settings.inputs))
        },
    },
    Generator {
        name: "bundle",
        help: "OLM bundle: CSV, CRDs, metadata and Dockerfile, from the source and the deployment manifests",
        product: Product::Package,
        default_folder: "bundle",
        needs_kinds: true,
        looks_for: "a struct with `metadata: ObjectMeta`, or one with `#[derive(CustomResource)]`",
        stands_on: &[],
        marker_families: SCHEMAS,
        options: &[BUNDLE, HEADER],
        needs_rust_types: false,
        reads_package: true,
        warns: &[
            Code::BundleDeployment,
            Code::BundleMetadata,
            Code::BundleObject,
            Code::BundlePermission,
        ],
        parts: &[],
        generate: |checked, settings| {
            let options = settings.options.bundle.for_generator(settings.inputs);
            kgen_bundle::generate(checked, &options)
        },
    },
    Generator {
        name: "helm",
        help: "Helm chart with values, their JSON schema and templates, from the deployment manifests",
        product: Product::Package,
        default_folder: "dist/chart",
        needs_kinds: false,
        looks_for: "deployment manifests",
        stands_on: &[],
        marker_families: &[],
        options: &[HELM],
        needs_rust_types: false,
        reads_package: true,
        warns: &[Code::HelmMerge, Code::HelmObject],
        parts: &[],
        generate: |_, settings| {
            let options = settings.options.helm.for_generator(settings.inputs);
            kgen_helm::generate(&settings.inputs.manifests, &options)
        },
    },
];

const GENERATED: &str = "src/generated";

/// The families of markers that affect a CRD.
const SCHEMAS: &[&str] = &[
    "kind",
    "module",
    "validation",
    "declarative",
    "presence",
    "documentation",
    "structure",
    "topology",
    "one-of",
    "conversion",
];

const KINDS: &[&str] = &["kind", "module"];

const CLIENTS: &[&str] = &["client", "kind", "module"];

/// The warnings about names and verbs of generated Rust.
const CLIENT_WARNINGS: &[Code] = &[Code::ClientMarker, Code::ClientName];

const WITH_CLIENT: &str = "a kind with `+genclient`";

impl Settings<'_> {
    fn header(&self) -> Option<String> {
        self.inputs.header.clone()
    }
}

impl Generator {
    /// Returns the generator called `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        GENERATORS.iter().find(|generator| generator.name == name)
    }

    /// Returns whether it reads the markers of a family.
    #[must_use]
    pub fn reads(&self, family: &str) -> bool {
        self.marker_families.contains(&family)
    }

    /// Returns its options, in the order of help and documentation.
    pub fn options(&self) -> impl Iterator<Item = &'static OptionDescription> + Clone + use<> {
        self.options.iter().copied().flatten()
    }

    /// Returns the option called `name`, as controller-gen writes it.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&'static OptionDescription> {
        self.options().find(|option| option.name == name)
    }
}
