//! `kgen verify`: compares the disk with the source, and names the command that updates it.

use kgen_build::{Change, ChangeAction, Findings, Plan};
use kgen_diagnostics::words::counted;
use kgen_diagnostics::{Code, Format, Problem, Severity, SourceFile, Span};

use crate::diff;
use crate::terminal::{Exit, Terminal};

/// Shows every file that differs.
pub(crate) fn show(plan: &Plan, repair: &str, terminal: Terminal) -> Exit {
    let differences: Vec<_> = plan.differences().collect();
    if differences.is_empty() {
        if terminal.verbose {
            let files = counted(plan.changes.len(), "generated file");
            terminal.remark(&format!("{files} up to date\n"));
        }
        return Exit::Fine;
    }
    if terminal.format != Format::Json {
        let color = terminal.product_has_color();
        let text: String = differences.iter().map(|change| describe(change, color)).collect();
        let exit = terminal.product(&text);
        if exit != Exit::Fine {
            return exit;
        }
    }
    let help = format!("run `{repair}` and commit the result");
    let mut findings = Findings::default();
    if terminal.format == Format::Human {
        let (files, verb) = (
            counted(differences.len(), "generated file"),
            if differences.len() == 1 { "does" } else { "do" },
        );
        let message = format!("{files} {verb} not match the source");
        let problem = Problem::general(Code::Drift, message).help(help);
        let foreign = differences.iter().filter(|change| change.foreign);
        findings.problems.push(foreign.fold(problem, |problem, change| {
            problem.help(format!(
                "move `{}` away first: its first line does not mark it as generated",
                change.name
            ))
        }));
    } else {
        for change in differences {
            let problem = problem(change, &mut findings).help(help.clone());
            findings.problems.push(problem);
        }
    }
    terminal.findings(&[findings]);
    Exit::Problems
}

/// Returns the changes that a run would make, as notes for programs.
pub(crate) fn notes(plan: &Plan) -> Findings {
    let mut findings = Findings::default();
    for change in plan.differences() {
        let problem = problem(change, &mut findings);
        findings.problems.push(Problem {
            severity: Severity::Note,
            ..problem
        });
    }
    findings
}

/// Describes the difference of a file, for people.
fn describe(change: &Change, color: bool) -> String {
    match &change.action {
        ChangeAction::Update { old, new } => {
            diff::unified(&change.name, &String::from_utf8_lossy(old), new, color)
        }
        _ => format!("{}: {}\n", change.name, sentence(change)),
    }
}

fn sentence(change: &Change) -> String {
    let generator = change.generator;
    match change.action {
        ChangeAction::Create { .. } => format!("missing; `{generator}` generates it"),
        ChangeAction::Stale { .. } => format!("orphaned; `{generator}` no longer generates it"),
        ChangeAction::Update { .. } => format!("out of date; `{generator}` generates different content"),
        ChangeAction::Same => "up to date".to_owned(),
    }
}

/// Describes the difference of a file, at the first line that differs.
fn problem(change: &Change, findings: &mut Findings) -> Problem {
    let (old, new) = match &change.action {
        ChangeAction::Update { old, new } => (String::from_utf8_lossy(old), new.as_str()),
        _ => Default::default(),
    };
    let same: usize = old
        .split_inclusive('\n')
        .zip(new.split_inclusive('\n'))
        .take_while(|(old, new)| old == new)
        .map(|(line, _)| line.len())
        .sum();
    let file = findings.files.add(SourceFile::new(change.name.clone(), old));
    Problem::error(Code::Drift, Span::of(file, same..same), sentence(change))
}
