//! Reads annotated Rust source into the API model: modules, comments, declarations, names, serde, kinds.
//!
//! The input is source text; the output is an [`Api`] and the problems of the source. Nothing is compiled or run, and
//! this crate does not know the generators.
//!
//! # Inside
//!
//! 1. `program/` finds the wanted files, their crates and modules, and resolves names.
//!    Other files are read when a path leads there, also those of other crates at their locked version.
//! 2. `source/comments.rs` finds every comment with rustc's lexer; syn parses the rest of the text.
//! 3. `declare/` lowers syn's tree to plain declarations, decides `cfg`, and ties markers to their nodes.
//! 4. `well_known/` is the table of types that need no source.
//! 5. `evaluate/` evaluates Rust expressions for schemas, defaults, examples and rules.
//! 6. `shape/` turns types into schemas, each declared type once.
//!    `resolve/` resolves the names in types first; `Shapes` describes types; readers for fields, enums, attributes and code borrow it.
//!    `conventions.rs` answers where kube-derive differs from controller-gen.
//! 7. `kinds/` finds the kinds, their group and version, and makes one resource out of several versions.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod allowances;
mod declare;
mod evaluate;
mod kinds;
mod outline;
mod program;
mod shape;
mod source;
mod well_known;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use kgen_diagnostics::{Files, Problems};
use kgen_markers::{Marker, apply_to_api};
use kgen_model::Api;

pub use outline::{Attachment, Item, ItemKind, Outline};
use program::Program;
pub use program::{FeatureChoice, Lowerings, cargo_home, without_dots, workspace_folder};
pub use shape::supported_minors;
pub use source::{FileSystem, Overlay, Tree, Unsaved, read_regular_file, read_standard_input};

/// The input of a run.
#[derive(Clone, Debug)]
pub struct Input {
    /// The folder of relative paths. Messages name files relative to it.
    pub working_folder: PathBuf,
    /// Files and folders; empty means the working folder.
    pub paths: Vec<PathBuf>,
    /// Which cargo features are on.
    pub features: FeatureChoice,
    /// Whether kinds are needed; RBAC rules and webhooks are always read.
    pub kinds: bool,
    /// The options for schemas.
    pub options: Options,
    /// The treatment of other tools' markers.
    pub foreign_markers: ForeignMarkers,
    /// Names of kinds, of their types, or of macros with `!`, that are left out.
    pub exclude: Vec<String>,
    /// Texts that replace the files on disk.
    pub unsaved: Overlay,
    /// The files below these texts; `None` for the file system.
    pub tree: Option<Arc<dyn Tree>>,
    /// The folder in which cargo keeps the source of other crates; `None` for cargo's own default.
    pub cargo_home: Option<PathBuf>,
    /// Whether to report deprecated markers.
    pub deprecations: bool,
    /// Whether the problems of each kind are told apart, which takes longer.
    pub kinds_apart: bool,
    /// Declarations that earlier runs of this process have read, if it runs several times.
    pub lowerings: Option<Lowerings>,
}

/// The treatment of other tools' markers. By default, markers that do not resemble any marker of kgen are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignMarkers {
    /// The prefixes of their names. They also apply to names that resemble a marker of kgen.
    pub prefixes: Vec<String>,
    /// Whether a marker is an error if it is neither one of kgen nor has one of these prefixes.
    pub forbidden: bool,
}

impl ForeignMarkers {
    /// Returns whether a name starts with one of the prefixes, up to the end of a segment.
    fn include(&self, name: &str) -> bool {
        self.prefixes.iter().any(|prefix| {
            name.strip_prefix(prefix.as_str())
                .is_some_and(|rest| prefix.ends_with(':') || rest.is_empty() || rest.starts_with(':'))
        })
    }
}

/// The options for schemas.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether floating-point numbers are allowed.
    pub allow_dangerous_types: bool,
    /// Whether metadata inside an object has properties, so that the API server keeps its labels.
    pub generate_embedded_object_meta: bool,
    /// Whether the defaults of serde become defaults of the schema.
    pub serde_defaults: bool,
    /// Whether a schema that is only known to code accepts any value, with a warning, instead of being an error.
    pub allow_opaque: bool,
    /// The tool whose conventions schemas follow.
    pub compat: Compat,
    /// Whether the Rust types of kinds are described too, which only generated Rust needs.
    pub rust_types: bool,
    /// Whether schemas note facts about Rust that only lints need.
    pub facts: bool,
}

/// The tool whose conventions schemas follow if there are several ways to describe a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// Those of controller-gen.
    #[default]
    ControllerGen,
    /// The conventions of kube-derive, so that the first run in a repository that used it changes little.
    KubeDerive,
}

impl Compat {
    /// Returns whether the conventions are those of kube-derive.
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
            facts: false,
        }
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The files, for messages.
    pub files: Files,
    /// The model; complete only if there are no errors.
    pub api: Api,
    /// The problems of the source.
    pub problems: Problems,
    /// The problems of each kind, by its name, if they are told apart; `problems` has all others.
    pub kind_problems: BTreeMap<String, Problems>,
    /// Every file that was read, sorted.
    pub files_read: Vec<PathBuf>,
    /// The number of Rust files in the paths of the input.
    pub files_wanted: usize,
    /// Types that may be kinds, and modules that may contain kinds, which a `cfg` disables, each with its condition.
    pub switched_off: Vec<(String, String)>,
}

/// Reads the source that `input` names: loads it, then resolves everything that was loaded without errors.
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
        api.resources = kinds::assemble(versions, input.options.compat, &mut problems);
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

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
