//! The projects of a workspace: what a run reads, and which generators it has.
//!
//! A project is the nearest `kgen.toml`. Without one, a package with `+groupName` or `derive(CustomResource)` in its source is
//! a project whose CRDs are checked. A workspace with neither has no projects, and the server stays silent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_build::{
    Configuration, FILE_NAME, Findings, Overlay, Unsaved, entries, find_project_file, plain_crd_set,
    read_file, read_unsaved_project_file,
};

/// The configuration of the arguments of the command, for a folder and the unsaved texts.
pub type Configure = Box<dyn Fn(&Path, Overlay) -> Result<Configuration, Box<Findings>> + Send + Sync>;

/// The most files that are searched for the signs of an API.
const MOST_FILES: usize = 2_000;

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
    /// Packages without a `kgen.toml`, and whether they have an API.
    packages: BTreeMap<PathBuf, bool>,
}

impl Projects {
    pub(crate) fn new(arguments: Option<Configure>) -> Self {
        Self {
            arguments: arguments.map(Arc::new),
            packages: BTreeMap::new(),
        }
    }

    /// Forgets what was found out about the disk.
    pub(crate) fn forget(&mut self) {
        self.packages.clear();
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
        let in_documents = documents.filter_map(Path::parent);
        for folder in roots.iter().map(PathBuf::as_path).chain(in_documents) {
            let project = project_file(folder, unsaved).map(|file| Project {
                folder: file.parent().unwrap_or(folder).to_owned(),
                source: Source::File(file),
            });
            let project = project.or_else(|| self.package(folder, unsaved));
            if let Some(project) = project {
                found.entry(project.folder.clone()).or_insert(project);
            }
        }
        found.into_values().collect()
    }

    fn package(&mut self, folder: &Path, unsaved: &Overlay) -> Option<Project> {
        let mut above = folder.ancestors();
        let package = above.find(|folder| kgen_build::is_file(&folder.join("Cargo.toml")))?;
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

/// Returns whether a Rust file of a package has the signs of an API.
fn has_api(package: &Path, unsaved: &Overlay) -> bool {
    let mut waiting = vec![package.join("src")];
    let mut left = MOST_FILES;
    while let Some(folder) = waiting.pop() {
        for name in entries(&folder).unwrap_or_default() {
            let path = folder.join(&name);
            if !name.ends_with(".rs") {
                if !name.starts_with('.') && name != "target" && !kgen_build::is_file(&path) {
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
