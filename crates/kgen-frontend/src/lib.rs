//! From annotated Rust source to the API model: modules, comments, declarations, names, serde, kinds.
//!
//! Source text goes in, an [`Api`] and the problems of the source come out. Nothing is compiled or run, and nothing
//! here knows what will be generated.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod allowances;
mod declare;
mod evaluate;
mod kinds;
mod program;
mod shape;
mod source;
mod well_known;

use std::collections::BTreeMap;
use std::path::PathBuf;

use kgen_diagnostics::{Files, Problems};
use kgen_markers::{Marker, apply_to_api};
use kgen_model::Api;

use program::Program;
pub use program::{FeatureChoice, cargo_home, workspace_folder};
pub use shape::supported_minors;
pub use source::{Overlay, Unsaved, read_regular_file};

/// What to read, and how.
#[derive(Clone, Debug)]
pub struct Input {
    /// The folder that relative paths start at, and that messages name files from.
    pub working_folder: PathBuf,
    /// Files and folders; empty means the working folder.
    pub paths: Vec<PathBuf>,
    /// Which cargo features are on.
    pub features: FeatureChoice,
    /// Whether kinds are wanted; access rules and webhooks are always read.
    pub kinds: bool,
    /// What decides how types become schemas.
    pub options: Options,
    /// What to do about markers of other tools.
    pub foreign_markers: ForeignMarkers,
    /// Names of kinds, of their types, or of macros with `!`, that are left out.
    pub exclude: Vec<String>,
    /// Texts that count instead of the files on disk.
    pub unsaved: Overlay,
    /// Where cargo keeps the source of other crates; nothing for where cargo itself would look.
    pub cargo_home: Option<PathBuf>,
    /// Whether to note markers that others have replaced.
    pub deprecations: bool,
    /// Whether the problems of each kind are told apart, which takes longer.
    pub kinds_apart: bool,
}

/// What to do about markers of other tools. Those that look like none of kgen's are left alone if nothing is said.
#[derive(Clone, Debug, Default)]
pub struct ForeignMarkers {
    /// What the names of their markers start with, also where a name would be taken for a misspelt one of kgen's.
    pub prefixes: Vec<String>,
    /// Whether a marker that is neither kgen's nor of one of these prefixes is an error.
    pub forbidden: bool,
}

impl ForeignMarkers {
    /// Whether a name starts with one of the prefixes, up to the end of a segment.
    fn include(&self, name: &str) -> bool {
        self.prefixes.iter().any(|prefix| {
            name.strip_prefix(prefix.as_str())
                .is_some_and(|rest| prefix.ends_with(':') || rest.is_empty() || rest.starts_with(':'))
        })
    }
}

/// What decides how types become schemas.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether floating point numbers may be used.
    pub allow_dangerous_types: bool,
    /// Whether metadata inside an object has properties, so that the API server keeps its labels.
    pub generate_embedded_object_meta: bool,
    /// Whether the defaults of serde become defaults of the schema.
    pub serde_defaults: bool,
    /// Whether what only code knows takes any value, with a warning, instead of being an error.
    pub allow_opaque: bool,
    /// Whose conventions schemas follow.
    pub compat: Compat,
    /// Whether the Rust types of kinds are described too, which only generated Rust needs.
    pub rust_types: bool,
}

/// Whose conventions schemas follow, where there is more than one way to say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// Those of controller-gen.
    #[default]
    ControllerGen,
    /// Those of kube-derive, so that a first run in a repository that used it changes little.
    KubeDerive,
}

impl Compat {
    /// Whether the conventions are those of kube-derive.
    #[must_use]
    pub fn is_kube_derive(self) -> bool {
        self == Self::KubeDerive
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            allow_dangerous_types: false,
            generate_embedded_object_meta: true,
            serde_defaults: false,
            allow_opaque: false,
            compat: Compat::default(),
            rust_types: false,
        }
    }
}

/// What was read.
#[derive(Debug)]
pub struct Outcome {
    /// The files, for messages.
    pub files: Files,
    /// What they say; complete only if no problem is an error.
    pub api: Api,
    /// What is wrong with them.
    pub problems: Problems,
    /// The problems of each kind, by its name, if they are told apart; `problems` has all others.
    pub kind_problems: BTreeMap<String, Problems>,
    /// Every file that was read, sorted.
    pub files_read: Vec<PathBuf>,
    /// How many Rust files the paths of the input hold.
    pub files_wanted: usize,
    /// Types that may be kinds, and modules that may hold some, which a `cfg` switches off: each with its condition.
    pub switched_off: Vec<(String, String)>,
}

/// Reads the source that `input` points at: loads it, then resolves everything that loading left intact.
///
/// Files that do not belong to any module of their package are read as well, unless they have errors: then they are left out.
#[must_use]
pub fn read(input: &Input) -> Outcome {
    let (outcome, broken) = read_without(input, &[]);
    if broken.is_empty() {
        outcome
    } else {
        read_without(input, &broken).0
    }
}

/// Reads the source without some dead files. Returns the other dead files that have errors, too.
fn read_without(input: &Input, left_out: &[PathBuf]) -> (Outcome, Vec<PathBuf>) {
    let program = program::load(input, left_out);
    if program.nests_deeply {
        kgen_threads::on_large_stacks(|| resolve(program, input))
    } else {
        resolve(program, input)
    }
}

/// Resolves a program. Returns the dead files that have errors, too.
fn resolve(mut program: Program, input: &Input) -> (Outcome, Vec<PathBuf>) {
    let mut api = Api::default();
    let mut problems = std::mem::take(&mut program.problems);
    for block in &program.anywhere {
        apply_to_api(block, &mut api, &mut problems);
    }
    allowances::widen(&mut api.allowances, &program.files);
    program
        .allows_floats
        .extend(allowances::only_floats(&api.allowances));
    if input.deprecations {
        let modules = program.wanted_modules();
        let bodies = modules.iter().filter_map(|module| program.body(*module));
        problems.extend(bodies.flat_map(|body| body.all_markers().filter_map(Marker::deprecation)));
    }
    let mut kind_problems = BTreeMap::new();
    if input.kinds && input.kinds_apart {
        kind_problems = kinds::find_apart(&mut program, &input.options, &mut api, &mut problems);
    } else if input.kinds {
        let mut shapes = shape::Shapes::new(&mut program, &input.options);
        let (versions, rust) = kinds::find(&mut shapes);
        api.rust = rust;
        problems.extend(std::mem::take(&mut shapes.problems));
        api.resources = kinds::assemble(versions, &mut problems);
        // Files that were read on the way have problems of their own.
        problems.extend(std::mem::take(&mut program.problems));
    }
    let all = kind_problems.values().chain([&problems]);
    let broken = program.broken_dead_files(all.flat_map(Problems::iter));
    let outcome = Outcome {
        api,
        problems,
        kind_problems,
        files_read: program.disk.files_read(),
        files_wanted: program.wanted_files,
        switched_off: program.switched_off(),
        files: program.files,
    };
    kgen_threads::drop_aside(program.modules, program.wanted_files);
    (outcome, broken)
}

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
