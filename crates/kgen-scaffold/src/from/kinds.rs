//! The kinds of a project in Go as Rust names them: modules, paths of types, and the kinds that controllers watch.

use std::collections::{BTreeMap, BTreeSet};

use kgen_model::AccessRule;

use super::project_file::GoKind;
use super::source::GoProject;
use crate::{built_in, external, names_in_code};

/// A kind with its names in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    pub(super) plural: String,
    /// The module of the group.
    pub(super) group_stem: String,
    /// The path of the type.
    pub(super) path: String,
    /// Whether the project defines it.
    pub(super) is_own: bool,
}

impl Known {
    /// Returns the name of the module of the kind.
    pub(super) fn stem(&self) -> String {
        names_in_code::kind(&self.kind)
    }
}

/// The modules of all groups, which are unique.
pub(super) struct Groups(BTreeMap<String, String>);

impl Groups {
    pub(super) fn of(project: &GoProject) -> Self {
        let resources = project.definitions.values();
        let groups: BTreeSet<&str> = resources
            .map(|definition| definition.resource.group.as_str())
            .collect();
        let mut stems = BTreeMap::new();
        let mut taken = BTreeSet::new();
        // The shortest first, because they are the usual ones.
        let mut sorted: Vec<&str> = groups.into_iter().collect();
        sorted.sort_by_key(|group| (group.split('.').count(), *group));
        for group in sorted {
            let candidates = names_in_code::groups(group, &project.file.domain);
            let stem = candidates
                .iter()
                .find(|stem| !taken.contains(*stem) && *stem != "core");
            let stem = stem.unwrap_or(&candidates[2]).clone();
            taken.insert(stem.clone());
            stems.insert(group.to_owned(), stem);
        }
        Self(stems)
    }

    /// Returns the module of a group.
    pub(super) fn stem(&self, group: &str) -> String {
        let own = self.0.get(group).cloned();
        own.unwrap_or_else(|| names_in_code::group(group))
    }

    /// Returns whether generated code needs a marker to name the group.
    pub(super) fn is_renamed(&self, group: &str) -> bool {
        self.stem(group) != names_in_code::group(group)
    }
}

/// Returns the kind of an entry of `PROJECT`, or `None` if there is no Rust type for it.
pub(super) fn known(project: &GoProject, groups: &Groups, kind: &GoKind) -> Option<Known> {
    if let Some(definition) = project.definition(kind) {
        return Some(own(
            groups,
            &kind.group,
            &kind.version,
            &kind.kind,
            &definition.resource.names.plural,
        ));
    }
    if !kind.is_built_in {
        return None;
    }
    let found = external::in_group(&kind.short_group, &kind.version, &kind.kind)?;
    Some(Known {
        group_stem: names_in_code::group(&found.group),
        plural: found.plural,
        group: found.group,
        version: found.version,
        kind: found.kind,
        path: found.path,
        is_own: false,
    })
}

fn own(groups: &Groups, group: &str, version: &str, kind: &str, plural: &str) -> Known {
    let stem = groups.stem(group);
    let modules = [stem.clone(), version.to_owned(), names_in_code::kind(kind)];
    let modules = modules.map(|module| names_in_code::module(&module)).join("::");
    Known {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
        plural: plural.to_owned(),
        group_stem: stem,
        path: format!("crate::api::{modules}::{kind}"),
        is_own: true,
    }
}

/// The kinds that a role allows to watch, apart from those that controllers reconcile.
#[derive(Debug, Default)]
pub(super) struct Watches {
    pub(super) kinds: Vec<Known>,
    /// Resources with their group whose type is not known.
    pub(super) others: BTreeSet<(String, String)>,
}

/// Returns the kinds that rules allow to list and watch. `reconciled` are those that have controllers.
pub(super) fn watches(project: &GoProject, groups: &Groups, reconciled: &[Known]) -> Watches {
    let mut watches = Watches::default();
    for (group, resource) in watched(&project.rules) {
        let is_it = |kind: &&Known| kind.group == group && kind.plural == resource;
        if reconciled.iter().any(|kind| is_it(&kind)) || watches.kinds.iter().any(|kind| is_it(&kind)) {
            continue;
        }
        let definition = project.definitions.values().find(|definition| {
            definition.resource.group == group && definition.resource.names.plural == resource
        });
        if let Some(definition) = definition {
            let resource = &definition.resource;
            let mut versions = resource.versions.iter();
            if let Some(version) = versions
                .clone()
                .find(|version| version.storage.is_some())
                .or_else(|| versions.next())
            {
                let kind = own(
                    groups,
                    &group,
                    &version.version,
                    &resource.kind,
                    &resource.names.plural,
                );
                watches.kinds.push(kind);
            }
            continue;
        }
        let found = built_in::find(&group, &resource).and_then(|(version, kind)| {
            let short = match group.as_str() {
                "" => "core",
                group => group,
            };
            external::in_group(short, version, kind)
        });
        match found {
            Some(found) => watches.kinds.push(Known {
                group_stem: names_in_code::group(&group),
                plural: resource,
                group,
                version: found.version,
                kind: found.kind,
                path: found.path,
                is_own: false,
            }),
            None => {
                watches.others.insert((group, resource));
            }
        }
    }
    watches
}

/// Returns the groups and resources that rules allow to list and watch.
fn watched(rules: &[AccessRule]) -> BTreeSet<(String, String)> {
    let mut verbs: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| rule.resource_names.is_empty()) {
        for group in &rule.groups {
            for resource in rule
                .resources
                .iter()
                .filter(|resource| !resource.value.contains('/'))
            {
                verbs
                    .entry((kgen_model::group_name(group).to_owned(), resource.value.clone()))
                    .or_default()
                    .extend(rule.verbs.iter().map(|verb| verb.value.as_str()));
            }
        }
    }
    verbs
        .into_iter()
        .filter(|(_, verbs)| verbs.contains("*") || verbs.contains("list") && verbs.contains("watch"))
        .map(|(resource, _)| resource)
        .collect()
}
