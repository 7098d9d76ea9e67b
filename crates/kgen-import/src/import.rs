//! The stages of an import as one function.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, FileId, Policy, Problem, Problems, nearest};
use kgen_model::{Api, KindVersion};
use kgen_threads::map_all;

use crate::definitions::{self, Definition, Strictness};
use crate::options::{Enums, Options, Versions};
use crate::plan::{self, Allowed};
use crate::text::{self, SourceFile};

/// Annotations of tools, which say nothing about the API.
const TOOL_ANNOTATIONS: &[&str] = &[
    "controller-gen.kubebuilder.io/version",
    "kubectl.kubernetes.io/last-applied-configuration",
];

/// A text to import.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The text, without a byte order mark.
    pub text: &'a str,
    /// How spans name it.
    pub file: FileId,
}

/// The result of an import.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The files; empty if there is an error.
    pub files: Vec<SourceFile>,
    /// The problems, at places in the YAML.
    pub problems: Problems,
    /// How many CRDs were imported.
    pub definitions: usize,
    /// How many versions of kinds were imported.
    pub kinds: usize,
    /// How many objects became structs of Kubernetes, whose descriptions are their own.
    pub kubernetes_types: usize,
    /// How many documents were not CRDs.
    pub other_documents: usize,
    /// The crates that the result needs.
    pub crates: Vec<&'static str>,
}

/// Imports CRDs. Nothing is written, and no file is returned if there is an error.
#[must_use]
pub fn import(sources: &[Source<'_>], options: &Options) -> Outcome {
    let mut outcome = Outcome::default();
    let strictness = if options.lenient {
        Strictness::Lenient
    } else {
        Strictness::Structural
    };
    let read = map_all(sources, |source| {
        definitions::read(source.text, source.file, strictness)
    });
    let mut definitions = Vec::new();
    for found in read {
        definitions.extend(found.definitions);
        outcome.other_documents += found.other_documents;
        outcome.problems.extend(found.problems);
    }
    let definitions = without_doubles(definitions, &mut outcome.problems);
    let mut definitions = selected(definitions, options, &mut outcome.problems);
    if outcome.problems.has_errors() {
        return outcome;
    }
    let allowed = check(&mut definitions, &mut outcome.problems);
    if outcome.problems.has_errors() {
        return outcome;
    }
    for definition in &definitions {
        if let Some(span) = definition.conversion {
            let message = format!(
                "the conversion of `{}` is left out: it belongs to a deployment",
                definition.name
            );
            let mut problem = Problem::note(Code::ImportLoss, message);
            problem.span = Some(span);
            outcome.problems.push(problem);
        }
    }
    outcome.definitions = definitions.len();
    outcome.kinds = definitions
        .iter()
        .map(|definition| definition.resource.versions.len())
        .sum();
    let groups = plan::plan(&definitions, options, &allowed, &mut outcome.problems);
    let versions = groups.iter().flat_map(|group| &group.versions);
    outcome.kubernetes_types = versions.map(|version| version.kubernetes_types).sum();
    if options.enums == Enums::Open {
        let message = "enumerations accept any string, so `kgen crd` generates other schemas for them";
        outcome.problems.push(Problem::note(Code::ImportLoss, message));
    }
    if !outcome.problems.has_errors() {
        outcome.files = text::files(&groups, options);
        outcome.crates = crates(&outcome.files);
    }
    outcome
}

/// Removes definitions that are given twice. Two different ones with the same name are a problem.
fn without_doubles(definitions: Vec<Definition>, problems: &mut Problems) -> Vec<Definition> {
    let mut kept: Vec<Definition> = Vec::with_capacity(definitions.len());
    let mut by_name = rustc_hash::FxHashMap::default();
    for definition in definitions {
        let Some(first) = by_name
            .get(&definition.name)
            .and_then(|index: &usize| kept.get(*index))
        else {
            by_name.insert(definition.name.clone(), kept.len());
            kept.push(definition);
            continue;
        };
        if !is_same(first, &definition) {
            let message = format!("there are two different CRDs called `{}`", definition.name);
            problems.push(
                Problem::error(Code::ImportName, definition.span, message)
                    .related(first.span, "the first one")
                    .help("import one of them, or import them into different folders"),
            );
        }
    }
    kept
}

/// Returns whether two definitions import as the same Rust.
fn is_same(left: &Definition, right: &Definition) -> bool {
    let (left, right) = (&left.resource, &right.resource);
    left.kind == right.kind
        && left.names == right.names
        && left.scope == right.scope
        && of_authors(&left.labels) == of_authors(&right.labels)
        && of_authors(&left.annotations) == of_authors(&right.annotations)
        && left.versions.len() == right.versions.len()
        && left
            .versions
            .iter()
            .zip(&right.versions)
            .all(|(left, right)| is_same_version(left, right))
}

/// Returns labels or annotations without those of tools.
fn of_authors(entries: &BTreeMap<String, String>) -> Vec<(&String, &String)> {
    let is_own = |(key, _): &(&String, &String)| !TOOL_ANNOTATIONS.contains(&key.as_str());
    entries.iter().filter(is_own).collect()
}

/// Returns whether two versions are equal apart from their places.
fn is_same_version(left: &KindVersion, right: &KindVersion) -> bool {
    let flags = |version: &KindVersion| {
        [
            version.unserved.is_some(),
            version.storage.is_some(),
            version.status_subresource.is_some(),
        ]
    };
    let warning = |version: &KindVersion| {
        version
            .deprecation
            .as_ref()
            .map(|deprecation| deprecation.warning.clone())
    };
    let scale = |version: &KindVersion| version.scale.as_ref().map(|scale| scale.value.clone());
    let selectable = |version: &KindVersion| -> Vec<String> {
        let fields = version.selectable_fields.iter();
        fields.map(|field| field.value.clone()).collect()
    };
    let columns = |version: &KindVersion| -> Vec<_> {
        let columns = version.columns.iter().map(|column| &column.value);
        columns
            .map(|column| {
                (
                    [&column.name, &column.column_type, &column.json_path.value].map(String::clone),
                    column.description.clone(),
                    column.format.clone(),
                    column.priority.unwrap_or_default(),
                )
            })
            .collect()
    };
    left.version == right.version
        && flags(left) == flags(right)
        && warning(left) == warning(right)
        && scale(left) == scale(right)
        && selectable(left) == selectable(right)
        && columns(left) == columns(right)
        && left.schema.without_places() == right.schema.without_places()
}

/// Returns the definitions and versions that are asked for.
fn selected(mut definitions: Vec<Definition>, options: &Options, problems: &mut Problems) -> Vec<Definition> {
    let known = |of: fn(&Definition) -> &str| -> Vec<&str> { definitions.iter().map(of).collect() };
    let groups = known(|definition| &definition.resource.group);
    let kinds = known(|definition| &definition.resource.kind);
    for (what, wanted, known) in [
        ("group", &options.groups, groups),
        ("kind", &options.kinds, kinds),
    ] {
        for name in wanted.iter().filter(|name| !known.contains(&name.as_str())) {
            let problem = Problem::general(Code::ImportName, format!("no CRD has the {what} `{name}`"));
            problems.push(match nearest(name, known.iter().copied()) {
                Some(near) => problem.meant(near),
                None => problem,
            });
        }
    }
    let is_wanted =
        |wanted: &[String], name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    definitions.retain(|definition| {
        is_wanted(&options.groups, &definition.resource.group)
            && is_wanted(&options.kinds, &definition.resource.kind)
    });
    match &options.versions {
        Versions::All => {}
        Versions::Stored => {
            for definition in &mut definitions {
                let versions = &mut definition.resource.versions;
                versions.retain(|version| version.storage.is_some());
            }
        }
        Versions::Named(names) => keep_named(&mut definitions, names, problems),
    }
    definitions
}

/// Removes all versions apart from those with some names. A name without a version is a problem; a CRD without any of the
/// versions, or without its stored one, is noted.
fn keep_named(definitions: &mut Vec<Definition>, names: &[String], problems: &mut Problems) {
    let versions = definitions
        .iter()
        .flat_map(|definition| &definition.resource.versions);
    let known: BTreeSet<String> = versions.map(|version| version.version.clone()).collect();
    for name in names.iter().filter(|name| !known.contains(*name)) {
        let problem = Problem::general(Code::ImportName, format!("no CRD has the version `{name}`"));
        problems.push(match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => problem.meant(near),
            None => problem,
        });
    }
    definitions.retain_mut(|definition| {
        let versions = &mut definition.resource.versions;
        let stored = versions.iter().find(|version| version.storage.is_some());
        let stored = stored.map(|stored| (stored.version.clone(), stored.version_span));
        versions.retain(|version| names.contains(&version.version));
        let (message, span) = match stored {
            _ if versions.is_empty() => {
                let message = format!(
                    "`{}` has none of the versions, so it is left out",
                    definition.name
                );
                (message, definition.span)
            }
            Some((stored, span)) if !names.contains(&stored) => {
                let message = format!(
                    "the stored version `{stored}` of `{}` is left out, so `kgen crd` stores another one",
                    definition.name
                );
                (message, span)
            }
            _ => return true,
        };
        let mut problem = Problem::note(Code::ImportLoss, message);
        problem.span = Some(span);
        problems.push(problem);
        !definition.resource.versions.is_empty()
    });
}

/// Checks the definitions like an API server would. Returns the problems that it accepts and kgen does not, so that the
/// result allows them at their place.
fn check(definitions: &mut [Definition], problems: &mut Problems) -> Allowed {
    let mut allowed = Allowed::default();
    for definition in &mut *definitions {
        let annotations = &mut definition.resource.annotations;
        annotations.retain(|key, _| !TOOL_ANNOTATIONS.contains(&key.as_str()));
    }
    let api = Api {
        resources: definitions
            .iter()
            .map(|definition| definition.resource.clone())
            .collect(),
        ..Api::default()
    };
    let mut found = Problems::new();
    let _ = kgen_check::check(&api, &[], Policy::STRICT, &mut found);
    for problem in found {
        match problem.span {
            _ if !problem.is_error() => {}
            Some(span) if problem.is_tolerated => {
                if problem.code.can_be_allowed() {
                    allowed.0.entry(span).or_default().insert(problem.code);
                }
            }
            _ => problems.push(problem),
        }
    }
    allowed
}

/// Returns the crates that the files mention.
fn crates(files: &[SourceFile]) -> Vec<&'static str> {
    let mentions = |name: &str| files.iter().any(|file| file.text.contains(&format!("{name}::")));
    let known = [
        ("k8s_openapi", "k8s-openapi"),
        ("kube", "kube"),
        ("schemars", "schemars"),
        ("serde", "serde"),
        ("serde_json", "serde_json"),
    ];
    known
        .into_iter()
        .filter(|(name, _)| mentions(name))
        .map(|(_, name)| name)
        .collect()
}
