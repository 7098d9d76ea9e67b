//! The files that generators read besides source: introductions, templates and samples. They are read before generators run,
//! because generators do not touch the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem, SourceFile};
use kgen_manifests::{Manifests, Object};

use crate::configuration::{Configuration, Destination, Job, Set};
use crate::generator::Product;
use crate::kustomize;
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
    /// The text of `intro` of the pages, or of `description` of a bundle.
    pub(crate) intro: Option<String>,
    /// The name and the text of `template`.
    pub(crate) template: Option<(String, String)>,
    /// The objects in the folder of samples.
    pub(crate) samples: Vec<Object>,
    /// The objects of the deployment.
    pub(crate) manifests: Manifests,
    /// The bytes of `icon`.
    pub(crate) icon: Option<Vec<u8>>,
    /// The CSV of `base`.
    pub(crate) base: Option<Object>,
    /// The files of the chart that exist, by their paths in it.
    pub(crate) chart: BTreeMap<String, String>,
    /// The name and the text of the extra values.
    pub(crate) extra_values: Option<serde_json::Value>,
    /// The name of the output folder.
    pub(crate) folder: String,
    /// The time of SOURCE_DATE_EPOCH.
    pub(crate) created_at: Option<String>,
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
        if job.generator.product == Product::Package {
            reader.package(job, &mut inputs);
        }
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

    /// Reads the files of a package: manifests, icon and description.
    fn package(&mut self, job: &Job, inputs: &mut Inputs) {
        if job.generator.name == "helm" {
            return self.chart(job, inputs);
        }
        let options = &job.options.bundle;
        if let Destination::Folder(folder) = job.destination(self.set) {
            let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
            inputs.folder = name.unwrap_or_default();
        }
        let description = self.file(options.description.as_deref(), "description");
        inputs.intro = description.map(|(_, text)| text);
        inputs.icon = self.bytes(options.icon.as_deref(), "icon");
        inputs.base = self.base(options.base.as_deref());
        inputs.created_at = source_date();
        inputs.manifests = self.manifests(&options.manifests);
    }

    /// Returns the CSV of the option `base`.
    fn base(&mut self, path: Option<&Path>) -> Option<Object> {
        let (name, text) = self.file(path, "base")?;
        let file = self
            .findings
            .files
            .add(SourceFile::new(name.clone(), text.clone()));
        let documents = kgen_manifests::yaml::read_or_report(&text, file, &mut self.findings.problems);
        let mut objects = documents.into_iter().map(Object::new);
        let found = objects.find(|object| object.is("operators.coreos.com", "ClusterServiceVersion"));
        if found.is_none() {
            let message = format!("`{name}`, the file of `base`, has no ClusterServiceVersion");
            let problem = Problem::general(Code::BundleMetadata, message);
            let help = "name the file in `config/manifests/bases` that operator-sdk wrote";
            self.findings.problems.push(problem.help(help));
        }
        found
    }

    /// Reads the manifests of a chart, and the files that its folder already has.
    fn chart(&mut self, job: &Job, inputs: &mut Inputs) {
        let options = &job.options.helm;
        inputs.manifests = self.manifests(&options.manifests);
        if let Some((name, text)) = self.file(options.extra.0.as_deref(), "values") {
            let file = self.findings.files.add(SourceFile::new(name, text.clone()));
            let documents = kgen_manifests::yaml::read_or_report(&text, file, &mut self.findings.problems);
            inputs.extra_values = documents.first().map(kgen_manifests::yaml::Node::to_json);
        }
        let Destination::Folder(folder) = job.destination(self.set) else {
            return;
        };
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        inputs.folder = name.unwrap_or_default();
        let of_crds = kgen_helm::folder_of_crds(&inputs.folder);
        // A folder that cannot be read is reported when the chart is written.
        for (folder, before) in [
            (folder.with_file_name(&of_crds), format!("../{of_crds}/")),
            (folder, String::new()),
        ] {
            for path in self.view().files_below(&folder).unwrap_or_default() {
                if let (Some(name), Ok(text)) = (place::inside(&folder, &path), self.view().read_text(&path))
                {
                    inputs.chart.insert(format!("{before}{name}"), text);
                }
            }
        }
    }

    fn manifests(&mut self, place: &str) -> Manifests {
        let mut manifests = Manifests::default();
        let path = place::absolute(&self.set.folder, Path::new(place));
        match kustomize::read(&path, place == "-", self.view()) {
            Ok(texts) => {
                for (path, text) in texts.texts {
                    let name = place::shown(&self.configuration.working_folder, &path);
                    let file = self.findings.files.add(SourceFile::new(name, text.clone()));
                    manifests.add(&text, file, &mut self.findings.problems);
                    self.files_read.push(path);
                }
            }
            Err(reason) => {
                let name = place::shown(&self.configuration.working_folder, &path);
                let message = format!("cannot read the manifests `{name}`: {reason}");
                self.findings
                    .problems
                    .push(Problem::general(Code::Unreadable, message).help(
                        "name a kustomization folder, a folder of YAML files or a YAML file in `manifests`",
                    ));
            }
        }
        manifests
    }

    /// Returns the bytes of the file of an option.
    fn bytes(&mut self, path: Option<&Path>, option: &str) -> Option<Vec<u8>> {
        let path = place::absolute(&self.set.folder, path?);
        let found = self.view().read_if_there(&path);
        let reason = match found {
            Ok(Some(bytes)) => {
                self.files_read.push(path);
                return Some(bytes);
            }
            Ok(None) => "the file does not exist".to_owned(),
            Err(reason) => reason,
        };
        let name = place::shown(&self.configuration.working_folder, &path);
        let message = format!("cannot read `{name}`, the file of `{option}`: {reason}");
        self.findings
            .problems
            .push(Problem::general(Code::Unreadable, message));
        None
    }

    /// Returns the objects in the folder of samples. A file that is not YAML is reported.
    fn samples(&mut self) -> Vec<Object> {
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
            objects.extend(documents.into_iter().map(Object::new));
            self.files_read.push(path);
        }
        objects
    }
}

/// Returns the time of SOURCE_DATE_EPOCH in the form that catalogs show.
fn source_date() -> Option<String> {
    let seconds: i64 = std::env::var("SOURCE_DATE_EPOCH").ok()?.trim().parse().ok()?;
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Howard Hinnant's algorithm for the civil calendar.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60);
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
    ))
}
