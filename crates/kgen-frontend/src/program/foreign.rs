//! Crates that are not the user's: found through `Cargo.lock`, read on demand, one file at a time.
//!
//! A path into another crate is not resolved until it is needed. Then it is looked up in the table of well-known types,
//! and only if it is not there, the source is read. It may lead to further crates.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::features::handed_on;
use super::manifest::{self, Dependency, Edge, FeatureChoice, Package};
use super::names::{NameError, Seen, Target};
use super::{CrateId, Foreign, ModuleId, Program, cargo_home, lock};
use crate::source::Shipped;

/// The package whose types do not have derives.
const K8S_OPENAPI: &str = "k8s-openapi";

/// More crates than any chain of re-exports goes through.
const MAX_CRATES: usize = 32;

/// Something of another crate that is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct External {
    /// Its path, starting with the name of the library.
    pub(crate) path: Arc<Vec<String>>,
    /// The crate that depends on the other one, and the dependency's name in it. `None` without a manifest.
    pub(super) origin: Option<(CrateId, String)>,
}

impl External {
    /// Returns a path that no source is read for.
    pub(super) fn known(path: impl Into<Arc<Vec<String>>>) -> Self {
        Self {
            path: path.into(),
            origin: None,
        }
    }
}

/// The place of a crate in a lock file.
#[derive(Clone, Debug)]
pub(super) struct Locked {
    pub(super) lock: Arc<lock::Lock>,
    pub(super) entry: Option<usize>,
}

impl Program {
    /// Follows a path through other crates until it ends at a type, a module or something well known.
    pub(super) fn settle(&mut self, mut target: Target, seen: &mut Seen) -> Result<Target, NameError> {
        for _ in 0..MAX_CRATES {
            let Target::External(external) = &target else {
                break;
            };
            let known = crate::well_known::known_without_source(&external.path);
            if known == Some(crate::well_known::Precedence::BeforeSource) {
                return Ok(Target::External(External::known(external.path.clone())));
            }
            let Some((dependent, name)) = external.origin.clone() else {
                return Ok(target);
            };
            let path = external.path.clone();
            let root = match self.foreign_root(dependent, &name) {
                Err(_) if known.is_some() => return Ok(Target::External(External::known(path))),
                other => other?,
            };
            let Some(root) = root else { return Ok(target) };
            let rest: Vec<_> = path.iter().skip(1).map(String::as_str).collect();
            target = self.walk(Target::Module(root), root, &rest, seen)?;
        }
        Ok(self.as_well_known(target))
    }

    /// Returns the well-known type that a path of another crate leads to, if it does; otherwise the target itself.
    fn as_well_known(&self, target: Target) -> Target {
        let Target::Type(id) = &target else { return target };
        let Some(library) = self.library_of(id.module) else {
            return target;
        };
        let Some(declaration) = self.declaration(*id) else {
            return target;
        };
        let modules = self.module_path(id.module);
        // The file of a type is often a private module below the one that hands it on.
        let shorter = modules.len().saturating_sub(1);
        for count in [modules.len(), shorter] {
            let path = external_path(library, modules.iter().take(count).copied(), &declaration.name);
            if crate::well_known::is_well_known(&path) {
                return Target::External(External::known(path));
            }
        }
        target
    }

    /// Returns the path by which a `crate::…` path inside another crate is known outside it.
    pub(super) fn outside_path(&self, module: ModuleId, path: &[&str]) -> Option<Vec<String>> {
        let library = self.library_of(module)?;
        match path {
            ["crate", modules @ .., last] => Some(external_path(library, modules.iter().copied(), last)),
            _ => None,
        }
    }

    /// Returns the name of the library that a module belongs to, if it is not the user's.
    fn library_of(&self, module: ModuleId) -> Option<&str> {
        let crate_id = self.module(module)?.crate_id;
        Some(self.crates.get(crate_id.0)?.foreign.as_ref()?.library.as_str())
    }

    /// Returns the path of something of another crate as the user's own source would write it.
    pub(crate) fn path_in_source(&self, external: &External) -> Vec<String> {
        let mut path = external.path.to_vec();
        if let Some((dependent, name)) = &external.origin
            && let Some(first) = path.first_mut()
            && self
                .crates
                .get(dependent.0)
                .is_some_and(|found| found.foreign.is_none())
        {
            first.clone_from(name);
        }
        path
    }

    /// Returns the name by which source of `from` knows a crate of the user.
    pub(crate) fn library_in_source(&self, id: CrateId, from: Option<CrateId>) -> Option<String> {
        let found = self.crates.get(id.0)?;
        let (folder, package) = found.package.as_ref()?;
        let dependencies = from
            .and_then(|from| self.crates.get(from.0))
            .and_then(|from| from.dependencies.as_ref());
        let renamed = dependencies.into_iter().flatten().find_map(|(name, dependency)| {
            matches!(dependency, Dependency::Folder(place, _) if place == folder).then(|| name.clone())
        });
        Some(renamed.unwrap_or_else(|| package.replace('-', "_")))
    }

    /// Returns the folder of the package that a module belongs to.
    pub(crate) fn package_folder(&self, module: ModuleId) -> Option<&Path> {
        let id = self.module(module)?.crate_id;
        let (folder, _) = self.crates.get(id.0)?.package.as_ref()?;
        Some(folder)
    }

    /// Makes a path absolute that messages name.
    pub(crate) fn absolute(&self, shown: &Path) -> PathBuf {
        kgen_diagnostics::absolute(&self.working_folder, shown)
    }

    /// Returns whether a module is part of a crate that is not the user's.
    pub(crate) fn is_foreign(&self, module: ModuleId) -> bool {
        self.library_of(module).is_some()
    }

    /// Returns whether a module is part of k8s-openapi.
    pub(crate) fn is_kubernetes(&self, module: ModuleId) -> bool {
        let crate_id = self.module(module).map(|module| module.crate_id);
        let found = crate_id.and_then(|id| self.crates.get(id.0));
        found
            .and_then(|found| found.foreign.as_ref())
            .is_some_and(|foreign| foreign.is_kubernetes)
    }

    /// Returns the root module of another crate. Returns `None` if there is no lock file that identifies it.
    fn foreign_root(&mut self, dependent: CrateId, name: &str) -> Result<Option<ModuleId>, NameError> {
        let Some(locked) = self.locked(dependent) else {
            return Ok(None);
        };
        let Some(Dependency::Elsewhere(edge)) = self.dependency(dependent, name).cloned() else {
            return Ok(None);
        };
        let missing = |version: Option<&str>| NameError::NoSource {
            package: edge.package.clone(),
            version: version.map(str::to_owned),
        };
        let Some(entry) = locked.lock.dependency(locked.entry, &edge) else {
            return Err(missing(None));
        };
        let key = (locked.lock.folder.clone(), entry);
        if !self.foreign.contains_key(&key) {
            let added = self.add_foreign(
                dependent,
                name,
                &edge,
                &Locked {
                    entry: Some(entry),
                    ..locked.clone()
                },
            );
            self.foreign.insert(key.clone(), added);
        }
        let id = self.foreign.get(&key).copied().flatten();
        let root = id
            .and_then(|id| self.crates.get(id.0))
            .and_then(|found| found.root);
        let version = locked
            .lock
            .packages
            .get(entry)
            .map(|package| package.version.as_str());
        root.map(Some).ok_or_else(|| missing(version))
    }

    /// Returns whether a type of another crate could be looked up if only the user's package had a lock file.
    pub(crate) fn lacks_lock_file(&self, external: &External) -> bool {
        let Some((dependent, name)) = &external.origin else {
            return false;
        };
        let is_elsewhere = matches!(self.dependency(*dependent, name), Some(Dependency::Elsewhere(_)));
        let package = self
            .crates
            .get(dependent.0)
            .and_then(|found| found.package.as_ref());
        is_elsewhere && package.is_some_and(|(folder, _)| lock::folder_above(&self.disk, folder).is_none())
    }

    fn dependency(&self, dependent: CrateId, name: &str) -> Option<&Dependency> {
        self.crates.get(dependent.0)?.dependencies.as_ref()?.get(name)
    }

    /// Returns the place of a crate in its lock file, looked for when it is first asked for.
    pub(super) fn locked(&mut self, id: CrateId) -> Option<Locked> {
        let found = self.crates.get(id.0)?;
        if let Some(foreign) = &found.foreign {
            return Some(foreign.locked.clone());
        }
        let (folder, name) = found.package.clone()?;
        let folder = lock::folder_above(&self.disk, &folder)?;
        if !self.locks.contains_key(&folder) {
            let read = lock::read(&self.disk, &folder).map(Arc::new);
            self.locks.insert(folder.clone(), read);
        }
        let lock = Arc::clone(self.locks.get(&folder)?.as_ref()?);
        let entry = lock.member(&name);
        Some(Locked { lock, entry })
    }

    /// Makes another crate known without reading more than its manifest.
    fn add_foreign(
        &mut self,
        dependent: CrateId,
        name: &str,
        edge: &Edge,
        locked: &Locked,
    ) -> Option<CrateId> {
        let package = locked.lock.packages.get(locked.entry?)?;
        let home = self.cargo_home.clone().or_else(cargo_home);
        let found = cargo_home::source_folder(&self.disk, home.as_deref(), &locked.lock, package);
        let folder = match package.checksum.as_deref().and_then(Shipped::of_checksum) {
            Some(shipped) => {
                let folder = found.unwrap_or_else(|| cargo_home::expected_folder(home.as_deref(), package));
                self.disk.ship(shipped, &folder);
                folder
            }
            None => found?,
        };
        let choice = self.features_of_dependency(dependent, name, edge, locked);
        let mut package = manifest::read(&self.disk, &folder, &choice)?;
        let is_kubernetes = edge.package == K8S_OPENAPI;
        if is_kubernetes && let Some((feature, version)) = kubernetes_version(&package) {
            self.kubernetes_minor = kubernetes_minor(&feature);
            package.features.enabled.insert(feature);
            package
                .features
                .conditions
                .insert("k8s_openapi_enabled_version".to_owned(), version);
        }
        let foreign = Foreign {
            library: edge.library_name(),
            is_kubernetes,
            locked: locked.clone(),
        };
        self.add_library(&package, foreign)
    }

    /// Returns the root module of a package that another foreign one names by its folder, as in a checkout of git.
    pub(super) fn add_beside(&mut self, dependent: CrateId, folder: &Path) -> Option<CrateId> {
        let found = self.crates.get(dependent.0)?;
        let locked = found.foreign.as_ref()?.locked.clone();
        let mut choice = FeatureChoice::default();
        for (name, dependency) in found.dependencies.iter().flatten() {
            if let Dependency::Folder(place, edge) = dependency
                && kgen_diagnostics::absolute(&self.working_folder, place) == folder
            {
                choice.features.extend(edge.features.iter().cloned());
                choice.features.extend(handed_on(&found.features.enabled, name).1);
                choice.no_default = !edge.default_features;
            }
        }
        let package = manifest::read(&self.disk, folder, &choice)?;
        let entry = locked.lock.member(&package.name);
        let library = package.library_name.clone();
        let foreign = Foreign {
            library,
            is_kubernetes: false,
            locked: Locked { entry, ..locked },
        };
        self.add_library(&package, foreign)
    }

    /// Returns the features of a package, as far as the manifests on the way tell: what the edge and the user's own
    /// crates ask for, and what features of the dependent hand on.
    fn features_of_dependency(
        &self,
        dependent: CrateId,
        name: &str,
        edge: &Edge,
        locked: &Locked,
    ) -> FeatureChoice {
        let lock = &locked.lock;
        let mut edges: Vec<Edge> = Vec::new();
        for user in self.crates.iter().filter(|found| found.foreign.is_none()) {
            let member = user.package.as_ref().and_then(|(_, name)| lock.member(name));
            let others = user
                .dependencies
                .iter()
                .flat_map(std::collections::BTreeMap::values);
            edges.extend(others.filter_map(|dependency| match dependency {
                // Another version of the same package has features of its own.
                Dependency::Elsewhere(other) if lock.dependency(member, other) == locked.entry => {
                    Some(other.clone())
                }
                _ => None,
            }));
        }
        edges.push(edge.clone());
        let chosen = |edges: &[Edge]| {
            edges
                .iter()
                .flat_map(|edge| &edge.features)
                .any(|name| is_version_choice(name))
        };
        if edge.package == K8S_OPENAPI && !chosen(&edges) {
            // A library leaves the choice to the program, which may be another member of the workspace.
            edges.extend(manifest::edges_of_members(
                &self.disk,
                &lock.folder,
                &edge.package,
            ));
        }
        let mut features: Vec<String> = edges
            .iter()
            .flat_map(|edge| edge.features.iter().cloned())
            .collect();
        if let Some(dependent) = self.crates.get(dependent.0) {
            features.extend(handed_on(&dependent.features.enabled, name).1);
        }
        features.sort();
        features.dedup();
        FeatureChoice {
            features,
            all: false,
            no_default: edges.iter().all(|edge| !edge.default_features),
        }
    }
}

/// Returns the public path of a path in a crate. The module of a Kubernetes version is not part of it.
fn external_path<'a>(library: &'a str, modules: impl Iterator<Item = &'a str>, name: &'a str) -> Vec<String> {
    let is_version = |module: &str| library == "k8s_openapi" && kubernetes_minor(module).is_some();
    let modules = modules.filter(|module| !is_version(module));
    let names = std::iter::once(library)
        .chain(modules)
        .chain(std::iter::once(name));
    names.map(str::to_owned).collect()
}

fn is_version_choice(feature: &str) -> bool {
    kubernetes_minor(feature).is_some() || matches!(feature, "latest" | "earliest")
}

/// Returns the minor version of a feature or a module of k8s-openapi, such as `v1_36`.
pub(crate) fn kubernetes_minor(feature: &str) -> Option<u32> {
    feature.strip_prefix("v1_")?.parse().ok()
}

/// Returns the feature and the version of Kubernetes that are selected; the newest if none is.
fn kubernetes_version(package: &Package) -> Option<(String, String)> {
    let newest = |features: &mut dyn Iterator<Item = &String>| {
        features.filter_map(|name| kubernetes_minor(name)).max()
    };
    let minor = newest(&mut package.features.enabled.iter())
        .or_else(|| newest(&mut package.known_features.keys()))?;
    Some((format!("v1_{minor}"), format!("1.{minor}")))
}

/// A package of a lock file, by the folder of the file and its place there.
pub(super) type LockKey = (PathBuf, usize);
