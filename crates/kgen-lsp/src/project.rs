//! The projects of a workspace: what a run reads, and which generators it has.
//!
//! A project is the nearest `kgen.toml`, or one below a folder of the workspace. Without one, a package of the workspace with
//! `+groupName` or `derive(CustomResource)` in its source is a project whose CRDs are checked. A workspace with neither has no
//! projects, and the server stays silent. The source of dependencies is never a project, even if it is open.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_build::{
    Configuration, FILE_NAME, Findings, Overlay, Unsaved, cargo_home, entries, find_project_file, is_file,
    is_folder, plain_crd_set, read_file, read_unsaved_project_file,
};

/// The configuration of the arguments of the command, for a folder and the unsaved texts.
pub type Configure = Box<dyn Fn(&Path, Overlay) -> Result<Configuration, Box<Findings>> + Send + Sync>;

/// The most files that are searched for the signs of an API.
const MOST_FILES: usize = 2_000;

/// The most folders of a workspace that are searched for projects.
const MOST_FOLDERS: usize = 2_000;

/// One project.
#[derive(Clone)]
pub(crate) struct Project {
    /// Messages name files relative to it.
    pub(crate) folder: PathBuf,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Arguments(Arc<Configure>),
    File(PathBuf),
    Package,
}

impl Project {
    /// Returns the configuration of a run with unsaved texts.
    pub(crate) fn configuration(&self, unsaved: Overlay) -> Result<Configuration, Box<Findings>> {
        match &self.source {
            Source::Arguments(configure) => {
                configure(&self.folder, unsaved.clone()).map(|configuration| Configuration {
                    unsaved,
                    ..configuration
                })
            }
            Source::File(file) => read_unsaved_project_file(file, &self.folder, unsaved).map_err(Box::new),
            Source::Package => Ok(Configuration {
                working_folder: self.folder.clone(),
                sets: vec![plain_crd_set(&self.folder)],
                unsaved,
                ..Configuration::default()
            }),
        }
    }

    /// Returns whether nobody said that the package is a project of kgen.
    pub(crate) fn is_guess(&self) -> bool {
        matches!(self.source, Source::Package)
    }

    /// Returns the file at which problems without a place are shown.
    pub(crate) fn main_file(&self) -> PathBuf {
        match &self.source {
            Source::File(file) => file.clone(),
            Source::Arguments(_) | Source::Package => self.folder.join("Cargo.toml"),
        }
    }
}

/// Finds projects, and remembers which packages have an API.
#[derive(Default)]
pub(crate) struct Projects {
    arguments: Option<Arc<Configure>>,
    /// The folder in which cargo keeps the source of dependencies.
    cargo_home: Option<PathBuf>,
    /// Packages without a `kgen.toml`, and whether they have an API.
    packages: BTreeMap<PathBuf, bool>,
    /// The folders below those of the workspace that have a `kgen.toml` or a package.
    below: BTreeMap<PathBuf, Vec<PathBuf>>,
}

impl Projects {
    pub(crate) fn new(arguments: Option<Configure>) -> Self {
        Self {
            arguments: arguments.map(Arc::new),
            cargo_home: cargo_home(),
            ..Self::default()
        }
    }

    /// Forgets what was found out about the disk.
    pub(crate) fn forget(&mut self) {
        self.packages.clear();
        self.below.clear();
    }

    /// Returns the projects of workspace folders and open documents, by folder.
    pub(crate) fn find<'a>(
        &mut self,
        roots: &'a [PathBuf],
        documents: impl Iterator<Item = &'a Path>,
        unsaved: &Overlay,
    ) -> Vec<Project> {
        let mut found: BTreeMap<PathBuf, Project> = BTreeMap::new();
        if let Some(arguments) = &self.arguments {
            return roots
                .iter()
                .map(|root| Project {
                    folder: root.clone(),
                    source: Source::Arguments(Arc::clone(arguments)),
                })
                .collect();
        }
        let mut folders: Vec<PathBuf> = Vec::new();
        for root in roots {
            folders.push(root.clone());
            if project_file(root, unsaved).is_none() {
                let below = self.below.entry(root.clone());
                folders.extend_from_slice(below.or_insert_with(|| projects_below(root)));
            }
        }
        let in_documents = documents.filter_map(Path::parent).map(Path::to_owned);
        folders.extend(in_documents.filter(|folder| !self.is_of_dependency(folder, roots)));
        for folder in folders {
            let project = project_file(&folder, unsaved).map(|file| Project {
                folder: file.parent().unwrap_or(&folder).to_owned(),
                source: Source::File(file),
            });
            let project = project.or_else(|| self.package(&folder, roots, unsaved));
            if let Some(project) = project {
                found.entry(project.folder.clone()).or_insert(project);
            }
        }
        // A package includes those below it. Folders come before what is in them.
        let mut outer: Option<PathBuf> = None;
        found.retain(|folder, project| {
            let is_inside = outer.as_ref().is_some_and(|outer| folder.starts_with(outer));
            if project.is_guess() && !is_inside {
                outer = Some(folder.clone());
            }
            !(project.is_guess() && is_inside)
        });
        found.into_values().collect()
    }

    /// Returns whether a folder has the source of a dependency, unless the user opened it as a workspace.
    fn is_of_dependency(&self, folder: &Path, roots: &[PathBuf]) -> bool {
        let is_below = |home: &PathBuf| folder.starts_with(home);
        self.cargo_home.as_ref().is_some_and(is_below) && !roots.iter().any(is_below)
    }

    /// Returns the package around a folder, if it belongs to the workspace and has an API.
    fn package(&mut self, folder: &Path, roots: &[PathBuf], unsaved: &Overlay) -> Option<Project> {
        let mut above = folder.ancestors();
        let package = above.find(|folder| is_file(&folder.join("Cargo.toml")))?;
        let is_related = |root: &PathBuf| package.starts_with(root) || root.starts_with(package);
        if !roots.is_empty() && !roots.iter().any(is_related) {
            return None;
        }
        let has_api = *self
            .packages
            .entry(package.to_owned())
            .or_insert_with(|| has_api(package, unsaved));
        has_api.then(|| Project {
            folder: package.to_owned(),
            source: Source::Package,
        })
    }
}

/// Returns the nearest `kgen.toml`, saved or not.
fn project_file(folder: &Path, unsaved: &Overlay) -> Option<PathBuf> {
    let is_open = |file: &PathBuf| matches!(unsaved.get(file), Some(Unsaved::Text(_)));
    let open = folder
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(is_open);
    let saved = find_project_file(folder);
    let depth = |file: &PathBuf| file.components().count();
    [open, saved].into_iter().flatten().max_by_key(depth)
}

/// Returns the folders below one that have a `kgen.toml` or a package.
fn projects_below(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = std::collections::VecDeque::from([root.to_owned()]);
    let mut left = MOST_FOLDERS;
    while let Some(folder) = waiting.pop_front() {
        if left == 0 {
            break;
        }
        left -= 1;
        let names = entries(&folder).unwrap_or_default();
        if names.iter().any(|name| name == FILE_NAME || name == "Cargo.toml") {
            found.push(folder.clone());
        }
        for name in names.iter().filter(|name| is_searched(name)) {
            let path = folder.join(name);
            // Few files have no extension, so most of them need no question to the disk.
            if path.extension().is_none() && is_folder(&path) {
                waiting.push_back(path);
            }
        }
    }
    found
}

/// Returns whether a folder of this name may have source of the user.
fn is_searched(name: &str) -> bool {
    !name.starts_with('.') && name != "target" && name != "node_modules"
}

/// Returns whether a Rust file of a package has the signs of an API.
fn has_api(package: &Path, unsaved: &Overlay) -> bool {
    let mut waiting = vec![package.join("src")];
    let mut left = MOST_FILES;
    while let Some(folder) = waiting.pop() {
        for name in entries(&folder).unwrap_or_default() {
            let path = folder.join(&name);
            if !name.ends_with(".rs") {
                if is_searched(&name) && !is_file(&path) {
                    waiting.push(path);
                }
                continue;
            }
            if left == 0 {
                return false;
            }
            left -= 1;
            let is_sign = |text: &str| text.contains("+groupName") || text.contains("CustomResource");
            let found = match unsaved.get(&path) {
                Some(Unsaved::Text(text)) => is_sign(text),
                Some(Unsaved::Removed) => false,
                None => read_file(&path).ok().flatten().is_some_and(|text| is_sign(&text)),
            };
            if found {
                return true;
            }
        }
    }
    false
}
