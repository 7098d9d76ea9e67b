//! `kgen create webhook`: adds the code of admission webhooks. The manifests and the conversion have their own modules.

use std::path::{Path, PathBuf};

use kgen_build::Findings;
use kgen_diagnostics::{Code, Problem, Problems, nearest};
use minijinja::context;

use crate::api::{add_modules, can_test, create};
use crate::draft::{Draft, Present, Refusal, Scaffold};
use crate::edit::rust;
use crate::examples::Example;
use crate::external::{External, Foreign};
use crate::kind::Kind;
use crate::kinds::{Given, Kinds};
use crate::project::Found;
use crate::render::{self, Words};
use crate::{conversion, examples, external, names, names_in_code, project, webhook_manifests};

/// The two types of admission webhooks.
const DEFAULTING: &str = "defaulting";
const VALIDATION: &str = "validation";

/// The options of `kgen create webhook`.
#[derive(Clone, Debug)]
pub struct WebhookOptions {
    /// The group of the kind, without the domain of this project.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The plural; by default derived from the kind.
    pub plural: Option<String>,
    /// Whether to add a defaulting webhook.
    pub defaulting: bool,
    /// Whether to add a validating webhook.
    pub validation: bool,
    /// Whether to add the conversion between the versions of the kind.
    pub conversion: bool,
    /// The type of a kind that another project defines.
    pub foreign: Option<Foreign>,
    /// Existing files to replace.
    pub force: Vec<PathBuf>,
}

/// Drafts a webhook.
///
/// # Errors
/// Returns all problems of the options and of the project.
pub fn create_webhook(options: &WebhookOptions, working_folder: &Path) -> Result<Scaffold, Refusal> {
    let project = project::find(working_folder)?;
    let mut problems = Problems::new();
    if !options.defaulting && !options.validation && !options.conversion {
        let message = "none of `--defaulting`, `--validation` and `--conversion` is given";
        problems.push(
            Problem::general(Code::Usage, message)
                .help("use `--defaulting` for a webhook that sets defaults")
                .help("use `--validation` for one that checks objects")
                .help("use `--conversion` for one that converts objects between the versions of the kind"),
        );
    }
    let plural = options
        .plural
        .as_deref()
        .map(|plural| names::resource("plural", plural));
    if let Some(Err(problem)) = plural {
        problems.push(problem);
    }
    let (group, version, name) = (&options.group, &options.version, &options.kind);
    let mut external = None;
    let mut kind = match &options.foreign {
        None => Kind::of(&project, group, version, name, &mut problems),
        Some(foreign) => {
            let plural = options.plural.as_deref();
            let found = foreign.find(group, version, name, plural).map_err(Findings::of)?;
            let kind = Kind::external(&found);
            external = Some(found);
            kind
        }
    };
    if problems.has_errors() {
        return Err(Refusal::from(Findings {
            problems,
            ..Findings::default()
        }));
    }
    let mut draft = Draft::new(&project.root, &options.force);
    let kinds = match external {
        None => Kinds::read(&project, &mut kind, &options.force)?,
        Some(_) => Kinds::read_all(&project)?,
    };
    if external.is_none() && kinds.declared(&kind).is_none() {
        external = external::in_group(group, version, name);
        let Some(found) = &external else {
            return Err(Findings::of(no_kind(&mut draft, &kinds, &kind, options)).into());
        };
        kind = Kind::external(found);
        if let Some(plural) = &options.plural {
            kind.plural.clone_from(plural);
        }
    }
    if let Some(found) = &external {
        if options.conversion {
            return Err(Findings::of(not_converted(found)).into());
        }
        if found.is_foreign
            && let Some(problem) = kinds.declared_foreign(&kind)
        {
            draft.problem(problem);
        }
    } else if let Some(declared) = kinds.declared(&kind) {
        declared.check_place(&kind).map_err(Findings::of)?;
        let given = Given {
            plural: options.plural.as_deref(),
            ..Given::default()
        };
        for problem in given.complete(&mut kind, &kinds) {
            draft.problem(problem);
        }
    }
    if options.defaulting || options.validation {
        add_admission(&mut draft, &project, &kinds, &kind, external.as_ref(), options)?;
    }
    let has_admission = options.defaulting || options.validation || kinds.has_webhooks();
    webhook_manifests::add(&mut draft, &project, &kind, options, has_admission)?;
    if options.conversion {
        conversion::add(&mut draft, &project, &kinds, &kind, working_folder)?;
    }
    Ok(draft.finish(project.file.clone(), working_folder)?)
}

/// Adds the code of admission webhooks.
fn add_admission(
    draft: &mut Draft<'_>,
    project: &Found,
    kinds: &Kinds,
    kind: &Kind,
    external: Option<&External>,
    options: &WebhookOptions,
) -> Result<(), Findings> {
    let set = code_set(external);
    let words = words_of(project, kind, external, options.defaulting, options.validation);
    let (group, stem) = (&kind.group_stem, kind.stem());
    let file = webhook_file(kind);
    let there = draft
        .text(&file)
        .filter(|text| rust::has_function(text, "register") && text.contains(&kind.kind));
    let present = match &there {
        Some(_) => Present::Keep,
        None => Present::Refuse,
    };
    match there.and_then(|_| missing(kinds, kind, options)) {
        Some(part) => {
            let words = words_of(project, kind, external, part == DEFAULTING, part == VALIDATION);
            for (path, text) in render::set(set, &words).map_err(Findings::of)? {
                let reason = format!("it already has webhooks, but none for {part}");
                draft.advise(&path, &reason, text.trim_end());
            }
        }
        None => {
            create(draft, set, &words, present)?;
            if let Some(tests) = test_set(external).filter(|_| can_test(draft)) {
                create(draft, tests, &words, present)?;
            }
        }
    }
    let about = [
        "//! The admission webhooks of this operator, one module per group.\n".to_owned(),
        format!("//! The webhooks of {}.\n", kind.group_in_prose()),
        format!("//! The webhooks of version `{}`.\n", kind.version),
    ];
    add_modules(
        draft,
        &["webhook", group, &kind.version, &stem],
        &[Some(&about[0]), Some(&about[1]), Some(&about[2])],
    );
    let statement = webhook_statement(kind);
    draft.edit("src/lib.rs", &statement, |text| {
        rust::add_statement(text, "register", &statement)
    });
    Ok(())
}

/// Returns the path of the code of the webhooks of a kind.
pub(crate) fn webhook_file(kind: &Kind) -> String {
    format!(
        "src/webhook/{}/{}/{}.rs",
        kind.group_stem,
        kind.version,
        kind.stem()
    )
}

/// Returns the statement in `register` that adds the webhooks of a kind.
pub(crate) fn webhook_statement(kind: &Kind) -> String {
    let path = [&kind.group_stem, &kind.version, &kind.stem()]
        .map(|stem| names_in_code::module(stem))
        .join("::");
    format!("webhook::{path}::register(manager);")
}

/// Returns the set with the test of webhooks. Returns `None` if there is no valid object for it.
pub(crate) fn test_set(external: Option<&External>) -> Option<&'static str> {
    match external {
        None => Some("webhook-test"),
        Some(external) => example(external).map(|_| "webhook-external-test"),
    }
}

/// Returns the example of a kind that the project does not define.
fn example(external: &External) -> Option<Example> {
    let (group, kind) = (&external.group, &external.kind);
    examples::of(group, kind).filter(|_| !external.is_foreign)
}

/// The set with the webhooks of a kind that the project does not define.
pub(crate) const EXTERNAL: &str = "webhook-external";

/// Returns the set of templates for a kind of the project, or for one of others.
pub(crate) fn code_set(external: Option<&External>) -> &'static str {
    match external {
        Some(_) => EXTERNAL,
        None => "webhook-code",
    }
}

/// Returns the variables that templates can use.
pub(crate) fn words_of(
    project: &Found,
    kind: &Kind,
    external: Option<&External>,
    defaulting: bool,
    validation: bool,
) -> Words {
    let path = external.map_or("", |external| &external.path);
    let foreign = external.is_some_and(|external| external.is_foreign);
    let example = external.and_then(example);
    // The name of a webhook is a domain name with at least three parts.
    let webhook_domain = match (external, kind.group.as_str()) {
        (None, group) => group.to_owned(),
        (Some(_), "") => format!("core.{}", project.domain),
        (Some(_), group) => format!("{group}.{}", project.domain),
    };
    kind.words(
        project,
        context! {
            cluster => example.map_or(kind.cluster, |example| example.is_cluster_scoped),
            defaulting,
            example => example.map(|example| example.lines.to_vec()).unwrap_or_default(),
            validation,
            external => path,
            foreign,
            mutating_path => kgen_webhook_path::mutating(&kind.group, &kind.version, &kind.kind),
            validating_path => kgen_webhook_path::validating(&kind.group, &kind.version, &kind.kind),
            webhook_domain,
        },
    )
}

/// Returns the problem of a conversion for a kind of others.
fn not_converted(external: &External) -> Problem {
    let message = match external.is_foreign {
        true => format!("the project that defines `{}` converts it", external.kind),
        false => format!(
            "`{}` is a kind of Kubernetes, which converts it itself",
            external.kind
        ),
    };
    Problem::general(Code::Usage, message).help("leave out `--conversion`")
}

/// Returns the problem of a webhook for a kind that the source does not declare.
fn no_kind(draft: &mut Draft<'_>, kinds: &Kinds, kind: &Kind, options: &WebhookOptions) -> Problem {
    let types = kind.types_file();
    let message = if draft.text(&types).is_some() {
        format!(
            "`{types}` does not declare the kind `{}` of `{}/{}`",
            kind.kind, kind.group, kind.version
        )
    } else {
        format!(
            "the kind `{}` does not exist: there is no file `{types}`",
            kind.kind
        )
    };
    let command = format!(
        "kgen create api --group {} --version {} --kind {}",
        options.group, options.version, options.kind
    );
    let problem = Problem::general(Code::Usage, message);
    let declared = kinds.all().filter(|known| known.group == kind.group);
    let declared: Vec<String> = declared.map(|known| known.kind).collect();
    let problem = match nearest(&kind.kind, declared.iter().map(String::as_str)) {
        Some(near) => problem.meant(near),
        None => match external::suggest(problem.clone(), &options.group, &options.kind) {
            // A kind of Kubernetes was meant, and not one of this project.
            suggested if suggested != problem => return suggested,
            problem => problem,
        },
    };
    let create = format!("create it: `{command}`");
    if !declared.is_empty() || !problem.help.is_empty() || external::is_group(&options.group) {
        return problem.help(create);
    }
    // A group without kinds of this project can be one of another project.
    let is_whole = options.group.contains('.');
    let of_others = format!(
        "if another project defines it, add its whole group and the path of its type in Rust: \
         `--group {} --external PATH`; `kgen import` writes the type",
        if is_whole { &options.group } else { "GROUP" }
    );
    match is_whole {
        true => problem.help(of_others),
        false => problem.help(of_others).help(format!("otherwise, {create}")),
    }
}

/// Returns the parts that the user asks for and the source does not declare.
fn missing(kinds: &Kinds, kind: &Kind, options: &WebhookOptions) -> Option<&'static str> {
    let (group, version, name) = (&kind.group, &kind.version, &kind.kind);
    let parts = [
        (
            options.defaulting,
            DEFAULTING,
            kgen_webhook_path::mutating(group, version, name),
        ),
        (
            options.validation,
            VALIDATION,
            kgen_webhook_path::validating(group, version, name),
        ),
    ];
    parts
        .into_iter()
        .find(|(wanted, _, path)| *wanted && !kinds.has_webhook(path))
        .map(|(_, part, _)| part)
}
