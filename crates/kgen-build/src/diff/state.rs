//! The two states that are compared, as the command line names them, and how each is read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_diagnostics::{Code, Files, Problem, Problems, Severity, SourceFile, nearest};
use kgen_diff::StoredVersions;
use kgen_frontend::{FileSystem, Input, Overlay, Tree};
use kgen_import::definitions::{self, Strictness};
use kgen_model::Api;

use super::git::{GitTree, Repository};
use crate::cluster::Cluster;
use crate::configuration::{Configuration, Set};
use crate::report::Findings;
use crate::{pipeline, place, project};

/// One side of a comparison, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateName {
    /// The point where this branch left the default branch.
    MergeBase,
    /// The files as they are now.
    WorkingTree,
    /// A word that is a revision, a file or a folder.
    Word(String),
    /// CRDs from standard input.
    Text(String),
}

/// A resolved name.
#[derive(Debug)]
pub(crate) enum Origin {
    /// Source on disk, with the sets of the configuration.
    WorkingTree,
    /// Source of a commit.
    Revision {
        /// As the user named it.
        name: String,
        commit: String,
    },
    /// Source below a path on disk.
    Source(PathBuf),
    /// CRDs in files.
    Definitions(Vec<PathBuf>),
    Text(String),
    Cluster(Option<String>),
}

impl Origin {
    /// Returns the name in messages.
    pub(super) fn shown(&self, word: &str) -> String {
        match self {
            Self::WorkingTree => "the working tree".to_owned(),
            Self::Revision { name, .. } => name.clone(),
            Self::Text(_) => "standard input".to_owned(),
            Self::Cluster(_) => "the cluster".to_owned(),
            Self::Source(_) | Self::Definitions(_) => word.trim_end_matches('/').to_owned(),
        }
    }
}

/// Part of a state whose places are in one list of files.
#[derive(Debug, Default)]
pub(super) struct Unit {
    pub(super) api: Api,
    pub(super) files: Files,
    pub(super) problems: Problems,
    /// The stored versions that CRDs of a cluster list.
    pub(super) stored: StoredVersions,
    /// Whether the kinds come from CRDs, which an API server accepted or will judge itself.
    pub(super) has_definitions: bool,
}

fn usage(message: impl Into<String>) -> Problem {
    Problem::general(Code::Usage, message)
}

/// Finds out what a name means.
pub(super) fn resolve(name: &StateName, configuration: &Configuration) -> Result<Origin, Problem> {
    let folder = &configuration.working_folder;
    match name {
        StateName::WorkingTree => Ok(Origin::WorkingTree),
        StateName::Text(text) => Ok(Origin::Text(text.clone())),
        StateName::MergeBase => merge_base(folder),
        StateName::Word(word) => {
            if let Some(context) = word.strip_prefix("cluster:") {
                return Ok(Origin::Cluster((!context.is_empty()).then(|| context.to_owned())));
            }
            if let Some(revision) = word.strip_prefix("rev:") {
                return self::revision(revision, folder);
            }
            let path = place::absolute(folder, Path::new(word));
            let is_there = FileSystem.is_file(&path) || FileSystem.is_folder(&path);
            let is_path =
                ["./", "../", "/"].iter().any(|start| word.starts_with(start)) || word.ends_with('/');
            if is_path && is_there {
                return on_disk(&path, word);
            }
            let repository = Repository::around(folder);
            let commit = repository
                .as_ref()
                .ok()
                .and_then(|repository| repository.commit(word));
            match (is_there, commit) {
                (true, Some(_)) if !is_path => Err(usage(format!("`{word}` is a revision and a path"))
                    .help(format!("write `./{word}` for the path"))
                    .help(format!("write `rev:{word}` for the revision"))),
                (true, _) => on_disk(&path, word),
                (false, Some(commit)) => Ok(Origin::Revision {
                    name: word.clone(),
                    commit,
                }),
                (false, None) => revision(word, folder),
            }
        }
    }
}

pub(crate) fn revision(word: &str, folder: &Path) -> Result<Origin, Problem> {
    let repository = Repository::around(folder).map_err(|reason| {
        usage(format!(
            "`{word}` is neither a file nor a folder, and git says: {reason}"
        ))
    })?;
    if let Some(commit) = repository.commit(word) {
        return Ok(Origin::Revision {
            name: word.to_owned(),
            commit,
        });
    }
    let problem = usage(format!("there is no revision, file or folder `{word}`"));
    let names = repository.names();
    Err(match nearest(word, names.iter().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{}`?", near.word)),
        None if repository.is_shallow() => {
            problem.help("the repository is shallow; fetch more history with `git fetch --unshallow`")
        }
        None => problem.help("name a branch, tag, commit, file or folder"),
    })
}

fn merge_base(folder: &Path) -> Result<Origin, Problem> {
    let name_it = "name the state to compare with, such as `kgen diff v0.3.0` or `kgen diff old/ new/`";
    let repository = Repository::around(folder)
        .map_err(|reason| usage(format!("cannot find the state to compare with: {reason}")).help(name_it))?;
    let Some(branch) = repository.default_branch() else {
        return Err(usage("the repository has no default branch").help(name_it));
    };
    let Some(commit) = repository.merge_base(&branch) else {
        let problem = usage(format!("this branch and `{branch}` have no commit in common"));
        return Err(if repository.is_shallow() {
            problem.help("the repository is shallow; fetch more history with `git fetch --unshallow`, or with `fetch-depth: 0` of actions/checkout")
        } else {
            problem.help(name_it)
        });
    };
    Ok(Origin::Revision { name: branch, commit })
}

/// The deepest folder that is searched for files.
const DEEPEST: usize = 12;

fn on_disk(path: &Path, word: &str) -> Result<Origin, Problem> {
    let is_manifest = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ["yaml", "yml", "json"].contains(&ending))
    };
    if FileSystem.is_file(path) {
        return Ok(if is_manifest(path) {
            Origin::Definitions(vec![path.to_owned()])
        } else {
            Origin::Source(path.to_owned())
        });
    }
    let mut files = Vec::new();
    collect(path, 0, &mut files)
        .map_err(|error| Problem::general(Code::Unreadable, format!("cannot read `{word}`: {error}")))?;
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    if files.iter().any(is_rust) {
        return Ok(Origin::Source(path.to_owned()));
    }
    files.retain(|file| is_manifest(file));
    if files.is_empty() {
        return Err(Problem::general(
            Code::NothingFound,
            format!("`{word}` has neither Rust source nor CRDs"),
        ));
    }
    Ok(Origin::Definitions(files))
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let (mut files, mut folders) = FileSystem.list(folder)?;
    files.sort();
    folders.sort();
    found.extend(files);
    for inner in folders {
        let name = inner
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if depth < DEEPEST && !name.starts_with('.') && name != "target" {
            collect(&inner, depth + 1, found)?;
        }
    }
    Ok(())
}

/// The parts of a state that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Kinds,
    Access,
}

/// Reads a state.
pub(super) fn read(
    origin: &Origin,
    configuration: &Configuration,
    paths: &[PathBuf],
    wanted: Wanted,
) -> Result<Vec<Unit>, Problem> {
    match origin {
        Origin::WorkingTree => Ok(source(configuration, paths, wanted, false)),
        Origin::Revision { commit, .. } => {
            let repository = Repository::around(&configuration.working_folder).map_err(usage)?;
            let tree = repository
                .tree(commit)
                .map_err(|reason| usage(format!("cannot read the revision: {reason}")))?;
            at_revision(configuration, paths, wanted, tree, &repository)
        }
        Origin::Source(path) => {
            let mut below = configuration.clone();
            let options = below.sets.drain(..).next();
            below.sets = vec![Set {
                paths: vec![path.clone()],
                ..options.unwrap_or_else(|| plain_set(&configuration.working_folder))
            }];
            Ok(source(&below, &[], wanted, false))
        }
        Origin::Definitions(files) => {
            let mut unit = Unit::default();
            for path in files {
                let name = place::shown(&configuration.working_folder, path);
                let bytes = FileSystem.read(path);
                let text = bytes.map_err(|error| error.to_string()).and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())
                });
                let text = text.map_err(|reason| {
                    Problem::general(Code::Unreadable, format!("cannot read `{name}`: {reason}"))
                })?;
                add_definitions(&mut unit, &name, text);
            }
            Ok(vec![unit])
        }
        Origin::Text(text) => {
            let mut unit = Unit::default();
            add_definitions(&mut unit, "standard input", text.clone());
            Ok(vec![unit])
        }
        Origin::Cluster(context) => {
            let cluster = Cluster {
                context: context.clone(),
                ..Cluster::default()
            };
            let text = cluster.definitions(&[])?;
            let mut unit = Unit::default();
            add_definitions(&mut unit, "cluster", text);
            Ok(vec![unit])
        }
    }
}

/// Returns a set without generators, for source that no configuration describes.
pub(crate) fn plain_set(folder: &Path) -> Set {
    Set {
        folder: folder.to_owned(),
        paths: Vec::new(),
        features: Default::default(),
        foreign_markers: Default::default(),
        exclude: Vec::new(),
        allow: Vec::new(),
        jobs: Vec::new(),
    }
}

fn add_definitions(unit: &mut Unit, name: &str, text: String) {
    let file = unit.files.next_id();
    let outcome = definitions::read(&text, file, Strictness::Lenient);
    unit.files.add(SourceFile::new(name.to_owned(), text));
    unit.problems.extend(outcome.problems);
    unit.has_definitions = true;
    for definition in outcome.definitions {
        let mut resource = definition.resource;
        let is_known = unit
            .api
            .resources
            .iter()
            .any(|known| known.group == resource.group && known.names.plural == resource.names.plural);
        if is_known {
            let message = format!("the CRD `{}` is given twice", definition.name);
            unit.problems
                .push(Problem::error(Code::DuplicateKind, definition.span, message));
            continue;
        }
        // Another tool converts, so that nothing is lost between versions.
        if let (Some(span), Some(first)) = (definition.conversion, resource.versions.first_mut()) {
            first.conversion.external = Some(span);
        }
        let key = (resource.group.clone(), resource.names.plural.clone());
        unit.stored.insert(key, definition.stored_versions);
        unit.api.resources.push(resource);
    }
}

/// Reads the source of every set.
fn source(configuration: &Configuration, paths: &[PathBuf], wanted: Wanted, apart: bool) -> Vec<Unit> {
    let sets = configuration.sets.iter().map(|set| {
        let mut set = set.clone();
        if !paths.is_empty() {
            set.paths = paths.to_vec();
            set.folder.clone_from(&configuration.working_folder);
        }
        let outcome = kgen_frontend::read(&Input {
            kinds: wanted == Wanted::Kinds,
            kinds_apart: apart,
            ..pipeline::input(&set, configuration)
        });
        let mut problems = outcome.problems;
        problems.extend(outcome.kind_problems.into_values().flatten());
        problems.settle(set.crd_options().policy(), &outcome.api.allowances);
        problems.allow(&outcome.api.allowances);
        Unit {
            api: outcome.api,
            files: outcome.files,
            problems,
            stored: StoredVersions::new(),
            has_definitions: false,
        }
    });
    let units: Vec<Unit> = sets.collect();
    // With given paths, all sets read the same.
    if paths.is_empty() {
        units
    } else {
        units.into_iter().take(1).collect()
    }
}

/// Returns the configuration that a project has in a commit, which reads the source of that commit.
pub(crate) fn configuration_at(configuration: &Configuration, tree: GitTree) -> Configuration {
    let tree: Arc<dyn Tree> = Arc::new(tree);
    let mut old = configuration.clone();
    if let Some(file) = configuration.read_from.first()
        && let Ok(bytes) = tree.read(file)
        && let Ok(text) = String::from_utf8(bytes)
    {
        let mut unsaved = Overlay::default();
        unsaved.write(file, text);
        // A configuration that can no longer be read says nothing about the old source.
        if let Ok(found) = project::read_unsaved_project_file(file, &configuration.working_folder, unsaved) {
            old.sets = found.sets;
        }
    }
    old.unsaved = Overlay::default();
    let is_there = |path: &Path| tree.is_file(path) || tree.is_folder(path);
    for set in &mut old.sets {
        set.paths
            .retain(|path| is_there(&place::absolute(&set.folder, path)));
    }
    old.tree = Some(tree);
    old
}

/// Reads the source of a commit, with the configuration that it has there.
fn at_revision(
    configuration: &Configuration,
    paths: &[PathBuf],
    wanted: Wanted,
    tree: GitTree,
    repository: &Repository,
) -> Result<Vec<Unit>, Problem> {
    let mut old = configuration_at(configuration, tree);
    let mut units = source(&old, paths, wanted, false);
    let lacks_crates = |unit: &Unit| {
        let mut errors = unit
            .problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error);
        errors.any(|problem| problem.code == Code::ForeignType)
    };
    if units.iter().any(lacks_crates) {
        // The versions in the old lock file are not on disk; those in the new one may be.
        let lock = repository.root().join("Cargo.lock");
        let text = FileSystem
            .read(&lock)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text {
            old.unsaved.write(lock, text);
            let mut again = source(&old, paths, wanted, false);
            if !again.iter().any(lacks_crates) {
                if let Some(first) = again.first_mut() {
                    first.problems.push(
                        Problem::note(
                            Code::ForeignType,
                            "types of other crates were taken from the new state",
                        )
                        .help("the versions in the old `Cargo.lock` are not on disk; run `cargo fetch` in a checkout of the old state"),
                    );
                }
                units = again;
            }
        }
    }
    if units.iter().any(|unit| unit.problems.has_errors()) {
        // Kinds without errors can still be compared.
        let apart = source(&old, paths, wanted, true);
        if apart.iter().any(|unit| !unit.api.resources.is_empty()) {
            units = apart;
        }
    }
    Ok(units)
}

/// Checks the kinds of a state, as a run of the generators would.
pub(super) fn check(units: &mut [Unit], configuration: &Configuration) {
    for (index, unit) in units.iter_mut().enumerate() {
        let set = configuration.sets.get(index).or(configuration.sets.first());
        if let Some(set) = set.filter(|_| !unit.problems.has_errors()) {
            let policy = set.crd_options().policy();
            kgen_check::check(&unit.api, &[], policy, &mut unit.problems);
            if unit.has_definitions {
                // In a CRD, no marker can allow what kgen refuses and an API server accepts.
                unit.problems
                    .retain(|problem| !(problem.is_error() && problem.is_tolerated));
            }
        }
    }
}

/// Returns problems as findings, with the state that they are about.
pub(super) fn findings(unit: &mut Unit, state: &str) -> Option<Findings> {
    if unit.problems.is_empty() {
        return None;
    }
    let problems = std::mem::take(&mut unit.problems);
    let mut findings = Findings {
        files: unit.files.clone(),
        ..Findings::default()
    };
    findings
        .problems
        .extend(problems.into_iter().map(|problem| Problem {
            message: format!("{} (in {state})", problem.message),
            ..problem
        }));
    Some(findings)
}
