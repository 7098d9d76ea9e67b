//! Builds the model of the pages from a checked API.

mod fields;
mod kubernetes;
mod variants;

use std::collections::{BTreeMap, BTreeSet};

use kgen_check::Checked;
use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_diff::between;
use kgen_model::{KindVersion, Resource, VersionAge};
use kgen_sample::Judge;
use kgen_threads::map_all;

use crate::links::{Index, Target, rewrite};
use crate::model::{Change, Column, Comparison, Field, Kind, Reference, Rule, Version, Webhook, each_field};
use crate::options::DocsOptions;
use crate::sample;
use fields::Walk;

/// Returns everything that the pages show.
pub(crate) fn reference(checked: &Checked<'_>, options: &DocsOptions, problems: &mut Problems) -> Reference {
    let mut resources: Vec<&Resource> = checked.api().resources.iter().collect();
    resources.sort_by(|left, right| (&left.group, &left.kind).cmp(&(&right.group, &right.kind)));
    let found = map_all(&resources, |resource| kind(checked, resource, options));
    let mut reference = Reference {
        title: options.title.clone(),
        intro: options.intro.clone(),
        kinds: Vec::new(),
    };
    for (kind, warnings) in found {
        problems.extend(warnings);
        reference.kinds.extend(kind);
    }
    check_links(&reference, problems);
    reference
}

fn kind(checked: &Checked<'_>, resource: &Resource, options: &DocsOptions) -> (Option<Kind>, Problems) {
    let mut problems = Problems::new();
    let is_shown =
        |version: &&KindVersion| !version.skipped && version.rust.as_ref().is_none_or(|rust| !rust.is_hidden);
    let mut versions: Vec<&KindVersion> = resource.versions.iter().filter(is_shown).collect();
    if versions.is_empty() {
        return (None, problems);
    }
    versions.sort_by(|left, right| {
        let age = |version: &KindVersion| VersionAge::of(&version.version);
        (age(right), &right.version).cmp(&(age(left), &left.version))
    });
    let stored = versions
        .iter()
        .find(|version| version.storage.is_some())
        .copied()
        .or_else(|| kgen_model::implied_storage(&versions))
        .map(|version| version.version.clone());
    let samples = sample::judge(resource);
    let mut built: Vec<Version> = versions
        .iter()
        .map(|version| {
            let sample =
                match samples.sample(&version.group, &version.version, &version.kind, &options.samples) {
                    Ok(sample) => Some(kgen_yaml::to_string(&sample)),
                    Err(reason) => {
                        let message = format!(
                            "there is no sample of {} {}: {reason}",
                            resource.kind, version.version
                        );
                        problems.push(
                            Problem::warning(Code::DocsSample, version.span, message)
                                .help("add `+kubebuilder:example` to fields that rules are about"),
                        );
                        None
                    }
                };
            Version {
                is_stored: stored.as_ref() == Some(&version.version),
                sample,
                ..self::version(checked, resource, version, &samples, options)
            }
        })
        .collect();
    mark_introductions(&mut built);
    let comparisons = comparisons(&versions, &built);
    let kind = Kind {
        group: resource.group.clone(),
        kind: resource.kind.clone(),
        plural: resource.names.plural.clone(),
        short_names: resource.names.short_names.clone(),
        categories: resource.names.categories.clone(),
        is_namespaced: resource.scope == kgen_model::Scope::Namespaced,
        versions: built,
        comparisons,
    };
    (Some(kind), problems)
}

/// Returns a version without its sample.
fn version(
    checked: &Checked<'_>,
    resource: &Resource,
    version: &KindVersion,
    samples: &Judge,
    options: &DocsOptions,
) -> Version {
    let walk = Walk {
        rust: &checked.api().rust,
        inline_kubernetes: options.inline_kubernetes,
        schema: samples.schema(&version.version),
    };
    let mut fields = walk.root(version);
    if options.without_status {
        fields.retain(|field| field.name != "status");
    }
    mark_shared(&mut fields);
    let mut subresources = Vec::new();
    if version.status_subresource.is_some() {
        subresources.push("status");
    }
    if version.scale.is_some() {
        subresources.push("scale");
    }
    Version {
        name: version.version.clone(),
        is_served: version.unserved.is_none(),
        is_stored: false,
        deprecated: version
            .deprecation
            .as_ref()
            .map(|deprecation| deprecation.warning.clone().unwrap_or_default()),
        description: version.schema.description.clone(),
        span: Some(version.span),
        columns: version
            .columns
            .iter()
            .map(|column| Column {
                name: column.value.name.clone(),
                path: column.value.json_path.value.clone(),
                description: column.value.description.clone(),
                is_wide: column.value.priority.unwrap_or_default() > 0,
            })
            .collect(),
        subresources,
        selectable_fields: version
            .selectable_fields
            .iter()
            .map(|field| field.value.clone())
            .collect(),
        rules: fields::rules(&version.schema).1,
        sample: None,
        webhooks: webhooks(checked, resource, &version.version),
        fields,
    }
}

/// Returns the webhooks that see requests about a version of a kind.
fn webhooks(checked: &Checked<'_>, resource: &Resource, version: &str) -> Vec<Webhook> {
    let has = |list: &[String], word: &str| list.iter().any(|entry| entry == word || entry == "*");
    let about = checked.api().webhooks.iter().filter(|webhook| {
        has(&webhook.groups, &resource.group)
            && has(&webhook.versions, version)
            && has(&webhook.resources, &resource.names.plural)
    });
    about
        .map(|webhook| Webhook {
            name: webhook.name.value.clone(),
            is_mutating: webhook.mutating,
            operations: webhook
                .verbs
                .iter()
                .map(|verb| verb.value.to_lowercase())
                .collect(),
        })
        .collect()
}

/// Marks the types that several fields of a version have.
fn mark_shared(fields: &mut [Field]) {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    each_field(fields, &mut |field| {
        if let Some(own) = field.own_type.as_ref().filter(|_| field.is_object()) {
            *uses.entry(own.clone()).or_default() += 1;
        }
    });
    mark(fields, &uses);
}

fn mark(fields: &mut [Field], uses: &BTreeMap<String, usize>) {
    for field in fields {
        let own = field.own_type.as_ref().filter(|_| !field.fields.is_empty());
        field.shared = own
            .filter(|own| uses.get(*own).is_some_and(|count| *count > 1))
            .cloned();
        mark(&mut field.fields, uses);
    }
}

/// Marks the fields that the oldest version does not have with the first version that has them.
fn mark_introductions(versions: &mut [Version]) {
    let paths: Vec<(String, BTreeSet<String>)> = versions
        .iter()
        .rev()
        .map(|version| {
            let mut paths = BTreeSet::new();
            each_field(&version.fields, &mut |field| {
                paths.insert(field.path.clone());
            });
            (version.name.clone(), paths)
        })
        .collect();
    for version in versions {
        introduce(&mut version.fields, &paths, None);
    }
}

fn introduce(fields: &mut [Field], paths: &[(String, BTreeSet<String>)], around: Option<&String>) {
    for field in fields {
        let first = paths.iter().position(|(_, known)| known.contains(&field.path));
        let since = first
            .filter(|first| *first > 0)
            .and_then(|first| paths.get(first));
        let since = since.map(|(version, _)| version);
        // What is in a new field is as new as the field.
        field.since = since.filter(|since| around != Some(since)).cloned();
        introduce(&mut field.fields, paths, since);
    }
}

/// Compares each version with the next older one.
fn comparisons(versions: &[&KindVersion], built: &[Version]) -> Vec<Comparison> {
    let pairs = versions.windows(2).zip(built.windows(2));
    let compared = pairs.filter_map(|(versions, built)| {
        let ([new, old], [new_built, old_built]) = (versions, built) else {
            return None;
        };
        let mut changes: Vec<Change> = Vec::new();
        for difference in between(old, new) {
            let path = shown_path(&difference.path);
            let summary = |version: &Version| {
                let mut found = None;
                each_field(&version.fields, &mut |field| {
                    if field.path == path {
                        found = Some(summary(field));
                    }
                });
                found
            };
            let message = sentence(&difference.message);
            match changes.iter_mut().find(|change| change.path == path) {
                Some(change) => change.messages.push(message),
                None => changes.push(Change {
                    sort: difference.sort,
                    old: summary(old_built),
                    new: summary(new_built),
                    messages: vec![message],
                    path,
                }),
            }
        }
        // A field that the pages leave out is not compared either.
        changes.retain(|change| change.old.is_some() || change.new.is_some() || change.path.is_empty());
        Some(Comparison {
            old: old.version.clone(),
            new: new.version.clone(),
            changes,
        })
    });
    compared.collect()
}

/// Returns a path of `kgen diff` as the pages write it: `spec.ports[].name`.
fn shown_path(path: &str) -> String {
    path.trim_start_matches('.').replace("[*]", "[]")
}

/// Returns a message as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}

/// Returns a field in one line: its type, presence, default and constraints.
fn summary(field: &Field) -> String {
    let mut parts = vec![format!("{}{}", field.type_name.before, field.type_name.name)];
    if field.is_required {
        parts.push("required".to_owned());
    }
    if let Some(default) = &field.default {
        parts.push(format!("default {}", crate::words::quoted(default)));
    }
    parts.extend(field.constraints.iter().cloned());
    parts.extend(
        field
            .rules
            .iter()
            .map(|rule: &Rule| crate::words::quoted(&rule.rule)),
    );
    parts.join(", ")
}

/// Warns about links that lead nowhere.
fn check_links(reference: &Reference, problems: &mut Problems) {
    let index = Index::of(reference);
    for kind in &reference.kinds {
        for version in &kind.versions {
            let from = Target {
                group: kind.group.clone(),
                version: version.name.clone(),
                kind: kind.kind.clone(),
                path: String::new(),
            };
            let mut check = |description: Option<&str>, span: Option<Span>| {
                rewrite(description.unwrap_or_default(), &mut |path| {
                    let found = index.find(path, &from);
                    if found.is_none()
                        && let Some(span) = span
                    {
                        let message = format!("`{path}` is not a kind, type or field of the API");
                        problems.push(
                            Problem::warning(Code::DocsLink, span, message)
                                .help("the pages show it as code; link to a field as in [`Spec::size`]"),
                        );
                    }
                    found.map(|_| String::new())
                });
            };
            check(version.description.as_deref(), version.span);
            each_field(&version.fields, &mut |field| {
                check(field.description.as_deref(), field.span);
            });
        }
    }
}
