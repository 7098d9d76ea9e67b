//! `kgen import`: CRDs in, annotated Rust out.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, ValueHint};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kgen_build::import::{Import, ImportSource, Imported, Ownership};
use kgen_build::{
    ChangeAction, Cluster, Enums, ImportOptions, KubernetesTypes, Style, Versions, find_project_file,
    read_project_file,
};
use kgen_diagnostics::{Code, Problem};

use crate::terminal::{Exit, Terminal};

/// The folder of the result, unless the user names another one.
const DEFAULT_FOLDER: &str = "src/api";

/// A call of `kgen import`.
#[derive(Debug)]
pub(crate) struct ImportCall {
    sources: Vec<PathBuf>,
    /// A cluster, and the names of CRDs in it.
    cluster: Option<(Cluster, Vec<String>)>,
    out: PathBuf,
    options: ImportOptions,
    /// Whether the command line has the style.
    has_style: bool,
    force: bool,
    dry_run: bool,
    /// Mistakes in the arguments.
    mistakes: Vec<Problem>,
}

/// Describes `kgen import` for clap.
pub(crate) fn command() -> Command {
    let text = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    let choice = |name: &'static str, value: &'static str, words: &'static [&'static str]| {
        text(name, value).value_parser(PossibleValuesParser::new(words))
    };
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    Command::new("import")
        .about("Write annotated Rust types for the CRDs of others")
        .after_help(
            "The result belongs to you: files that you have edited are kept, unless --force is given.",
        )
        .arg(
            Arg::new("source")
                .value_name("SOURCE")
                .required_unless_present("cluster")
                .num_args(1..)
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::AnyPath)
                .help("File, folder with YAML or JSON files, or `-` for standard input"),
        )
        .arg(
            text("out", "DIR")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .default_value(DEFAULT_FOLDER)
                .help("Root of the module tree; `-` prints one file"),
        )
        .arg(
            text("cluster", "NAME")
                .num_args(0..)
                .action(ArgAction::Append)
                .conflicts_with("source")
                .help("Import these CRDs of a cluster, or all of them; needs kubectl"),
        )
        .arg(
            text("context", "CONTEXT")
                .requires("cluster")
                .help("Context of the cluster"),
        )
        .arg(
            text("kubeconfig", "FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .requires("cluster")
                .help("Configuration of the cluster"),
        )
        .arg(
            choice("style", "STYLE", Style::WORDS).help(
                "Kinds as whole structs, or with #[derive(CustomResource)]; the default is the style in kgen.toml, or kgen",
            ),
        )
        .arg(
            text("versions", "all|stored|NAMES")
                .default_value("all")
                .help("Versions to import, separated by commas"),
        )
        .arg(
            text("group", "GROUP")
                .action(ArgAction::Append)
                .help("Import only this group; may be repeated"),
        )
        .arg(
            text("kind", "KIND")
                .action(ArgAction::Append)
                .help("Import only this kind; may be repeated"),
        )
        .arg(
            choice("kubernetes-types", "WHEN", KubernetesTypes::WORDS)
                .default_value("exact")
                .help("Where to use types of k8s-openapi"),
        )
        .arg(
            choice("enums", "FORM", Enums::WORDS)
                .default_value("closed")
                .help("The representation of enumerations"),
        )
        .arg(
            text("name", "PATH=NAME")
                .action(ArgAction::Append)
                .help("Name the type at a path, such as Kind.spec.template[]=Template"),
        )
        .arg(
            text("type", "PATH=TYPE")
                .action(ArgAction::Append)
                .help("Use a Rust type of your own at a path, such as Kind.spec.size=crate::Size"),
        )
        .arg(
            text("derive", "LIST")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .default_value("PartialEq")
                .help("Additional derives of all structs and enums"),
        )
        .arg(flag("no-docs").help("Leave out comments; descriptions are kept in markers"))
        .arg(flag("lenient").help("Accept any value where a schema is not structural"))
        .arg(flag("force").help("Replace files that were edited"))
        .arg(flag("dry-run").help("Print the plan, and write nothing"))
}

/// Reads the arguments.
pub(crate) fn read(matches: &ArgMatches) -> ImportCall {
    let texts = |name: &str| -> Vec<String> {
        matches
            .get_many::<String>(name)
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    };
    let text = |name: &str| {
        matches
            .get_one::<String>(name)
            .map(String::as_str)
            .unwrap_or_default()
    };
    let mut mistakes = Vec::new();
    let mut pairs = |name: &str| -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for text in texts(name) {
            match ImportOptions::pair(&text) {
                Some(pair) => pairs.push(pair),
                None => mistakes.push(
                    Problem::general(
                        Code::Usage,
                        format!("`--{name} {text}` does not have the form `PATH=…`"),
                    )
                    .help(ImportOptions::PAIR_HELP),
                ),
            }
        }
        pairs
    };
    let (names, types) = (pairs("name"), pairs("type"));
    let options = ImportOptions {
        style: Style::from_word(text("style")).unwrap_or_default(),
        kubernetes_minor: None,
        versions: Versions::from_words(
            text("versions")
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect(),
        ),
        groups: texts("group"),
        kinds: texts("kind"),
        kubernetes_types: KubernetesTypes::from_word(text("kubernetes-types")).unwrap_or_default(),
        enums: Enums::from_word(text("enums")).unwrap_or_default(),
        names,
        types,
        derives: texts("derive")
            .into_iter()
            .filter(|derive| !derive.is_empty())
            .collect(),
        docs: !matches.get_flag("no-docs"),
        lenient: matches.get_flag("lenient"),
    };
    ImportCall {
        sources: matches
            .get_many::<PathBuf>("source")
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        cluster: matches.contains_id("cluster").then(|| {
            let cluster = Cluster {
                context: matches.get_one::<String>("context").cloned(),
                kubeconfig: matches.get_one::<PathBuf>("kubeconfig").cloned(),
            };
            (cluster, texts("cluster"))
        }),
        out: matches
            .get_one::<PathBuf>("out")
            .cloned()
            .unwrap_or_else(|| DEFAULT_FOLDER.into()),
        options,
        has_style: matches.contains_id("style"),
        force: matches.get_flag("force"),
        dry_run: matches.get_flag("dry-run"),
        mistakes,
    }
}

/// Carries out the call.
pub(crate) fn run(call: ImportCall, terminal: Terminal) -> Exit {
    if let Some(mistake) = call.mistakes.into_iter().next() {
        return terminal.problem(mistake);
    }
    let working_folder = match std::env::current_dir() {
        Ok(folder) => folder,
        Err(error) => {
            let message = format!("cannot determine the current folder: {error}");
            return terminal.problem(Problem::general(Code::Io, message));
        }
    };
    let mut sources = Vec::with_capacity(call.sources.len());
    for path in call.sources {
        if path.as_os_str() != "-" {
            sources.push(ImportSource::Path(path));
            continue;
        }
        let text = match kgen_build::read_standard_input() {
            Ok(text) => text,
            Err(error) => {
                let message = format!("cannot read standard input: {error}");
                return terminal.problem(Problem::general(Code::Unreadable, message));
            }
        };
        sources.push(ImportSource::Text {
            name: "standard input".to_owned(),
            text,
        });
    }
    if let Some((cluster, names)) = &call.cluster {
        match cluster.definitions(names) {
            Ok(text) => sources.push(ImportSource::Text {
                name: "cluster".to_owned(),
                text,
            }),
            Err(problem) => return terminal.problem(problem),
        }
    }
    let mut options = call.options;
    if !call.has_style {
        options.style = project_style(&working_folder).unwrap_or_default();
    }
    let is_printed = call.out.as_os_str() == "-";
    let import = Import {
        working_folder,
        sources,
        out: (!is_printed).then_some(call.out),
        options,
        ownership: if call.force {
            Ownership::Force
        } else {
            Ownership::User
        },
        searched: Vec::new(),
    };
    let imported = import.plan();
    terminal.findings(&imported.report.findings);
    if imported.report.has_errors() {
        return imported.report.verdict().into();
    }
    if is_printed {
        return terminal.product(&imported.report.standard_output);
    }
    if !call.dry_run
        && let Err(findings) = imported.report.plan.carry_out()
    {
        terminal.findings(&[findings]);
        return Exit::Failure;
    }
    terminal.remark(&summary(&imported, call.dry_run));
    Exit::Fine
}

/// Returns the style of the project around a folder. A mistake in its file is not one of the import.
fn project_style(folder: &Path) -> Option<Style> {
    let file = find_project_file(folder)?;
    let configuration = read_project_file(&file, folder).ok()?;
    Style::from_word(&configuration.project?.style)
}

/// Says what was written, and which crates the result needs.
fn summary(imported: &Imported, dry_run: bool) -> String {
    let mut text = String::new();
    for change in imported.report.plan.differences() {
        let word = match (&change.action, dry_run) {
            (ChangeAction::Create { .. }, true) => "would create",
            (ChangeAction::Create { .. }, false) => "created",
            (_, true) => "would change",
            (_, false) => "changed",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{word} {}", change.name);
    }
    let count = |count: usize, what: &str| {
        let ending = if count == 1 { "" } else { "s" };
        format!("{count} {what}{ending}")
    };
    let _ = writeln!(
        text,
        "imported {} with {}",
        count(imported.definitions, "CRD"),
        count(imported.kinds, "version"),
    );
    let _ = writeln!(text, "the result needs {}", imported.crates.join(", "));
    text
}
