//! Applies what the user allows: markers in the new source, and entries of `kgen.toml`.

use kgen_diagnostics::{Allowance, Code, Problem, SourceFile, Span};
use kgen_diff::Finding;

use super::git::Repository;
use super::settings::AllowedChange;
use super::state::Origin;
use super::{Compared, Comparison};
use crate::configuration::Configuration;
use crate::place;
use crate::report::Findings;

/// Marks the findings that are allowed, and reports entries that allow nothing.
pub(super) fn apply(
    configuration: &Configuration,
    old: &Origin,
    allowances: &[Vec<Allowance>],
    comparison: &mut Comparison,
) {
    for compared in &mut comparison.findings {
        let own = allowances
            .get(compared.pair)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if own.iter().any(|allowance| covers(allowance, &compared.finding)) {
            compared.allowed = Some(None);
        }
    }
    let entries = &configuration.diff.allow;
    let mut problems = Vec::new();
    for entry in entries {
        let is_stale = is_stale(entry, old, configuration);
        let mut is_used = false;
        let covered = comparison
            .findings
            .iter_mut()
            .filter(|compared| matches(entry, compared));
        for compared in covered.filter(|_| !is_stale) {
            compared.allowed = Some(entry.reason.clone());
            is_used = true;
        }
        if is_stale {
            let since = entry.since.as_deref().unwrap_or_default();
            let message = format!(
                "the entry for `{}` is stale: the change is in `{since}` or older",
                entry.code
            );
            problems
                .push(Problem::warning(Code::UnusedAllowance, entry.span, message).help("remove the entry"));
        } else if !is_used {
            let message = format!("there is no `{}` here to allow", entry.code);
            problems
                .push(Problem::warning(Code::UnusedAllowance, entry.span, message).help("remove the entry"));
        }
    }
    report(problems, configuration, comparison);
}

fn covers(allowance: &Allowance, finding: &Finding) -> bool {
    let reaches = |span: &Span| allowance.reaches(*span);
    allowance.code == finding.code && (finding.new.iter().any(reaches) || finding.around.iter().any(reaches))
}

fn matches(entry: &AllowedChange, compared: &Compared) -> bool {
    let finding = &compared.finding;
    entry.code == finding.code
        && entry.kind.as_ref().is_none_or(|kind| *kind == finding.kind)
        && entry.path.as_ref().is_none_or(|path| *path == finding.path)
}

/// Returns whether the old state is later than the revision that an entry is about.
fn is_stale(entry: &AllowedChange, old: &Origin, configuration: &Configuration) -> bool {
    let (Some(since), Origin::Revision { commit, .. }) = (&entry.since, old) else {
        return false;
    };
    let repository = Repository::around(&configuration.working_folder);
    repository.is_ok_and(|repository| repository.is_before(since, commit))
}

fn report(problems: Vec<Problem>, configuration: &Configuration, comparison: &mut Comparison) {
    let Some(file) = configuration.read_from.first().filter(|_| !problems.is_empty()) else {
        return;
    };
    let Ok(Some(text)) = crate::disk::read_file(file) else {
        return;
    };
    let mut findings = Findings::default();
    let name = place::shown(&configuration.working_folder, file);
    findings.files.add(SourceFile::new(name, text));
    findings.problems.extend(problems);
    comparison.problems.push(findings);
}
