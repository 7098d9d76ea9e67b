//! Calls that read source: run, and show what came of it.

use std::fmt::Write;

use kgen_build::{Action, ChangeAction, Configuration, Findings, Output, Plan, Set, parse_arguments};
use kgen_diagnostics::{Code, Problem};

use crate::call::{GeneratorFlags, Purpose, Request, RunCall};
use crate::drift;
use crate::progress::Progress;
use crate::terminal::{Exit, Terminal};

/// Carries out the call.
pub(crate) fn run(call: &RunCall, terminal: Terminal) -> Exit {
    let configuration = match configuration(call) {
        Ok(configuration) => configuration,
        Err(findings) => {
            terminal.findings(&[*findings]);
            return Exit::Failure;
        }
    };
    let report = {
        let progress = Progress::start(terminal);
        kgen_build::run_watched(&configuration, &|stage| progress.stage(stage))
    };
    terminal.findings(&report.findings);
    let exit = Exit::from(report.verdict());
    if report.has_errors() {
        return exit;
    }
    match call.purpose {
        Purpose::Write => {
            tell(&report.plan, terminal);
            terminal.product(&report.standard_output)
        }
        Purpose::DryRun => terminal.product(&planned(&report.plan, terminal)),
        Purpose::Verify => drift::show(&report.plan, &call.repair, terminal),
    }
}

/// What the call means, resolved.
fn configuration(call: &RunCall) -> Result<Configuration, Box<Findings>> {
    let working_folder = std::env::current_dir().map_err(|error| {
        Box::new(Findings::of(Problem::general(Code::Io, format!("the present folder cannot be found: {error}"))))
    })?;
    let mut configuration = match &call.request {
        Request::Project { file } => unimplemented_project(file.as_deref())?,
        Request::OneOff { words, flags } => {
            let command = if call.purpose == Purpose::Verify { "kgen verify" } else { "kgen" };
            let arguments = parse_arguments(command, words, SUBCOMMANDS).map_err(Box::new)?;
            let mut set = Set {
                folder: working_folder.clone(),
                paths: arguments.paths,
                features: call.features.clone(),
                jobs: arguments.jobs,
            };
            if let Some(flags) = flags {
                apply(flags, &mut set);
            }
            Configuration {
                working_folder,
                sets: vec![set],
                prune: false,
                action: Action::Write,
                read_from: Vec::new(),
            }
        }
    };
    configuration.prune |= call.prune;
    if call.purpose != Purpose::Write {
        configuration.action = Action::Compare;
    }
    if call.purpose == Purpose::Verify {
        refuse_output_without_files(&configuration)?;
    }
    Ok(configuration)
}

fn unimplemented_project(_: Option<&std::path::Path>) -> Result<Configuration, Box<Findings>> {
    Err(Box::default())
}

/// Words that the user may have meant where no generator has that name.
const SUBCOMMANDS: &[&str] = &["generate", "verify", "markers", "explain", "completions"];

/// The flags of a generator that is the first word.
fn apply(flags: &GeneratorFlags, set: &mut Set) {
    set.paths.extend(flags.paths.iter().cloned());
    if let Some(job) = set.jobs.first_mut() {
        for (option, value) in &flags.options {
            job.options.set(option, value.clone());
        }
        if let Some(folder) = &flags.folder {
            job.output = Some(Output::Folder(folder.clone()));
        }
    }
}

fn refuse_output_without_files(configuration: &Configuration) -> Result<(), Box<Findings>> {
    let jobs = configuration.sets.iter().flat_map(|set| &set.jobs);
    let without = jobs.filter(|job| matches!(job.output, Some(Output::StandardOutput | Output::Nowhere)));
    let problems: Vec<_> = without
        .map(|job| {
            Problem::general(Code::Usage, format!("`{}` has no files to verify", job.generator.name))
                .help("`output:stdout` and `output:none` leave nothing to compare; name the folder with `output:dir=…`")
        })
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    let mut findings = Findings::default();
    findings.problems.extend(problems);
    Err(Box::new(findings))
}

/// Says what was done: nothing about files that were only written, which is what the user asked for, unless asked.
fn tell(plan: &Plan, terminal: Terminal) {
    let mut text = String::new();
    for change in plan.differences() {
        // Writing to a string cannot fail.
        let _ = match change.action {
            ChangeAction::Stale { .. } => writeln!(text, "removed {}, which is no longer generated", change.name),
            _ if terminal.verbose => writeln!(text, "wrote {}", change.name),
            _ => Ok(()),
        };
    }
    if terminal.verbose && text.is_empty() && !plan.changes.is_empty() {
        text.push_str("everything is up to date\n");
    }
    terminal.remark(&text);
}

/// What a run would do.
fn planned(plan: &Plan, terminal: Terminal) -> String {
    let mut text = String::new();
    for change in &plan.changes {
        let word = match change.action {
            ChangeAction::Create { .. } => "create",
            ChangeAction::Update { .. } => "update",
            ChangeAction::Stale { .. } => "remove",
            ChangeAction::Same if terminal.verbose => "keep",
            ChangeAction::Same => continue,
        };
        let _ = writeln!(text, "{word} {}", change.name);
    }
    if text.is_empty() {
        text.push_str("nothing to write\n");
    }
    text
}
