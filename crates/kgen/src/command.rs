//! The arguments of `kgen`, for clap. Generators and their options come from the table of `kgen-build`.

use std::ffi::OsString;

use clap::builder::styling::{AnsiColor, Style, Styles};
use clap::builder::{PossibleValuesParser, ValueHint};
use clap::{Arg, ArgAction, Command, value_parser};
use clap_complete::{ArgValueCandidates, ArgValueCompleter, Shell};
use kgen_build::{GENERATORS, Generator, OptionDescription, OptionType};

use crate::{compare_command, completion, import, scaffold_command, version};

/// The name of the command.
pub(crate) const NAME: &str = "kgen";

/// controller-gen's flag that shows markers.
pub(crate) const WHICH_MARKERS: &str = "which-markers";

/// The hidden subcommand behind which arguments in controller-gen's form are read together with flags.
pub(crate) const ARGUMENTS: &str = "arguments";

const ABOUT: &str = "Generates CRDs, RBAC roles, webhook configurations and Rust code for a Kubernetes operator from its annotated types";

const USAGE: &str =
    "kgen [FLAGS] GENERATOR[:option=value,…]… [paths=…] [output:…]\n       kgen [FLAGS] COMMAND";

const SHORT_AFTER_HELP: &str = "`kgen --help` also shows the arguments in controller-gen's form.";

const AFTER_HELP: &str = "\
Arguments in controller-gen's form:
  GENERATOR[:option=value,…]   run a generator: `crd`, `crd:maxDescLen=0,allowDangerousTypes=true`
  paths=a;b                    files and folders to read; the default is the current folder
  output:dir=FOLDER            write all files there; the default is config/crd, config/rbac, …
  output:GENERATOR:dir=FOLDER  write the files of one generator there
  output:stdout, output:none   print the files; only check the source
  output:artifacts:config=FOLDER[,code=FOLDER]
                               write manifests and Rust code to separate folders
  -w, help                     after a generator: show its markers; show its help

Exit codes: 0 success; 1 problems in the input, or drift; 2 usage, configuration or I/O errors.";

/// The colors of help, as in cargo.
const STYLES: Styles = Styles::styled()
    .header(HEADER)
    .usage(HEADER)
    .literal(LITERAL)
    .placeholder(AnsiColor::Cyan.on_default());

const HEADER: Style = AnsiColor::Green.on_default().bold();

const LITERAL: Style = AnsiColor::Cyan.on_default().bold();

/// Returns the whole command, for completions, manual pages and the help of generators.
pub(crate) fn command() -> Command {
    command_for(&|_| true)
}

/// Returns the whole command with the arguments in controller-gen's form, which completions suggest wherever they may
/// be.
pub(crate) fn completed_command() -> Command {
    // Plain generators are subcommands there, which clap suggests itself.
    let with_words = |command: Command| {
        command.arg(words().add(ArgValueCompleter::new(completion::words_beside_subcommands)))
    };
    ["generate", "verify", "fix"]
        .into_iter()
        .fold(with_words(command()), |command, name| {
            command.mut_subcommand(name, with_words)
        })
}

/// Creates the command with the flags of the called subcommands only. Creating all flags takes longer than reading a
/// small API.
fn command_for(is_called: &dyn Fn(&str) -> bool) -> Command {
    let root = Command::new(NAME)
        .version(version::SHORT)
        .long_version(version::long())
        .styles(STYLES)
        .about(ABOUT)
        .override_usage(USAGE)
        .after_help(SHORT_AFTER_HELP)
        .after_long_help(AFTER_HELP)
        .arg_required_else_help(true)
        .allow_external_subcommands(true)
        .args(run_flags())
        .args(display_flags());
    let generate = Command::new("generate")
        .about("Generate everything that kgen.toml lists")
        .override_usage("kgen generate [FLAGS]\n       kgen generate [FLAGS] ARGUMENTS…")
        .disable_help_subcommand(true)
        .after_help("With arguments, `generate` can be left out.");
    let verify = Command::new("verify")
        .about("Check that generated files match their source, without writing anything")
        .override_usage("kgen verify [FLAGS]\n       kgen verify [FLAGS] ARGUMENTS…")
        .disable_help_subcommand(true)
        .after_help("Without arguments, checks the files that kgen.toml lists; with the arguments of a run, the files that it would write.");
    let fix = Command::new("fix")
        .about("Apply machine-applicable suggestions to the source")
        .override_usage("kgen fix [FLAGS]\n       kgen fix [FLAGS] ARGUMENTS…")
        .disable_help_subcommand(true)
        .after_help(
            "Without arguments, fixes the source that kgen.toml names; with the arguments of a run, the source of that run.\n\
             With --dry-run, prints the changes as a diff. Generated files are not written.",
        );
    let watch = Command::new("watch")
        .about("Generate again whenever the source changes")
        .override_usage("kgen watch [FLAGS]\n       kgen watch [FLAGS] ARGUMENTS…")
        .disable_help_subcommand(true)
        .after_help("Without arguments, generates everything that kgen.toml lists. Ctrl-C ends it.");
    #[cfg(feature = "lsp")]
    let lsp = Command::new("lsp")
        .about("Run the language server for editors, on standard input and output")
        .override_usage("kgen lsp [FLAGS]\n       kgen lsp [FLAGS] ARGUMENTS…")
        .disable_help_subcommand(true)
        .after_help("Without arguments, serves the projects of the workspace; with the arguments of a run, the source of that run.");
    let of_a_run = |command: Command| {
        if is_called(command.get_name()) {
            let is_verify = command.get_name() == "verify";
            let is_fix = command.get_name() == "fix";
            let has_stages = !["fix", "lsp"].contains(&command.get_name());
            let command = command.args(run_flags()).allow_external_subcommands(true);
            // The flag is refused there, with a reason.
            let command = command.mut_arg("dry-run", |flag| flag.hide(is_verify));
            // Fixes are looked for in all kinds anyway.
            let command = command.mut_arg("keep-going", |flag| flag.hide(is_fix));
            let command = command.mut_arg("timings", |flag| flag.hide(!has_stages));
            with_generators(command, is_called)
        } else {
            command
        }
    };
    let root = with_generators(root, is_called);
    #[cfg(feature = "lsp")]
    let root = root.subcommand(of_a_run(lsp));
    #[cfg(any(test, feature = "man"))]
    let root = root.subcommand(man());
    root.subcommand(of_a_run(generate))
        .subcommand(of_a_run(verify))
        .subcommand(of_a_run(fix).arg(allow_dirty()))
        .subcommand(of_a_run(watch).args(watch_flags()))
        .subcommand(compare_command::diff())
        .subcommand(compare_command::lint())
        .subcommand(scaffold_command::init())
        .subcommand(scaffold_command::create())
        .subcommand(scaffold_command::delete())
        .subcommand(scaffold_command::update())
        .subcommand(import::command())
        .subcommand(markers())
        .subcommand(explain())
        .subcommand(completions())
        .subcommand(
            Command::new("version")
                .about("Show the version, the commit and the supported Kubernetes versions"),
        )
}

/// Returns the command as `arguments` are read: with the hidden subcommand wherever generators may be named.
pub(crate) fn reader(arguments: &[OsString]) -> Command {
    let is_called = |name: &str| arguments.iter().any(|argument| argument == name);
    let command = command_for(&is_called);
    #[cfg(feature = "lsp")]
    let command = command.mut_subcommand("lsp", |lsp| lsp.subcommand(words_and_flags()));
    command
        .subcommand(words_and_flags())
        .mut_subcommand("generate", |generate| generate.subcommand(words_and_flags()))
        .mut_subcommand("verify", |verify| verify.subcommand(words_and_flags()))
        .mut_subcommand("watch", |watch| {
            let watch = watch.subcommand(words_and_flags());
            let inner: Vec<String> = watch
                .get_subcommands()
                .map(|inner| inner.get_name().to_owned())
                .collect();
            inner.into_iter().fold(watch, |watch, name| {
                watch.mut_subcommand(name, |inner| inner.args(watch_flags()))
            })
        })
        .mut_subcommand("fix", |fix| {
            let fix = fix.subcommand(words_and_flags());
            let of_fix: Vec<String> = fix
                .get_subcommands()
                .map(|inner| inner.get_name().to_owned())
                .collect();
            // The flag may be behind the arguments, too.
            of_fix.into_iter().fold(fix, |fix, name| {
                fix.mut_subcommand(name, |inner| inner.arg(allow_dirty()))
            })
        })
}

/// Returns the flags that only `kgen watch` has.
fn watch_flags() -> [Arg; 3] {
    let flag = |name: &'static str| Arg::new(name).long(name).help_heading("Flags of a run");
    [
        flag("exec")
            .value_name("COMMAND")
            .help("Run this command of the shell after a run that changed files; a newer change stops it"),
        flag("clear")
            .action(ArgAction::SetTrue)
            .help("Clear the terminal before each run"),
        flag("poll")
            .value_name("SECONDS")
            .value_parser(value_parser!(f64))
            .default_value("0.02")
            .help("How often to look for changes"),
    ]
}

/// Returns the flag that only `kgen fix` has.
fn allow_dirty() -> Arg {
    Arg::new("allow-dirty")
        .long("allow-dirty")
        .action(ArgAction::SetTrue)
        .help_heading("Flags of a run")
        .help("Also change files that git cannot restore")
}

/// Adds a subcommand for each generator.
fn with_generators(command: Command, is_called: &dyn Fn(&str) -> bool) -> Command {
    let subcommands = GENERATORS.iter().map(|generator| {
        let subcommand = Command::new(generator.name).about(generator.help);
        if is_called(generator.name) {
            with_flags(subcommand, generator)
        } else {
            subcommand
        }
    });
    subcommands.fold(command, Command::subcommand)
}

fn words_and_flags() -> Command {
    Command::new(ARGUMENTS)
        .hide(true)
        .about(ABOUT)
        .override_usage("kgen [FLAGS] GENERATOR[:option=value,…]… [paths=…] [output:…]")
        .after_help(SHORT_AFTER_HELP)
        .after_long_help(AFTER_HELP)
        .args(run_flags())
        .arg(words().required(true))
}

fn with_flags(command: Command, generator: &'static Generator) -> Command {
    command
        .arg(
            Arg::new("path")
                .long("path")
                .value_name("PATH")
                .action(ArgAction::Append)
                .value_parser(value_parser!(std::path::PathBuf))
                .value_hint(ValueHint::AnyPath)
                .help("File or folder to read; may be repeated [default: the current folder]"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FOLDER")
                .value_parser(value_parser!(std::path::PathBuf))
                .value_hint(ValueHint::DirPath)
                .help(format!(
                    "Folder to write to, or `-` for standard output [default: {}]",
                    generator.default_folder
                )),
        )
        .args(generator.options().map(option))
        .args(run_flags())
        .arg(words())
}

fn option(option: &'static OptionDescription) -> Arg {
    let name = option.kebab_name();
    let help = match option.default_text() {
        Some(default) => format!("{} [default: {default}]", option.help),
        None => option.help.to_owned(),
    };
    let flag = Arg::new(option.name)
        .long(name)
        .help(help)
        .help_heading("Options of this generator");
    match option.value {
        OptionType::Boolean => flag
            .value_name("BOOLEAN")
            .value_parser(value_parser!(bool))
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .hide_possible_values(true),
        OptionType::Integer => flag
            .value_name("NUMBER")
            .value_parser(value_parser!(i64))
            .allow_negative_numbers(true),
        OptionType::Text | OptionType::InTable(_) => flag.value_name("STRING"),
        OptionType::Contact(_) => flag.value_name("NAME <ADDRESS>"),
        OptionType::Contacts(_) => flag.value_name("NAME <ADDRESS>").action(ArgAction::Append),
        OptionType::Texts => flag
            .value_name("STRING")
            .value_delimiter(',')
            .action(ArgAction::Append),
        OptionType::File => flag.value_name("FILE").value_hint(ValueHint::FilePath),
        OptionType::Word(words) => flag
            .value_name("WORD")
            .value_parser(PossibleValuesParser::new(words))
            .hide_possible_values(true),
        OptionType::Words(words) => flag
            .value_name("WORD")
            .value_parser(PossibleValuesParser::new(words))
            .value_delimiter(',')
            .action(ArgAction::Append)
            .hide_possible_values(true),
    }
}

fn words() -> Arg {
    Arg::new("words")
        .value_name("ARGUMENT")
        .num_args(0..)
        .add(ArgValueCompleter::new(completion::words))
        .help("More arguments in controller-gen's form: generators, paths=…, output:…")
}

/// Flags of every call that reads source.
fn run_flags() -> Vec<Arg> {
    let flag = |name: &'static str| {
        Arg::new(name)
            .long(name)
            .action(ArgAction::SetTrue)
            .help_heading("Flags of a run")
    };
    vec![
        flag("dry-run").help("Print the files that would be written and removed, without writing anything"),
        flag("prune")
            .help("Remove generated files that are no longer produced")
            .long_help("Remove generated files that are no longer produced; always on with kgen.toml"),
        flag("keep-going")
            .help("Write the manifests of the kinds without errors even if other kinds have errors")
            .long_help(
                "Write the manifests of the kinds without errors even if other kinds have errors. Exits with 1, removes no files, and writes no Rust code. An error that does not belong to a kind still stops the run",
            ),
        flag("timings").help("Print how long each stage of the run took, and how much it read and wrote"),
        Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(value_parser!(std::path::PathBuf))
            .value_hint(ValueHint::FilePath)
            .help_heading("Flags of a run")
            .help("Read this file instead of the nearest kgen.toml"),
        Arg::new("features")
            .long("features")
            .value_name("NAMES")
            .value_delimiter(',')
            .action(ArgAction::Append)
            .help_heading("Flags of a run")
            .help("Cargo features to enable in addition to the default ones"),
        flag("all-features").help("Enable all Cargo features"),
        flag("no-default-features").help("Disable the default Cargo features"),
        Arg::new(WHICH_MARKERS)
            .short('w')
            .action(ArgAction::Count)
            .help_heading("Flags of a run")
            .help("Show the markers that the generators read, without writing anything")
            .long_help(
                "Show the markers that the generators read, without writing anything; -ww shows them in full, -wwww as JSON",
            ),
    ]
}

/// Flags of every call.
fn display_flags() -> Vec<Arg> {
    let flag = |name: &'static str| {
        Arg::new(name)
            .long(name)
            .global(true)
            .help_heading("Flags of every command")
    };
    vec![
        flag("message-format")
            .value_name("FORMAT")
            .value_parser(PossibleValuesParser::new(["human", "json", "github"]))
            .default_value("human")
            .help("Format of problems")
            .long_help(
                "Format of problems: text on standard error, one JSON object per line on standard output, or annotations of a GitHub workflow",
            ),
        flag("color")
            .value_name("WHEN")
            .value_parser(PossibleValuesParser::new(["auto", "always", "never"]))
            .default_value("auto")
            .help("When to use colors")
            .long_help(
                "When to use colors. `auto` follows the terminal, NO_COLOR, CLICOLOR and CLICOLOR_FORCE",
            ),
        flag("quiet")
            .short('q')
            .action(ArgAction::SetTrue)
            .help("Show only warnings and errors"),
        flag("verbose")
            .short('v')
            .action(ArgAction::SetTrue)
            .conflicts_with("quiet")
            .help("List the files that were written"),
    ]
}

fn markers() -> Command {
    Command::new("markers")
        .about("List the markers that kgen reads from comments, or show one in full")
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .add(ArgValueCandidates::new(completion::markers))
                .help("A marker, a family such as `validation`, or a prefix"),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(["text", "json", "markdown"]))
                .default_value("text")
                .help("Output format"),
        )
}

fn explain() -> Command {
    Command::new("explain")
        .about("Explain a diagnostic with an example and a fix; without a code, list all")
        .arg(
            Arg::new("code")
                .value_name("CODE")
                .add(ArgValueCandidates::new(completion::codes))
                .help("The word in brackets, such as `unknown-marker`"),
        )
}

/// Writes the manual pages, for packaging.
#[cfg(any(test, feature = "man"))]
fn man() -> Command {
    Command::new("man")
        .hide(true)
        .about("Write the manual pages to a folder")
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .required(true)
                .value_parser(value_parser!(std::path::PathBuf)),
        )
}

fn completions() -> Command {
    Command::new("completions")
        .about("Print the completion script for a shell")
        .after_help(
            "The script asks `kgen` for its options, markers and codes:\n  source <(kgen completions bash)",
        )
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("Shell to complete for"),
        )
}
