//! Parses arguments to a call, and runs it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use clap_complete::Shell;
use kgen_build::{FeatureChoice, Generator, OptionDescription, OptionType, OptionValue};
use kgen_diagnostics::{Code, Format, Problem};

use crate::command::{self, ARGUMENTS};
use crate::compare;
use crate::compare_command::{self, DiffCall, LintCall};
use crate::fix;
use crate::generate;
use crate::import::{self, ImportCall};
use crate::lint;
use crate::reference::{self, MarkerFormat};
use crate::scaffold::{self, ScaffoldCall};
use crate::scaffold_command;
use crate::terminal::{Color, Exit, Terminal};
use crate::version;
use crate::watch;

/// The parsed call.
#[derive(Debug)]
pub(crate) enum Call {
    Run(RunCall),
    Markers {
        name: Option<String>,
        format: MarkerFormat,
    },
    Explain {
        code: Option<String>,
    },
    Completions(Shell),
    Watch(RunCall, WatchFlags),
    Diff(Box<DiffCall>),
    Lint(Box<LintCall>),
    Version,
    #[cfg(any(test, feature = "man"))]
    Man(PathBuf),
    /// The help of these generators.
    Help(Vec<&'static Generator>),
    /// The markers that these generators read, or all; repeated `-w` shows more details.
    WhichMarkers {
        generators: Vec<&'static Generator>,
        detail: u8,
    },
    Scaffold(Box<ScaffoldCall>),
    Import(Box<ImportCall>),
}

/// The flags of `kgen watch`.
#[derive(Debug)]
pub(crate) struct WatchFlags {
    /// The command after a run that changed files.
    pub(crate) exec: Option<String>,
    pub(crate) clear: bool,
    /// How often to look for changes.
    pub(crate) interval: std::time::Duration,
}

/// A call that reads source.
#[derive(Debug)]
pub(crate) struct RunCall {
    pub(crate) purpose: Purpose,
    pub(crate) request: Request,
    /// The file to read instead of the nearest `kgen.toml`.
    pub(crate) config: Option<PathBuf>,
    pub(crate) prune: bool,
    pub(crate) keep_going: bool,
    /// Whether to show how long the stages took.
    pub(crate) timings: bool,
    pub(crate) features: FeatureChoice,
    /// The command that writes the files that are missing.
    pub(crate) repair: String,
    /// The command that applies the fixes.
    pub(crate) fix: String,
}

/// The mode of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Write,
    DryRun,
    Verify {
        /// Whether the user requested a dry run, which is an error.
        dry_run: bool,
    },
    /// An editor asks about unsaved source.
    #[cfg(feature = "lsp")]
    Serve,
    /// The source is changed, or the change is shown.
    Fix {
        dry_run: bool,
        allow_dirty: bool,
    },
}

impl Purpose {
    /// Returns whether a call performs one run from start to end, whose stages can be measured.
    fn has_stages(self) -> bool {
        matches!(self, Self::Write | Self::DryRun | Self::Verify { .. })
    }
}

/// The generators of a run.
#[derive(Debug)]
pub(crate) enum Request {
    /// The sets of `kgen.toml`.
    Project,
    /// The arguments in controller-gen's form.
    OneOff {
        words: Vec<String>,
        flags: Option<GeneratorFlags>,
    },
}

/// The flags of a generator's subcommand.
#[derive(Debug)]
pub(crate) struct GeneratorFlags {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) options: Vec<(&'static OptionDescription, OptionValue)>,
}

/// Arguments that are not a valid call, or a request for help.
pub(crate) struct Refusal {
    error: clap::Error,
    terminal: Terminal,
}

impl Refusal {
    /// Shows what clap has to say.
    pub(crate) fn show(&self) -> Exit {
        let is_error = self.error.exit_code() != 0;
        let text = self.error.render();
        if !is_error {
            return self
                .terminal
                .product(&styled(&text, self.terminal.product_has_color()));
        }
        match self.terminal.format {
            Format::Human => {
                self.terminal
                    .say(&styled(&text, self.terminal.messages_have_color()));
                Exit::Failure
            }
            Format::Json | Format::Github => {
                let text = text.to_string();
                let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                let message = lines
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches("error: ")
                    .to_owned();
                let help = lines.filter(|line| line.starts_with("tip: "));
                let problem = help.fold(Problem::general(Code::Usage, message), |problem, line| {
                    problem.help(line.trim_start_matches("tip: "))
                });
                self.terminal.problem(problem)
            }
        }
    }
}

/// Returns a text of clap, with colors or without.
fn styled(text: &StyledStr, color: bool) -> String {
    if color {
        text.ansi().to_string()
    } else {
        text.to_string()
    }
}

/// Parses the arguments of the process.
pub(crate) fn read(mut arguments: Vec<OsString>) -> Result<(Call, Terminal), Refusal> {
    let refusal = |error, arguments: &[OsString]| Refusal {
        error,
        terminal: guess_terminal(arguments),
    };
    let mut command = command::reader(&arguments);
    let mut matches = match command.try_get_matches_from_mut(&arguments) {
        Ok(matches) => matches,
        Err(error) => return Err(refusal(error, &arguments)),
    };
    // The first word may be an argument in controller-gen's form. clap does not parse flags after an unknown word, so a
    // known one is inserted.
    if let Some(behind) = words_behind_unknown(&command, &matches) {
        arguments.insert(arguments.len().saturating_sub(behind + 1), ARGUMENTS.into());
        matches = match command.try_get_matches_from_mut(&arguments) {
            Ok(matches) => matches,
            Err(error) => return Err(refusal(error, &arguments)),
        };
    }
    let terminal = terminal(&matches);
    Ok((call(&matches, &arguments), terminal))
}

/// Carries out a call.
pub(crate) fn answer(call: Call, terminal: Terminal) -> Exit {
    match call {
        Call::Run(call) => match call.purpose {
            _ if call.timings && !call.purpose.has_stages() => terminal.problem(
                Problem::general(Code::Usage, "`--timings` is for runs that generate or verify")
                    .help("remove `--timings`"),
            ),
            Purpose::Fix { dry_run, allow_dirty } => fix::run(&call, dry_run, allow_dirty, terminal),
            #[cfg(feature = "lsp")]
            Purpose::Serve => crate::lsp::run(call, terminal),
            Purpose::Write | Purpose::DryRun | Purpose::Verify { .. } => generate::run(&call, terminal),
        },
        Call::Markers { name, format } => reference::markers(name.as_deref(), format, terminal),
        Call::Explain { code } => reference::explain(code.as_deref(), terminal),
        Call::Watch(call, flags) => watch::run(&call, &flags, terminal),
        Call::Diff(call) => compare::run(&call, terminal),
        Call::Lint(call) => lint::run(&call, terminal),
        Call::Completions(shell) => reference::completions(shell, terminal),
        Call::Version => terminal.product(&format!("{} {}\n", command::NAME, version::long())),
        #[cfg(any(test, feature = "man"))]
        Call::Man(folder) => crate::man::write(&folder, terminal),
        Call::Help(generators) => {
            let mut command = command::command();
            // The usage line then starts with the name of the command.
            command.build();
            let help = generators.iter().filter_map(|generator| {
                let subcommand = command.find_subcommand_mut(generator.name)?;
                Some(styled(
                    &subcommand.render_long_help(),
                    terminal.product_has_color(),
                ))
            });
            let text = help.collect::<Vec<_>>().join("\n");
            terminal.product(&text)
        }
        Call::WhichMarkers { generators, detail } => reference::which_markers(&generators, detail, terminal),
        Call::Scaffold(call) => scaffold::run(&call, terminal),
        Call::Import(call) => import::run(*call, terminal),
    }
}

/// Returns the number of words after a subcommand that clap does not know, if there is one.
fn words_behind_unknown(command: &Command, matches: &ArgMatches) -> Option<usize> {
    let (name, inner) = matches.subcommand()?;
    match command.find_subcommand(name) {
        Some(known) => words_behind_unknown(known, inner),
        None => Some(inner.get_many::<OsString>("").map_or(0, Iterator::count)),
    }
}

/// Returns the display flags of arguments that clap rejected, as far as they can be parsed.
fn guess_terminal(arguments: &[OsString]) -> Terminal {
    let words: Vec<_> = arguments
        .iter()
        .map(|argument| argument.to_string_lossy())
        .collect();
    let given = |flag: &str, value: &str| {
        words.iter().any(|word| *word == format!("{flag}={value}"))
            || words
                .windows(2)
                .any(|pair| matches!(pair, [first, next] if first == flag && next == value))
    };
    let format = if given("--message-format", "json") {
        Format::Json
    } else if given("--message-format", "github") {
        Format::Github
    } else {
        Format::Human
    };
    let color = if given("--color", "always") {
        Color::Always
    } else if given("--color", "never") {
        Color::Never
    } else {
        Color::Auto
    };
    Terminal {
        format,
        color,
        ..Terminal::default()
    }
}

fn terminal(matches: &ArgMatches) -> Terminal {
    let word = |name: &str| {
        matches
            .get_one::<String>(name)
            .map(String::as_str)
            .unwrap_or_default()
    };
    Terminal {
        format: match word("message-format") {
            "json" => Format::Json,
            "github" => Format::Github,
            _ => Format::Human,
        },
        color: match word("color") {
            "always" => Color::Always,
            "never" => Color::Never,
            _ => Color::Auto,
        },
        quiet: matches.get_flag("quiet"),
        verbose: matches.get_flag("verbose"),
    }
}

fn call(matches: &ArgMatches, arguments: &[OsString]) -> Call {
    let text = |inner: &ArgMatches, name: &str| inner.get_one::<String>(name).cloned();
    match matches.subcommand() {
        Some(("markers", inner)) => Call::Markers {
            name: text(inner, "name"),
            format: match text(inner, "format").as_deref() {
                Some("json") => MarkerFormat::Json,
                Some("markdown") => MarkerFormat::Markdown,
                _ => MarkerFormat::Text,
            },
        },
        Some(("explain", inner)) => Call::Explain {
            code: text(inner, "code"),
        },
        Some(("completions", inner)) => {
            Call::Completions(inner.get_one::<Shell>("shell").copied().unwrap_or(Shell::Bash))
        }
        Some(("import", inner)) => Call::Import(Box::new(import::read(inner))),
        Some(("diff", inner)) => Call::Diff(Box::new(compare_command::diff_call(inner))),
        Some(("lint", inner)) => Call::Lint(Box::new(compare_command::lint_call(inner))),
        Some((name @ ("init" | "create" | "delete" | "update"), inner)) => {
            match scaffold_command::call(name, inner) {
                Some(call) => Call::Scaffold(Box::new(call)),
                // clap requires a missing subcommand, so this is not reached.
                None => Call::Run(run_call(matches, arguments)),
            }
        }
        Some(("version", _)) => Call::Version,
        Some(("watch", inner)) => {
            question(matches).unwrap_or_else(|| Call::Watch(run_call(matches, arguments), watch_flags(inner)))
        }
        #[cfg(any(test, feature = "man"))]
        Some(("man", inner)) => {
            let folder = inner.get_one::<PathBuf>("folder").cloned();
            Call::Man(std::path::absolute(folder.unwrap_or_default()).unwrap_or_default())
        }
        _ => question(matches).unwrap_or_else(|| Call::Run(run_call(matches, arguments))),
    }
}

fn watch_flags(matches: &ArgMatches) -> WatchFlags {
    let levels = [Some(matches), matches.subcommand().map(|(_, inner)| inner)];
    let levels = || levels.iter().flatten();
    let seconds = levels()
        .filter(|level| level.value_source("poll") == Some(ValueSource::CommandLine))
        .find_map(|level| level.try_get_one::<f64>("poll").ok().flatten())
        .copied();
    let seconds = seconds.filter(|seconds| *seconds > 0.0 && *seconds < 3600.0);
    WatchFlags {
        exec: levels().find_map(|level| level.try_get_one::<String>("exec").ok().flatten().cloned()),
        clear: levels().any(|level| level.try_get_one::<bool>("clear").ok().flatten() == Some(&true)),
        interval: std::time::Duration::from_secs_f64(seconds.unwrap_or(0.02)),
    }
}

/// Returns the call for help on generators in controller-gen's form: `kgen crd -w`, `kgen crd help`.
fn question(matches: &ArgMatches) -> Option<Call> {
    let mut names: Vec<String> = Vec::new();
    let mut detail = 0;
    let mut level = Some(matches);
    while let Some(matches) = level {
        let count = matches.try_get_one::<u8>(command::WHICH_MARKERS).ok().flatten();
        detail += count.copied().unwrap_or_default();
        let words = matches.try_get_many::<String>("words").ok().flatten();
        names.extend(words.into_iter().flatten().cloned());
        level = matches.subcommand().map(|(name, inner)| {
            names.push(name.to_owned());
            inner
        });
    }
    let generators = || -> Vec<_> {
        let first = |name: &String| Generator::find(name.split(':').next()?);
        names.iter().filter_map(first).collect()
    };
    if detail > 0 {
        let generators = generators();
        return Some(Call::WhichMarkers { generators, detail });
    }
    let asks_for_help = names.iter().any(|name| name == "help");
    (asks_for_help && !generators().is_empty()).then(|| Call::Help(generators()))
}

fn run_call(matches: &ArgMatches, arguments: &[OsString]) -> RunCall {
    // Flags are allowed at every level: `kgen --prune verify crd --all-features`.
    let mut levels = vec![matches];
    let mut names = Vec::new();
    while let Some((name, inner)) = levels.last().and_then(|level| level.subcommand()) {
        names.push(name);
        levels.push(inner);
    }
    let flag = |name: &str| {
        levels
            .iter()
            .any(|level| level.try_get_one::<bool>(name).ok().flatten() == Some(&true))
    };
    let list = |name: &str| -> Vec<String> {
        let values = levels
            .iter()
            .filter_map(|level| level.try_get_many::<String>(name).ok().flatten());
        values.flatten().cloned().collect()
    };
    let config = levels
        .iter()
        .find_map(|level| level.try_get_one::<PathBuf>("config").ok().flatten().cloned());
    let dry_run = flag("dry-run");
    let purpose = match names.first() {
        Some(&"verify") => Purpose::Verify { dry_run },
        Some(&"fix") => Purpose::Fix {
            dry_run,
            allow_dirty: flag("allow-dirty"),
        },
        #[cfg(feature = "lsp")]
        Some(&"lsp") => Purpose::Serve,
        _ if dry_run => Purpose::DryRun,
        _ => Purpose::Write,
    };
    let generator = names.last().and_then(|name| Generator::find(name));
    let mut words = list("words");
    if let Some(generator) = generator {
        words.insert(0, generator.name.to_owned());
    }
    let flags = generator
        .zip(levels.last())
        .map(|(generator, level)| generator_flags(generator, level));
    let one_off = !words.is_empty();
    RunCall {
        purpose,
        request: if one_off {
            Request::OneOff { words, flags }
        } else {
            Request::Project
        },
        config,
        prune: flag("prune"),
        keep_going: flag("keep-going"),
        timings: flag("timings"),
        features: FeatureChoice {
            features: list("features")
                .into_iter()
                .filter(|name| !name.is_empty())
                .collect(),
            all: flag("all-features"),
            no_default: flag("no-default-features"),
        },
        repair: repair(arguments, (!one_off).then_some("generate")),
        fix: repair(arguments, Some("fix")),
    }
}

fn generator_flags(generator: &'static Generator, matches: &ArgMatches) -> GeneratorFlags {
    let value = |option: &OptionDescription| {
        let name = option.name;
        Some(match option.value {
            OptionType::Boolean => OptionValue::Boolean(*matches.get_one::<bool>(name)?),
            OptionType::Integer => OptionValue::Integer(*matches.get_one::<i64>(name)?),
            OptionType::Text
            | OptionType::File
            | OptionType::Word(_)
            | OptionType::InTable(_)
            | OptionType::Contact(_) => OptionValue::Text(matches.get_one::<String>(name)?.clone()),
            OptionType::Words(_) | OptionType::Texts | OptionType::Contacts(_) => {
                OptionValue::Words(matches.get_many::<String>(name)?.cloned().collect())
            }
        })
    };
    GeneratorFlags {
        paths: matches
            .get_many::<PathBuf>("path")
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        folder: matches.get_one::<PathBuf>("out").cloned(),
        options: generator
            .options()
            .filter_map(|option| Some((option, value(option)?)))
            .collect(),
    }
}

/// Returns the command that does something else with the same arguments.
fn repair(arguments: &[OsString], subcommand: Option<&str>) -> String {
    let mut words = vec![command::NAME.to_owned()];
    words.extend(subcommand.map(str::to_owned));
    let mut rest = arguments
        .iter()
        .skip(1)
        .map(|argument| argument.to_string_lossy());
    while let Some(word) = rest.next() {
        match word.as_ref() {
            // Words that only affect the output, and the one that was inserted for clap.
            "verify" | "generate" | "fix" | "lsp" | "watch" | ARGUMENTS => {}
            "-q" | "--quiet" | "-v" | "--verbose" | "--dry-run" | "--allow-dirty" | "--timings" => {}
            "--message-format" | "--color" => {
                rest.next();
            }
            // Fixes are looked for in all kinds.
            "--keep-going" if subcommand == Some("fix") => {}
            word if word.starts_with("--message-format=") || word.starts_with("--color=") => {}
            word => words.push(quoted(word)),
        }
    }
    words.join(" ")
}

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use kgen_build::{GENERATORS, Options};

    use super::*;

    /// Returns the text of a flag and the value that it means.
    fn sample(option: &OptionDescription) -> (String, OptionValue) {
        match option.value {
            OptionType::Boolean => {
                let value = option.default() != Some(OptionValue::Boolean(true));
                (value.to_string(), OptionValue::Boolean(value))
            }
            OptionType::Integer => ("7".to_owned(), OptionValue::Integer(7)),
            OptionType::Text | OptionType::File | OptionType::InTable(_) | OptionType::Contact(_) => {
                ("other".to_owned(), OptionValue::Text("other".to_owned()))
            }
            OptionType::Word(words) => {
                let last = words.last().copied().unwrap_or_default().to_owned();
                (last.clone(), OptionValue::Text(last))
            }
            OptionType::Texts | OptionType::Contacts(_) => {
                ("other".to_owned(), OptionValue::Words(vec!["other".to_owned()]))
            }
            OptionType::Words(words) => {
                let last = words.last().copied().unwrap_or_default().to_owned();
                (last.clone(), OptionValue::Words(vec![last]))
            }
        }
    }

    #[test]
    fn a_flag_sets_the_field_of_its_option() {
        for generator in GENERATORS {
            for option in generator.options() {
                let (text, value) = sample(option);
                let flag = format!("--{}={text}", option.kebab_name());
                let arguments = [command::NAME, generator.name, &flag].map(OsString::from);
                let Ok((Call::Run(call), _)) = read(arguments.into()) else {
                    panic!("{flag} of {} is not understood", generator.name);
                };
                let Request::OneOff {
                    flags: Some(flags), ..
                } = call.request
                else {
                    panic!("{flag} of {} is lost", generator.name);
                };
                let (mut found, mut expected) = (Options::default(), Options::default());
                for (option, value) in flags.options {
                    option.write(&mut found, value);
                }
                option.write(&mut expected, value);
                assert_eq!(found, expected, "{flag} of {}", generator.name);
            }
        }
    }
}
