//! `kgen lint`: shows the findings, or applies their fixes.

use kgen_build::{Findings, LintRequest};
use kgen_diagnostics::words::counted;
use kgen_diagnostics::{Code, Problem};

use crate::compare::{configuration, split_paths};
use crate::compare_command::LintCall;
use crate::fix;
use crate::terminal::{Exit, Terminal};

/// Carries out the call.
pub(crate) fn run(call: &LintCall, terminal: Terminal) -> Exit {
    match linted(call, terminal) {
        Ok(exit) => exit,
        Err(findings) => {
            terminal.findings(&[*findings]);
            Exit::Failure
        }
    }
}

fn linted(call: &LintCall, terminal: Terminal) -> Result<Exit, Box<Findings>> {
    let configuration = configuration(call.config.as_deref())?;
    let (others, paths) = split_paths(&call.words);
    if let Some(other) = others.first() {
        let problem = Problem::general(
            Code::Usage,
            format!("`{other}` is not an argument of `kgen lint`"),
        )
        .help(format!("name files and folders with `paths={other}`"));
        return Err(Box::new(Findings::of(problem)));
    }
    let request = LintRequest {
        paths: paths
            .into_iter()
            .map(|path| configuration.working_folder.join(path))
            .collect(),
        since: call.since.clone(),
    };
    if call.fix {
        let fixes = kgen_build::lint_fixes(&configuration, &request)?;
        return Ok(fix::apply(
            &fixes,
            &configuration.working_folder,
            call.allow_dirty,
            "kgen lint --fix",
            terminal,
        ));
    }
    let (report, fixes) = kgen_build::lint(&configuration, &request)?;
    terminal.findings(&report.findings);
    let found: usize = report
        .findings
        .iter()
        .map(|findings| findings.problems.len())
        .sum();
    if fixes > 0 {
        terminal.remark(&format!(
            "run `kgen lint --fix` to fix {fixes} of these findings\n"
        ));
    } else if found == 0 {
        terminal.remark("no findings\n");
    } else {
        terminal.remark(&format!("{}\n", counted(found, "finding")));
    }
    Ok(Exit::from(report.verdict()))
}
