//! Cargo manifests, as far as they are needed to find source: targets, features, dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::toml_keys;
use crate::declare::Features;
use crate::source::Disk;

/// The name of the file.
pub(super) const FILE_NAME: &str = "Cargo.toml";

/// The enabled features of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureChoice {
    /// Features to enable besides the default ones.
    pub features: Vec<String>,
    /// All features.
    pub all: bool,
    /// Not the default ones.
    pub no_default: bool,
}

/// Where another crate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dependency {
    /// A folder of the same workspace or beside it.
    Folder(PathBuf, Edge),
    /// Anywhere else.
    Elsewhere(Edge),
}

/// The requirements of a package for a dependency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The name of the other package.
    pub(super) package: String,
    /// The versions that will do.
    pub(super) requirement: Option<String>,
    pub(super) features: BTreeSet<String>,
    pub(super) default_features: bool,
    /// Whether the dependency is disabled unless a feature enables it.
    pub(super) is_optional: bool,
    /// Whether only tests and examples have the dependency.
    pub(super) is_development: bool,
}

impl Edge {
    /// Returns a dependency about which only the name is known.
    pub(super) fn to(package: &str) -> Self {
        Self {
            package: package.to_owned(),
            requirement: None,
            features: BTreeSet::new(),
            default_features: true,
            is_optional: false,
            is_development: false,
        }
    }

    /// Returns the name that the package has in source, unless its manifest says otherwise.
    pub(super) fn library_name(&self) -> String {
        self.package.replace('-', "_")
    }

    /// Joins the features of two tables: cargo enables a feature if any of them requests it.
    fn join(&mut self, other: Self) {
        self.features.extend(other.features);
        self.default_features |= other.default_features;
        self.is_optional &= other.is_optional;
        self.is_development &= other.is_development;
    }
}

/// The description of a package.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) folder: PathBuf,
    pub(super) name: String,
    /// Root files of the library and the programs, the library first.
    pub(super) roots: Vec<PathBuf>,
    pub(super) has_library: bool,
    /// The name of the library in source.
    pub(super) library_name: String,
    pub(super) dependencies: BTreeMap<String, Dependency>,
    pub(super) features: Features,
    /// The features that the manifest declares, each with the features that it enables.
    pub(super) known_features: BTreeMap<String, Vec<String>>,
}

impl Package {
    /// Features with everything that they enable.
    pub(super) fn with_implied(&self, features: Vec<String>) -> BTreeSet<String> {
        with_implied(&self.known_features, features)
    }
}

/// The parts of a manifest that say where source is.
#[derive(Default)]
struct Manifest {
    package: Option<PackageTable>,
    lib: Option<Target>,
    bin: Vec<Target>,
    features: BTreeMap<String, Vec<String>>,
    tables: DependencyTables,
    target: BTreeMap<String, DependencyTables>,
    workspace: Option<Workspace>,
    patch: BTreeMap<String, BTreeMap<String, DependencyEntry>>,
}

impl Manifest {
    fn of(table: &DeTable<'_>) -> Self {
        Self {
            package: toml_keys::table(table, "package").and_then(PackageTable::of),
            lib: toml_keys::table(table, "lib").map(Target::of),
            bin: toml_keys::tables(table, "bin", |bin| Some(Target::of(bin))),
            features: toml_keys::entries(table, "features", |value| Some(toml_keys::texts_of(value))),
            tables: DependencyTables::of(table),
            target: toml_keys::entries(table, "target", |value| {
                value.as_table().map(DependencyTables::of)
            }),
            workspace: toml_keys::table(table, "workspace").map(Workspace::of),
            patch: toml_keys::entries(table, "patch", |value| {
                value.as_table().map(|source| {
                    let pairs = source.iter();
                    let known = pairs.filter_map(|(name, entry)| {
                        Some((name.get_ref().to_string(), DependencyEntry::of(entry.get_ref())?))
                    });
                    known.collect()
                })
            }),
        }
    }
}

#[derive(Default)]
struct DependencyTables {
    dependencies: BTreeMap<String, DependencyEntry>,
    development: BTreeMap<String, DependencyEntry>,
    build: BTreeMap<String, DependencyEntry>,
}

impl DependencyTables {
    fn of(table: &DeTable<'_>) -> Self {
        let entries = |key| toml_keys::entries(table, key, DependencyEntry::of);
        Self {
            dependencies: entries("dependencies"),
            development: entries("dev-dependencies"),
            build: entries("build-dependencies"),
        }
    }

    /// Returns all entries; the flag tells those that only tests and examples have.
    fn all(&self) -> impl Iterator<Item = (&String, &DependencyEntry, bool)> {
        let usual = self.dependencies.iter().chain(&self.build);
        let development = self.development.iter().map(|(name, entry)| (name, entry, true));
        usual.map(|(name, entry)| (name, entry, false)).chain(development)
    }
}

struct PackageTable {
    name: String,
    /// `None` as well if the version is inherited from the workspace.
    version: Option<String>,
    autobins: Option<bool>,
}

impl PackageTable {
    /// Returns `None` if the package does not have a name. Cargo rejects such a package too.
    fn of(table: &DeTable<'_>) -> Option<Self> {
        Some(Self {
            name: toml_keys::text(table, "name")?,
            version: toml_keys::text(table, "version"),
            autobins: toml_keys::boolean(table, "autobins"),
        })
    }
}

struct Target {
    name: Option<String>,
    path: Option<PathBuf>,
}

impl Target {
    fn of(table: &DeTable<'_>) -> Self {
        Self {
            name: toml_keys::text(table, "name"),
            path: toml_keys::path(table, "path"),
        }
    }
}

enum DependencyEntry {
    Version(String),
    Table(DependencyTable),
}

impl DependencyEntry {
    fn of(value: &DeValue<'_>) -> Option<Self> {
        match value {
            DeValue::String(version) => Some(Self::Version(version.to_string())),
            DeValue::Table(table) => Some(Self::Table(DependencyTable::of(table))),
            _ => None,
        }
    }

    fn table(&self) -> &DependencyTable {
        static NONE: DependencyTable = DependencyTable {
            path: None,
            package: None,
            version: None,
            features: Vec::new(),
            default_features: None,
            workspace: false,
            optional: false,
        };
        match self {
            Self::Version(_) => &NONE,
            Self::Table(table) => table,
        }
    }

    fn requirement(&self) -> Option<String> {
        match self {
            Self::Version(version) => Some(version.clone()),
            Self::Table(table) => table.version.clone(),
        }
    }
}

struct DependencyTable {
    path: Option<PathBuf>,
    package: Option<String>,
    version: Option<String>,
    features: Vec<String>,
    default_features: Option<bool>,
    workspace: bool,
    optional: bool,
}

impl DependencyTable {
    fn of(table: &DeTable<'_>) -> Self {
        Self {
            path: toml_keys::path(table, "path"),
            package: toml_keys::text(table, "package"),
            version: toml_keys::text(table, "version"),
            features: toml_keys::texts(table, "features"),
            default_features: toml_keys::boolean(table, "default-features")
                .or_else(|| toml_keys::boolean(table, "default_features")),
            workspace: toml_keys::boolean(table, "workspace") == Some(true),
            optional: toml_keys::boolean(table, "optional") == Some(true),
        }
    }
}

struct Workspace {
    members: Vec<String>,
    dependencies: BTreeMap<String, DependencyEntry>,
}

impl Workspace {
    fn of(table: &DeTable<'_>) -> Self {
        Self {
            members: toml_keys::texts(table, "members"),
            dependencies: toml_keys::entries(table, "dependencies", DependencyEntry::of),
        }
    }
}

/// Returns whether the file is the manifest of a package, and not only of a workspace.
pub(super) fn is_package(disk: &Disk, path: &Path) -> bool {
    parse(disk, path).is_some_and(|manifest| manifest.package.is_some())
}

/// Returns the package in `folder`, if it has one.
pub(super) fn read_if_there(disk: &Disk, folder: &Path, choice: &FeatureChoice) -> Option<Package> {
    disk.is_file(&folder.join(FILE_NAME))
        .then(|| read(disk, folder, choice))?
}

fn parse(disk: &Disk, path: &Path) -> Option<Manifest> {
    let text = disk.read(path).ok()?;
    let table = DeTable::parse(&text).ok()?;
    Some(Manifest::of(table.get_ref()))
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
        name: table.name.clone(),
        roots,
        has_library,
        library_name,
        dependencies: dependencies(disk, folder, &manifest),
        features: features(&manifest.features, choice),
        known_features: manifest.features,
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
    let mut found: BTreeMap<String, Dependency> = BTreeMap::new();
    let mut workspace = None;
    let tables = std::iter::once(&manifest.tables).chain(manifest.target.values());
    for (name, entry, is_development) in tables.flat_map(DependencyTables::all) {
        let own = entry.table();
        let mut edge = Edge {
            default_features: own.default_features != Some(false),
            is_optional: own.optional,
            is_development,
            ..Edge::to(name)
        };
        edge.features.extend(own.features.iter().cloned());
        edge.requirement = entry.requirement();
        let mut package = own.package.as_deref();
        let mut source = own.path.as_ref().map(|path| folder.join(path));
        if own.workspace {
            let (root, shared) = workspace.get_or_insert_with(|| workspace_manifest(disk, folder, manifest));
            if let Some(entry) = shared
                .as_ref()
                .and_then(|workspace| workspace.dependencies.get(name))
            {
                let shared = entry.table();
                package = package.or(shared.package.as_deref());
                source = source.or_else(|| shared.path.as_ref().map(|path| root.join(path)));
                edge.requirement = entry.requirement();
                edge.features.extend(shared.features.iter().cloned());
                edge.default_features =
                    shared.default_features != Some(false) || own.default_features == Some(true);
            }
        }
        package.unwrap_or(name).clone_into(&mut edge.package);
        let dependency = match source {
            Some(folder) => Dependency::Folder(folder, edge),
            None => Dependency::Elsewhere(edge),
        };
        match (found.get_mut(&name.replace('-', "_")), dependency) {
            (Some(Dependency::Elsewhere(known)), Dependency::Elsewhere(other))
                if known.package == other.package =>
            {
                known.join(other);
            }
            // Tests may request more; only the requirements of the library count.
            (Some(Dependency::Folder(place, known)), Dependency::Folder(other_place, other))
                if *place == other_place && !other.is_development =>
            {
                known.join(other);
            }
            (Some(_), _) => {}
            (None, dependency) => {
                found.insert(name.replace('-', "_"), dependency);
            }
        }
    }
    found
}

/// Returns the name of the package in a folder, if there is one.
pub(super) fn package_name(disk: &Disk, folder: &Path) -> Option<String> {
    let path = folder.join(FILE_NAME);
    if disk.is_file(&path) {
        Some(parse(disk, &path)?.package?.name)
    } else {
        None
    }
}

/// Returns whether the package in a folder has this version.
pub(super) fn is_version(disk: &Disk, folder: &Path, version: &str) -> bool {
    let path = folder.join(FILE_NAME);
    disk.is_file(&path)
        && parse(disk, &path)
            .and_then(|manifest| manifest.package?.version)
            .is_some_and(|known| known == version)
}

/// Returns the folder that `[patch]` of the workspace uses instead of a package.
pub(super) fn patched(disk: &Disk, workspace: &Path, name: &str) -> Option<PathBuf> {
    let manifest = parse(disk, &workspace.join(FILE_NAME))?;
    let entries = manifest.patch.values().flatten();
    let is_it = |key: &str, entry: &DependencyEntry| entry.table().package.as_deref().unwrap_or(key) == name;
    let mut found = entries.filter(|(key, entry)| is_it(key, entry));
    found.find_map(|(_, entry)| entry.table().path.as_ref().map(|path| workspace.join(path)))
}

/// Returns the requirements of the members of a workspace for a package, including the root.
pub(super) fn edges_of_members(disk: &Disk, workspace: &Path, package: &str) -> Vec<Edge> {
    let patterns = parse(disk, &workspace.join(FILE_NAME))
        .and_then(|manifest| manifest.workspace)
        .map(|workspace| workspace.members)
        .unwrap_or_default();
    let mut folders = vec![workspace.to_owned()];
    for pattern in &patterns {
        folders.extend(matching_folders(disk, workspace, pattern));
    }
    let dependencies = folders.iter().filter_map(|folder| {
        let manifest = parse(disk, &folder.join(FILE_NAME))?;
        Some(dependencies(disk, folder, &manifest))
    });
    dependencies
        .flat_map(BTreeMap::into_values)
        .filter_map(|dependency| match dependency {
            Dependency::Elsewhere(edge) if edge.package == package => Some(edge),
            _ => None,
        })
        .collect()
}

/// Returns the folders that a pattern such as `crates/*` means.
fn matching_folders(disk: &Disk, root: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut folders = vec![root.to_owned()];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        let Some((before, behind)) = part.split_once('*') else {
            folders = folders.iter().map(|folder| folder.join(part)).collect();
            continue;
        };
        let fits = |folder: &PathBuf| {
            let name = folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            name.len() >= before.len() + behind.len() && name.starts_with(before) && name.ends_with(behind)
        };
        folders = folders
            .iter()
            .filter_map(|folder| disk.list(folder).ok())
            .flat_map(|(_, children)| children)
            .filter(fits)
            .collect();
    }
    folders
}

/// Returns the folder of the workspace that a package belongs to, or of the package itself if it is not part of a
/// workspace. Returns `None` if the folder does not have a manifest.
pub(super) fn workspace_of(disk: &Disk, folder: &Path) -> Option<PathBuf> {
    let manifest = parse(disk, &folder.join(FILE_NAME))?;
    Some(workspace_manifest(disk, folder, &manifest).0)
}

/// Returns the true names of the folders that source of a package may be in: the package and its workspace.
///
/// Build systems lay out a package as links to its files. Then it is also where the link to its manifest leads.
pub(super) fn boundaries(disk: &Disk, package: &Path) -> Vec<PathBuf> {
    let mut folders = vec![disk.canonical(package)];
    if let Some(workspace) = workspace_of(disk, package) {
        folders.push(disk.canonical(&workspace));
        let manifest = disk.canonical(&package.join(FILE_NAME));
        folders.extend(manifest.parent().map(Path::to_path_buf));
    }
    folders.sort();
    folders.dedup();
    folders
}

/// Returns the folder of the workspace, or of the package, that a file or folder belongs to. Returns `None` if there is
/// no manifest in its folder or above.
#[must_use]
pub fn workspace_folder(path: &Path) -> Option<PathBuf> {
    let disk = Disk::default();
    let folder = path
        .ancestors()
        .find(|folder| disk.is_file(&folder.join(FILE_NAME)))?;
    workspace_of(&disk, folder)
}

/// Returns the workspace that a package belongs to: its own manifest, or the nearest one above that has a workspace.
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

/// Returns the enabled features, with everything that they enable.
fn features(known: &BTreeMap<String, Vec<String>>, choice: &FeatureChoice) -> Features {
    let mut chosen = choice.features.clone();
    if !choice.no_default {
        chosen.push("default".to_owned());
    }
    Features {
        enabled: with_implied(known, chosen),
        all: choice.all,
        ..Features::default()
    }
}

fn with_implied(known: &BTreeMap<String, Vec<String>>, features: Vec<String>) -> BTreeSet<String> {
    let mut enabled = BTreeSet::new();
    let mut waiting = features;
    while let Some(name) = waiting.pop() {
        if !enabled.contains(&name) {
            waiting.extend(known.get(&name).into_iter().flatten().cloned());
            enabled.insert(name);
        }
    }
    enabled
}
