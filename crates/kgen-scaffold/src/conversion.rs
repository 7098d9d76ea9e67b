//! `kgen create webhook --conversion`: serves the conversion between the versions of a kind.
//!
//! `kgen conversion` decides whether the versions differ and which translations the author has to provide. So the generators
//! run in memory first, and the new code uses the names that they generate.

use std::path::{Path, PathBuf};

use kgen_build::{ChangeAction, Findings, Report};
use kgen_diagnostics::{Code, Problem};
use kgen_model::{KindStyle, Resource};
use minijinja::context;

use crate::api::{add_modules, create};
use crate::draft::{Draft, Next, Present, generate};
use crate::edit::{rust, toml};
use crate::kind::Kind;
use crate::kinds::Kinds;
use crate::names_in_code;
use crate::project::Found;
use crate::render::Words;

/// The name of the generator, and of its table in `kgen.toml`.
const GENERATOR: &str = "conversion";

/// The set with the code that serves a conversion.
pub(crate) const CODE: &str = "conversion-code";

/// The set with the configuration that conversions need.
pub(crate) const CONFIGURATION: &str = "conversion-config";

/// Returns the path of the code that serves the conversion of a kind.
pub(crate) fn code_file(kind: &Kind) -> String {
    format!("src/conversion/{}/{}.rs", kind.group_stem, kind.stem())
}

/// Adds the marker, the generator, and the code that serves the conversion.
pub(crate) fn add(
    draft: &mut Draft<'_>,
    project: &Found,
    kinds: &Kinds,
    kind: &Kind,
    working_folder: &Path,
) -> Result<(), Findings> {
    let Some(resource) = kinds.resource(kind) else {
        return Ok(());
    };
    if let Some(problem) = impossible(resource, project, kind) {
        return Err(Findings::of(problem));
    }
    add_marker(draft, resource, kind);
    let sets = project.configuration.sets.iter();
    let mut jobs = sets.flat_map(|set| &set.jobs);
    if !jobs.any(|job| job.generator.name == GENERATOR) {
        draft.edit(kgen_build::FILE_NAME, "[conversion]", |text| {
            toml::add_table(text, GENERATOR)
        });
    }
    if draft.has_problems() {
        // The end of the command reports them.
        return Ok(());
    }
    let report = generate(&draft.plan(working_folder), &project.file, working_folder)?;
    if report.has_errors() {
        return Err(first_errors(report));
    }
    let Some(code) = Generated::find(draft, &report, &project.root, kind) else {
        return Err(Findings::of(equal(resource, kind)));
    };
    add_code(draft, project, kind, &code)
}

/// Returns the reason why the kind cannot have a conversion.
fn impossible(resource: &Resource, project: &Found, kind: &Kind) -> Option<Problem> {
    if let [only] = resource.versions.as_slice() {
        let message = format!("`{}` has only the version `{}`", kind.kind, only.version);
        let next = kind.in_version("VERSION").arguments(project);
        return Some(
            Problem::general(Code::Usage, message)
                .help(format!("add another one first: `kgen create api {next}`")),
        );
    }
    let mut versions = resource.versions.iter();
    let external = versions.find(|version| version.conversion.external.is_some())?;
    let message = format!(
        "`+kgen:conversion:external` above `{}` of `{}` says that another tool converts its objects",
        external.version, kind.kind
    );
    Some(Problem::general(Code::Usage, message).help("remove that marker first"))
}

/// Adds the marker to the version that the user has named, unless a version has it.
fn add_marker(draft: &mut Draft<'_>, resource: &Resource, kind: &Kind) {
    let mut versions = resource.versions.iter();
    if versions.any(|version| version.conversion.webhook.is_some()) {
        return;
    }
    let declared = resource
        .versions
        .iter()
        .find(|version| version.version == kind.version);
    let is_derived = declared.is_some_and(|version| version.style == KindStyle::KubeDerive);
    let marker = "// +kgen:conversion:webhook";
    draft.edit(&kind.types_file(), marker, |text| {
        if is_derived {
            rust::add_marker_to_derived(text, &kind.kind, marker)
        } else {
            rust::add_marker(text, &kind.kind, marker)
        }
    });
}

/// Returns the findings with the errors of a run.
fn first_errors(report: Report) -> Findings {
    let mut all = report.findings.into_iter();
    all.find(|findings| findings.problems.has_errors())
        .unwrap_or_default()
}

/// Returns the problem of versions that need no conversion.
fn equal(resource: &Resource, kind: &Kind) -> Problem {
    let versions: Vec<String> = resource
        .versions
        .iter()
        .map(|version| format!("`{}`", version.version))
        .collect();
    let message = format!(
        "{} of `{}` have the same JSON, so the API server converts objects itself",
        versions.join(" and "),
        kind.kind
    );
    Problem::general(Code::Usage, message).help(format!(
        "change the types of `{}` first, then run the command again",
        kind.version
    ))
}

fn add_code(draft: &mut Draft<'_>, project: &Found, kind: &Kind, code: &Generated) -> Result<(), Findings> {
    let (group, stem) = (&kind.group_stem, kind.stem());
    let words = code.words(project, kind);
    let file = code_file(kind);
    let is_there = draft
        .text(&file)
        .is_some_and(|text| rust::has_function(&text, "register") && text.contains(&kind.kind));
    let present = if is_there { Present::Keep } else { Present::Refuse };
    create(draft, CODE, &words, present)?;
    draft.edit("src/lib.rs", "pub mod generated;", |text| {
        rust::declare_module(text, "generated")
    });
    let about = [
        "//! The conversions between the versions of kinds, one module per group.\n".to_owned(),
        format!("//! The conversions of the kinds of `{}`.\n", kind.group),
    ];
    add_modules(
        draft,
        &["conversion", group, &stem],
        &[Some(&about[0]), Some(&about[1])],
    );
    let path = [group, &stem].map(|stem| names_in_code::module(stem)).join("::");
    let statement = format!("conversion::{path}::register(manager);");
    draft.edit("src/lib.rs", &statement, |text| {
        rust::add_statement(text, "register", &statement)
    });
    draft.next(match &code.interface {
        Some(_) if is_there => Next::Conversion,
        Some(interface) => Next::Translations {
            interface: interface.clone(),
            file,
        },
        None => Next::Conversion,
    });
    Ok(())
}

/// The names in the generated conversion of a kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Generated {
    /// The module of the function and the trait: `generated::conversion`.
    module: String,
    /// The function that returns the conversion.
    function: String,
    /// The trait of the author's translations, if there are any.
    interface: Option<String>,
}

impl Generated {
    /// Returns the variables of the code that serves the conversion.
    pub(crate) fn words(&self, project: &Found, kind: &Kind) -> Words {
        kind.words(
            project,
            context! {
                conversions => self.module.clone(),
                conversions_module => self.module.rsplit("::").next().unwrap_or_default(),
                function => self.function.clone(),
                interface => self.interface.clone(),
            },
        )
    }

    /// Returns the names in the code that serves a conversion, as kgen wrote it.
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        let mut lines = code.lines();
        let module = lines.find_map(|line| line.strip_prefix("use crate::")?.strip_suffix(';'))?;
        lines.find(|line| line.starts_with("pub fn conversion()"))?;
        let call = lines.next()?.trim().strip_suffix("()")?;
        let (_, function) = call.strip_suffix("::<Rules>").unwrap_or(call).rsplit_once("::")?;
        let interface = lines.find_map(|line| line.strip_prefix("impl ")?.split(' ').next());
        Some(Self {
            module: module.to_owned(),
            function: function.to_owned(),
            interface: interface.map(str::to_owned),
        })
    }

    /// Finds the conversion of a kind among the files of a run.
    fn find(draft: &mut Draft<'_>, report: &Report, root: &Path, kind: &Kind) -> Option<Self> {
        let about = format!(
            "//! Conversions between the versions of `{}` in `{}`: ",
            kind.kind, kind.group
        );
        let files = report.plan.changes.iter();
        let mut texts = files.filter_map(|change| {
            let path = change.path.strip_prefix(root).ok()?.to_owned();
            let text = match &change.action {
                ChangeAction::Create { new } | ChangeAction::Update { new, .. } => new.clone(),
                ChangeAction::Same => draft.text(path.to_str()?)?,
                ChangeAction::Stale { .. } => return None,
            };
            Some((path, text))
        });
        let is_wanted = |(_, text): &(PathBuf, String)| text.lines().any(|line| line.starts_with(&about));
        let (path, text) = texts.find(is_wanted)?;
        let name = |keyword: &str| {
            let rest = text.lines().find_map(|line| line.strip_prefix(keyword))?;
            let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_';
            rest.split(is_end).next().map(str::to_owned)
        };
        let (function, interface) = (name("pub fn ")?, name("pub trait "));
        let stem = path.file_stem()?.to_str()?;
        let folder = path.parent()?.strip_prefix("src").ok()?;
        let mut module: Vec<String> = folder
            .iter()
            .map(|part| part.to_str().map(str::to_owned))
            .collect::<Option<_>>()?;
        // If two groups have the same kind, the names are not exported from the module of all conversions.
        let parent = path.with_file_name("mod.rs");
        let is_apart = format!("pub mod {stem};");
        drop(texts);
        let parent = report
            .plan
            .changes
            .iter()
            .find(|change| change.path.ends_with(&parent));
        let parent = match parent.map(|change| &change.action) {
            Some(ChangeAction::Create { new } | ChangeAction::Update { new, .. }) => Some(new.clone()),
            _ => draft.text(path.with_file_name("mod.rs").to_str()?),
        };
        if parent?.lines().any(|line| line == is_apart) {
            module.push(stem.to_owned());
        }
        Some(Self {
            module: module.join("::"),
            function,
            interface,
        })
    }
}
