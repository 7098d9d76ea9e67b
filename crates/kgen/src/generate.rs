//! Calls that read source: runs them, and shows the report.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use kgen_build::{
    Action, ChangeAction, Configuration, FILE_NAME, Findings, Output, Plan, Set, find_project_file,
    parse_arguments, read_project_file,
};
use kgen_diagnostics::words::counted;
use kgen_diagnostics::{Code, Format, Problem};

use crate::call::{GeneratorFlags, Purpose, Request, RunCall};
use crate::drift;
use crate::progress::Progress;
use crate::terminal::{Exit, Terminal};
use crate::timings::Timings;

/// Carries out the call.
pub(crate) fn run(call: &RunCall, terminal: Terminal) -> Exit {
    let configuration = match configuration(call, terminal) {
        Ok(configuration) => configuration,
        Err(findings) => {
            terminal.findings(&[*findings]);
            return Exit::Failure;
        }
    };
    let timings = Timings::new();
    let report = {
        let progress = Progress::start(terminal);
        kgen_build::run_watched(&configuration, &|stage| {
            timings.stage(stage);
            progress.stage(stage);
        })
    };
    if call.timings {
        timings.show(&report, terminal);
    }
    terminal.findings(&report.findings);
    let fixes = kgen_build::applicable(&report, &configuration);
    if fixes > 0 {
        terminal.remark(&format!("run `{}` to fix {fixes} of these problems\n", call.fix));
    }
    let exit = Exit::from(report.verdict());
    if report.has_errors() && !report.kept_going() {
        if !configuration.keep_going && call.purpose == Purpose::Write {
            suggest_keep_going(configuration, terminal);
        }
        return exit;
    }
    let shown = match call.purpose {
        Purpose::Write => {
            tell(&report.plan, terminal);
            terminal.product(&report.standard_output)
        }
        Purpose::DryRun if terminal.format == Format::Json => {
            terminal.findings(&[drift::notes(&report.plan)]);
            exit
        }
        Purpose::DryRun => terminal.product(&planned(&report.plan, terminal)),
        Purpose::Verify { .. } => drift::show(&report.plan, &call.repair, terminal),
        // These calls are handled separately.
        Purpose::Fix { .. } => exit,
        #[cfg(feature = "lsp")]
        Purpose::Serve => exit,
    };
    let broken = report.broken_kinds();
    if !broken.is_empty() {
        terminal.remark(&format!(
            "kinds with errors, left as they were: {}\n",
            broken.join(", ")
        ));
    }
    shown.max(exit)
}

/// Tells the user about `--keep-going` if it would write something.
fn suggest_keep_going(mut configuration: Configuration, terminal: Terminal) {
    configuration.keep_going = true;
    configuration.action = Action::Show;
    let report = kgen_build::run(&configuration);
    if report.kept_going() && report.clean_kinds() > 0 {
        let kinds = report.broken_kinds().join(", ");
        terminal.remark(&format!(
            "nothing was written because of errors in {kinds}; `--keep-going` writes the other kinds and exits with 1\n"
        ));
    }
}

/// Returns the resolved call.
pub(crate) fn configuration(call: &RunCall, terminal: Terminal) -> Result<Configuration, Box<Findings>> {
    let working_folder = std::env::current_dir().map_err(|error| {
        Box::new(Findings::of(Problem::general(
            Code::Io,
            format!("cannot determine the current folder: {error}"),
        )))
    })?;
    configuration_in(working_folder, call, terminal)
}

/// Returns the call as it is resolved in a folder.
pub(crate) fn configuration_in(
    working_folder: PathBuf,
    call: &RunCall,
    terminal: Terminal,
) -> Result<Configuration, Box<Findings>> {
    let mut configuration = match &call.request {
        Request::Project => project(&working_folder, call)?,
        Request::OneOff { words, flags } => {
            let set = one_off(words, flags.as_ref(), &working_folder, call, terminal)?;
            Configuration {
                working_folder,
                sets: vec![set],
                ..Configuration::default()
            }
        }
    };
    configuration.prune |= call.prune;
    configuration.keep_going = call.keep_going;
    configuration.action = match call.purpose {
        Purpose::Write => Action::Write,
        Purpose::DryRun => Action::Show,
        #[cfg(feature = "lsp")]
        Purpose::Serve => Action::Show,
        Purpose::Verify { .. } | Purpose::Fix { .. } => Action::Verify,
    };
    if let Purpose::Verify { dry_run } = call.purpose {
        if dry_run {
            let problem = Problem::general(
                Code::Usage,
                "`verify` does not support `--dry-run`, because it never writes",
            )
            .help(
                "remove `--dry-run`, or list the files that a run would write with `kgen generate --dry-run`",
            );
            return Err(Box::new(Findings::of(problem)));
        }
        refuse_output_without_files(&configuration)?;
    }
    if terminal.format == Format::Json && call.purpose == Purpose::Write {
        refuse_output_among_messages(&configuration)?;
    }
    Ok(configuration)
}

/// Returns the configuration of `kgen.toml`, with the features of the call.
fn project(working_folder: &Path, call: &RunCall) -> Result<Configuration, Box<Findings>> {
    let found = call.config.clone().or_else(|| find_project_file(working_folder));
    let Some(file) = found else {
        let problem = Problem::general(
            Code::Configuration,
            format!("there is no {FILE_NAME} in the current folder or above it"),
        )
        .help("create one with the table of a generator, such as `[crd]`")
        .help("or name the generator: `kgen crd paths=src/api`");
        return Err(Box::new(Findings::of(problem)));
    };
    let mut configuration = read_project_file(&file, working_folder)?;
    for set in &mut configuration.sets {
        set.features
            .features
            .extend(call.features.features.iter().cloned());
        set.features.all |= call.features.all;
        set.features.no_default |= call.features.no_default;
    }
    Ok(configuration)
}

/// Words that the user may have meant instead of an unknown generator.
const SUBCOMMANDS: &[&str] = &[
    "generate",
    "verify",
    "fix",
    "diff",
    "lint",
    "lsp",
    "watch",
    "init",
    "create",
    "delete",
    "update",
    "import",
    "markers",
    "explain",
    "completions",
    "version",
    "help",
];

/// Returns the configuration of arguments in controller-gen's form and of the flags of a generator.
fn one_off(
    words: &[String],
    flags: Option<&GeneratorFlags>,
    working_folder: &Path,
    call: &RunCall,
    terminal: Terminal,
) -> Result<Set, Box<Findings>> {
    if call.config.is_some() {
        let problem = Problem::general(
            Code::Usage,
            "`--config` cannot be combined with the arguments of a run",
        )
        .help("run `kgen generate` or `kgen verify` with `--config` only");
        return Err(Box::new(Findings::of(problem)));
    }
    let command = match call.purpose {
        Purpose::Verify { .. } => "kgen verify",
        Purpose::Fix { .. } => "kgen fix",
        Purpose::Write | Purpose::DryRun => "kgen",
        #[cfg(feature = "lsp")]
        Purpose::Serve => "kgen lsp",
    };
    let arguments =
        parse_arguments(command, words, SUBCOMMANDS).map_err(|findings| match terminal.format {
            // GitHub would look for a file of that name.
            Format::Github => Box::new(without_places(findings)),
            Format::Human | Format::Json => Box::new(findings),
        })?;
    let mut set = Set {
        folder: working_folder.to_owned(),
        paths: arguments.paths,
        features: call.features.clone(),
        foreign_markers: kgen_build::ForeignMarkers::default(),
        exclude: Vec::new(),
        allow: Vec::new(),
        jobs: arguments.jobs,
    };
    if let Some(flags) = flags {
        apply(flags, &mut set);
    }
    Ok(set)
}

fn without_places(findings: Findings) -> Findings {
    let mut result = Findings::default();
    result
        .problems
        .extend(findings.problems.into_iter().map(|problem| Problem {
            span: None,
            ..problem
        }));
    result
}

/// Applies the flags of a generator that is the first word.
fn apply(flags: &GeneratorFlags, set: &mut Set) {
    set.paths.extend(flags.paths.iter().cloned());
    if let Some(job) = set.jobs.first_mut() {
        for (option, value) in &flags.options {
            option.write(&mut job.options, value.clone());
        }
        job.output = match &flags.folder {
            Some(folder) if folder.as_os_str() == "-" => Some(Output::StandardOutput),
            Some(folder) => Some(Output::Folder(folder.clone())),
            None => job.output.take(),
        };
    }
}

fn refuse_output_without_files(configuration: &Configuration) -> Result<(), Box<Findings>> {
    let jobs = configuration.sets.iter().flat_map(|set| &set.jobs);
    let without = jobs.filter(|job| matches!(job.output, Some(Output::StandardOutput | Output::Nowhere)));
    let problems: Vec<_> = without
        .map(|job| {
            Problem::general(Code::Usage, format!("`{}` has no files to verify", job.generator.name))
                .help("name the folder to compare with `output:dir=…`; `output:stdout` and `output:none` write no files")
        })
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    let mut findings = Findings::default();
    findings.problems.extend(problems);
    Err(Box::new(findings))
}

/// Refuses generated output on standard output beside JSON messages.
fn refuse_output_among_messages(configuration: &Configuration) -> Result<(), Box<Findings>> {
    let mut jobs = configuration.sets.iter().flat_map(|set| &set.jobs);
    if !jobs.any(|job| job.output == Some(Output::StandardOutput)) {
        return Ok(());
    }
    let message = "generated files and JSON messages cannot both go to standard output";
    let problem = Problem::general(Code::Usage, message)
        .help("name a folder for the files, or use another `--message-format`");
    Err(Box::new(Findings::of(problem)))
}

/// Reports what was done, file by file only if asked, and in one line for all.
fn tell(plan: &Plan, terminal: Terminal) {
    let mut text = String::new();
    let (mut changed, mut removed) = (0, 0);
    for change in plan.differences() {
        // Writing to a string cannot fail.
        let _ = match change.action {
            ChangeAction::Stale { .. } => {
                removed += 1;
                writeln!(text, "removed {}, which is no longer generated", change.name)
            }
            _ => {
                changed += 1;
                if terminal.verbose {
                    writeln!(text, "wrote {}", change.name)
                } else {
                    Ok(())
                }
            }
        };
    }
    if !plan.changes.is_empty() {
        let files = counted(plan.changes.len() - removed, "file");
        let _ = write!(text, "{files}, {changed} changed");
        if removed > 0 {
            let _ = write!(text, ", {removed} removed");
        }
        text.push('\n');
    }
    terminal.remark(&text);
}

/// Shows the changes that a run would make.
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
