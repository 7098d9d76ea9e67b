//! The entry point for build scripts: `kgen_build::configure()….emit()`.
//!
//! Cargo reads the output of a build script line by line, so every problem is one line, with file, line and help.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Files, Problem, Severity, nearest};
use kgen_frontend::FeatureChoice;

use crate::arguments::parse_value;
use crate::configuration::{Action, Configuration, Job, Output, Set};
use crate::generator::Generator;
use crate::import::{Import, ImportSource, Ownership};
use crate::pipeline::run;
use crate::plan::{ChangeAction, Plan};
use crate::report::{Findings, Report};
use crate::words::quoted;
use crate::{disk, place};

/// Starts to configure a build script.
pub fn configure() -> Builder {
    // Outside of cargo, the folder of the package is the current folder.
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folder = folder
        .or_else(|| std::env::current_dir().ok())
        .unwrap_or_default();
    let set = Set {
        folder,
        paths: Vec::new(),
        features: enabled_features(),

        foreign_markers: Default::default(),
        exclude: Vec::new(),
        allow: Vec::new(),
        jobs: Vec::new(),
    };
    Builder {
        set,
        prune: false,
        keep_going: false,
        imports: Vec::new(),
        code_folder: std::env::var_os("OUT_DIR").map(PathBuf::from),
        findings: Findings::default(),
    }
}

/// Starts a build script of the package in `folder`, for tests.
#[cfg(test)]
pub(crate) fn configure_in(folder: &Path) -> Builder {
    let set = Set {
        folder: folder.to_owned(),
        paths: Vec::new(),
        features: FeatureChoice::default(),
        foreign_markers: Default::default(),
        exclude: Vec::new(),
        allow: Vec::new(),
        jobs: Vec::new(),
    };
    Builder {
        set,
        prune: false,
        keep_going: false,
        imports: Vec::new(),
        code_folder: Some(folder.join("target/out")),
        findings: Findings::default(),
    }
}

/// The configuration of a build script. Paths are relative to the folder of the package.
#[derive(Clone, Debug)]
#[must_use = "nothing happens before `emit`"]
pub struct Builder {
    set: Set,
    prune: bool,
    keep_going: bool,
    /// Files and folders with CRDs to import.
    imports: Vec<PathBuf>,
    /// Cargo's folder for the output of build scripts.
    code_folder: Option<PathBuf>,
    findings: Findings,
}

/// The folder for code inside cargo's folder; `include_generated!` knows it.
const CODE_FOLDER: &str = "kgen";

/// The file inside cargo's folder for imported types.
const IMPORTED_FILE: &str = "imported.rs";

impl Builder {
    /// Reads this file or folder. Can be called several times. By default, the whole package is read.
    pub fn path(mut self, path: impl Into<PathBuf>) -> Self {
        self.set.paths.push(path.into());
        self
    }

    /// Writes CRDs to this folder.
    pub fn crd(self, folder: impl Into<PathBuf>) -> Self {
        self.generator("crd", folder.into())
    }

    /// Writes the roles of the RBAC rules to this folder.
    pub fn rbac(self, folder: impl Into<PathBuf>) -> Self {
        self.generator("rbac", folder.into())
    }

    /// Writes the configurations of the webhooks to this folder.
    pub fn webhook(self, folder: impl Into<PathBuf>) -> Self {
        self.generator("webhook", folder.into())
    }

    /// Writes the reference pages to this folder.
    pub fn docs(self, folder: impl Into<PathBuf>) -> Self {
        self.generator("docs", folder.into())
    }

    /// Writes the bundle for OLM to this folder, and its Dockerfile beside it.
    pub fn bundle(self, folder: impl Into<PathBuf>) -> Self {
        self.generator("bundle", folder.into())
    }

    /// Writes the Helm chart to this folder.
    pub fn helm(self, folder: impl Into<PathBuf>) -> Self {
        self.generator("helm", folder.into())
    }

    /// Makes whole structs Kubernetes objects; [`include_generated!`] includes the code.
    ///
    /// [`include_generated!`]: https://docs.rs/kgen-runtime/latest/kgen_runtime/macro.include_generated.html
    pub fn objects(self) -> Self {
        self.code("object")
    }

    /// Generates typed clients of the kinds that request them; include the code as with [`objects`](Self::objects).
    pub fn clients(self) -> Self {
        self.code("client")
    }

    /// Generates typed listers; include the code as with [`objects`](Self::objects).
    pub fn listers(self) -> Self {
        self.code("lister")
    }

    /// Generates typed informers, which need [`listers`](Self::listers); include the code as with
    /// [`objects`](Self::objects).
    pub fn informers(self) -> Self {
        self.code("informer")
    }

    /// Generates apply configurations; include the code as with [`objects`](Self::objects).
    pub fn apply_configurations(self) -> Self {
        self.code("applyconfiguration")
    }

    /// Generates conversions between the versions of kinds; include the code as with [`objects`](Self::objects).
    pub fn conversions(self) -> Self {
        self.code("conversion")
    }

    /// Sets an option of a generator that is already configured, as on the command line: `.option("crd", "maxDescLen",
    /// "0")`.
    pub fn option(mut self, generator: &str, name: &str, value: &str) -> Self {
        let usage = |message: String| Problem::general(Code::Usage, message);
        let Some(job) = self
            .set
            .jobs
            .iter_mut()
            .find(|job| job.generator.name == generator)
        else {
            let message = format!("an option of `{generator}` is set, but the generator is not selected");
            self.findings.problems.push(usage(message));
            return self;
        };
        let Some(option) = job.generator.option(name) else {
            let known = || job.generator.options().map(|option| option.name);
            let problem = usage(format!("`{generator}` has no option `{name}`"));
            let problem = match nearest(name, known()) {
                Some(near) => problem.meant(near),
                None => problem.help(format!("its options are {}", quoted(known()))),
            };
            self.findings.problems.push(problem);
            return self;
        };
        match parse_value(value, option) {
            Ok(value) => option.write(&mut job.options, value),
            Err(error) => {
                let message = format!("option `{name}` of `{generator}`: {}", error.message);
                self.findings.problems.push(usage(message));
            }
        }
        self
    }

    /// Removes generated files that are no longer produced.
    pub fn prune(mut self) -> Self {
        self.prune = true;
        self
    }

    /// Writes the manifests of the kinds without errors even if other kinds have errors. The build fails all the same, code is
    /// not written, and nothing is removed.
    pub fn keep_going(mut self) -> Self {
        self.keep_going = true;
        self
    }

    /// Imports the CRDs of this file or folder. Can be called several times.
    ///
    /// The result is one file; include it with `include!(concat!(env!("OUT_DIR"), "/imported.rs"));`.
    pub fn import(mut self, path: impl Into<PathBuf>) -> Self {
        self.imports.push(path.into());
        self
    }

    /// Runs, and returns the report without printing anything.
    #[must_use]
    pub fn run(&self) -> Report {
        if self.findings.problems.has_errors() {
            return Report::stopped_by(vec![self.findings.clone()]);
        }
        if self.imports.is_empty() {
            return self.generate();
        }
        let imported = self.write_imports();
        if self.set.jobs.is_empty() || imported.has_errors() {
            return imported;
        }
        let mut report = self.generate();
        report.findings.extend(imported.findings);
        report.files_read.extend(imported.files_read);
        report
    }

    /// Imports CRDs into a file in cargo's folder.
    fn write_imports(&self) -> Report {
        let import = Import {
            working_folder: self.set.folder.clone(),
            sources: self.imports.iter().cloned().map(ImportSource::Path).collect(),
            out: None,
            options: kgen_import::Options::default(),
            ownership: Ownership::Force,
            searched: Vec::new(),
        };
        let mut report = import.plan().report;
        if report.has_errors() {
            return report;
        }
        let Some(folder) = &self.code_folder else {
            let problem = Problem::general(
                Code::Usage,
                "`OUT_DIR` is not set, so the import has no output folder",
            )
            .help("call this from a build script");
            report.findings.push(Findings::of(problem));
            return report;
        };
        let path = folder.join(IMPORTED_FILE);
        let new = std::mem::take(&mut report.standard_output);
        let action = match disk::read_if_there(&path) {
            Ok(Some(old)) if old == new.as_bytes() => ChangeAction::Same,
            Ok(Some(old)) => ChangeAction::Update { old, new },
            _ => ChangeAction::Create { new },
        };
        report.plan = Plan::of_files([(path, action)], &self.set.folder);
        match report.plan.carry_out() {
            Ok(()) => report.written = true,
            Err(findings) => report.findings.push(findings),
        }
        report
    }

    fn generate(&self) -> Report {
        run(&Configuration {
            working_folder: self.set.folder.clone(),
            sets: vec![self.set.clone()],
            prune: self.prune,
            keep_going: self.keep_going,
            action: Action::Write,
            ..Configuration::default()
        })
    }

    /// Runs, and reports the files that were read and the problems to cargo. An error fails the build.
    pub fn emit(&self) {
        let report = self.run();
        let text = messages(&report, &self.set);
        // An error on stdout cannot be reported.
        let _ = io::stdout().lock().write_all(text.as_bytes());
    }

    /// Sets the output folder of the package, which is usually cargo's.
    #[cfg(test)]
    pub(crate) fn code_folder(mut self, folder: &Path) -> Self {
        self.code_folder = Some(folder.to_owned());
        self
    }

    /// Returns the generators that were asked for.
    #[cfg(test)]
    pub(crate) fn jobs(&self) -> &[Job] {
        &self.set.jobs
    }

    /// Writes code to cargo's folder for the package, which users do not edit or commit.
    fn code(mut self, name: &str) -> Self {
        match &self.code_folder {
            Some(folder) => {
                let output = Output::Included(folder.join(CODE_FOLDER));
                self.job(name, output)
            }
            None => {
                let message = format!("`OUT_DIR` is not set, so `{name}` has no output folder");
                let problem = Problem::general(Code::Usage, message).help("call this from a build script");
                self.findings.problems.push(problem);
                self
            }
        }
    }

    fn generator(self, name: &str, folder: PathBuf) -> Self {
        self.job(name, Output::Folder(folder))
    }

    fn job(mut self, name: &str, output: Output) -> Self {
        if let Some(generator) = Generator::find(name) {
            let mut job = Job::new(generator);
            job.output = Some(output);
            self.set.jobs.retain(|other| other.generator.name != name);
            self.set.jobs.push(job);
        }
        self
    }
}

/// Returns the features with which cargo builds the package.
fn enabled_features() -> FeatureChoice {
    let features = std::env::var("CARGO_CFG_FEATURE").unwrap_or_default();
    FeatureChoice {
        features: features
            .split(',')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        all: false,
        // Cargo includes the default feature if it is enabled.
        no_default: true,
    }
}

/// Returns the whole output for cargo.
fn messages(report: &Report, set: &Set) -> String {
    let mut text = String::new();
    for path in watched(report, set) {
        text.push_str(&format!("cargo::rerun-if-changed={}\n", path.display()));
    }
    for findings in &report.findings {
        for problem in findings.problems.sorted(&findings.files) {
            let word = match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => continue,
            };
            text.push_str(&format!("cargo::{word}={}\n", line(problem, &findings.files)));
        }
    }
    text
}

/// Returns a problem in one line.
fn line(problem: &Problem, files: &Files) -> String {
    let mut line = String::new();
    if let Some((span, file)) = problem.span.and_then(|span| Some((span, files.get(span.file)?))) {
        let place = file.position(span.start);
        line = format!("{}:{}:{}: ", file.name(), place.line, place.column);
    }
    line.push_str(&problem.message);
    let beside = problem.beside();
    if !beside.is_empty() {
        line.push_str(&format!(": {beside}"));
    }
    for help in &problem.help {
        line.push_str(&format!("; help: {help}"));
    }
    line.push_str(&format!(" [{}]", problem.code));
    line.replace(['\n', '\r'], " ")
}

/// Returns the files that were read, and the folders in which a new file would be read too.
///
/// Cargo watches a whole folder, so the folder of a package is left out: it contains `target` and generated files, and
/// every build would look like a change.
fn watched(report: &Report, set: &Set) -> Vec<PathBuf> {
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let is_package = |folder: &Path| disk::is_file(&folder.join("Cargo.toml"));
    let mut folders: Vec<PathBuf> = set
        .paths
        .iter()
        .map(|path| place::absolute(&set.folder, path))
        .collect();
    if folders.is_empty() {
        folders.push(set.folder.clone());
    }
    // Other source is read only as far as it is needed, regardless of new files next to it.
    let sources = report
        .files_read
        .iter()
        .filter(is_source)
        .filter_map(|path| path.parent());
    let below: Vec<_> = sources
        .filter(|path| folders.iter().any(|folder| path.starts_with(folder)))
        .collect();
    folders.extend(below.into_iter().map(Path::to_path_buf));
    folders.sort();
    folders.dedup();
    folders.retain(|folder| !disk::is_file(folder) && !is_package(folder));
    let mut watched: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if !watched.iter().any(|outer| folder.starts_with(outer)) {
            watched.push(folder);
        }
    }
    watched.extend(report.files_read.iter().cloned());
    watched
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const SOURCE: &str = "//! +groupName=pottery.example.org\n\
        use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n\
        pub struct Kiln { pub metadata: ObjectMeta }\n";

    fn builder(folder: &Path, source: &str) -> Builder {
        fs::create_dir_all(folder.join("src/api")).unwrap();
        fs::write(
            folder.join("Cargo.toml"),
            "[package]\nname = \"x\"\n[dependencies]\nk8s-openapi = \"1\"\n",
        )
        .unwrap();
        fs::write(folder.join("src/lib.rs"), "pub mod api;\n").unwrap();
        fs::write(folder.join("src/api/mod.rs"), "pub mod v1;\n").unwrap();
        fs::write(folder.join("src/api/v1.rs"), source).unwrap();
        configure_in(folder)
    }

    fn emitted(builder: &Builder, folder: &Path) -> String {
        let folder = format!("{}/", folder.display());
        messages(&builder.run(), &builder.set).replace(&folder, "")
    }

    #[test]
    fn definitions_are_imported_into_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let crds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/import/sharing/crd.yaml");
        let out = folder.path().join("out");
        fs::create_dir_all(&out).unwrap();
        let builder = builder(folder.path(), SOURCE).import(crds).code_folder(&out);
        let report = builder.run();
        assert!(report.written && !report.has_errors(), "{:?}", report.findings);
        let text = fs::read_to_string(out.join("imported.rs")).unwrap();
        assert!(
            text.contains("pub mod pottery_example_com {") && text.contains("pub struct KilnSpec {"),
            "{text}"
        );
        assert_eq!(report.files_read.len(), 1);
        let broken = configure_in(folder.path())
            .import("missing.yaml")
            .code_folder(&out);
        assert!(broken.run().has_errors());
    }

    #[test]
    fn cargo_gets_to_know_what_was_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let builder = builder(folder.path(), SOURCE).path("src/api").crd("config/crd");
        let expected = "\
cargo::rerun-if-changed=src/api
cargo::rerun-if-changed=Cargo.toml
cargo::rerun-if-changed=src/api/mod.rs
cargo::rerun-if-changed=src/api/v1.rs
cargo::rerun-if-changed=src/lib.rs
";
        assert_eq!(emitted(&builder, folder.path()), expected);
        let definition = folder.path().join("config/crd/pottery.example.org_kilns.yaml");
        assert!(
            fs::read_to_string(&definition)
                .unwrap()
                .starts_with("# @generated by kgen crd.")
        );
        assert_eq!(
            emitted(&builder, folder.path()),
            expected,
            "the second run says the same"
        );
    }

    #[test]
    fn code_goes_to_the_folder_of_cargo_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let clients = |source: &str| {
            let script = builder(folder.path(), source).path("src/api").clients();
            assert!(!script.run().has_errors());
            let root = folder.path().join("target/out/kgen");
            let text = fs::read_to_string(root.join("pottery_v1/mod.rs")).unwrap();
            (root, text)
        };
        let wanted = SOURCE.replace("pub struct", "// +genclient\npub struct");
        let (root, text) = clients(&wanted);
        assert!(text.contains("pub use kiln_client::{AllKilns, Kilns};"), "{text}");
        let outermost = fs::read_to_string(root.join("mod.rs")).unwrap();
        assert!(
            !outermost.contains("//!"),
            "an included file has no documentation of its own"
        );

        let (root, text) = clients(&wanted.replace("Kiln", "Oven"));
        assert!(!text.contains("kiln"), "{text}");
        assert!(!root.join("pottery_v1/kiln_client.rs").exists());

        let mut script = builder(folder.path(), &wanted);
        script.code_folder = None;
        assert!(script.clients().run().has_errors());
    }

    #[test]
    fn the_folder_of_the_package_is_not_watched() {
        let folder = tempfile::tempdir().unwrap();
        let builder = builder(folder.path(), SOURCE).crd("config/crd");
        let text = emitted(&builder, folder.path());
        assert!(text.contains("changed=src\n"), "{text}");
        assert!(
            !text.contains(&format!("changed={}\n", folder.path().display())),
            "{text}"
        );
    }

    #[test]
    fn a_problem_is_one_line_with_place_and_help() {
        let folder = tempfile::tempdir().unwrap();
        let source = format!("{SOURCE}// +kubebuilder:validation:Minimun=1\npub struct Tile;\n");
        let builder = builder(folder.path(), &source).path("src/api").crd("config/crd");
        let text = emitted(&builder, folder.path());
        let line = text.lines().last().unwrap();
        insta::assert_snapshot!(line, @"cargo::error=src/api/v1.rs:4:5: there is no marker `kubebuilder:validation:Minimun`: did you mean `kubebuilder:validation:Minimum`?; help: run `kgen markers validation` to list this family [unknown-marker]");
        assert!(!folder.path().join("config").exists());
    }

    #[test]
    fn a_script_that_keeps_going_writes_the_kinds_without_errors() {
        let folder = tempfile::tempdir().unwrap();
        let column = "// +kubebuilder:printcolumn:name=Heat,type=integer,JSONPath=\".spec.heat\"\n";
        let source = format!("{SOURCE}{column}pub struct Oven {{ pub metadata: ObjectMeta }}\n");
        let builder = builder(folder.path(), &source)
            .path("src/api")
            .crd("config/crd")
            .clients();
        let exists = |name: &str| folder.path().join(name).exists();
        assert!(builder.run().has_errors());
        assert!(!exists("config"));
        let report = builder.keep_going().prune().run();
        assert!(report.has_errors() && report.written);
        assert_eq!(report.broken_kinds(), ["Oven"]);
        assert!(exists("config/crd/pottery.example.org_kilns.yaml"));
        assert!(!exists("config/crd/pottery.example.org_ovens.yaml"));
        assert!(!exists("target"), "code of some kinds would not compile");
    }

    #[test]
    fn options_are_those_of_the_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let with = |name, value| builder(path, SOURCE).crd("out").option("crd", name, value).run();
        assert!(with("maxDescLen", "0").written);
        for (name, value) in [
            ("maxDescLen", "long"),
            ("maxDesclen", "0"),
            ("maxDescLen", "0,year=1"),
        ] {
            let report = with(name, value);
            assert!(report.has_errors() && !report.written, "{name}={value}");
        }
        assert!(
            builder(path, SOURCE)
                .option("crd", "maxDescLen", "0")
                .run()
                .has_errors(),
            "the generator comes first"
        );
    }
}
