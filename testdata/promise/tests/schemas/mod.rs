//! The schemas that kgen makes of the random types.

mod admission;
pub mod objects;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_diagnostics::{Policy, Problems};
use kgen_frontend::{FeatureChoice, ForeignMarkers, Input, Options, Outcome, Overlay};
use kgen_model::{Api, Schema};
use promise_types::kinds::KINDS;

pub use admission::Admission;

/// What kgen says about the types.
pub struct Schemas {
    /// The schemas of specs by the name of the module.
    pub accepted: BTreeMap<String, Arc<Schema>>,
    /// The code of the first problem of each refused kind.
    #[allow(dead_code, reason = "only the test without an API server counts them")]
    pub refused: BTreeMap<String, String>,
    /// The CRDs of the accepted kinds.
    pub admission: Admission,
    /// A package with the accepted kinds, and their CRDs in the folder `crd`.
    #[allow(dead_code, reason = "only the tests with an API server install the CRDs")]
    pub package: tempfile::TempDir,
}

/// Gives all types to kgen, and again without those that it refuses, until it refuses none.
pub fn of_all() -> Schemas {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    let mut refused = BTreeMap::new();
    loop {
        let mut outcome = read(folder.path(), &wanted);
        let has_errors = outcome.problems.has_errors();
        if !has_errors {
            let mut found = Problems::new();
            kgen_check::check(&outcome.api, &[], Policy::STRICT, &mut found);
            outcome.problems.extend(found);
        }
        let mut wrong = BTreeMap::new();
        for problem in outcome.problems.iter().filter(|problem| problem.is_error()) {
            let span = problem.span.expect("a problem of a type has a place");
            let file = outcome.files.name(span.file);
            let mut spans = vec![file.to_owned()];
            spans.extend(
                problem
                    .related
                    .iter()
                    .map(|related| outcome.files.name(related.span.file).to_owned()),
            );
            let module = spans.iter().find_map(|file| module_of(file, &wanted));
            let module = module.unwrap_or_else(|| panic!("no kind has this problem: {problem:#?}"));
            if std::env::var_os("KGEN_PROMISE_REFUSED").is_some() {
                eprintln!("{module}: {:?} {}", problem.code, problem.message);
            }
            wrong
                .entry(module)
                .or_insert_with(|| format!("{:?}", problem.code));
        }
        if wrong.is_empty() {
            return Schemas {
                accepted: schemas(&outcome.api),
                refused,
                admission: Admission::of_package(folder.path()),
                package: folder,
            };
        }
        for (module, code) in wrong {
            wanted.remove(module);
            refused.insert(module.to_owned(), code);
        }
    }
}

fn module_of<'n>(file: &str, wanted: &BTreeSet<&'n str>) -> Option<&'n str> {
    let stem = Path::new(file).file_stem()?.to_str()?;
    wanted.get(stem).copied()
}

fn read(folder: &Path, wanted: &BTreeSet<&str>) -> Outcome {
    let kinds = KINDS.iter().filter(|kind| wanted.contains(kind.name));
    admission::write_package(folder, kinds.map(|kind| (kind.name, kind.source)));
    kgen_frontend::read(&Input {
        working_folder: folder.to_owned(),
        paths: vec![PathBuf::from("src")],
        features: FeatureChoice::default(),
        kinds: true,
        options: Options {
            allow_dangerous_types: true,
            ..Options::default()
        },
        foreign_markers: ForeignMarkers::default(),
        unsaved: Overlay::default(),
        lowerings: None,
        tree: None,
        cargo_home: None,
        deprecations: false,
        exclude: Vec::new(),
        kinds_apart: false,
    })
}

fn schemas(api: &Api) -> BTreeMap<String, Arc<Schema>> {
    let mut schemas = BTreeMap::new();
    for version in api.resources.iter().flat_map(|resource| &resource.versions) {
        let spec = version
            .schema
            .properties
            .get("spec")
            .expect("every kind has a spec");
        schemas.insert(version.kind.to_lowercase(), Arc::clone(spec));
    }
    schemas
}
