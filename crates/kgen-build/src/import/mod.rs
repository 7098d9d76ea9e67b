//! Imports CRDs: reads the sources, runs `kgen-import`, and plans the files. Nothing is written if there is an error.

use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Files, Problem, Problems, SourceFile};
use kgen_import::{Options, Source};

use crate::disk;
use crate::place;
use crate::report::{Findings, Report};

mod files;
mod kubernetes_minor;
mod modules;
mod record;
mod stale;

pub use files::Ownership;

/// Where CRDs come from.
#[derive(Clone, Debug)]
pub enum ImportSource {
    /// A file, or a folder with files.
    Path(PathBuf),
    /// A text, such as that of standard input, and its name in messages.
    Text {
        /// The name.
        name: String,
        /// The text.
        text: String,
    },
}

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    /// The folder of relative paths. Messages name files relative to it.
    pub working_folder: PathBuf,
    /// Where the CRDs come from.
    pub sources: Vec<ImportSource>,
    /// The root of the module tree; `None` prints one file.
    pub out: Option<PathBuf>,
    /// The options.
    pub options: Options,
    /// Which existing files are replaced.
    pub ownership: Ownership,
    /// The folders in which an earlier import of the project may have written to another `out`.
    pub searched: Vec<PathBuf>,
}

/// The result of an import.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The problems and the plan. The plan is not carried out.
    pub report: Report,
    /// How many CRDs were imported.
    pub definitions: usize,
    /// How many versions of kinds were imported.
    pub kinds: usize,
    /// The crates that the result needs.
    pub crates: Vec<&'static str>,
}

impl Import {
    /// Imports the CRDs, and plans the files.
    #[must_use]
    pub fn plan(&self) -> Imported {
        let mut findings = Findings::default();
        let mut files_read = Vec::new();
        let ids = self.read(&mut findings, &mut files_read);
        let mut imported = Imported::default();
        if !findings.problems.has_errors() {
            let texts: Vec<Source<'_>> = ids
                .iter()
                .filter_map(|id| {
                    Some(Source {
                        text: findings.files.get(*id)?.text(),
                        file: *id,
                    })
                })
                .collect();
            let options = Options {
                kubernetes_minor: self.options.kubernetes_minor.or_else(|| self.kubernetes_minor()),
                ..self.options.clone()
            };
            let outcome = kgen_import::import(&texts, &options);
            findings.problems.extend(outcome.problems);
            report_others(
                outcome.definitions,
                outcome.other_documents,
                &mut findings.problems,
            );
            if !findings.problems.has_errors() {
                match &self.out {
                    None => imported.report.standard_output = kgen_import::single_file(&outcome.files),
                    Some(folder) => {
                        imported.report.plan = self.plan_files(folder, outcome.files, &mut findings.problems);
                    }
                }
            }
            imported.definitions = outcome.definitions;
            imported.kinds = outcome.kinds;
            imported.crates = outcome.crates;
        }
        imported.report.files_read = files_read;
        imported.report.findings.push(findings);
        imported
    }

    /// Reads all sources.
    fn read(&self, findings: &mut Findings, files_read: &mut Vec<PathBuf>) -> Vec<kgen_diagnostics::FileId> {
        let mut ids = Vec::new();
        for source in &self.sources {
            match source {
                ImportSource::Text { name, text } => {
                    ids.push(findings.files.add(SourceFile::new(name.clone(), text.clone())));
                }
                ImportSource::Path(path) => {
                    let path = self.working_folder.join(path);
                    for path in self.yaml_files(&path, &mut findings.problems) {
                        ids.extend(self.read_file(&path, &mut findings.files, &mut findings.problems));
                        files_read.push(path);
                    }
                }
            }
        }
        ids
    }

    fn read_file(
        &self,
        path: &Path,
        files: &mut Files,
        problems: &mut Problems,
    ) -> Option<kgen_diagnostics::FileId> {
        let name = place::shown(&self.working_folder, path);
        match disk::read_text(path) {
            Ok(text) => Some(files.add(SourceFile::new(name, text))),
            Err(reason) => {
                let message = format!("cannot read `{name}`: {reason}");
                problems.push(Problem::general(Code::Unreadable, message));
                None
            }
        }
    }

    /// Returns a file itself, or the YAML and JSON files of a folder.
    fn yaml_files(&self, path: &Path, problems: &mut Problems) -> Vec<PathBuf> {
        if !disk::is_folder(path) {
            return vec![path.to_owned()];
        }
        let is_yaml = |path: &PathBuf| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("yaml" | "yml" | "json"))
        };
        match disk::files_below(path) {
            Ok(files) => files.into_iter().filter(is_yaml).collect(),
            Err(reason) => {
                let name = place::shown(&self.working_folder, path);
                let message = format!("cannot read the folder `{name}`: {reason}");
                problems.push(Problem::general(Code::Unreadable, message));
                Vec::new()
            }
        }
    }
}

/// Notes how many documents were not CRDs. An import without any CRD is a problem.
fn report_others(definitions: usize, others: usize, problems: &mut Problems) {
    if others > 0 {
        let documents = if others == 1 {
            "document is"
        } else {
            "documents are"
        };
        let message = format!("{others} {documents} not a CRD");
        problems.push(Problem::note(Code::ImportLoss, message));
    }
    if definitions == 0 && !problems.has_errors() {
        problems.push(
            Problem::general(Code::NothingFound, "there is no CRD to import")
                .help("name files or folders with `kind: CustomResourceDefinition`"),
        );
    }
}
