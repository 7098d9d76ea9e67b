//! The run: read, check, generate, plan, write. Problems accumulate within a stage and stop the run between stages, except that
//! after errors of reading the other kinds are still checked.

use std::path::PathBuf;

use kgen_check::Checked;
use kgen_diagnostics::{Allowance, Code, Problem};
use kgen_frontend::Input;
use kgen_model::Api;
use kgen_threads::drop_aside;

use crate::configuration::{Action, Configuration, Destination, Set};
use crate::generator::{Product, Settings};
use crate::inputs::{self, Inputs};
use crate::keep_going::{self, SetAside};
use crate::plan::{self, ChangeAction, Expected};
use crate::report::{Findings, Report};
use crate::{disk, nothing_found, stored_versions};

/// The stage of a run, for progress output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading source.
    Reading,
    /// Checking the API.
    Checking,
    /// Generating artifacts in memory.
    Generating,
    /// Comparing with the disk.
    Comparing,
    /// Writing what changed.
    Writing,
}

/// Performs the run of `configuration`. Files are written only if no stage has errors.
#[must_use]
pub fn run(configuration: &Configuration) -> Report {
    run_watched(configuration, &|_| {})
}

/// Like [`run`], and reports each stage to `watch`.
#[must_use]
pub fn run_watched(configuration: &Configuration, watch: &dyn Fn(Stage)) -> Report {
    run_stages(configuration, watch).allow(configuration)
}

fn run_stages(configuration: &Configuration, watch: &dyn Fn(Stage)) -> Report {
    let mut report = run_clean_kinds(configuration, watch);
    report.add_set_aside();
    report
}

/// Runs without the kinds that are set aside. Their problems do not stop the stages.
fn run_clean_kinds(configuration: &Configuration, watch: &dyn Fn(Stage)) -> Report {
    let mut report = Report::default();

    watch(Stage::Reading);
    let imported = configuration.import.as_ref().map(|import| import.plan().report);
    if imported.as_ref().is_some_and(Report::has_errors) {
        return imported.unwrap_or_default();
    }
    let configuration = &with_planned(configuration, imported.as_ref());
    let mut sources = read(configuration, &mut report);
    if report.has_errors() {
        watch(Stage::Checking);
        keep_going::check_other_kinds(configuration, &mut report);
        return report;
    }

    watch(Stage::Checking);
    if configuration.keep_going {
        keep_going::set_broken_kinds_aside(configuration, &mut sources, &mut report);
    }
    let checked = check_sources(configuration, &sources, &mut report);
    if report.has_errors() {
        return report;
    }

    watch(Stage::Generating);
    let expected = generate(configuration, &checked, &sources, &mut report);
    let files = sources.iter().map(|source| source.files).sum();
    report.clean_kinds = sources.iter().map(|source| source.api.resources.len()).sum();
    drop(checked);
    drop_aside(sources, files);
    if report.has_errors() {
        return report;
    }

    watch(Stage::Comparing);
    report.plan = plan::against_disk(expected, configuration, &mut report.findings);
    if let Some(imported) = imported {
        report.plan.add(imported.plan);
        report.findings.extend(imported.findings);
        report.files_read.extend(imported.files_read);
    }
    if report.has_errors() || configuration.action != Action::Write {
        return report;
    }

    watch(Stage::Writing);
    match disk::carry_out(&report.plan) {
        Ok(()) => report.written = true,
        Err(problem) => report.findings.push(Findings::of(problem)),
    }
    report
}

/// Returns the configuration with the files of an import, so that the source is read as if they were written.
fn with_planned(configuration: &Configuration, imported: Option<&Report>) -> Configuration {
    let mut configuration = configuration.clone();
    for change in imported
        .into_iter()
        .flat_map(|imported| imported.plan.differences())
    {
        match &change.action {
            ChangeAction::Create { new } | ChangeAction::Update { new, .. } => {
                configuration.unsaved.write(change.path.clone(), new.clone());
            }
            ChangeAction::Stale { .. } => configuration.unsaved.remove(change.path.clone()),
            ChangeAction::Same => {}
        }
    }
    configuration
}

/// Reads the source of every set and returns the API of each, with its kinds even if no generator needs them.
///
/// # Errors
/// Returns the problems of every set whose source has errors: an API is complete only without them.
pub fn read_apis(configuration: &Configuration) -> Result<Vec<Api>, Vec<Findings>> {
    let mut apis = Vec::with_capacity(configuration.sets.len());
    let mut failed = Vec::new();
    for set in &configuration.sets {
        let mut outcome = kgen_frontend::read(&Input {
            kinds: true,
            ..input(set, configuration)
        });
        outcome
            .problems
            .settle(set.crd_options().policy(), &outcome.api.allowances);
        if outcome.problems.has_errors() {
            failed.push(Findings {
                files: outcome.files,
                problems: outcome.problems,
                ..Findings::default()
            });
        }
        apis.push(outcome.api);
    }
    if failed.is_empty() { Ok(apis) } else { Err(failed) }
}

/// Reads, checks and generates in memory, to find the problems of the source. The disk is not compared.
pub(crate) fn examine(configuration: &Configuration) -> Report {
    examine_stages(configuration).allow(configuration)
}

fn examine_stages(configuration: &Configuration) -> Report {
    let mut report = Report::default();
    let sources = read(configuration, &mut report);
    if report.has_errors() {
        keep_going::check_other_kinds(configuration, &mut report);
    } else {
        check_and_generate(configuration, &sources, &mut report);
    }
    report
}

/// Checks and generates in memory.
pub(crate) fn check_and_generate(configuration: &Configuration, sources: &[Source], report: &mut Report) {
    let checked = check_sources(configuration, sources, report);
    if !report.has_errors() {
        generate(configuration, &checked, sources, report);
    }
}

/// The input of the generators of one set.
pub(crate) struct Source {
    pub(crate) api: Api,
    /// The number of Rust files in the paths of the set.
    files: usize,
    /// Types and modules that a `cfg` disables, each with its condition.
    switched_off: Vec<(String, String)>,
    /// The files that each job reads.
    inputs: Vec<Inputs>,
}

/// Reads the source and the header files of every set. The findings are in the order of the sets.
pub(crate) fn read(configuration: &Configuration, report: &mut Report) -> Vec<Source> {
    let mut sources = Vec::with_capacity(configuration.sets.len());
    let mut files_read = configuration.read_from.clone();
    for set in &configuration.sets {
        let mut outcome = kgen_frontend::read(&input(set, configuration));
        report
            .set_aside
            .push(SetAside::of(&mut outcome, set.crd_options().policy()));
        let mut allowances = outcome.api.allowances.clone();
        allowances.extend(set.allow.iter().copied().map(Allowance::everywhere));
        let mut findings = Findings {
            files: outcome.files,
            problems: outcome.problems,
            allowances,
        };
        findings
            .problems
            .settle(set.crd_options().policy(), &findings.allowances);
        files_read.extend(outcome.files_read);
        let inputs = set
            .jobs
            .iter()
            .map(|job| inputs::read(job, set, configuration, &mut findings, &mut files_read))
            .collect();
        note_options_without_effect(set, &mut findings);
        report_missing_generators(set, &mut findings);
        sources.push(Source {
            api: outcome.api,
            files: outcome.files_wanted,
            switched_off: outcome.switched_off,
            inputs,
        });
        report.findings.push(findings);
    }
    files_read.sort();
    files_read.dedup();
    report.files_read = files_read;
    sources
}

pub(crate) fn input(set: &Set, configuration: &Configuration) -> Input {
    let paths: Vec<PathBuf> = if set.paths.is_empty() {
        vec![set.folder.clone()]
    } else {
        set.paths.iter().map(|path| set.folder.join(path)).collect()
    };
    let mut options = set.crd_options().for_front_end(set.needs_rust_types());
    options.allow_dangerous_types |= set.allow.contains(&Code::DangerousType);
    Input {
        working_folder: configuration.working_folder.clone(),
        paths,
        features: set.features.clone(),
        kinds: set.jobs.iter().any(|job| job.generator.needs_kinds),
        options,
        foreign_markers: set.foreign_markers.clone(),
        exclude: set.exclude.clone(),
        unsaved: configuration.unsaved.clone(),
        tree: configuration.tree.clone(),
        cargo_home: None,
        deprecations: configuration.deprecations,
        kinds_apart: configuration.keep_going,
        lowerings: configuration.lowerings.clone(),
    }
}

/// Reports generators that were asked for without those whose files they need.
fn report_missing_generators(set: &Set, findings: &mut Findings) {
    for job in &set.jobs {
        for needed in job.generator.stands_on {
            let place = job.destination(set);
            let is_there = set
                .jobs
                .iter()
                .any(|other| other.generator.name == *needed && other.destination(set) == place);
            if !is_there {
                let name = job.generator.name;
                let message = format!("`{name}` needs the code that `{needed}` generates in the same folder");
                findings
                    .problems
                    .push(Problem::general(Code::Configuration, message).help(format!(
                        "run both with `kgen {needed} {name}`, or add `[{needed}]` to `kgen.toml`"
                    )));
            }
        }
    }
}

fn note_options_without_effect(set: &Set, findings: &mut Findings) {
    for job in &set.jobs {
        for option in job.generator.options() {
            if let Some(why) = option.no_effect.filter(|_| option.is_ignored(&job.options)) {
                let message = format!("`{}` of `{}` has no effect", option.name, job.generator.name);
                findings
                    .problems
                    .push(Problem::note(Code::Usage, message).help(why));
            }
        }
    }
}

/// Checks the API of every set, and compares its stored versions with those on disk. An entry is `None` if the API has an error.
pub(crate) fn check_sources<'a>(
    configuration: &Configuration,
    sources: &'a [Source],
    report: &mut Report,
) -> Vec<Option<Checked<'a>>> {
    let checked = check(configuration, sources, report);
    stored_versions::check(configuration, &checked, report);
    checked
}

/// Checks the API of every set once, for all of its generators.
fn check<'a>(
    configuration: &Configuration,
    sources: &'a [Source],
    report: &mut Report,
) -> Vec<Option<Checked<'a>>> {
    let sets = configuration.sets.iter().zip(sources);
    sets.zip(&mut report.findings)
        .map(|((set, source), findings)| {
            let parts: Vec<_> = set
                .jobs
                .iter()
                .flat_map(|job| job.generator.parts)
                .copied()
                .collect();
            kgen_check::check(
                &source.api,
                &parts,
                set.crd_options().policy(),
                &mut findings.problems,
            )
        })
        .collect()
}

/// Runs every generator of every set, in memory.
pub(crate) fn generate(
    configuration: &Configuration,
    checked: &[Option<Checked<'_>>],
    sources: &[Source],
    report: &mut Report,
) -> Expected {
    let mut expected = Expected::new(report.has_set_aside());
    let sets = configuration.sets.iter().zip(sources);
    for (((set, source), checked), findings) in sets.zip(checked).zip(&mut report.findings) {
        let Some(checked) = checked else { continue };
        let crd = set.crd_options();
        let mut found_nothing = Vec::new();
        let mut found_something = false;
        for (job, inputs) in set.jobs.iter().zip(&source.inputs) {
            // Modules name the modules of all kinds, so those of some kinds would not compile.
            if expected.is_partial && job.generator.product == Product::Code {
                continue;
            }
            let settings = Settings {
                options: &job.options,
                crd: &crd,
                inputs,
            };
            let (artifacts, problems) = (job.generator.generate)(checked, &settings);
            let failed = problems.has_errors();
            findings.problems.extend(problems);
            if artifacts.is_empty() && !failed {
                found_nothing.push(job.generator);
            }
            found_something |= !artifacts.is_empty() || failed;
            match job.destination(set) {
                Destination::Folder(folder) => {
                    expected.add(folder, artifacts, job, inputs.header.as_deref());
                }
                Destination::StandardOutput => {
                    report
                        .standard_output
                        .extend(artifacts.into_iter().map(|artifact| artifact.text));
                }
                Destination::Nowhere => expected.keep(artifacts),
            }
        }
        let macros = nothing_found::macros(findings);
        let seen = nothing_found::Seen {
            macros: &macros,
            is_incomplete: nothing_found::is_incomplete(findings),
            set,
            files: source.files,
            working_folder: &configuration.working_folder,
            is_begun: configuration.project.is_some(),
            switched_off: &source.switched_off,
        };
        if !expected.is_partial {
            findings
                .problems
                .extend(nothing_found::problems(&found_nothing, found_something, &seen));
        }
    }
    if configuration.action != Action::Write {
        report.standard_output.clear();
    }
    expected
}
