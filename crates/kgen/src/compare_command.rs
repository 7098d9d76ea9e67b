//! The arguments of `kgen diff` and `kgen lint`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, ValueHint};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kgen_build::Level;

/// A call of `kgen diff`.
#[derive(Debug)]
pub(crate) struct DiffCall {
    /// The states and `paths=…`, as written.
    pub(crate) words: Vec<String>,
    pub(crate) level: Level,
    pub(crate) fail_on: Option<Level>,
    pub(crate) witness: Option<PathBuf>,
    pub(crate) kind: Option<String>,
    pub(crate) config: Option<PathBuf>,
}

/// A call of `kgen lint`.
#[derive(Debug)]
pub(crate) struct LintCall {
    pub(crate) words: Vec<String>,
    pub(crate) since: Option<String>,
    pub(crate) fix: bool,
    pub(crate) allow_dirty: bool,
    pub(crate) config: Option<PathBuf>,
}

fn config() -> Arg {
    Arg::new("config")
        .long("config")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("Read this file instead of the nearest kgen.toml")
}

fn words(name: &'static str, help: &'static str) -> Arg {
    Arg::new("words")
        .value_name(name)
        .num_args(0..)
        .value_hint(ValueHint::AnyPath)
        .help(help)
}

/// Returns the subcommand `diff`.
pub(crate) fn diff() -> Command {
    Command::new("diff")
        .about("Report how a change to the types affects users of the API")
        .override_usage("kgen diff [FLAGS] [OLD] [NEW] [paths=…]\n       kgen diff [FLAGS] rbac [OLD] [NEW] [paths=…]")
        .after_help(
            "OLD and NEW are revisions of git, files or folders with Rust source or CRDs, `-`, or `cluster:[CONTEXT]`.\n\
             Without NEW, the working tree is compared; without OLD, with the point where this branch left the default branch.\n\
             `rbac` compares RBAC rules instead of kinds.\n\n\
             Exit codes: 0 no finding at or above --fail-on; 1 findings, or problems in one of the states; 2 usage, git or I/O errors.",
        )
        .arg(
            Arg::new("level")
                .long("level")
                .value_name("LEVEL")
                .value_parser(PossibleValuesParser::new(["breaking", "risky", "compatible"]))
                .default_value("risky")
                .help("Lowest level to show; JSON always contains all findings"),
        )
        .arg(
            Arg::new("fail-on")
                .long("fail-on")
                .value_name("LEVEL")
                .value_parser(PossibleValuesParser::new(["breaking", "risky"]))
                .help("Lowest level that makes the command fail [default: breaking]"),
        )
        .arg(
            Arg::new("witness")
                .long("witness")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("Write the object that proves each finding to a file in this folder"),
        )
        .arg(Arg::new("kind").long("kind").value_name("NAME").help("Compare only this kind"))
        .arg(config())
        .arg(words("STATE", "OLD, NEW and paths=…"))
}

/// Returns the subcommand `lint`.
pub(crate) fn lint() -> Command {
    Command::new("lint")
        .about("Check the types against the conventions of Kubernetes APIs")
        .override_usage("kgen lint [FLAGS] [paths=…]")
        .after_help(
            "`[lint]` in kgen.toml selects the lints. `+kgen:allow=CODE` above an item allows one there.",
        )
        .arg(
            Arg::new("since")
                .long("since")
                .value_name("REVISION")
                .help("Report only findings that this revision does not have"),
        )
        .arg(
            Arg::new("fix")
                .long("fix")
                .action(ArgAction::SetTrue)
                .help("Apply the fix of every finding that has exactly one"),
        )
        .arg(
            Arg::new("allow-dirty")
                .long("allow-dirty")
                .action(ArgAction::SetTrue)
                .help("Also change files that git cannot restore"),
        )
        .arg(config())
        .arg(words("ARGUMENT", "paths=…, separated by `;`"))
}

fn all(matches: &ArgMatches, name: &str) -> Vec<String> {
    matches
        .get_many::<String>(name)
        .into_iter()
        .flatten()
        .cloned()
        .collect()
}

/// Returns the call of `kgen diff`.
pub(crate) fn diff_call(matches: &ArgMatches) -> DiffCall {
    let level = |name: &str| {
        matches
            .get_one::<String>(name)
            .and_then(|word| Level::from_word(word))
    };
    DiffCall {
        words: all(matches, "words"),
        level: level("level").unwrap_or(Level::Risky),
        fail_on: level("fail-on"),
        witness: matches.get_one::<PathBuf>("witness").cloned(),
        kind: matches.get_one::<String>("kind").cloned(),
        config: matches.get_one::<PathBuf>("config").cloned(),
    }
}

/// Returns the call of `kgen lint`.
pub(crate) fn lint_call(matches: &ArgMatches) -> LintCall {
    LintCall {
        words: all(matches, "words"),
        since: matches.get_one::<String>("since").cloned(),
        fix: matches.get_flag("fix"),
        allow_dirty: matches.get_flag("allow-dirty"),
        config: matches.get_one::<PathBuf>("config").cloned(),
    }
}
