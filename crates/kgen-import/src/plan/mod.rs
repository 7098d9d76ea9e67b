//! The plan: Rust items for definitions, before anything is text.
//!
//! All kinds of a version of a group share one namespace. [`classes`] finds the schemas that need a type and gives equal
//! ones the same; [`naming`] names them; [`express`] decides the Rust type and the markers of every field.

mod choices;
mod classes;
mod defaults;
mod descriptions;
mod digest;
mod express;
mod items;
mod kube_style;
mod naming;
mod rust_type;
pub(crate) mod words;

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems};

use crate::definitions::Definition;
use crate::options::Options;

pub use digest::digest;
pub(crate) use digest::{Digest, Digests};
pub(crate) use items::{Body, Choice, Field, Item, Variant};
pub(crate) use rust_type::{JSON_MAP, RustType, VALUE};
pub use words::{kind_module, module};

/// A type of a version of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClassId(usize);

impl ClassId {
    /// Returns the index of the name of the class.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// A group with its versions.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) module: String,
    pub(crate) versions: Vec<Version>,
}

/// A version of a group.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) module: String,
    pub(crate) kinds: Vec<KindFile>,
    pub(crate) shared: Vec<Item>,
    /// The names of all types.
    pub(crate) names: Vec<String>,
    /// The names of the types that can derive `Default`.
    pub(crate) defaults: BTreeSet<String>,
    /// How many objects are types of Kubernetes.
    pub(crate) kubernetes_types: usize,
}

/// A kind, and the types that only it uses.
#[derive(Debug)]
pub(crate) struct KindFile {
    pub(crate) module: String,
    /// The name of the CRD.
    pub(crate) definition: String,
    pub(crate) items: Vec<Item>,
}

/// Plans the Rust items of definitions.
pub(crate) fn plan(
    definitions: &[Definition],
    options: &Options,
    allowed: &Allowed,
    problems: &mut Problems,
) -> Vec<Group> {
    let mut groups: BTreeMap<&str, BTreeMap<&str, Vec<classes::KindSource<'_>>>> = BTreeMap::new();
    for definition in definitions {
        for version in &definition.resource.versions {
            let versions = groups.entry(&definition.resource.group).or_default();
            versions
                .entry(&version.version)
                .or_default()
                .push(classes::KindSource { definition, version });
        }
    }
    refuse_equal_paths(&groups, problems);
    let mut planned = Vec::new();
    check_names(&options.names, problems);
    let mut known_paths = Vec::new();
    for (name, versions) in groups {
        let mut group = Group {
            name: name.to_owned(),
            module: module(name),
            versions: Vec::new(),
        };
        for (version, mut kinds) in versions {
            kinds.sort_by(|left, right| left.version.kind.cmp(&right.version.kind));
            group.versions.push(express::version(
                version,
                &kinds,
                options,
                allowed,
                &mut known_paths,
                problems,
            ));
        }
        planned.push(group);
    }
    for (path, _) in &options.names {
        let meant = || known_paths.iter().filter(|known| known.is_meant(path));
        if meant().next().is_none() {
            problems.push(naming::unknown_path(path, &known_paths));
        } else if !meant().any(|known| known.has_type) {
            problems.push(naming::path_without_type(path));
        }
    }
    for (path, _) in &options.types {
        if !known_paths.iter().any(|known| known.is_meant(path)) {
            problems.push(naming::unknown_path(path, &known_paths));
        }
    }
    planned
}

/// Reports groups and kinds that would have the same path in Rust.
fn refuse_equal_paths(
    groups: &BTreeMap<&str, BTreeMap<&str, Vec<classes::KindSource<'_>>>>,
    problems: &mut Problems,
) {
    let refuse = |what: &str, names: [&str; 2], path: &str, source: &classes::KindSource<'_>| {
        let [first, second] = names;
        let message = format!("the {what} `{first}` and `{second}` are both called `{path}` in Rust");
        Problem::error(Code::ImportName, source.definition.span, message)
            .help("import them into different folders, with `--group` or `--kind`")
    };
    let mut modules: BTreeMap<String, &str> = BTreeMap::new();
    for (group, versions) in groups {
        let module = module(group);
        let source = versions.values().flatten().next();
        if let (Some(other), Some(source)) = (modules.get(&module), source) {
            problems.push(refuse("groups", [other, group], &module, source));
        }
        modules.insert(module, group);
        for kinds in versions.values() {
            let mut names: BTreeMap<String, &str> = BTreeMap::new();
            for source in kinds {
                let kind = source.version.kind.as_str();
                let name = words::type_name(kind);
                if let Some(other) = names.get(&name) {
                    let problem = refuse("kinds", [other, kind], &name, source);
                    if !problems.iter().any(|known| known.message == problem.message) {
                        problems.push(problem);
                    }
                }
                names.insert(name, kind);
            }
        }
    }
}

/// A path that the user can name.
pub(crate) struct KnownPath {
    version: String,
    path: String,
    /// Whether its values have a struct or an enum of their own.
    has_type: bool,
}

impl KnownPath {
    /// Returns whether the user's path is this one.
    fn is_meant(&self, path: &str) -> bool {
        below_version(path, &self.version) == self.path
    }
}

/// Returns a path of the user without the version with which it may begin.
pub(crate) fn below_version<'p>(path: &'p str, version: &str) -> &'p str {
    path.strip_prefix(version)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(path)
}

use naming::check_names;

pub(crate) use express::{Allowed, PRESENT};
