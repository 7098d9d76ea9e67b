//! `kgen create webhook`: adds the code of admission webhooks. The manifests and the conversion have their own modules.

use std::path::{Path, PathBuf};

use kgen_build::Findings;
use kgen_diagnostics::{Code, Problem, Problems, nearest};
use minijinja::context;

use crate::api::{add_modules, can_test, create};
use crate::draft::{Draft, Present, Refusal, Scaffold};
use crate::edit::rust;
use crate::external::External;
use crate::kind::Kind;
use crate::kinds::{Given, Kinds};
use crate::project::Found;
use crate::render::{self, Words};
use crate::{conversion, external, names, names_in_code, project, webhook_manifests};

/// The two types of admission webhooks.
const DEFAULTING: &str = "defaulting";
const VALIDATION: &str = "validation";

/// The options of `kgen create webhook`.
#[derive(Clone, Debug)]
pub struct WebhookOptions {
    /// The group of the kind, without the domain.
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
    let mut kind = Kind::of(
        &project,
        &options.group,
        &options.version,
        &options.kind,
        &mut problems,
    );
    if problems.has_errors() {
        return Err(Refusal::from(Findings {
            problems,
            ..Findings::default()
        }));
    }
    let mut draft = Draft::new(&project.root, &options.force);
    let kinds = Kinds::read(&project, &kind, &options.force)?;
    let mut external = None;
    if let Some(declared) = kinds.declared(&kind) {
        declared.check_place(&kind).map_err(Findings::of)?;
        let given = Given {
            plural: options.plural.as_deref(),
            ..Given::default()
        };
        for problem in given.complete(&mut kind, &kinds) {
            draft.problem(problem);
        }
    } else if let Some(found) = external::in_group(&options.group, &options.version, &options.kind) {
        if options.conversion {
            return Err(Findings::of(not_converted(&found)).into());
        }
        kind = Kind::external(&found);
        if let Some(plural) = &options.plural {
            kind.plural.clone_from(plural);
        }
        external = Some(found);
    } else {
        return Err(Findings::of(no_kind(&mut draft, &kinds, &kind, options)).into());
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
    let (group, stem) = (kind.group_stem(), kind.stem());
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
            if external.is_none() && can_test(draft) {
                create(draft, TEST_SET, &words, present)?;
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
        &["webhook", &group, &kind.version, &stem],
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
        kind.group_stem(),
        kind.version,
        kind.stem()
    )
}

/// Returns the statement in `register` that adds the webhooks of a kind.
pub(crate) fn webhook_statement(kind: &Kind) -> String {
    let path = [kind.group_stem(), kind.version.clone(), kind.stem()]
        .map(|stem| names_in_code::module(&stem))
        .join("::");
    format!("webhook::{path}::register(manager);")
}

/// The set with the test of webhooks.
pub(crate) const TEST_SET: &str = "webhook-test";

/// Returns the set of templates for a kind of the project, or for a built-in kind.
pub(crate) fn code_set(external: Option<&External>) -> &'static str {
    match external {
        Some(_) => "webhook-external",
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
    // The name of a webhook is a domain name with at least three parts.
    let webhook_domain = match (external, kind.group.as_str()) {
        (None, group) => group.to_owned(),
        (Some(_), "") => format!("core.{}", project.domain),
        (Some(_), group) => format!("{group}.{}", project.domain),
    };
    kind.words(
        project,
        context! {
            defaulting,
            validation,
            external => path,
            mutating_path => kgen_webhook_path::mutating(&kind.group, &kind.version, &kind.kind),
            validating_path => kgen_webhook_path::validating(&kind.group, &kind.version, &kind.kind),
            webhook_domain,
        },
    )
}

/// Returns the problem of a conversion for a built-in kind.
fn not_converted(external: &External) -> Problem {
    let message = format!(
        "`{}` is a kind of Kubernetes, which converts it itself",
        external.kind
    );
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
        None => external::suggest(problem, &options.group, &options.kind),
    };
    problem.help(format!("create it: `{command}`"))
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
