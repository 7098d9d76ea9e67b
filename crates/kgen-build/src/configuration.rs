//! What a run is asked to do: which source, which generators, where their files go.

use std::path::{Path, PathBuf};

use kgen_diagnostics::Code;
use kgen_frontend::{FeatureChoice, ForeignMarkers, Overlay};

use crate::generator::{Generator, Product};
use crate::options::{CrdOptions, Options};
use crate::place;

/// Everything that decides a run.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// Where the user stands: messages name files from here. Absolute.
    pub working_folder: PathBuf,
    /// What to read and generate, one after the other; all of it or nothing is written.
    pub sets: Vec<Set>,
    /// Whether files that a generator wrote earlier and no longer produces are stale: removed, or counted as drift.
    pub prune: bool,
    /// What happens at the end.
    pub action: Action,
    /// What `kgen init` wrote about the project, if it was begun that way.
    pub project: Option<Project>,
    /// The files that the configuration itself came from, so that a build script notices when they change.
    pub read_from: Vec<PathBuf>,
    /// Texts that count instead of the files on disk, for source and for generated files.
    pub unsaved: Overlay,
    /// Whether markers that others have replaced are noted.
    pub deprecations: bool,
}

impl Configuration {
    /// Whether it comes from a configuration file: only that says what the whole project generates.
    pub(crate) fn is_whole_project(&self) -> bool {
        !self.read_from.is_empty()
    }
}

/// A project that was begun by `kgen init`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Its name: the package, and what names in the cluster start with.
    pub name: String,
    /// What its groups end in.
    pub domain: String,
    /// How it is written: `kgen` or `kube`.
    pub style: String,
}

/// What happens with the plan at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// It is carried out.
    #[default]
    Write,
    /// It is returned, with everything that would stop it from being carried out.
    Show,
    /// It is returned, to see how the disk differs.
    Verify,
}

/// Source that is read once, and the generators that get it.
#[derive(Clone, Debug)]
pub struct Set {
    /// The folder that paths of the set start at. Absolute.
    pub folder: PathBuf,
    /// Files and folders of the source; none means the folder.
    pub paths: Vec<PathBuf>,
    /// Which cargo features are on.
    pub features: FeatureChoice,
    /// What to do about markers of other tools.
    pub foreign_markers: ForeignMarkers,
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

    /// Whether a generator writes Rust.
    pub(crate) fn writes_code(&self) -> bool {
        self.jobs.iter().any(|job| job.generator.product == Product::Code)
    }
}

/// One generator of a set.
#[derive(Clone, Debug)]
pub struct Job {
    /// Which.
    pub generator: &'static Generator,
    /// With which options.
    pub options: Options,
    /// Where its files go; nothing means the default place.
    pub output: Option<Output>,
}

/// An output rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Into this folder, whatever it is.
    Folder(PathBuf),
    /// To standard output.
    StandardOutput,
    /// Into this folder, from which `include_generated!` pulls it into a module.
    Included(PathBuf),
    /// Nowhere: the source is checked, that is all.
    Nowhere,
    /// Manifests into one folder, code into another or its default place.
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
    /// `generator` with nothing but defaults.
    #[must_use]
    pub fn new(generator: &'static Generator) -> Self {
        Self {
            generator,
            options: Options::default(),
            output: None,
        }
    }

    /// Where the files go, with an absolute path.
    pub(crate) fn destination(&self, set: &Set) -> Destination {
        let default = Path::new(self.generator.default_folder);
        let folder = match &self.output {
            Some(Output::StandardOutput) => return Destination::StandardOutput,
            Some(Output::Nowhere) => return Destination::Nowhere,
            Some(Output::Folder(folder) | Output::Included(folder)) => folder,
            Some(Output::Split { manifests, code }) => match self.generator.product {
                Product::Manifests => manifests,
                Product::Code => code.as_deref().unwrap_or(default),
            },
            None => default,
        };
        Destination::Folder(place::absolute(&set.folder, folder))
    }
}
