//! The run: read, check, generate, plan, write. Problems accumulate within a stage and stop the run between stages.

use std::path::PathBuf;

use kgen_check::Checked;
use kgen_diagnostics::{Allowance, Code, Problem};
use kgen_frontend::Input;
use kgen_model::Api;
use kgen_threads::drop_aside;

use crate::configuration::{Action, Configuration, Destination, Set};
use crate::generator::Settings;
use crate::plan::{self, Expected};
use crate::report::{Findings, Report};
use crate::{disk, header, nothing_found, stored_versions};

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
    run_stages(configuration, watch).allow(configuration.is_whole_project())
}

fn run_stages(configuration: &Configuration, watch: &dyn Fn(Stage)) -> Report {
    let mut report = Report::default();

    watch(Stage::Reading);
    let sources = read(configuration, &mut report);
    if report.has_errors() {
        return report;
    }

    watch(Stage::Checking);
    let checked = check(configuration, &sources, &mut report);
    stored_versions::check(configuration, &checked, &mut report);
    if report.has_errors() {
        return report;
    }

    watch(Stage::Generating);
    let expected = generate(configuration, &checked, &sources, &mut report);
    let files = sources.iter().map(|source| source.files).sum();
    drop(checked);
    drop_aside(sources, files);
    if report.has_errors() {
        return report;
    }

    watch(Stage::Comparing);
    report.plan = plan::against_disk(expected, configuration, &mut report.findings);
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

/// Reads the source of every set and returns the API of each, with its kinds even if no generator needs them.
///
/// # Errors
/// Returns the problems of the first set whose source has errors: an API is complete only without them.
pub fn read_apis(configuration: &Configuration) -> Result<Vec<Api>, Findings> {
    let mut apis = Vec::with_capacity(configuration.sets.len());
    for set in &configuration.sets {
        let mut outcome = kgen_frontend::read(&Input {
            kinds: true,
            ..input(set, configuration)
        });
        outcome.problems.settle(set.crd_options().policy());
        if outcome.problems.has_errors() {
            return Err(Findings {
                files: outcome.files,
                problems: outcome.problems,
                ..Findings::default()
            });
        }
        apis.push(outcome.api);
    }
    Ok(apis)
}

/// Reads, checks and generates in memory, to find the problems of the source. The disk is not compared.
pub(crate) fn examine(configuration: &Configuration) -> Report {
    examine_stages(configuration).allow(configuration.is_whole_project())
}

fn examine_stages(configuration: &Configuration) -> Report {
    let mut report = Report::default();
    let sources = read(configuration, &mut report);
    if report.has_errors() {
        return report;
    }
    let checked = check(configuration, &sources, &mut report);
    if !report.has_errors() {
        generate(configuration, &checked, &sources, &mut report);
    }
    report
}

/// The input of the generators of one set.
struct Source {
    api: Api,
    /// The number of Rust files in the paths of the set.
    files: usize,
    /// Types and modules that a `cfg` disables, each with its condition.
    switched_off: Vec<(String, String)>,
    /// The header text of each job.
    headers: Vec<Option<String>>,
}

/// Reads the source and the header files of every set. The findings are in the order of the sets.
fn read(configuration: &Configuration, report: &mut Report) -> Vec<Source> {
    let mut sources = Vec::with_capacity(configuration.sets.len());
    let mut files_read = configuration.read_from.clone();
    for set in &configuration.sets {
        let outcome = kgen_frontend::read(&input(set, configuration));
        let mut allowances = outcome.api.allowances.clone();
        allowances.extend(set.allow.iter().copied().map(Allowance::everywhere));
        let mut findings = Findings {
            files: outcome.files,
            problems: outcome.problems,
            allowances,
        };
        findings.problems.settle(set.crd_options().policy());
        files_read.extend(outcome.files_read);
        let headers = set
            .jobs
            .iter()
            .map(|job| header::read(job, set, configuration, &mut findings, &mut files_read))
            .collect();
        note_options_without_effect(set, &mut findings);
        report_missing_generators(set, &mut findings);
        sources.push(Source {
            api: outcome.api,
            files: outcome.files_wanted,
            switched_off: outcome.switched_off,
            headers,
        });
        report.findings.push(findings);
    }
    files_read.sort();
    files_read.dedup();
    report.files_read = files_read;
    sources
}

fn input(set: &Set, configuration: &Configuration) -> Input {
    let paths: Vec<PathBuf> = if set.paths.is_empty() {
        vec![set.folder.clone()]
    } else {
        set.paths.iter().map(|path| set.folder.join(path)).collect()
    };
    Input {
        working_folder: configuration.working_folder.clone(),
        paths,
        features: set.features.clone(),
        kinds: set.jobs.iter().any(|job| job.generator.needs_kinds),
        options: set.crd_options().for_front_end(set.writes_code()),
        foreign_markers: set.foreign_markers.clone(),
        unsaved: configuration.unsaved.clone(),
        cargo_home: None,
        deprecations: configuration.deprecations,
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

/// Checks the API of every set once, for all of its generators. An entry is `None` if the API has an error.
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
fn generate(
    configuration: &Configuration,
    checked: &[Option<Checked<'_>>],
    sources: &[Source],
    report: &mut Report,
) -> Expected {
    let mut expected = Expected::default();
    let sets = configuration.sets.iter().zip(sources);
    for (((set, source), checked), findings) in sets.zip(checked).zip(&mut report.findings) {
        let Some(checked) = checked else { continue };
        let crd = set.crd_options();
        let mut found_nothing = Vec::new();
        let mut found_something = false;
        for (job, header) in set.jobs.iter().zip(&source.headers) {
            let settings = Settings {
                options: &job.options,
                crd: &crd,
                header: header.clone(),
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
                    expected.add(folder, artifacts, job, header.as_deref());
                }
                Destination::StandardOutput => {
                    report
                        .standard_output
                        .extend(artifacts.into_iter().map(|artifact| artifact.text));
                }
                Destination::Nowhere => {}
            }
        }
        let seen = nothing_found::Seen {
            set,
            files: source.files,
            working_folder: &configuration.working_folder,
            is_begun: configuration.project.is_some(),
            switched_off: &source.switched_off,
        };
        findings
            .problems
            .extend(nothing_found::problems(&found_nothing, found_something, &seen));
    }
    if configuration.action != Action::Write {
        report.standard_output.clear();
    }
    expected
}
