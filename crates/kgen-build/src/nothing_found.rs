//! The problem of a generator that finds nothing: the source that was read, and the expected markers.

use std::path::Path;

use kgen_diagnostics::{Code, Problem};

use crate::configuration::Set;
use crate::generator::Generator;
use crate::place;
use crate::report::Findings;

/// The maximum number of disabled items in a message.
const MOST_SHOWN: usize = 4;

/// The source that was read.
pub(crate) struct Seen<'a> {
    pub(crate) set: &'a Set,
    pub(crate) files: usize,
    pub(crate) working_folder: &'a Path,
    /// Whether `kgen init` created the project, so that it may not have a kind yet.
    pub(crate) is_begun: bool,
    /// Types and modules that a `cfg` disables, each with its condition.
    pub(crate) switched_off: &'a [(String, String)],
    /// The places of the macros that make kinds.
    pub(crate) macros: &'a [String],
    /// Whether files are left out that belong to no module, which the front end warns of.
    pub(crate) is_incomplete: bool,
}

/// Returns whether the front end has left out files that belong to no module.
pub(crate) fn is_incomplete(findings: &Findings) -> bool {
    let mut problems = findings.problems.iter();
    problems.any(|problem| problem.code == Code::MissingModule)
}

/// Returns the places of the macros that make kinds, which the front end warns of.
pub(crate) fn macros(findings: &Findings) -> Vec<String> {
    let place = |problem: &Problem| {
        let span = problem.span.filter(|_| problem.code == Code::NothingFound)?;
        let file = findings.files.get(span.file)?;
        let position = file.position(span.start);
        Some(format!("`{}:{}:{}`", file.name(), position.line, position.column))
    };
    findings.problems.iter().filter_map(place).collect()
}

/// Reports a run without any output: as an error if it needs kinds, otherwise as a note.
pub(crate) fn problems(empty: &[&'static Generator], found_something: bool, seen: &Seen<'_>) -> Vec<Problem> {
    if seen.is_begun {
        return seen.first_kind(empty).into_iter().collect();
    }
    let is_mistake = !found_something && empty.iter().any(|generator| generator.needs_kinds);
    empty
        .iter()
        .filter(|generator| !is_mistake || generator.needs_kinds)
        .map(|generator| {
            let message = format!(
                "`{}` found nothing to generate in {}",
                generator.name,
                seen.places()
            );
            let problem = if is_mistake {
                Problem::general(Code::NothingFound, message)
            } else {
                Problem::note(Code::NothingFound, message)
            };
            if generator.needs_kinds && !seen.switched_off.is_empty() {
                return seen.switched_off_help(problem);
            }
            if generator.needs_kinds && !seen.macros.is_empty() {
                return seen.macros_help(problem);
            }
            if generator.needs_kinds && seen.is_incomplete {
                return problem
                    .help("declare the files that the warnings name with `mod`, or name them in `paths=`");
            }
            match seen.files {
                0 => problem.help("there is no Rust file; name the folder of the source with `paths=`"),
                1 => problem.help(format!(
                    "the only Rust file there does not have {}",
                    generator.looks_for
                )),
                files => problem.help(format!(
                    "none of the {files} Rust files there has {}",
                    generator.looks_for
                )),
            }
        })
        .collect()
}

impl Seen<'_> {
    /// Reports that kinds may be missing because of features.
    fn switched_off_help(&self, problem: Problem) -> Problem {
        let item = |(name, condition): &(String, String)| format!("`{name}` by `{condition}`");
        let shown: Vec<_> = self.switched_off.iter().take(MOST_SHOWN).map(item).collect();
        let rest = self.switched_off.len() - shown.len();
        let rest = if rest == 0 {
            String::new()
        } else {
            format!(", and {rest} more")
        };
        problem
            .help(format!("conditions disable items: {}{rest}", shown.join(", ")))
            .help("enable features with `--features` or with `features` in kgen.toml")
    }

    /// Says that kinds are missing because macros make them.
    fn macros_help(&self, problem: Problem) -> Problem {
        let shown: Vec<_> = self.macros.iter().take(MOST_SHOWN).map(String::as_str).collect();
        let rest = match self.macros.len() - shown.len() {
            0 => String::new(),
            rest => format!(", and {rest} more"),
        };
        problem
            .help(format!("macros make the kinds: {}{rest}", shown.join(", ")))
            .help("write their types out, because kgen does not expand macros")
    }

    /// Returns the only note of a project of `kgen init` without a kind, which requests everything that it may need
    /// later.
    fn first_kind(&self, empty: &[&'static Generator]) -> Option<Problem> {
        let mut wanted = self.set.jobs.iter().filter(|job| job.generator.needs_kinds);
        let is_empty = wanted.all(|job| empty.iter().any(|generator| generator.name == job.generator.name));
        is_empty.then(|| {
            let message = format!("there is no kind in {} yet", self.places());
            Problem::note(Code::NothingFound, message)
                .help("add one with `kgen create api --group GROUP --version v1 --kind KIND`")
        })
    }

    /// Returns the paths of the set, relative to the current folder.
    fn places(&self) -> String {
        let mut names: Vec<String> = self
            .set
            .paths
            .iter()
            .map(|path| place::shown(self.working_folder, &place::absolute(&self.set.folder, path)))
            // The name of the current folder with everything below.
            .map(|name| if name == "..." { "./...".to_owned() } else { name })
            .collect();
        if names.is_empty() {
            names.push(place::shown(self.working_folder, &self.set.folder));
        }
        names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}
