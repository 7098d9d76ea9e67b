//! `kgen fix`: shows or writes what the certain fixes make of the source, then the problems that remain.

use std::path::{Path, PathBuf};

use kgen_build::{Findings, FixedFile, Fixes};
use kgen_diagnostics::{Code, Format, Problem};

use crate::call::RunCall;
use crate::diff;
use crate::generate;
use crate::terminal::{Exit, Terminal};

/// Carries out the call.
pub(crate) fn run(call: &RunCall, dry_run: bool, allow_dirty: bool, terminal: Terminal) -> Exit {
    let configuration = match generate::configuration(call, terminal) {
        Ok(configuration) => configuration,
        Err(findings) => {
            terminal.findings(&[*findings]);
            return Exit::Failure;
        }
    };
    let fixes = kgen_build::find_fixes(&configuration);
    if dry_run {
        return show(&fixes, terminal);
    }
    apply(
        &fixes,
        &configuration.working_folder,
        allow_dirty,
        &call.fix,
        terminal,
    )
}

/// Writes the fixes, and shows the problems that remain. `command` is the one to repeat with `--allow-dirty`.
pub(crate) fn apply(
    fixes: &Fixes,
    working_folder: &Path,
    allow_dirty: bool,
    command: &str,
    terminal: Terminal,
) -> Exit {
    let refused = if allow_dirty {
        None
    } else {
        refusal(fixes, command)
    };
    if let Some(problem) = refused {
        return terminal.problem(problem);
    }
    if let Err(findings) = write(fixes, working_folder) {
        terminal.findings(&[findings]);
        return Exit::Failure;
    }
    tell(fixes, terminal);
    terminal.findings(std::slice::from_ref(&fixes.failed));
    terminal.findings(&fixes.remaining.findings);
    Exit::from(fixes.remaining.verdict())
}

/// Prints the changes and the problems that would remain, and writes nothing.
fn show(fixes: &Fixes, terminal: Terminal) -> Exit {
    if terminal.format == Format::Json {
        // Programs read the edits, and people the difference.
        terminal.findings(&fixes.fixable);
    }
    terminal.findings(std::slice::from_ref(&fixes.failed));
    terminal.findings(&fixes.remaining.findings);
    if fixes.files.is_empty() {
        terminal.remark(NOTHING);
        return Exit::from(fixes.remaining.verdict());
    }
    if terminal.format == Format::Json {
        return Exit::from(fixes.remaining.verdict());
    }
    let color = terminal.product_has_color();
    let diffs = fixes
        .files
        .iter()
        .map(|file| diff::unified(&file.name, &file.old, &file.new, color));
    terminal.product(&diffs.collect::<String>())
}

/// Returns the problem of files that git could not restore, if there are any.
fn refusal(fixes: &Fixes, command: &str) -> Option<Problem> {
    let found = kgen_build::unrestorable(fixes.files.iter().map(|file| file.path.as_path()));
    let names = |paths: &[PathBuf]| {
        let files = fixes.files.iter().filter(|file| paths.contains(&file.path));
        let names: Vec<_> = files.map(|file| format!("`{}`", file.name)).collect();
        names.join(", ")
    };
    let problem = if !found.changed.is_empty() {
        let message = format!(
            "the files to fix have uncommitted changes: {}",
            names(&found.changed)
        );
        Problem::general(Code::Io, message)
            .help("commit or stash them first, so that you can review the fixes separately")
    } else if !found.outside.is_empty() {
        let message = format!(
            "the files to fix are not under version control: {}",
            names(&found.outside)
        );
        Problem::general(Code::Io, message)
            .help("add them to a git repository, so that you can undo the changes")
    } else {
        return None;
    };
    Some(problem.help(format!("to change them anyway, run `{command} --allow-dirty`")))
}

/// Writes all files or none.
fn write(fixes: &Fixes, working_folder: &Path) -> Result<(), Findings> {
    fixes.plan(working_folder)?.carry_out()
}

const NOTHING: &str = "nothing to fix\n";

/// Says what was done, one line per file.
fn tell(fixes: &Fixes, terminal: Terminal) {
    let line = |file: &FixedFile| {
        let noun = if file.fixed == 1 { "fix" } else { "fixes" };
        format!("fixed {} ({} {noun})\n", file.name, file.fixed)
    };
    let text: String = fixes.files.iter().map(line).collect();
    terminal.remark(if text.is_empty() { NOTHING } else { &text });
}
