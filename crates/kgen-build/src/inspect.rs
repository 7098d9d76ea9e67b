//! A run for an editor: everything up to the plan, and the parts that an editor shows besides problems.
//!
//! The stages are those of [`run`](crate::run), so the problems are the same. Nothing is written.
//!
//! While a file that is being edited has an error, the later stages go on without the kinds that have errors, so that half a
//! marker does not empty the results for all other kinds. `docs/decisions/editor-support.md` has the reason.

use std::path::Path;

use kgen_diagnostics::{Code, Problem};
use kgen_frontend::Unsaved;
use kgen_model::Api;

use crate::configuration::{Action, Configuration, Job, Output, Set};
use crate::diff::state::plain_set;
use crate::generator::Generator;
use crate::keep_going;
use crate::pipeline;
use crate::plan::{self, Expected};
use crate::report::{Findings, Report};

/// The generator of CRDs.
const CRD: &str = "crd";

/// The result of a run for an editor.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The problems of the run, and the files that it read. The first findings are those of the sets, in their order.
    pub report: Report,
    /// The API of each set. If its source has errors, the API may be incomplete.
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
    let is_read = !report.has_errors();
    let mut definitions = Vec::new();
    if is_read {
        definitions = later_stages(&configuration, &sources, &mut report, is_canceled)?;
    }
    if report.has_errors() && is_being_edited(&configuration, &report) {
        let (others, found) = without_broken_kinds(&configuration, is_canceled)?;
        report.findings.extend(others);
        definitions = found;
    } else if !is_read {
        keep_going::check_other_kinds(&configuration, &mut report);
    }
    let report = report.allow(&configuration);
    Some(Inspection {
        report,
        apis: sources.into_iter().map(|source| source.api).collect(),
        definitions,
    })
}

/// Checks, generates and compares with the disk. Returns the CRDs, or `None` if the run was canceled.
fn later_stages(
    configuration: &Configuration,
    sources: &[pipeline::Source],
    report: &mut Report,
    is_canceled: &dyn Fn() -> bool,
) -> Option<Vec<Definition>> {
    let checked = pipeline::check_sources(configuration, sources, report);
    if is_canceled() {
        return None;
    }
    if report.has_errors() {
        return Some(Vec::new());
    }
    let expected = pipeline::generate(configuration, &checked, sources, report);
    let definitions = definitions(&expected);
    if is_canceled() {
        return None;
    }
    if !report.has_errors() {
        report.plan = plan::against_disk(expected, configuration, &mut report.findings);
    }
    Some(definitions)
}

fn definitions(expected: &Expected) -> Vec<Definition> {
    let files = expected.files_of(CRD);
    files
        .map(|(path, text)| Definition {
            name: path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
            text: text.to_owned(),
        })
        .collect()
}

/// Returns whether an unsaved file has an error that may belong to single kinds. A syntax error never does.
fn is_being_edited(configuration: &Configuration, report: &Report) -> bool {
    let is_open = |findings: &Findings, problem: &Problem| {
        let file = problem.span.and_then(|span| findings.files.get(span.file));
        let path = file.and_then(|file| file.editable());
        path.is_some_and(|path| matches!(configuration.unsaved.get(path), Some(Unsaved::Text(_))))
    };
    let mut is_edited = false;
    for findings in &report.findings {
        for problem in findings.problems.iter().filter(|problem| problem.is_error()) {
            if problem.code == Code::Syntax {
                return false;
            }
            is_edited |= is_open(findings, problem);
        }
    }
    is_edited
}

/// Performs the run without the kinds that have errors. Returns the problems of the stages after reading, and the CRDs; only the
/// problems of the checks if an error does not belong to a kind, and `None` if the run was canceled.
fn without_broken_kinds(
    configuration: &Configuration,
    is_canceled: &dyn Fn() -> bool,
) -> Option<(Vec<Findings>, Vec<Definition>)> {
    let (configuration, others) = keep_going::read_other_kinds(configuration);
    if is_canceled() {
        return None;
    }
    let (mut sources, mut report) = (others.sources, others.report);
    if others.has_other_errors {
        pipeline::check_sources(&configuration, &sources, &mut report);
        return Some((report.findings, Vec::new()));
    }
    keep_going::set_broken_kinds_aside(&configuration, &mut sources, &mut report);
    if is_canceled() {
        return None;
    }
    let definitions = later_stages(&configuration, &sources, &mut report, is_canceled)?;
    report.add_set_aside();
    Some((report.findings, definitions))
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
