//! The one table of generators and their options.
//!
//! Everything that lists generators reads it: controller-gen's argument form, the flags of the command, `kgen.toml`
//! and its JSON schema, help and suggestions. A new generator is one row here and one function below it.

use kgen_check::{Checked, Part};
use kgen_diagnostics::Problems;
use kgen_generators::Artifact;
use kgen_generators::crd::{self, CrdOptions};
use kgen_generators::rbac::{self, RbacOptions};
use kgen_generators::rust::{RustOptions, apply, client, informer, lister, object};
use kgen_generators::webhook::{self, WebhookOptions};

use crate::option::{DefaultValue, OptionDescription, OptionType, Options};

/// What a generator writes, which decides where it goes and how its comments look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// YAML for `kubectl apply`.
    Manifests,
    /// Rust source.
    Code,
}

/// One generator.
#[derive(Debug)]
pub struct Generator {
    /// The name on the command line and in the first line of its files.
    pub name: &'static str,
    /// One line on what it writes.
    pub help: &'static str,
    /// What it writes.
    pub product: Product,
    /// Where its files go unless the user says otherwise.
    pub default_folder: &'static str,
    /// Whether it needs kinds, so that a source without any is a mistake.
    pub needs_kinds: bool,
    /// What its source looks like, for runs that found none.
    pub looks_for: &'static str,
    /// Generators whose files its own name, so that they must go to the same folder.
    pub stands_on: &'static [&'static str],
    /// Its options.
    pub options: &'static [OptionDescription],
    /// The parts of the API that it uses beside the definitions of kinds.
    pub(crate) parts: &'static [Part],
    pub(crate) generate: fn(&Checked<'_>, &Settings<'_>) -> (Vec<Artifact>, Problems),
}

/// What a generator gets to know beside the API.
pub(crate) struct Settings<'a> {
    pub(crate) options: &'a Options,
    /// The text of `headerFile`, with the year in place.
    pub(crate) header: Option<String>,
}

/// All generators, in the order of help and documentation.
pub static GENERATORS: &[Generator] = &[
    Generator {
        name: "crd",
        help: "Custom resource definitions: <group>_<plural>.yaml for each kind",
        product: Product::Manifests,
        default_folder: "config/crd",
        needs_kinds: true,
        looks_for: "a struct with `metadata: ObjectMeta`, or one with `#[derive(CustomResource)]`",
        stands_on: &[],
        options: &[
            OptionDescription {
                name: "maxDescLen",
                value: OptionType::Integer,
                default: DefaultValue::Unset,
                help: "Longest description in bytes; 0 removes descriptions, unset or negative keeps them whole",
                no_effect: None,
            },
            OptionDescription {
                name: "allowDangerousTypes",
                value: OptionType::Boolean,
                default: DefaultValue::Boolean(false),
                help: "Allow f32 and f64, which other languages may read back as other numbers",
                no_effect: None,
            },
            OptionDescription {
                name: "crdVersions",
                value: OptionType::Words(&["v1"]),
                default: DefaultValue::AllWords,
                help: "Versions of the CustomResourceDefinition API to write; there is only one left",
                no_effect: None,
            },
            OptionDescription {
                name: "generateEmbeddedObjectMeta",
                value: OptionType::Boolean,
                default: DefaultValue::Boolean(true),
                help: "Give metadata inside an object its properties, so that the API server keeps its labels",
                no_effect: None,
            },
            OptionDescription {
                name: "serdeDefaults",
                value: OptionType::Boolean,
                default: DefaultValue::Boolean(false),
                help: "Write the defaults of serde attributes into the schema",
                no_effect: None,
            },
            OptionDescription {
                name: "allowOpaque",
                value: OptionType::Boolean,
                default: DefaultValue::Boolean(false),
                help: "Take any value where only running code would tell what the JSON is, with a warning each",
                no_effect: None,
            },
            OptionDescription {
                name: "compat",
                value: OptionType::Words(&["kube-derive"]),
                default: DefaultValue::Unset,
                help: "With kube-derive: follow its conventions, for a small first diff in a project that has its definitions",
                no_effect: None,
            },
            OptionDescription {
                name: "deprecatedV1beta1CompatibilityPreserveUnknownFields",
                value: OptionType::Boolean,
                default: DefaultValue::Unset,
                help: "Write spec.preserveUnknownFields with this value",
                no_effect: None,
            },
            OptionDescription {
                name: "ignoreUnexportedFields",
                value: OptionType::Boolean,
                default: DefaultValue::Boolean(false),
                help: "No effect in Rust, where serde writes private fields too; accepted for controller-gen's sake",
                no_effect: Some(
                    "serde reads and writes private fields like public ones; hide a field with `#[serde(skip)]`",
                ),
            },
            OptionDescription {
                name: "omitToolVersion",
                value: OptionType::Boolean,
                default: DefaultValue::Boolean(true),
                help: "No effect: definitions never name the version of kgen; accepted for controller-gen's sake",
                no_effect: Some("definitions never name the version of kgen, so leave the option out"),
            },
            HEADER_FILE,
            YEAR,
        ],
        parts: &[],
        generate: generate_crd,
    },
    Generator {
        name: "rbac",
        help: "Roles for the access that markers ask for: role.yaml",
        product: Product::Manifests,
        default_folder: "config/rbac",
        needs_kinds: false,
        looks_for: "a marker `+kubebuilder:rbac`",
        stands_on: &[],
        options: &[
            OptionDescription {
                name: "roleName",
                value: OptionType::Text,
                default: DefaultValue::Text("manager-role"),
                help: "Name of the roles whose markers name none",
                no_effect: None,
            },
            OptionDescription {
                name: "fileName",
                value: OptionType::Text,
                default: DefaultValue::Text("role.yaml"),
                help: "Name of the file",
                no_effect: None,
            },
            HEADER_FILE,
            YEAR,
        ],
        parts: &[Part::AccessRules],
        generate: generate_rbac,
    },
    Generator {
        name: "webhook",
        help: "Configurations of the admission webhooks that markers declare: manifests.yaml",
        product: Product::Manifests,
        default_folder: "config/webhook",
        needs_kinds: false,
        looks_for: "a marker `+kubebuilder:webhook`",
        stands_on: &[],
        options: &[HEADER_FILE, YEAR],
        parts: &[Part::Webhooks],
        generate: generate_webhook,
    },
    Generator {
        name: "object",
        help: "Rust that makes whole structs Kubernetes objects: traits, serde, the definition",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: "a struct with `metadata: ObjectMeta`; kinds of kube-derive need no more",
        stands_on: &[],
        options: RUST_OPTIONS,
        parts: &[],
        generate: |checked, settings| object::generate(checked, &rust_options(settings)),
    },
    Generator {
        name: "client",
        help: "Rust clients with exactly the verbs that each kind has",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &[],
        options: RUST_OPTIONS,
        parts: &[],
        generate: |checked, settings| client::generate(checked, &rust_options(settings)),
    },
    Generator {
        name: "lister",
        help: "Rust that reads from the caches of informers",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &[],
        options: RUST_OPTIONS,
        parts: &[Part::Listers],
        generate: |checked, settings| lister::generate(checked, &rust_options(settings)),
    },
    Generator {
        name: "informer",
        help: "Rust informers, one watch a kind for all who ask; needs `lister` beside it",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &["lister"],
        options: RUST_OPTIONS,
        parts: &[Part::Informers],
        generate: |checked, settings| informer::generate(checked, &rust_options(settings)),
    },
    Generator {
        name: "applyconfiguration",
        help: "Rust for server-side apply: every struct of a kind with all fields optional",
        product: Product::Code,
        default_folder: GENERATED,
        needs_kinds: true,
        looks_for: WITH_CLIENT,
        stands_on: &[],
        options: RUST_OPTIONS,
        parts: &[Part::ApplyConfigurations],
        generate: |checked, settings| apply::generate(checked, &rust_options(settings)),
    },
];

const GENERATED: &str = "src/generated";

const WITH_CLIENT: &str = "a kind with `+genclient` above it";

const RUST_OPTIONS: &[OptionDescription] = &[
    crate_option(
        "types",
        "crate",
        "Path of the crate that has the types; its name, if the code is in another one",
    ),
    crate_option("kube", "kube", "Path of the crate kube"),
    crate_option("k8sOpenapi", "k8s_openapi", "Path of the crate k8s-openapi"),
    crate_option("runtime", "kgen_runtime", "Path of the crate kgen-runtime"),
    crate_option("serde", "serde", "Path of the crate serde"),
    crate_option("serdeJson", "serde_json", "Path of the crate serde_json"),
    HEADER_FILE,
    YEAR,
];

const fn crate_option(name: &'static str, default: &'static str, help: &'static str) -> OptionDescription {
    OptionDescription {
        name,
        value: OptionType::Text,
        default: DefaultValue::Text(default),
        help,
        no_effect: None,
    }
}

const HEADER_FILE: OptionDescription = OptionDescription {
    name: "headerFile",
    value: OptionType::File,
    default: DefaultValue::Unset,
    help: "File whose text follows the first line of every generated file, such as a licence in comments",
    no_effect: None,
};

const YEAR: OptionDescription = OptionDescription {
    name: "year",
    value: OptionType::Text,
    default: DefaultValue::Unset,
    help: "Replaces the word YEAR in the text of the header file",
    no_effect: None,
};

fn generate_crd(checked: &Checked<'_>, settings: &Settings<'_>) -> (Vec<Artifact>, Problems) {
    let options = CrdOptions {
        max_description_length: settings.options.integer("maxDescLen"),
        header: settings.header.clone(),
        like_kube_derive: !settings.options.words("compat").is_empty(),
        preserve_unknown_fields: settings
            .options
            .boolean("deprecatedV1beta1CompatibilityPreserveUnknownFields"),
    };
    crd::generate(checked, &options)
}

fn generate_rbac(checked: &Checked<'_>, settings: &Settings<'_>) -> (Vec<Artifact>, Problems) {
    let text = |name| settings.options.text(name).unwrap_or_default().to_owned();
    let options = RbacOptions {
        role_name: text("roleName"),
        file_name: text("fileName"),
        header: settings.header.clone(),
    };
    rbac::generate(checked, &options)
}

fn generate_webhook(checked: &Checked<'_>, settings: &Settings<'_>) -> (Vec<Artifact>, Problems) {
    let options = WebhookOptions {
        header: settings.header.clone(),
    };
    (webhook::generate(checked, &options), Problems::new())
}

fn rust_options(settings: &Settings<'_>) -> RustOptions {
    let text = |name| settings.options.text(name).unwrap_or_default().to_owned();
    RustOptions {
        header: settings.header.clone(),
        types: text("types"),
        kube: text("kube"),
        k8s_openapi: text("k8sOpenapi"),
        runtime: text("runtime"),
        serde: text("serde"),
        serde_json: text("serdeJson"),
    }
}

impl Generator {
    /// The generator called `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        GENERATORS.iter().find(|generator| generator.name == name)
    }

    /// The option called `name`, as controller-gen writes it.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&'static OptionDescription> {
        self.options.iter().find(|option| option.name == name)
    }
}
