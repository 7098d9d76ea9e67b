//! The keys of a set besides its generators, in one table for the reader and the schema.

use kgen_diagnostics::Code;

use crate::configuration::{Project, Set};

/// The name of the array of sets.
pub(super) const SETS: &str = "set";

/// The name of the table about the project itself.
pub(super) const PROJECT: &str = "project";

/// The purpose of that table.
pub(super) const PROJECT_HELP: &str = "Settings of the project for `kgen create`; written by `kgen init`";

/// One key of the table about the project.
pub(super) struct ProjectKey {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) set: fn(&mut Project, String),
}

/// All keys; each is required.
pub(super) static PROJECT_KEYS: &[ProjectKey] = &[
    ProjectKey {
        name: "name",
        help: "Name of the package, and prefix of names in the cluster",
        set: |project, name| project.name = name,
    },
    ProjectKey {
        name: "domain",
        help: "Domain of the API groups",
        set: |project, domain| project.domain = domain,
    },
    ProjectKey {
        name: "style",
        help: "How to write kinds: `kgen` for whole structs, `kube` for #[derive(CustomResource)]",
        set: |project, style| project.style = style,
    },
];

/// The key of a generator's table for its output folder.
pub(super) const OUTPUT: &str = "output";

/// The description of `output`.
pub(super) const OUTPUT_HELP: &str = "Folder to write to";

/// One key of a set.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) value: KeyValue,
}

/// The type and the meaning of a key.
#[derive(Clone, Copy)]
pub(super) enum KeyValue {
    Text(fn(&mut Set, String)),
    Texts(fn(&mut Set, Vec<String>)),
    Boolean(fn(&mut Set, bool)),
    /// Codes of problems that can be allowed.
    Codes(fn(&mut Set, Vec<Code>)),
}

/// All keys, in the order of the documentation.
pub(super) static KEYS: &[Key] = &[
    Key {
        name: "folder",
        help: "Folder that all other paths of the set are relative to; the default is the folder of this file",
        value: KeyValue::Text(|set, folder| {
            set.folder = crate::place::absolute(&set.folder, folder.as_ref())
        }),
    },
    Key {
        name: "paths",
        help: "Files and folders to read; the default is the folder of the set",
        value: KeyValue::Texts(|set, paths| set.paths = paths.into_iter().map(Into::into).collect()),
    },
    Key {
        name: "features",
        help: "Cargo features to enable in addition to the default ones",
        value: KeyValue::Texts(|set, features| set.features.features = features),
    },
    Key {
        name: "all-features",
        help: "Whether to enable all Cargo features",
        value: KeyValue::Boolean(|set, all| set.features.all = all),
    },
    Key {
        name: "default-features",
        help: "Whether to enable the default Cargo features; the default is true",
        value: KeyValue::Boolean(|set, default| set.features.no_default = !default),
    },
    Key {
        name: "foreign-markers",
        help: "Prefixes of the markers of other tools, such as `acme:`, which kgen ignores",
        value: KeyValue::Texts(|set, prefixes| set.foreign_markers.prefixes = prefixes),
    },
    Key {
        name: "forbid-foreign-markers",
        help: "Whether all other unknown markers are errors",
        value: KeyValue::Boolean(|set, forbidden| set.foreign_markers.forbidden = forbidden),
    },
    Key {
        name: "allow",
        help: "Codes of warnings and notes to hide, such as `document-size`",
        value: KeyValue::Codes(|set, codes| set.allow = codes),
    },
];
