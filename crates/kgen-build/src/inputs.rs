//! The files that generators read besides source: introductions, templates and samples. They are read before generators run,
//! because generators do not touch the disk.

use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem, SourceFile};
use serde_json::Value;

use crate::configuration::{Configuration, Job, Set};
use crate::package::Package;
use crate::place;
use crate::report::Findings;
use crate::view::View;

/// The folder with objects of the user's kinds, as `kgen create api` writes them.
const SAMPLES: &str = "config/samples";

/// The input of a job besides the API.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// The text of `headerFile`, with the year filled in.
    pub(crate) header: Option<String>,
    pub(crate) package: Package,
    /// The text of `intro`.
    pub(crate) intro: Option<String>,
    /// The name and the text of `template`.
    pub(crate) template: Option<(String, String)>,
    /// The objects in the folder of samples.
    pub(crate) samples: Vec<Value>,
}

/// Reads the files of a job.
pub(crate) fn read(
    job: &Job,
    set: &Set,
    configuration: &Configuration,
    findings: &mut Findings,
    files_read: &mut Vec<PathBuf>,
) -> Inputs {
    let header = crate::header::read(job, set, configuration, findings, files_read);
    let mut inputs = Inputs {
        header,
        ..Inputs::default()
    };
    if job.generator.reads_package {
        let mut reader = Reader {
            set,
            configuration,
            findings,
            files_read,
        };
        let options = &job.options.docs;
        inputs.package = Package::around(&set.folder, reader.view());
        inputs.intro = reader
            .file(options.intro.as_deref(), "intro")
            .map(|(_, text)| text);
        inputs.template = reader.file(options.template.as_deref(), "template");
        inputs.samples = reader.samples();
    }
    inputs
}

struct Reader<'a> {
    set: &'a Set,
    configuration: &'a Configuration,
    findings: &'a mut Findings,
    files_read: &'a mut Vec<PathBuf>,
}

impl<'a> Reader<'a> {
    fn view(&self) -> View<'a> {
        View(&self.configuration.unsaved)
    }

    /// Returns the name and the text of the file of an option.
    fn file(&mut self, path: Option<&Path>, option: &str) -> Option<(String, String)> {
        let path = place::absolute(&self.set.folder, path?);
        let name = place::shown(&self.configuration.working_folder, &path);
        match self.view().read_text(&path) {
            Ok(text) => {
                self.files_read.push(path);
                Some((name, text.replace("\r\n", "\n")))
            }
            Err(reason) => {
                let message = format!("cannot read `{name}`, the file of `{option}`: {reason}");
                self.findings
                    .problems
                    .push(Problem::general(Code::Unreadable, message));
                None
            }
        }
    }

    /// Returns the objects in the folder of samples. A file that is not YAML is reported.
    fn samples(&mut self) -> Vec<Value> {
        let folder = self.set.folder.join(SAMPLES);
        let files = self.view().files_in(&folder).unwrap_or_default();
        let mut objects = Vec::new();
        for path in files {
            let is_yaml = path
                .extension()
                .is_some_and(|extension| extension == "yaml" || extension == "yml");
            let Ok(text) = self.view().read_text(&path) else {
                continue;
            };
            if !is_yaml || path.file_stem().is_some_and(|name| name == "kustomization") {
                continue;
            }
            let name = place::shown(&self.configuration.working_folder, &path);
            let file = self.findings.files.add(SourceFile::new(name, text.clone()));
            let documents = kgen_manifests::yaml::read_or_report(&text, file, &mut self.findings.problems);
            objects.extend(documents.iter().map(kgen_manifests::yaml::Node::to_json));
            self.files_read.push(path);
        }
        objects
    }
}
