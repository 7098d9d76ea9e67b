//! `kgen init`, `kgen create`, `kgen delete` and `kgen update` for clap, and the parsed arguments.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, ValueHint};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kgen_diagnostics::{Code, Problem};
use kgen_scaffold::{
    ApiOptions, DeleteOptions, Foreign, FromOptions, InitOptions, KgenSource, License, Style, Subject,
    WebhookOptions,
};

use crate::scaffold::{ScaffoldCall, SourceChoice, What};

/// Describes `kgen init`.
pub(crate) fn init() -> Command {
    Command::new("init")
        .about("Create an operator project")
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .default_value(".")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("Folder of the project, which must be new, empty or a fresh clone"),
        )
        .arg(
            text("domain", "DOMAIN")
                .required_unless_present("from")
                .help("Domain of the API groups, such as example.com"),
        )
        .arg(
            text("from", "FOLDER")
                .conflicts_with("domain")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("Start from a kubebuilder or operator-sdk project in Go: its kinds, role, webhooks and config"),
        )
        .arg(text("name", "NAME").help("Name of the project [default: the name of the folder, or of the project in Go]"))
        .arg(
            Arg::new("style")
                .long("style")
                .value_name("STYLE")
                .value_parser(PossibleValuesParser::new(["kgen", "kube"]))
                .default_value("kgen")
                .help("How to write kinds: whole structs and generated clients, or #[derive(CustomResource)] and kube's Controller"),
        )
        .arg(
            Arg::new("kgen-source")
                .long("kgen-source")
                .value_name("registry|path=…|git=…")
                .value_parser(|text: &str| {
                    KgenSource::parse(text).ok_or("write `registry`, `path=FOLDER` or `git=ADDRESS`")
                })
                .help("Source of kgen-runtime [default: the checkout that this kgen was built from; the registry for a release]"),
        )
        .arg(
            text("license", "LICENSE")
                .conflicts_with("from")
                .value_parser(PossibleValuesParser::new(["apache2", "mit", "copyright", "none"]))
                .help("Begin source files with this license, in hack/boilerplate.rs.txt [default: none]"),
        )
        .arg(
            text("owner", "NAME")
                .conflicts_with("from")
                .help("Owner of the copyright in source files [default: the authors of the project, if there is a license]"),
        )
        .args(common())
        .mut_arg("name", |name| name.alias("project-name"))
        .args(ignored(IGNORED_BY_INIT))
}

/// Describes `kgen create`.
pub(crate) fn create() -> Command {
    Command::new("create")
        .about("Add a kind or a webhook to a project")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(api())
        .subcommand(webhook())
}

/// Describes `kgen delete`.
pub(crate) fn delete() -> Command {
    let part = |name: &'static str, about: &'static str| {
        Command::new(name).about(about).args(kind(true)).arg(
            flag("dry-run").help("Show the files as a tree and changes as a diff, without removing anything"),
        )
    };
    Command::new("delete")
        .about("Remove a kind or a webhook from a project; edited files are kept")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(part(
            "api",
            "Remove a version of a kind, and with the last version its controller and RBAC roles",
        ))
        .subcommand(part("webhook", "Remove the admission webhooks of a kind"))
}

/// Describes `kgen update`.
pub(crate) fn update() -> Command {
    Command::new("update")
        .about("Merge the changes of this kgen into the files that `kgen init` and `kgen create` wrote")
        .arg(flag("dry-run").help("Show the files as a tree and changes as a diff, without writing anything"))
}

fn api() -> Command {
    Command::new("api")
        .about("Add a kind or a version: types, controller, RBAC roles, a sample and all generated files")
        .args(kind(false))
        .arg(
            text("plural", "PLURAL")
                .requires("group")
                .help("Lowercase plural [default: derived from the kind]"),
        )
        .arg(
            text("short", "NAMES")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help("Short names for kubectl"),
        )
        .arg(flag("cluster").help("Make the kind cluster-scoped"))
        .arg(flag("no-controller").help("Do not write a controller"))
        .arg(flag("no-types").help("Write a controller for types that already exist"))
        .args(
            external().map(|argument| {
                argument.conflicts_with_all(["short", "cluster", "no-controller", "no-types"])
            }),
        )
        .args(common())
        .arg(kubebuilder("resource").conflicts_with("no-types"))
        .arg(kubebuilder("controller").conflicts_with("no-controller"))
        .arg(kubebuilder("namespaced").conflicts_with_all(["external", "cluster"]))
        .args(ignored(IGNORED_BY_CREATE))
}

fn webhook() -> Command {
    Command::new("webhook")
        .about("Add webhooks for a kind: handlers, service, certificate and manifests")
        .args(kind(true))
        .arg(text("plural", "PLURAL").help("Lowercase plural [default: taken from the types]"))
        .arg(flag("defaulting").help("Add a mutating webhook that sets defaults"))
        .arg(
            flag("validation")
                .alias("programmatic-validation")
                .help("Add a validating webhook"),
        )
        .arg(flag("conversion").help("Add the conversion between the versions of the kind"))
        .args(external())
        .args(common())
        .arg(
            Arg::new("spoke")
                .long("spoke")
                .hide(true)
                .value_name("VERSIONS")
                .value_parser(|_: &str| Err::<String, _>(NO_SPOKES)),
        )
        .args(ignored(IGNORED_BY_CREATE))
}

/// Describes the arguments that name the type of a kind of others.
fn external() -> [Arg; 2] {
    [
        text("external", "PATH").alias("external-api-path").help(
            "Path of the Rust type of a kind that this project does not define: k8s_openapi::api::apps::v1::Deployment, or \
             with its whole group, cert_manager::v1::Certificate",
        ),
        text("external-domain", "DOMAIN")
            .alias("external-api-domain")
            .requires_all(["external", "group"])
            .help("Domain of the group of that kind, if `--group` leaves it out"),
    ]
}

/// The answer to a flag of kubebuilder that has no counterpart.
const NO_SPOKES: &str =
    "no version is a spoke: each version is converted to its neighbors, so leave out `--spoke`";

/// Describes a switch of kubebuilder that corresponds to a flag of kgen.
fn kubebuilder(name: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .hide(true)
        .value_name("BOOLEAN")
        .value_parser(value_parser!(bool))
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("true")
}

/// Flags of kubebuilder that are ignored here, each with the reason.
type Ignored = &'static [(&'static str, &'static str)];

const IGNORED_BY_INIT: Ignored = &[
    (
        "repo",
        "a Rust project has no module path; `--name` names the package",
    ),
    (
        "plugins",
        "kgen has one layout; `--style` chooses how to write kinds",
    ),
    (
        "project-version",
        "kgen has one layout; `--style` chooses how to write kinds",
    ),
];

const IGNORED_BY_CREATE: Ignored = &[
    ("make", "`kgen create` always runs the generators"),
    (
        "external-api-module",
        "`Cargo.toml` says which version of a dependency is used",
    ),
];

fn ignored(flags: Ignored) -> impl Iterator<Item = Arg> {
    flags.iter().map(|(name, _)| {
        Arg::new(*name)
            .long(*name)
            .hide(true)
            .value_name("TEXT")
            .num_args(0..=1)
            .default_missing_value("")
    })
}

/// Returns notes about the given flags that are ignored.
fn notes(flags: Ignored, matches: &ArgMatches) -> Vec<Problem> {
    let given = flags.iter().filter(|(name, _)| matches.contains_id(name));
    let note = |(name, why): &(&str, &str)| {
        Problem::note(Code::Usage, format!("kubebuilder's `--{name}` has no effect")).help(*why)
    };
    given.map(note).collect()
}

/// Describes the arguments that name a kind; `always` makes all of them required.
fn kind(always: bool) -> [Arg; 3] {
    [
        ("group", "GROUP", "API group without the domain, such as webapp"),
        ("version", "VERSION", "API version, such as v1 or v1alpha1"),
        ("kind", "KIND", "Kind, such as Guestbook"),
    ]
    .map(|(name, value, help)| {
        let argument = text(name, value).help(help);
        if always {
            argument.required(true)
        } else {
            argument.required_unless_present("external").requires_all(
                ["group", "version", "kind"]
                    .into_iter()
                    .filter(|other| *other != name),
            )
        }
    })
}

fn common() -> [Arg; 2] {
    [
        flag("dry-run").help("Show new files as a tree and changes as a diff, without writing anything"),
        Arg::new("force")
            .long("force")
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath)
            .help("Replace this file, relative to the folder of the project; may be repeated"),
    ]
}

fn text(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

/// Returns the parsed arguments.
pub(crate) fn call(name: &str, matches: &ArgMatches) -> Option<ScaffoldCall> {
    let (what, matches, ignored) = match (name, matches.subcommand()) {
        ("init", _) => {
            let what = init_options(matches)?;
            (what, matches, IGNORED_BY_INIT)
        }
        ("update", _) => (What::Update, matches, &[][..]),
        ("delete", Some(("api", matches))) => (What::WithoutApi(delete_options(matches)?), matches, &[][..]),
        ("delete", Some(("webhook", matches))) => {
            (What::WithoutWebhook(delete_options(matches)?), matches, &[][..])
        }
        (_, Some(("api", matches))) => (What::Api(api_options(matches)?), matches, IGNORED_BY_CREATE),
        (_, Some(("webhook", matches))) => (
            What::Webhook(webhook_options(matches)?),
            matches,
            IGNORED_BY_CREATE,
        ),
        _ => return None,
    };
    Some(ScaffoldCall {
        what,
        dry_run: matches.get_flag("dry-run"),
        notes: notes(ignored, matches),
    })
}

fn init_options(matches: &ArgMatches) -> Option<What> {
    let given = matches.get_one::<KgenSource>("kgen-source").cloned();
    let choice = if given.is_some() {
        SourceChoice::Users
    } else {
        SourceChoice::Ours
    };
    let folder = matches.get_one::<PathBuf>("folder")?.clone();
    let name = word(matches, "name");
    let style = word(matches, "style").and_then(|style| Style::of(&style))?;
    let source = given.unwrap_or_else(KgenSource::of_this_kgen);
    let force = force(matches);
    if let Some(from) = matches.get_one::<PathBuf>("from").cloned() {
        let options = FromOptions {
            folder,
            from,
            name,
            style,
            source,
            force,
        };
        return Some(What::From(options, choice));
    }
    let options = InitOptions {
        folder,
        domain: word(matches, "domain")?,
        name,
        style,
        source,
        license: license(matches),
        force,
    };
    Some(What::Project(options, choice))
}

fn license(matches: &ArgMatches) -> Option<License> {
    let owner = word(matches, "owner");
    let license = word(matches, "license").or_else(|| owner.as_ref().map(|_| "copyright".to_owned()))?;
    License::of(&license, owner)
}

fn api_options(matches: &ArgMatches) -> Option<ApiOptions> {
    let is_off = |name: &str| matches.get_one::<bool>(name) == Some(&false);
    let subject = match (foreign(matches), word(matches, "group")) {
        (Some(foreign), None) => Subject::External(foreign.path),
        (Some(foreign), Some(group)) => Subject::Foreign {
            group,
            version: word(matches, "version")?,
            kind: word(matches, "kind")?,
            plural: word(matches, "plural"),
            foreign,
        },
        (None, _) => Subject::Own {
            group: word(matches, "group")?,
            version: word(matches, "version")?,
            kind: word(matches, "kind")?,
            plural: word(matches, "plural"),
            shorts: matches
                .get_many::<String>("short")
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            cluster: matches.get_flag("cluster") || is_off("namespaced"),
            no_types: matches.get_flag("no-types") || is_off("resource"),
        },
    };
    Some(ApiOptions {
        subject,
        no_controller: matches.get_flag("no-controller") || is_off("controller"),
        force: force(matches),
    })
}

fn foreign(matches: &ArgMatches) -> Option<Foreign> {
    Some(Foreign {
        path: word(matches, "external")?,
        domain: word(matches, "external-domain"),
    })
}

fn webhook_options(matches: &ArgMatches) -> Option<WebhookOptions> {
    Some(WebhookOptions {
        group: word(matches, "group")?,
        version: word(matches, "version")?,
        kind: word(matches, "kind")?,
        plural: word(matches, "plural"),
        defaulting: matches.get_flag("defaulting"),
        validation: matches.get_flag("validation"),
        conversion: matches.get_flag("conversion"),
        foreign: foreign(matches),
        force: force(matches),
    })
}

fn delete_options(matches: &ArgMatches) -> Option<DeleteOptions> {
    Some(DeleteOptions {
        group: word(matches, "group")?,
        version: word(matches, "version")?,
        kind: word(matches, "kind")?,
    })
}

fn word(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.get_one::<String>(name).cloned()
}

fn force(matches: &ArgMatches) -> Vec<PathBuf> {
    matches
        .get_many::<PathBuf>("force")
        .into_iter()
        .flatten()
        .cloned()
        .collect()
}
