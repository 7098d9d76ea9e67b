//! One run for all projects, with the unsaved texts of the editor. Nothing else of the server runs kgen.
//!
//! A document that is not valid Rust takes part with its last valid text, so that half a line does not empty the results of
//! other files. Its own problems are then the syntax error and the mistakes in its comments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use kgen_build::{Configuration, DiffRequest, Findings, Inspection, Lowerings, Outline, Overlay, inspect};
use kgen_diagnostics::Code;

use crate::cursor::outline_of_text;
use crate::documents::Documents;
use crate::index::Index;
use crate::problems::{self, ByFile, Diagnostic};
use crate::project::Project;
use crate::text::Encoding;

/// The result of a run.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) diagnostics: ByFile,
    /// The APIs of the projects.
    pub(crate) inspected: Vec<Inspected>,
    /// The texts of open documents with which the run worked: all are valid Rust.
    pub(crate) seen: Vec<Seen>,
    pub(crate) encoding: Encoding,
    index: OnceLock<Index>,
    /// The nodes of the file that was asked for last.
    of_file: Mutex<Option<(PathBuf, Arc<Index>)>>,
}

/// The text of an open document in a run: the present one, or the last valid one.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    outline: OnceLock<Outline>,
}

impl Seen {
    fn new(path: &Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            outline: OnceLock::new(),
        }
    }

    /// Returns the declarations of the text; read on first use.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline
            .get_or_init(|| outline_of_text(&self.path, &self.text))
    }
}

/// The run of one project.
#[derive(Debug)]
pub(crate) struct Inspected {
    pub(crate) folder: PathBuf,
    pub(crate) inspection: Inspection,
}

impl Snapshot {
    /// Returns whether a file has an error, so that the APIs may be incomplete.
    pub(crate) fn has_errors(&self) -> bool {
        let mut all = self.diagnostics.values().flatten();
        all.any(|one| one.json.get("severity").is_some_and(|severity| *severity == 1))
    }

    /// Returns the nodes of all APIs by their places; created on first use.
    pub(crate) fn index(&self) -> &Index {
        self.index
            .get_or_init(|| Index::of(&self.inspected, self.encoding, None))
    }

    /// Returns the nodes that come from one file.
    pub(crate) fn index_of(&self, path: &Path) -> Arc<Index> {
        let create = || Arc::new(Index::of(&self.inspected, self.encoding, Some(path)));
        let Ok(mut kept) = self.of_file.lock() else {
            return create();
        };
        match kept.as_ref().filter(|(known, _)| known == path) {
            Some((_, index)) => Arc::clone(index),
            None => {
                let index = create();
                *kept = Some((path.to_owned(), Arc::clone(&index)));
                index
            }
        }
    }
}

/// The input of a run.
pub(crate) struct Job {
    pub(crate) revision: u64,
    pub(crate) projects: Vec<Project>,
    pub(crate) documents: Documents,
    pub(crate) encoding: Encoding,
    /// Declarations that earlier runs have read.
    pub(crate) lowerings: Lowerings,
    /// Whether changes since the default branch are shown.
    pub(crate) wants_diff: bool,
}

/// Runs every project. Returns `None` if the run was canceled.
pub(crate) fn analyze(job: &Job, is_canceled: &dyn Fn() -> bool) -> Option<Snapshot> {
    let unsaved = job.documents.overlay();
    let mut snapshot = Snapshot {
        encoding: job.encoding,
        ..Snapshot::default()
    };
    let mut broken_anywhere: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
    for project in &job.projects {
        let main_file = project.main_file();
        let configuration = match project.configuration(unsaved.clone()) {
            Ok(configuration) => Configuration {
                lowerings: Some(job.lowerings.clone()),
                ..configuration
            },
            Err(findings) => {
                let found = &mut snapshot.diagnostics;
                problems::add(&findings, &project.folder, &main_file, job.encoding, found);
                continue;
            }
        };
        let mut inspection = inspect(&configuration, is_canceled)?;
        let broken = broken_documents(&inspection, &job.documents);
        broken_anywhere.extend(broken.clone());
        let stale: BTreeMap<_, _> = broken
            .into_iter()
            .filter_map(|(path, document)| Some((path, document?)))
            .collect();
        let mut found = ByFile::new();
        if !stale.is_empty() {
            inspection = inspect(&with_valid_texts(&configuration, &stale), is_canceled)?;
        }
        if project.is_guess() {
            // Nobody asked for the CRDs of this package.
            for findings in &mut inspection.report.findings {
                findings
                    .problems
                    .retain(|problem| problem.code != Code::NothingFound || problem.span.is_some());
            }
        }
        for findings in &inspection.report.findings {
            problems::add(findings, &project.folder, &main_file, job.encoding, &mut found);
        }
        for path in stale.keys() {
            found.remove(path);
            if let Some(document) = job.documents.get(path) {
                let findings = own_problems(path, document.text.as_str(), &configuration);
                problems::add(&findings, &project.folder, &main_file, job.encoding, &mut found);
            }
        }
        forget_stale_places(&stale, &mut found);
        if job.wants_diff {
            if is_canceled() {
                return None;
            }
            let configuration = with_valid_texts(&configuration, &stale);
            // Without a repository, or with errors, there is nothing to compare.
            let compared = kgen_build::diff(&configuration, &DiffRequest::of(&configuration));
            if let Some(comparison) = compared.ok().filter(|comparison| !comparison.failed) {
                problems::add_changes(&comparison, &project.folder, &main_file, job.encoding, &mut found);
            }
        }
        for (path, diagnostics) in found {
            snapshot.diagnostics.entry(path).or_default().extend(diagnostics);
        }
        snapshot.inspected.push(Inspected {
            folder: project.folder.clone(),
            inspection,
        });
    }
    let read: BTreeSet<&PathBuf> = snapshot
        .inspected
        .iter()
        .flat_map(|inspected| &inspected.inspection.report.files_read)
        .collect();
    snapshot.seen = job
        .documents
        .iter()
        .filter(|(path, _)| read.contains(path))
        .filter_map(|(path, document)| match broken_anywhere.get(path) {
            Some(stale) => Some(Seen::new(path, stale.as_ref()?)),
            None => Some(Seen::new(path, document.text.as_str())),
        })
        .collect();
    Some(snapshot)
}

/// Returns the open documents that are not valid Rust, each with its last valid text if there is one.
fn broken_documents(inspection: &Inspection, documents: &Documents) -> BTreeMap<PathBuf, Option<String>> {
    let mut broken = BTreeMap::new();
    for findings in &inspection.report.findings {
        let syntax = findings
            .problems
            .iter()
            .filter(|problem| problem.code == Code::Syntax);
        for span in syntax.filter_map(|problem| problem.span) {
            let path = findings.files.get(span.file).and_then(|file| file.editable());
            if let Some((path, document)) = path.and_then(|path| Some((path, documents.get(path)?))) {
                broken.insert(path.to_owned(), document.last_valid.clone());
            }
        }
    }
    broken
}

fn with_valid_texts(configuration: &Configuration, stale: &BTreeMap<PathBuf, String>) -> Configuration {
    let mut unsaved: Overlay = configuration.unsaved.clone();
    for (path, text) in stale {
        unsaved.write(path, text);
    }
    Configuration {
        unsaved,
        ..configuration.clone()
    }
}

/// Returns the problems of a file alone.
fn own_problems(path: &Path, text: &str, configuration: &Configuration) -> Findings {
    let name = kgen_diagnostics::shown(&configuration.working_folder, path);
    let (foreign, compat) = configuration
        .sets
        .first()
        .map(|set| {
            let compat = set.jobs.iter().map(|job| job.options.crd.compat);
            let compat = compat.max_by_key(|compat| compat.is_kube_derive());
            (set.foreign_markers.clone(), compat.unwrap_or_default())
        })
        .unwrap_or_default();
    let outline = Outline::of(&name, path, text, &foreign, compat);
    Findings {
        files: outline.files,
        problems: outline.problems,
        ..Findings::default()
    }
}

/// Removes what points into the last valid text of a file, which the editor does not show.
fn forget_stale_places(stale: &BTreeMap<PathBuf, String>, found: &mut ByFile) {
    if stale.is_empty() {
        return;
    }
    let uris: BTreeSet<String> = stale.keys().map(|path| crate::uri::of_path(path)).collect();
    let others = found.iter_mut().filter(|(path, _)| !stale.contains_key(*path));
    for diagnostic in others.flat_map(|(_, list)| list) {
        let Diagnostic { json, repairs, .. } = diagnostic;
        if let Some(related) = json
            .get_mut("relatedInformation")
            .and_then(serde_json::Value::as_array_mut)
        {
            related.retain(|related| {
                let uri = related
                    .pointer("/location/uri")
                    .and_then(serde_json::Value::as_str);
                !uri.is_some_and(|uri| uris.contains(uri))
            });
        }
        repairs.retain(|repair| !repair.edits.iter().any(|edit| stale.contains_key(&edit.path)));
    }
}
