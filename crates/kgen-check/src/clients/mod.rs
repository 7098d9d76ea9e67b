//! The plan of generated Rust: the kinds by group and version, with their names and verbs.
//!
//! Client, lister, informer, apply and object generators share this plan. Every contradiction between markers, the type
//! and the definition is reported here, before a line is generated.

mod mirrors;
mod names;
mod reach;
mod verbs;

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::Problems;
use kgen_model::{Api, KindVersion, Resource, RustKind, Scope, Verb, rust_names};

pub use mirrors::{MirrorModule, module_of};

use crate::Part;

/// The groups and versions of an API in generated Rust.
#[derive(Debug, Default)]
pub struct Clients<'a> {
    groups: Vec<GroupVersion<'a>>,
    mirrors: BTreeMap<String, MirrorModule<'a>>,
}

impl<'a> Clients<'a> {
    /// Returns every planned kind, by module and name: those that ask for a client, and all kinds if the run uses
    /// [`Part::Objects`].
    #[must_use]
    pub fn all(&self) -> &[GroupVersion<'a>] {
        &self.groups
    }

    /// Returns the kinds that `wanted` accepts among those that ask for a client, without groups that have none.
    pub fn with_client(&self, wanted: impl Fn(&Kind<'a>) -> bool) -> Vec<GroupVersion<'a>> {
        let mut groups = self.groups.clone();
        for group in &mut groups {
            group.kinds.retain(|kind| kind.has_client() && wanted(kind));
        }
        groups.retain(|group| !group.kinds.is_empty());
        groups
    }

    /// Returns the modules of the mirrors for server-side apply, by name.
    #[must_use]
    pub fn mirrors(&self) -> &BTreeMap<String, MirrorModule<'a>> {
        &self.mirrors
    }
}

/// A group and version with its kinds.
#[derive(Clone, Debug)]
pub struct GroupVersion<'a> {
    /// Such as `example.com/v1alpha1`, or `v1` for the core group.
    pub api_version: String,
    /// The module and the accessor: `example_v1alpha1`.
    pub module: String,
    /// The type of its clients: `ExampleV1alpha1`.
    pub type_name: String,
    /// Its kinds, by name.
    pub kinds: Vec<Kind<'a>>,
}

/// One version of a kind in generated Rust.
#[derive(Clone, Debug)]
pub struct Kind<'a> {
    /// The resource that it is a version of.
    pub resource: &'a Resource,
    /// The version itself.
    pub version: &'a KindVersion,
    /// Its Rust type.
    pub rust: &'a RustKind,
    /// The start of its file names: `http_route`.
    pub stem: String,
    /// The type of its clients: `HTTPRoutes`.
    pub client_type: String,
    /// The accessor of its clients: `http_routes`.
    pub accessor: String,
    /// The verbs of its client; empty if it asks for none.
    pub verbs: BTreeSet<Verb>,
}

impl Kind<'_> {
    /// Returns the name of the kind.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.version.kind
    }

    /// Returns its plural, group and version, such as `foos.example.com/v1alpha1`.
    #[must_use]
    pub fn title(&self) -> String {
        let group = if self.version.group.is_empty() {
            String::new()
        } else {
            format!(".{}", self.version.group)
        };
        format!("{}{group}/{}", self.resource.names.plural, self.version.version)
    }

    /// Returns whether its objects are in namespaces.
    #[must_use]
    pub fn is_namespaced(&self) -> bool {
        self.resource.scope == Scope::Namespaced
    }

    /// Returns whether the kind asks for a client.
    #[must_use]
    pub fn has_client(&self) -> bool {
        self.version.client.wanted.is_some()
    }

    /// Returns whether its client has `verb`.
    #[must_use]
    pub fn has(&self, verb: Verb) -> bool {
        self.verbs.contains(&verb)
    }

    /// Returns whether there is a handle that reads all namespaces.
    #[must_use]
    pub fn reads_everywhere(&self) -> bool {
        self.is_namespaced() && (self.has(Verb::List) || self.has(Verb::Watch))
    }

    /// Returns whether there is a lister for it.
    #[must_use]
    pub fn has_lister(&self) -> bool {
        verbs::LISTER.into_iter().all(|verb| self.has(verb))
    }

    /// Returns whether there is an informer for it.
    #[must_use]
    pub fn has_informer(&self) -> bool {
        verbs::INFORMER.into_iter().all(|verb| self.has(verb))
    }

    /// Returns whether it can be applied.
    #[must_use]
    pub fn is_applied(&self) -> bool {
        self.has(Verb::Apply) || self.has(Verb::ApplyStatus)
    }
}

/// Plans the names and verbs of all kinds, and reports everything that keeps them from being generated.
///
/// Without generated Rust nothing depends on the markers of clients, so a policy may tolerate their problems.
pub(crate) fn plan<'a>(api: &'a Api, parts: &[Part], problems: &mut Problems) -> Clients<'a> {
    let mut found = Problems::new();
    let clients = plan_all(api, parts, &mut found);
    let is_generated = api.rust.is_wanted;
    problems.extend(found.into_iter().map(|problem| {
        if is_generated {
            problem
        } else {
            problem.tolerated()
        }
    }));
    clients
}

fn plan_all<'a>(api: &'a Api, parts: &[Part], problems: &mut Problems) -> Clients<'a> {
    let mut groups: BTreeMap<(&str, &str), Vec<names::Named<'a>>> = BTreeMap::new();
    let mut group_names: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for resource in &api.resources {
        for version in &resource.versions {
            // A marker names the group for all of its kinds.
            if let Some(name) = &version.client.group_name {
                group_names
                    .entry((&version.group, &version.version))
                    .or_insert(&name.value);
            }
            let has_client = version.client.wanted.is_some();
            if !has_client && !parts.contains(&Part::Objects) {
                continue;
            }
            let verbs = if has_client {
                verbs::of(resource, version, parts, problems)
            } else {
                BTreeSet::new()
            };
            groups
                .entry((&version.group, &version.version))
                .or_default()
                .push(names::Named::new(resource, version, verbs));
        }
    }
    let mut planned = Vec::new();
    let mut modules = BTreeMap::new();
    for ((group, version), mut kinds) in groups {
        kinds.sort_by(|left, right| left.version.kind.cmp(&right.version.kind));
        let marked = group_names.get(&(group, version)).copied();
        let module = rust_names::group_version(&names::of_group(group, marked), version);
        names::check_kinds(&kinds, problems);
        names::check_group(&module, &kinds, &mut modules, problems);
        let api_version = if group.is_empty() {
            version.to_owned()
        } else {
            format!("{group}/{version}")
        };
        let kinds = kinds.into_iter().filter(|_| api.rust.is_wanted);
        let kinds: Vec<_> = kinds.filter_map(names::Named::into_kind).collect();
        if !kinds.is_empty() {
            planned.push(GroupVersion {
                api_version,
                type_name: rust_names::pascal(&module),
                module,
                kinds,
            });
        }
    }
    planned.sort_by(|left, right| left.module.cmp(&right.module));
    reach::check(&planned, parts, problems);
    let mirrors = if parts.contains(&Part::ApplyConfigurations) {
        mirrors::plan(api, &planned, problems)
    } else {
        BTreeMap::new()
    };
    reach::check_mirrors(api, mirrors.values(), problems);
    Clients {
        groups: planned,
        mirrors,
    }
}
