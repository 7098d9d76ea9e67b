//! From annotated Rust source to the API model: modules, comments, declarations, names, serde, kinds.
//!
//! Source text goes in, an [`Api`] and the problems of the source come out. Nothing is compiled or run, and nothing
//! here knows what will be generated.

mod declare;
mod kinds;
mod program;
mod shape;
mod source;

use std::path::PathBuf;

use kgen_diagnostics::{Files, Problems};
use kgen_markers::apply_to_api;
use kgen_model::Api;

pub use program::FeatureChoice;

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
    /// Where cargo keeps the source of other crates; nothing for where cargo itself would look.
    pub cargo_home: Option<PathBuf>,
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
    /// Whether the Rust side of the types is described too, which only generated Rust needs.
    pub rust_types: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            allow_dangerous_types: false,
            generate_embedded_object_meta: true,
            serde_defaults: false,
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
    /// Every file that was read, sorted.
    pub files_read: Vec<PathBuf>,
    /// How many Rust files the paths of the input hold.
    pub files_wanted: usize,
}

/// Stack for the threads that parse: nesting that the lexer lets through must not end the process.
const STACK_SIZE: usize = 256 * 1024 * 1024;

/// Reads the source that `input` points at.
#[must_use]
pub fn read(input: &Input) -> Outcome {
    match rayon::ThreadPoolBuilder::new().stack_size(STACK_SIZE).build() {
        Ok(pool) => pool.install(|| read_here(input)),
        // Without threads of its own, the work is done on this one.
        Err(_) => read_here(input),
    }
}

/// The pipeline: load, then resolve if loading was clean.
fn read_here(input: &Input) -> Outcome {
    let mut program = program::load(input);
    let mut api = Api::default();
    let mut problems = std::mem::take(&mut program.problems);
    for block in &program.anywhere {
        apply_to_api(block, &mut api, &mut problems);
    }
    if input.kinds && !problems.has_errors() {
        let mut shapes = shape::Shapes::new(&mut program, &input.options);
        let (versions, rust) = kinds::find(&mut shapes);
        api.rust = rust;
        problems.extend(std::mem::take(&mut shapes.problems));
        api.resources = kinds::assemble(versions, &mut problems);
        // Files that were read on the way have problems of their own.
        problems.extend(std::mem::take(&mut program.problems));
    }
    Outcome {
        api,
        problems,
        files_read: program.disk.files_read(),
        files_wanted: program.wanted_files,
        files: program.files,
    }
}
