//! `kgen delete api` and `kgen delete webhook`: the reverse of `kgen create`.
//!
//! A file is removed only if it is as kgen wrote it. An edited file stays, is no longer part of the operator, and is reported.
//! Generated files disappear because the generators no longer produce them.

use std::collections::BTreeMap;
use std::path::Path;

use kgen_build::Findings;
use kgen_diagnostics::{Code, Problem, Problems, nearest};
use minijinja::context;

use crate::api::{
    CONTROLLER_TEST, Entry, controller_file, controller_name, controller_statement, definition_entry,
    definitions_entry, module_file, role_entries, sample_entry,
};
use crate::draft::{Draft, Next, Refusal, Scaffold};
use crate::edit::{Edit, kustomization, rust};
use crate::external::External;
use crate::kind::Kind;
use crate::kinds::{Given, Kinds};
use crate::project::{self, Found, Style};
use crate::webhook::{EXTERNAL, code_set, test_set, webhook_file, webhook_statement, words_of};
use crate::webhook_manifests::{Injected, injected_entries, shared_entries};
use crate::{external, names_in_code, record, render, version, webhook_manifests};

/// The kind of `kgen delete`.
#[derive(Clone, Debug)]
pub struct DeleteOptions {
    /// The group of the kind, without the domain.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
}

/// Drafts the removal of a version of a kind; with the last version, also its controller and its roles.
///
/// # Errors
/// Returns all problems of the options and of the project.
pub fn delete_api(options: &DeleteOptions, working_folder: &Path) -> Result<Scaffold, Refusal> {
    let project = project::find(working_folder)?;
    let (kinds, kind) = find(&project, options)?;
    if let Some(problem) = in_use(&kinds, &kind, options) {
        return Err(Findings::of(problem).into());
    }
    let mut draft = Draft::new(&project.root, &[]);
    let others: Vec<String> = kinds
        .resource(&kind)
        .into_iter()
        .flat_map(|resource| &resource.versions)
        .map(|version| version.version.clone())
        .filter(|version| *version != kind.version)
        .collect();
    let controller_name = controller_name(&mut draft, &project, &kind, &kinds, "controller");
    let words = kind.words(&project, context! { controller_name });
    let set = format!("types-{}", project.style.word());
    let mut types = rendered(&set, &words, &kind.types_file())?;
    // A later version begins as a copy of another one.
    for other in &others {
        let text = draft
            .text(&kind.in_version(other).types_file())
            .unwrap_or_default();
        types.extend(version::copy(&text, &kind, other));
    }
    draft.remove(&set, &kind.types_file(), &types);
    remove_modules(
        &mut draft,
        &["api", &kind.group_stem, &kind.version, &kind.stem()],
    );
    remove_sample(&mut draft, &kind, &others, &words)?;
    let controller = controller_file(&kind);
    if others.is_empty() {
        remove_kind(&mut draft, &project, &kinds, &kind, &words)?;
    } else if let Some(text) = draft.text(&controller)
        && text.contains(&format!("::{}::", kind.version))
    {
        let reason = format!("it uses the types of `{}`; use another version", kind.version);
        draft.leave(&controller, &reason);
    }
    draft.next(Next::Nothing);
    Ok(draft.finish(project.file.clone(), working_folder)?)
}

/// Drafts the removal of the admission webhooks of a kind; with the last webhook, also their manifests.
///
/// # Errors
/// Returns all problems of the options and of the project.
pub fn delete_webhook(options: &DeleteOptions, working_folder: &Path) -> Result<Scaffold, Refusal> {
    let project = project::find(working_folder)?;
    let (kinds, kind, external) = find_webhooks(&project, options)?;
    let file = webhook_file(&kind);
    let mut draft = Draft::new(&project.root, &[]);
    if draft.text(&file).is_none() {
        let group = if external.is_some() {
            &options.group
        } else {
            &kind.group
        };
        let message = format!(
            "`{}` of `{group}/{}` has no webhooks: there is no file `{file}`",
            kind.kind, kind.version
        );
        return Err(Findings::of(Problem::general(Code::Usage, message)).into());
    }
    let mut scaffolded = Vec::new();
    let mut tests = BTreeMap::<String, Vec<String>>::new();
    let test_set = test_set(external.as_ref());
    for (defaulting, validation) in [(true, true), (true, false), (false, true)] {
        let words = words_of(&project, &kind, external.as_ref(), defaulting, validation);
        scaffolded.extend(rendered(code_set(external.as_ref()), &words, &file)?);
        if let Some(set) = test_set {
            for (path, text) in render::set(set, &words).map_err(Findings::of)? {
                tests.entry(path).or_default().push(text);
            }
        }
    }
    for (path, texts) in tests {
        draft.remove(test_set.unwrap_or_default(), &path, &texts);
    }
    draft.remove(code_set(external.as_ref()), &file, &scaffolded);
    let group = &kind.group_stem;
    remove_modules(&mut draft, &["webhook", group, &kind.version, &kind.stem()]);
    remove_statement(&mut draft, &webhook_statement(&kind));
    remove_webhook_manifests(&mut draft, &project, &kinds, &kind)?;
    draft.next(Next::Nothing);
    Ok(draft.finish(project.file.clone(), working_folder)?)
}

/// Finds the kind of webhooks, with the same order as `kgen create`: a kind of the project, then one of Kubernetes, then one
/// of another project, which the record has.
fn find_webhooks(
    project: &Found,
    options: &DeleteOptions,
) -> Result<(Kinds, Kind, Option<External>), Refusal> {
    let (kinds, kind) = read(project, options)?;
    let external = external::in_group(&options.group, &options.version, &options.kind).or_else(|| {
        let recorded = record::path(EXTERNAL, &webhook_file(&kind));
        let code = Draft::new(&project.root, &[]).text(&recorded)?;
        external::of_code(&code, |_| kind.version.clone(), &kind.stem())
    });
    match external.filter(|_| kinds.declared(&kind).is_none()) {
        Some(external) => Ok((kinds, Kind::external(&external), Some(external))),
        None => {
            let kind = declared(&kinds, kind, options)?;
            Ok((kinds, kind, None))
        }
    }
}

/// Finds the kind in the source.
fn find(project: &Found, options: &DeleteOptions) -> Result<(Kinds, Kind), Refusal> {
    let (kinds, kind) = read(project, options)?;
    let kind = declared(&kinds, kind, options)?;
    Ok((kinds, kind))
}

/// Reads the source, and returns the kind that the options name, which can be undeclared.
fn read(project: &Found, options: &DeleteOptions) -> Result<(Kinds, Kind), Refusal> {
    let mut problems = Problems::new();
    let (group, version, name) = (&options.group, &options.version, &options.kind);
    let mut kind = Kind::of(project, group, version, name, &mut problems);
    if problems.has_errors() {
        return Err(Refusal::from(Findings {
            problems,
            ..Findings::default()
        }));
    }
    let kinds = Kinds::read(project, &mut kind, &[])?;
    Ok((kinds, kind))
}

/// Returns the kind with the names in its types.
fn declared(kinds: &Kinds, mut kind: Kind, options: &DeleteOptions) -> Result<Kind, Refusal> {
    let (name, version) = (&options.kind, &options.version);
    let Some(declared) = kinds.declared(&kind) else {
        let known = kinds.names().join(", ");
        let message = format!(
            "the source does not declare `{name}` of `{}/{version}`",
            kind.group
        );
        let problem = Problem::general(Code::Usage, message);
        let same_version: Vec<String> = kinds
            .all()
            .filter(|known| (&known.group, &known.version) == (&kind.group, version))
            .map(|known| known.kind)
            .collect();
        let problem = match nearest(name, same_version.iter().map(String::as_str)) {
            Some(near) => problem.meant(near),
            None if known.is_empty() => problem,
            None => problem.help(format!("it declares {known}")),
        };
        return Err(Findings::of(problem).into());
    };
    declared.check_place(&kind).map_err(Findings::of)?;
    // Without given names, nothing contradicts the types.
    Given::default().complete(&mut kind, kinds);
    Ok(kind)
}

/// Returns the problem of a kind whose webhooks or conversion would remain without it.
fn in_use(kinds: &Kinds, kind: &Kind, options: &DeleteOptions) -> Option<Problem> {
    let (group, version, name) = (&kind.group, &kind.version, &kind.kind);
    let paths = [
        kgen_webhook_path::mutating(group, version, name),
        kgen_webhook_path::validating(group, version, name),
    ];
    if paths.iter().any(|path| kinds.has_webhook(path)) {
        let message = format!("`{name}` of `{group}/{version}` has webhooks");
        return Some(Problem::general(Code::Usage, message).help(format!(
            "delete them first: `kgen delete webhook --group {} --version {version} --kind {name}`",
            options.group
        )));
    }
    let resource = kinds.resource(kind)?;
    let is_converted = resource
        .versions
        .iter()
        .any(|version| version.conversion.webhook.is_some());
    if !is_converted {
        return None;
    }
    let message = format!("the versions of `{name}` are converted, and `{version}` is one of them");
    Some(
        Problem::general(Code::Usage, message)
            .help(format!(
                "first stop serving and storing `{version}`: `kgen explain stored-version-removed` lists the steps"
            ))
            .help("then remove its module, and the conversion if only one version is left"),
    )
}

/// Returns the text of a file in a set of templates.
fn rendered(set: &str, words: &render::Words, file: &str) -> Result<Vec<String>, Findings> {
    let files = render::set(set, words).map_err(Findings::of)?;
    Ok(files
        .into_iter()
        .filter(|(path, _)| path == file)
        .map(|(_, text)| text)
        .collect())
}

fn remove_sample(
    draft: &mut Draft<'_>,
    kind: &Kind,
    others: &[String],
    words: &render::Words,
) -> Result<(), Findings> {
    let file = kind.sample_file();
    let mut samples = rendered("kind", words, &file)?;
    let api_version = |version: &str| format!("apiVersion: {}/{version}\n", kind.group);
    for other in others {
        let text = draft.text(&kind.in_version(other).sample_file());
        samples.extend(text.map(|text| text.replace(&api_version(other), &api_version(&kind.version))));
    }
    draft.remove("kind", &file, &samples);
    remove_entry(draft, &sample_entry(kind));
    Ok(())
}

/// Removes everything that all versions of a kind share.
fn remove_kind(
    draft: &mut Draft<'_>,
    project: &Found,
    kinds: &Kinds,
    kind: &Kind,
    words: &render::Words,
) -> Result<(), Findings> {
    let controller = controller_file(kind);
    let set = format!("controller-{}", project.style.word());
    let code = rendered(&set, words, &controller)?;
    draft.remove(&set, &controller, &code);
    for (path, text) in render::set(CONTROLLER_TEST, words).map_err(Findings::of)? {
        draft.remove(CONTROLLER_TEST, &path, &[text]);
    }
    remove_modules(draft, &["controller", &kind.group_stem, &kind.stem()]);
    remove_statement(draft, &controller_statement(kind));
    for (path, text) in render::set("kind", words).map_err(Findings::of)? {
        if path != kind.sample_file() {
            draft.remove("kind", &path, &[text]);
        }
    }
    for entry in role_entries(kind) {
        remove_entry(draft, &entry);
    }
    if !remove_entry(draft, &definition_entry(kind)) {
        remove_entry(draft, &definitions_entry());
    }
    if project.style == Style::Kgen && kinds.names().len() == 1 {
        draft.edit("src/lib.rs", "pub mod generated;", |text| {
            rust::remove_module(text, "generated")
        });
    }
    Ok(())
}

/// Removes the manifests of webhooks that no webhook needs anymore.
fn remove_webhook_manifests(
    draft: &mut Draft<'_>,
    project: &Found,
    kinds: &Kinds,
    kind: &Kind,
) -> Result<(), Findings> {
    let (group, version, name) = (&kind.group, &kind.version, &kind.kind);
    let removed = [
        kgen_webhook_path::mutating(group, version, name),
        kgen_webhook_path::validating(group, version, name),
    ];
    let remaining = kinds.webhooks_except(&removed);
    let mut entries = Vec::new();
    for (mutating, target) in [(true, Injected::Mutating), (false, Injected::Validating)] {
        if remaining.iter().all(|webhook| webhook.mutating != mutating) {
            entries.extend(injected_entries(&target));
        }
    }
    let mut set = |admission: bool| {
        let words = webhook_manifests::words(draft, project, kind, admission);
        render::set("webhook-config", &words).map_err(Findings::of)
    };
    if remaining.is_empty() {
        let is_converted = kinds.has_conversions();
        let sets = (set(true)?, set(false)?);
        for ((path, with), (_, without)) in sets.0.into_iter().zip(sets.1) {
            if !is_converted {
                draft.remove("webhook-config", &path, &[with, without]);
            } else if with != without {
                // The service remains for conversions.
                draft.edit(&path, &without, |text| match text == with {
                    true => Edit::Changed(without.clone()),
                    false => Edit::Unchanged,
                });
            }
        }
        if !is_converted {
            entries.extend(shared_entries());
        }
    }
    for (file, key, entry) in entries {
        draft.edit(file, &entry, |text| kustomization::remove(text, key, &entry));
    }
    Ok(())
}

/// Removes an entry, and the file that the first kind created if it has no entries left. Returns whether it has.
fn remove_entry(draft: &mut Draft<'_>, removed: &Entry) -> bool {
    let Entry { file, entry, about } = removed;
    if draft.text(file).is_none() {
        return false;
    }
    draft.edit(file, entry, |text| {
        kustomization::remove(text, "resources", entry)
    });
    let has_entries = draft
        .text(file)
        .is_some_and(|text| kustomization::has_entries(&text));
    if !has_entries && about.is_some() {
        draft.remove_empty(file);
    }
    has_entries
}

fn remove_statement(draft: &mut Draft<'_>, statement: &str) {
    draft.edit("src/lib.rs", statement, |text| {
        rust::remove_statement(text, "register", statement)
    });
}

/// Removes the last module of a chain, and the modules around it that are empty then.
fn remove_modules(draft: &mut Draft<'_>, chain: &[&str]) {
    for depth in (0..chain.len()).rev() {
        let (Some(name), Some(parents)) = (chain.get(depth), chain.get(..depth)) else {
            return;
        };
        let module = names_in_code::module(name);
        let file = module_file(draft, parents);
        if draft.text(&file).is_none() {
            return;
        }
        draft.edit(&file, "", |text| rust::remove_module(text, &module));
        let belongs_to_project = kgen_templates::set("project").any(|template| template.path == file);
        let has_items = draft.text(&file).is_some_and(|text| rust::has_items(&text));
        if belongs_to_project || has_items {
            return;
        }
        draft.remove_empty(&file);
    }
}
