//! `kgen lint`: reads the types with the facts that lints need, and reports what `kgen-diff` finds in them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kgen_diagnostics::{Allowance, Code, Problem, Problems};
use kgen_diff::lint::{Lints, check};
use kgen_frontend::Input;

use crate::configuration::Configuration;
use crate::diff::git::Repository;
use crate::diff::state::{self, Origin};
use crate::fix::{Fixes, applicable, find_fixes_of};
use crate::pipeline;
use crate::report::{Findings, Report};

/// The source to check.
#[derive(Clone, Debug, Default)]
pub struct LintRequest {
    /// The paths to read; empty means those of the configuration.
    pub paths: Vec<PathBuf>,
    /// The revision whose findings are not reported.
    pub since: Option<String>,
}

/// Checks the types against the conventions of Kubernetes APIs. Returns the findings, and how many of them can be fixed.
///
/// # Errors
/// Returns why the revision cannot be read.
pub fn lint(configuration: &Configuration, request: &LintRequest) -> Result<(Report, usize), Findings> {
    let configuration = prepared(configuration, request);
    let known = known(&configuration, request)?;
    let mut report = examine(&configuration);
    remove_known(&mut report, known);
    let fixes = applicable(&report, &configuration);
    Ok((report, fixes))
}

/// Finds the fixes of all findings.
///
/// # Errors
/// Returns why the revision cannot be read.
pub fn lint_fixes(configuration: &Configuration, request: &LintRequest) -> Result<Fixes, Findings> {
    let configuration = prepared(configuration, request);
    let known = known(&configuration, request)?;
    Ok(find_fixes_of(&configuration, &|configuration| {
        let mut report = examine(configuration);
        remove_known(&mut report, known.clone());
        report
    }))
}

fn prepared(configuration: &Configuration, request: &LintRequest) -> Configuration {
    let mut configuration = configuration.clone();
    if configuration.sets.is_empty() {
        configuration
            .sets
            .push(state::plain_set(&configuration.working_folder));
    }
    if !request.paths.is_empty() {
        configuration.sets.truncate(1);
        for set in &mut configuration.sets {
            set.paths.clone_from(&request.paths);
        }
    }
    configuration
}

/// Findings by code, message and line of the source, with how often each occurs. So a node that changed is not known, and one
/// that moved is.
type Known = BTreeMap<(Code, String, String), usize>;

/// Returns the findings of an old revision.
fn known(configuration: &Configuration, request: &LintRequest) -> Result<Known, Findings> {
    let Some(since) = &request.since else {
        return Ok(Known::new());
    };
    let origin = state::revision(since, &configuration.working_folder).map_err(Findings::of)?;
    let Origin::Revision { commit, .. } = origin else {
        return Ok(Known::new());
    };
    let failed = |reason| {
        Findings::of(Problem::general(
            Code::Usage,
            format!("cannot read `{since}`: {reason}"),
        ))
    };
    let repository = Repository::around(&configuration.working_folder).map_err(failed)?;
    let tree = repository.tree(&commit).map_err(failed)?;
    let report = examine(&state::configuration_at(configuration, tree));
    let mut known = Known::new();
    for findings in &report.findings {
        for problem in findings.problems.iter() {
            *known.entry(key(problem, findings)).or_default() += 1;
        }
    }
    Ok(known)
}

fn key(problem: &Problem, findings: &Findings) -> (Code, String, String) {
    let line = problem.span.and_then(|span| {
        let file = findings.files.get(span.file)?;
        Some(file.line(file.line_of(span.start)).trim().to_owned())
    });
    (problem.code, problem.message.clone(), line.unwrap_or_default())
}

/// Removes the findings that were there before.
fn remove_known(report: &mut Report, mut known: Known) {
    for findings in &mut report.findings {
        let problems = std::mem::take(&mut findings.problems);
        for problem in problems {
            let count = known
                .get_mut(&key(&problem, findings))
                .filter(|count| **count > 0);
            match count.filter(|_| problem.code.is_lint()) {
                Some(count) => *count -= 1,
                None => findings.problems.push(problem),
            }
        }
    }
}

/// Reads and lints every set.
pub(crate) fn examine(configuration: &Configuration) -> Report {
    let settings = &configuration.lint;
    let lints = Lints {
        set: settings.set,
        deny: settings.deny.clone(),
        warn: settings.warn.clone(),
        allow: settings.allow.clone(),
    };
    let mut report = Report::default();
    for set in &configuration.sets {
        let mut input = Input {
            kinds: true,
            ..pipeline::input(set, configuration)
        };
        input.options.facts = true;
        let outcome = kgen_frontend::read(&input);
        let mut problems = outcome.problems;
        let policy = set.crd_options().policy();
        problems.settle(policy, &outcome.api.allowances);
        if !problems.has_errors() {
            kgen_check::check(&outcome.api, &[], policy, &mut problems);
        }
        // Warnings are left to `kgen generate`.
        problems.retain(Problem::is_error);
        if !problems.has_errors() {
            problems = linted(&outcome.api, &outcome.files, &lints, &set.allow);
        }
        report.findings.push(Findings {
            files: outcome.files,
            problems,
            allowances: Vec::new(),
        });
    }
    report
}

fn linted(
    api: &kgen_model::Api,
    files: &kgen_diagnostics::Files,
    lints: &Lints,
    everywhere: &[Code],
) -> Problems {
    let mut found = check(api, files, lints);
    let of_lints = |allowance: &&Allowance| allowance.code.is_lint();
    let allowances: Vec<Allowance> = api.allowances.iter().filter(of_lints).copied().collect();
    let unused: Vec<Allowance> = found.allow(&allowances).into_iter().copied().collect();
    let everywhere: Vec<Allowance> = everywhere.iter().copied().map(Allowance::everywhere).collect();
    found.allow(&everywhere);
    let mut problems = Problems::new();
    problems.extend(found.into_iter().map(|problem| Problem {
        severity: lints.severity(problem.code),
        ..problem
    }));
    for allowance in unused {
        // A lint that does not run cannot tell.
        if let Some(marker) = allowance.marker.filter(|_| lints.run(allowance.code)) {
            let message = format!("there is no `{}` here to allow", allowance.code);
            problems.push(Problem::warning(Code::UnusedAllowance, marker, message).help("remove the marker"));
        }
    }
    problems
}
