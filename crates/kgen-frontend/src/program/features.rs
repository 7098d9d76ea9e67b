//! The features of the user's own packages, as cargo resolves them: the requested packages have the chosen features,
//! and each local package that they depend on has the union of the features that they request.
//!
//! Features of packages of a registry are resolved in `foreign.rs`, one edge at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::manifest::{self, Dependency, FeatureChoice, Package};
use crate::declare::Features;
use crate::source::Disk;

/// The feature that is enabled by default.
const DEFAULT: &str = "default";

/// More packages than any workspace has.
const MAX_PACKAGES: usize = 4096;

/// The enabled features, package by package.
pub(super) type Resolution = BTreeMap<PathBuf, Features>;

/// Resolves the features of `packages` and of all packages in folders that they lead to.
pub(super) fn resolve(
    disk: &Disk,
    working_folder: &Path,
    packages: &[Package],
    choice: &FeatureChoice,
) -> Resolution {
    let has_folders = |package: &Package| {
        let mut dependencies = package.dependencies.values();
        dependencies.any(|dependency| matches!(dependency, Dependency::Folder(..)))
    };
    if !packages.iter().any(has_folders) {
        return Resolution::new();
    }
    let mut resolver = Resolver {
        disk,
        working_folder,
        requested: BTreeMap::new(),
        read: BTreeMap::new(),
        waiting: Vec::new(),
    };
    let mut first: BTreeSet<String> = choice.features.iter().cloned().collect();
    if !choice.no_default {
        first.insert(DEFAULT.to_owned());
    }
    for package in packages {
        let mut features = first.clone();
        if choice.all {
            features.extend(package.known_features.keys().cloned());
            let optional = package
                .dependencies
                .iter()
                .filter(|(_, dependency)| match dependency {
                    Dependency::Folder(_, edge) | Dependency::Elsewhere(edge) => edge.is_optional,
                });
            features.extend(optional.map(|(name, _)| name.clone()));
        }
        resolver.request(&package.folder, features);
    }
    while let Some(folder) = resolver.waiting.pop() {
        resolver.activate(&folder, packages);
    }
    let enabled = |(folder, requested): (PathBuf, BTreeSet<String>)| {
        let package = known(&folder, packages, &resolver.read)?;
        let features = Features {
            enabled: package.with_implied(requested.into_iter().collect()),
            // The choice of the user is about the packages that the user points at.
            all: choice.all && packages.iter().any(|package| package.folder == folder),
            ..Features::default()
        };
        Some((folder, features))
    };
    resolver.requested.into_iter().filter_map(enabled).collect()
}

struct Resolver<'a> {
    disk: &'a Disk,
    working_folder: &'a Path,
    /// The features that others request, by the folder of the package.
    requested: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Packages that the user does not point at; `None` for a folder without one.
    read: BTreeMap<PathBuf, Option<Package>>,
    waiting: Vec<PathBuf>,
}

impl Resolver<'_> {
    fn request(&mut self, folder: &Path, features: BTreeSet<String>) {
        let folder = kgen_diagnostics::absolute(self.working_folder, folder);
        let is_new = !self.requested.contains_key(&folder);
        if is_new && self.requested.len() >= MAX_PACKAGES {
            return;
        }
        let known = self.requested.entry(folder.clone()).or_default();
        let count = known.len();
        known.extend(features);
        if is_new || known.len() > count {
            self.waiting.push(folder);
        }
    }

    /// Hands the features of a package on to the packages that it depends on.
    fn activate(&mut self, folder: &Path, packages: &[Package]) {
        if !packages.iter().any(|package| package.folder == folder) && !self.read.contains_key(folder) {
            let read = manifest::read_if_there(self.disk, folder, &FeatureChoice::default());
            self.read.insert(folder.to_owned(), read);
        }
        let requested = self.requested.get(folder).cloned().unwrap_or_default();
        let mut requests = Vec::new();
        if let Some(package) = known(folder, packages, &self.read) {
            let enabled = package.with_implied(requested.into_iter().collect());
            for (name, dependency) in &package.dependencies {
                let Dependency::Folder(place, edge) = dependency else {
                    continue;
                };
                let (is_named, handed_on) = handed_on(&enabled, name);
                if edge.is_development || (edge.is_optional && !is_named) {
                    continue;
                }
                let mut features = edge.features.clone();
                features.extend(handed_on);
                if edge.default_features {
                    features.insert(DEFAULT.to_owned());
                }
                requests.push((place.clone(), features));
            }
        }
        for (place, features) in requests {
            self.request(&place, features);
        }
    }
}

fn known<'p>(
    folder: &Path,
    packages: &'p [Package],
    read: &'p BTreeMap<PathBuf, Option<Package>>,
) -> Option<&'p Package> {
    let wanted = packages.iter().find(|package| package.folder == folder);
    wanted.or_else(|| read.get(folder)?.as_ref())
}

/// Returns whether enabled features activate an optional dependency, and which of its features they request: `name`,
/// `dep:name`, `name/feature` and, only if the dependency is active, `name?/feature`.
pub(super) fn handed_on(enabled: &BTreeSet<String>, name: &str) -> (bool, Vec<String>) {
    let is_name = |written: &str| written.replace('-', "_") == name;
    let mut is_named = false;
    let mut features = Vec::new();
    for feature in enabled {
        match feature.split_once('/') {
            None => is_named |= is_name(feature.strip_prefix("dep:").unwrap_or(feature)),
            Some((dependency, handed_on)) => match dependency.strip_suffix('?') {
                Some(dependency) if is_name(dependency) => features.push(handed_on.to_owned()),
                None if is_name(dependency) => {
                    is_named = true;
                    features.push(handed_on.to_owned());
                }
                _ => {}
            },
        }
    }
    (is_named, features)
}
