//! A run for an editor: everything up to the plan, and the parts that an editor shows besides problems.
//!
//! The stages are those of [`run`](crate::run), so the problems are the same. Nothing is written.

use std::path::Path;

use kgen_model::Api;

use crate::configuration::{Action, Configuration, Job, Output, Set};
use crate::diff::state::plain_set;
use crate::generator::Generator;
use crate::pipeline;
use crate::plan;
use crate::report::Report;
use crate::stored_versions;

/// The generator of CRDs.
const CRD: &str = "crd";

/// The result of a run for an editor.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The problems of the run, and the files that it read.
    pub report: Report,
    /// The API of each set, in the order of `report.findings`. If its source has errors, the API may be incomplete.
    pub apis: Vec<Api>,
    /// The CRDs, if the run came so far.
    pub definitions: Vec<Definition>,
}

/// A CRD that a run generates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name of its file.
    pub name: String,
    /// The manifest.
    pub text: String,
}

/// Performs all stages of a run up to the plan. Returns `None` if `is_canceled` returns true between two stages.
#[must_use]
pub fn inspect(configuration: &Configuration, is_canceled: &dyn Fn() -> bool) -> Option<Inspection> {
    let configuration = Configuration {
        action: Action::Show,
        ..configuration.clone()
    };
    let mut report = Report::default();
    let sources = pipeline::read(&configuration, &mut report);
    if is_canceled() {
        return None;
    }
    let mut definitions = Vec::new();
    if !report.has_errors() {
        let checked = pipeline::check(&configuration, &sources, &mut report);
        stored_versions::check(&configuration, &checked, &mut report);
        if is_canceled() {
            return None;
        }
        if !report.has_errors() {
            let expected = pipeline::generate(&configuration, &checked, &sources, &mut report);
            definitions = expected
                .files_of(CRD)
                .map(|(path, text)| Definition {
                    name: path
                        .file_name()
                        .map(|name| name.to_string_lossy().into_owned())
                        .unwrap_or_default(),
                    text: text.to_owned(),
                })
                .collect();
            if is_canceled() {
                return None;
            }
            if !report.has_errors() {
                report.plan = plan::against_disk(expected, &configuration, &mut report.findings);
            }
        }
    }
    let report = report.allow(configuration.is_whole_project());
    Some(Inspection {
        report,
        apis: sources.into_iter().map(|source| source.api).collect(),
        definitions,
    })
}

/// Returns a set that only checks the CRDs of a folder, for projects without a configuration file.
#[must_use]
pub fn plain_crd_set(folder: &Path) -> Set {
    let generator = Generator::find(CRD);
    Set {
        jobs: generator
            .into_iter()
            .map(|generator| Job {
                output: Some(Output::Nowhere),
                ..Job::new(generator)
            })
            .collect(),
        ..plain_set(folder)
    }
}
