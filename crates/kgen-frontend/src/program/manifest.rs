//! Cargo manifests, as far as they tell where source lies: targets, features, dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::declare::Features;
use crate::source::Disk;

/// What a manifest is called.
pub(super) const FILE_NAME: &str = "Cargo.toml";

/// Which features of a crate are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureChoice {
    /// Features to switch on beside the default ones.
    pub features: Vec<String>,
    /// All of them.
    pub all: bool,
    /// Not the default ones.
    pub no_default: bool,
}

/// Where another crate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dependency {
    /// A folder of the same workspace or beside it.
    Folder(PathBuf),
    /// Anywhere else, by the name of its library.
    Elsewhere(String),
}

/// What a package says about itself.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) folder: PathBuf,
    /// Root files of the library and the programs, the library first.
    pub(super) roots: Vec<PathBuf>,
    pub(super) has_library: bool,
    /// The name of the library in source.
    pub(super) library_name: String,
    pub(super) dependencies: BTreeMap<String, Dependency>,
    pub(super) features: Features,
}

#[derive(Deserialize, Default)]
struct Manifest {
    package: Option<PackageTable>,
    lib: Option<Target>,
    #[serde(default)]
    bin: Vec<Target>,
    #[serde(default)]
    features: BTreeMap<String, Vec<String>>,
    #[serde(flatten)]
    tables: DependencyTables,
    #[serde(default)]
    target: BTreeMap<String, DependencyTables>,
    workspace: Option<Workspace>,
}

#[derive(Deserialize, Default)]
struct DependencyTables {
    #[serde(default)]
    dependencies: BTreeMap<String, DependencyEntry>,
    #[serde(default, rename = "dev-dependencies")]
    development: BTreeMap<String, DependencyEntry>,
    #[serde(default, rename = "build-dependencies")]
    build: BTreeMap<String, DependencyEntry>,
}

impl DependencyTables {
    fn all(&self) -> impl Iterator<Item = (&String, &DependencyEntry)> {
        self.dependencies
            .iter()
            .chain(&self.development)
            .chain(&self.build)
    }
}

#[derive(Deserialize)]
struct PackageTable {
    name: String,
    autobins: Option<bool>,
}

#[derive(Deserialize, Default)]
struct Target {
    name: Option<String>,
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum DependencyEntry {
    Version(#[expect(dead_code, reason = "only its presence counts")] String),
    Table(DependencyTable),
}

#[derive(Deserialize, Default)]
struct DependencyTable {
    path: Option<PathBuf>,
    package: Option<String>,
    #[serde(default)]
    workspace: bool,
}

#[derive(Deserialize)]
struct Workspace {
    #[serde(default)]
    dependencies: BTreeMap<String, DependencyEntry>,
}

/// Whether the file is the manifest of a package, and not only of a workspace.
pub(super) fn is_package(disk: &Disk, path: &Path) -> bool {
    parse(disk, path).is_some_and(|manifest| manifest.package.is_some())
}

/// The package around a folder: the nearest manifest above that is one.
pub(super) fn package_folder(disk: &Disk, folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .find(|candidate| {
            let path = candidate.join(FILE_NAME);
            disk.is_file(&path) && is_package(disk, &path)
        })
        .map(Path::to_path_buf)
}

fn parse(disk: &Disk, path: &Path) -> Option<Manifest> {
    toml::from_str(&disk.read(path).ok()?).ok()
}

/// Reads the manifest in `folder`.
pub(super) fn read(disk: &Disk, folder: &Path, choice: &FeatureChoice) -> Option<Package> {
    let manifest = parse(disk, &folder.join(FILE_NAME))?;
    let table = manifest.package.as_ref()?;
    let library_name = manifest
        .lib
        .as_ref()
        .and_then(|target| target.name.clone())
        .unwrap_or_else(|| table.name.clone())
        .replace('-', "_");
    let library = manifest
        .lib
        .as_ref()
        .and_then(|target| target.path.clone())
        .map_or_else(|| folder.join("src/lib.rs"), |path| folder.join(path));
    let mut roots = Vec::new();
    let has_library = disk.is_file(&library);
    if has_library {
        roots.push(library);
    }
    roots.extend(programs(disk, folder, &manifest, table.autobins != Some(false)));
    Some(Package {
        folder: folder.to_owned(),
        roots,
        has_library,
        library_name,
        dependencies: dependencies(disk, folder, &manifest),
        features: features(&manifest, choice),
    })
}

fn programs(disk: &Disk, folder: &Path, manifest: &Manifest, automatic: bool) -> BTreeSet<PathBuf> {
    let mut roots = BTreeSet::new();
    roots.extend(
        manifest
            .bin
            .iter()
            .filter_map(|target| target.path.as_ref())
            .map(|path| folder.join(path)),
    );
    if automatic {
        roots.insert(folder.join("src/main.rs"));
        if let Ok((files, folders)) = disk.list(&folder.join("src/bin")) {
            roots.extend(
                files
                    .into_iter()
                    .filter(|file| file.extension().is_some_and(|extension| extension == "rs")),
            );
            roots.extend(folders.into_iter().map(|program| program.join("main.rs")));
        }
    }
    roots.retain(|root| disk.is_file(root));
    roots
}

fn dependencies(disk: &Disk, folder: &Path, manifest: &Manifest) -> BTreeMap<String, Dependency> {
    let mut found = BTreeMap::new();
    let mut workspace = None;
    let tables = std::iter::once(&manifest.tables).chain(manifest.target.values());
    for (name, entry) in tables.flat_map(DependencyTables::all) {
        let table = match entry {
            DependencyEntry::Version(_) => &DependencyTable::default(),
            DependencyEntry::Table(table) => table,
        };
        let mut package = table.package.as_deref();
        let mut source = table.path.as_ref().map(|path| folder.join(path));
        if table.workspace {
            let (root, shared) = workspace.get_or_insert_with(|| workspace_manifest(disk, folder, manifest));
            let shared_entry = shared
                .as_ref()
                .and_then(|workspace| workspace.dependencies.get(name));
            if let Some(DependencyEntry::Table(shared)) = shared_entry {
                package = package.or(shared.package.as_deref());
                source = source.or_else(|| shared.path.as_ref().map(|path| root.join(path)));
            }
            let dependency = dependency(source, package.unwrap_or(name));
            found.insert(name.replace('-', "_"), dependency);
            continue;
        }
        found.insert(
            name.replace('-', "_"),
            dependency(source, package.unwrap_or(name)),
        );
    }
    found
}

fn dependency(source: Option<PathBuf>, package: &str) -> Dependency {
    source.map_or_else(
        || Dependency::Elsewhere(package.replace('-', "_")),
        Dependency::Folder,
    )
}

/// The workspace that a package belongs to: its own manifest, or the nearest one above that has a workspace.
fn workspace_manifest(disk: &Disk, folder: &Path, manifest: &Manifest) -> (PathBuf, Option<Workspace>) {
    if manifest.workspace.is_some() {
        let own = parse(disk, &folder.join(FILE_NAME)).and_then(|manifest| manifest.workspace);
        return (folder.to_owned(), own);
    }
    for candidate in folder.ancestors().skip(1) {
        let path = candidate.join(FILE_NAME);
        if disk.is_file(&path)
            && let Some(workspace) = parse(disk, &path).and_then(|manifest| manifest.workspace)
        {
            return (candidate.to_owned(), Some(workspace));
        }
    }
    (folder.to_owned(), None)
}

/// The features that are on, with everything that they bring.
fn features(manifest: &Manifest, choice: &FeatureChoice) -> Features {
    let mut enabled = BTreeSet::new();
    let mut waiting: Vec<&str> = choice.features.iter().map(String::as_str).collect();
    if !choice.no_default {
        waiting.push("default");
    }
    while let Some(name) = waiting.pop() {
        if enabled.insert(name.to_owned()) {
            waiting.extend(
                manifest
                    .features
                    .get(name)
                    .into_iter()
                    .flatten()
                    .map(String::as_str),
            );
        }
    }
    Features {
        enabled,
        all: choice.all,
    }
}
