//! The configuration of a run: the source, the generators, and their output folders.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_diagnostics::Code;
use kgen_frontend::{FeatureChoice, ForeignMarkers, Lowerings, Overlay, Tree};

use crate::diff::{DiffSettings, LintSettings};
use crate::generator::{GENERATORS, Generator, Product};
use crate::import::Import;
use crate::options::{CrdOptions, Options};
use crate::place;

/// Everything that decides a run.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// The current folder, as an absolute path: messages name files relative to it.
    pub working_folder: PathBuf,
    /// The source to read and the generators to run, one set after the other. Files are written only if all sets
    /// succeed.
    pub sets: Vec<Set>,
    /// Whether files that a generator wrote earlier and no longer produces are stale: removed, or reported as drift.
    pub prune: bool,
    /// Whether the kinds without errors are written although others have errors. Nothing is removed then.
    pub keep_going: bool,
    /// The action at the end.
    pub action: Action,
    /// The settings of `kgen init`, if it created the project.
    pub project: Option<Project>,
    /// The files of the configuration itself, so that a build script notices their changes.
    pub read_from: Vec<PathBuf>,
    /// Texts that replace the files on disk, for source and for generated files.
    pub unsaved: Overlay,
    /// The files below these texts that source is read from; `None` for the file system. Generated files are on disk.
    pub tree: Option<Arc<dyn Tree>>,
    /// Whether deprecated markers are reported.
    pub deprecations: bool,
    /// The states that `kgen diff` compares, and the findings that it allows.
    pub diff: DiffSettings,
    /// Which lints `kgen lint` runs.
    pub lint: LintSettings,
    /// Declarations that earlier runs of this process have read, if it runs several times.
    pub lowerings: Option<Lowerings>,
    /// The CRDs of others whose types are written before the source is read.
    pub import: Option<Import>,
}

impl Configuration {
    /// Returns whether it comes from a configuration file, which describes the output of the whole project.
    pub(crate) fn is_whole_project(&self) -> bool {
        !self.read_from.is_empty()
    }
}

/// A project that `kgen init` created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Its name: the package, and the prefix of names in the cluster.
    pub name: String,
    /// The suffix of its groups.
    pub domain: String,
    /// The style of its code: `kgen` or `kube`.
    pub style: String,
}

/// The action with the plan at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// It is carried out.
    #[default]
    Write,
    /// The plan is returned, with everything that would prevent it from being carried out.
    Show,
    /// The plan is returned, to compare it with the disk.
    Verify,
}

/// Source that is read once, and the generators that use it.
#[derive(Clone, Debug)]
pub struct Set {
    /// The folder of the set's relative paths. Absolute.
    pub folder: PathBuf,
    /// Files and folders of the source; empty means the folder.
    pub paths: Vec<PathBuf>,
    /// Which cargo features are on.
    pub features: FeatureChoice,
    /// The treatment of other tools' markers.
    pub foreign_markers: ForeignMarkers,
    /// Kinds, types of kinds and macros for which nothing is generated.
    pub exclude: Vec<String>,
    /// Warnings and notes that are not shown.
    pub allow: Vec<Code>,
    /// The generators, in the order in which they run.
    pub jobs: Vec<Job>,
}

impl Set {
    /// Returns the options that decide how types become schemas. Only `crd` has them, so all other jobs have the defaults.
    pub(crate) fn crd_options(&self) -> CrdOptions {
        let defaults = CrdOptions::default();
        let mut options = self.jobs.iter().map(|job| &job.options.crd);
        options
            .find(|options| **options != defaults)
            .cloned()
            .unwrap_or(defaults)
    }

    /// Returns whether a run of this set finds every warning of a code in its source. Otherwise, another generator may find more.
    pub(crate) fn reports_all(&self, code: Code) -> bool {
        // These are about the run, the command line or files on disk.
        let is_of_run = matches!(
            code,
            Code::Drift
                | Code::ImportLoss
                | Code::ImportName
                | Code::NothingFound
                | Code::Unreadable
                | Code::UnusedAllowance
                | Code::Usage
        );
        let runs = |generator: &&Generator| {
            let mut jobs = self.jobs.iter();
            jobs.any(|job| job.generator.name == generator.name)
        };
        let warning: Vec<_> = GENERATORS
            .iter()
            .filter(|generator| generator.warns.contains(&code))
            .collect();
        if warning.is_empty() {
            !is_of_run && self.jobs.iter().any(|job| job.generator.needs_kinds)
        } else {
            warning.iter().all(runs)
        }
    }

    /// Returns whether a generator uses the Rust side of the types.
    pub(crate) fn needs_rust_types(&self) -> bool {
        self.jobs.iter().any(|job| job.generator.needs_rust_types)
    }
}

/// One generator of a set.
#[derive(Clone, Debug)]
pub struct Job {
    /// Which.
    pub generator: &'static Generator,
    /// With which options.
    pub options: Options,
    /// The output folder; `None` means the default.
    pub output: Option<Output>,
}

/// An output rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Into this folder.
    Folder(PathBuf),
    /// To standard output.
    StandardOutput,
    /// Into this folder, from which `include_generated!` includes it in a module.
    Included(PathBuf),
    /// Nowhere: the source is only checked.
    Nowhere,
    /// Manifests into one folder, code into another one or its default folder.
    Split {
        /// For manifests.
        manifests: PathBuf,
        /// For Rust code.
        code: Option<PathBuf>,
    },
}

/// Where the files of a job go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Folder(PathBuf),
    StandardOutput,
    Nowhere,
}

impl Job {
    /// Returns `generator` with its defaults.
    #[must_use]
    pub fn new(generator: &'static Generator) -> Self {
        Self {
            generator,
            options: Options::default(),
            output: None,
        }
    }

    /// Returns the output folder, as an absolute path.
    pub(crate) fn destination(&self, set: &Set) -> Destination {
        let default = Path::new(self.generator.default_folder);
        let folder = match &self.output {
            Some(Output::StandardOutput) => return Destination::StandardOutput,
            Some(Output::Nowhere) => return Destination::Nowhere,
            Some(Output::Folder(folder) | Output::Included(folder)) => folder,
            Some(Output::Split { manifests, code }) => match self.generator.product {
                Product::Manifests | Product::Pages | Product::Package => manifests,
                Product::Code => code.as_deref().unwrap_or(default),
            },
            None => default,
        };
        Destination::Folder(place::absolute(&set.folder, folder))
    }
}
