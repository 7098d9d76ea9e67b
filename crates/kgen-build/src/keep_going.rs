//! Runs that keep going: kinds with errors are set aside, and the run continues with the others.
//!
//! A kind is broken if an error belongs to it alone: the front end says so for problems of the source, and a trial run of each kind
//! for everything after that. An error that remains without the broken kinds stops the run as usual.
//!
//! Other runs also go on after errors of reading, but only to report the problems of the other kinds: [`check_other_kinds`].

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_frontend::Outcome;
use kgen_model::Api;

use crate::configuration::Configuration;
use crate::pipeline::{self, Source};
use crate::report::{Findings, Report};

/// The broken kinds of one set, and their problems.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetAside {
    pub(crate) kinds: BTreeSet<String>,
    pub(crate) problems: Problems,
}

impl SetAside {
    /// Takes the broken kinds out of what was read. Their problems are kept here, and those of other kinds go to the rest.
    pub(crate) fn of(outcome: &mut Outcome, policy: kgen_diagnostics::Policy) -> Self {
        let mut aside = Self::default();
        for (name, mut problems) in std::mem::take(&mut outcome.kind_problems) {
            problems.settle(policy, &outcome.api.allowances);
            if problems.has_errors() {
                aside.kinds.insert(name);
                aside.problems.extend(problems);
            } else {
                outcome.problems.extend(problems);
            }
        }
        aside.take_from(&mut outcome.api);
        aside
    }

    fn take_from(&self, api: &mut Api) {
        api.resources
            .retain(|resource| !self.kinds.contains(&resource.kind));
    }
}

/// Checks the kinds that have no errors of reading, and adds their problems to a report that has such errors. So a mistake in one
/// kind does not hide the mistakes in others.
///
/// The source is read again, because only kinds that are read apart tell which errors belong to them.
pub(crate) fn check_other_kinds(configuration: &Configuration, report: &mut Report) {
    let is_too_large = |problem: &Problem| problem.is_error() && problem.code == Code::Limit;
    let mut findings = report.findings.iter();
    // Source that is too large to read once is not read again.
    if findings.any(|findings| findings.problems.iter().any(is_too_large)) {
        return;
    }
    let (configuration, others) = read_other_kinds(configuration);
    let (sources, mut found) = (others.sources, others.report);
    pipeline::check_sources(&configuration, &sources, &mut found);
    found.findings.retain(|findings| !findings.problems.is_empty());
    report.findings.append(&mut found.findings);
}

/// The kinds without errors of reading.
pub(crate) struct OtherKinds {
    pub(crate) sources: Vec<Source>,
    /// The files that were read, without the problems of reading.
    pub(crate) report: Report,
    /// Whether reading found errors that belong to no kind.
    pub(crate) has_other_errors: bool,
}

/// Reads the source with kinds apart, and leaves out those with errors. Returns also the configuration for the next stages.
pub(crate) fn read_other_kinds(configuration: &Configuration) -> (Configuration, OtherKinds) {
    let configuration = Configuration {
        keep_going: true,
        ..configuration.clone()
    };
    let mut report = Report::default();
    let sources = pipeline::read(&configuration, &mut report);
    let has_other_errors = report.has_errors();
    // The problems of reading are known already.
    for findings in &mut report.findings {
        findings.problems = Problems::new();
    }
    for aside in &mut report.set_aside {
        aside.problems = Problems::new();
    }
    let others = OtherKinds {
        sources,
        report,
        has_other_errors,
    };
    (configuration, others)
}

/// Tries all kinds together, and each alone if that fails. Those with errors are set aside.
pub(crate) fn set_broken_kinds_aside(
    configuration: &Configuration,
    sources: &mut [Source],
    report: &mut Report,
) {
    for index in 0..sources.len() {
        let (Some(source), Some(set)) = (sources.get_mut(index), configuration.sets.get(index)) else {
            continue;
        };
        let one = Configuration {
            sets: vec![set.clone()],
            ..configuration.clone()
        };
        let all = std::mem::take(&mut source.api.resources);
        let mut aside = SetAside::default();
        let mut with = |resources| {
            source.api.resources = resources;
            trial(&one, source)
        };
        if with(all.clone()).has_errors() {
            for resource in &all {
                let problems = with(vec![resource.clone()]);
                if problems.has_errors() {
                    aside.kinds.insert(resource.kind.clone());
                    aside.problems.extend(problems);
                }
            }
        }
        source.api.resources = all;
        aside.take_from(&mut source.api);
        if let Some(known) = report.set_aside.get_mut(index) {
            known.kinds.append(&mut aside.kinds);
            known.problems.extend(aside.problems);
        }
    }
}

/// Returns the problems of the later stages for one set, without writing anything.
fn trial(configuration: &Configuration, source: &Source) -> Problems {
    let mut report = Report {
        findings: vec![Findings::default()],
        ..Report::default()
    };
    pipeline::check_and_generate(configuration, std::slice::from_ref(source), &mut report);
    let mut problems = Problems::new();
    for findings in report.findings {
        problems.extend(findings.problems);
    }
    problems
}
