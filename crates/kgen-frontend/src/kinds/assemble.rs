//! Combines versions to resources: the versions of one kind become one definition, and must agree on the shared parts.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{KindStyle, KindVersion, Resource, ResourceNames, Scope, implied_storage, plural};

use crate::Compat;

/// Groups versions by kind, in the order of the names.
pub(crate) fn assemble(versions: Vec<KindVersion>, compat: Compat, problems: &mut Problems) -> Vec<Resource> {
    let mut groups: BTreeMap<String, Vec<KindVersion>> = BTreeMap::new();
    for version in versions {
        groups
            .entry(format!("{}.{}", version.kind, version.group))
            .or_default()
            .push(version);
    }
    groups
        .into_values()
        .filter_map(|versions| resource(versions, compat, problems))
        .collect()
}

fn resource(mut versions: Vec<KindVersion>, compat: Compat, problems: &mut Problems) -> Option<Resource> {
    versions.sort_by(|left, right| left.version.cmp(&right.version));
    report_doubles(&versions, problems);
    let decisive = decisive(&versions, compat);
    let names = names(&versions, decisive, problems)?;
    let (annotations, labels) = metadata(&versions, decisive, problems);
    versions.retain(|version| !version.skipped);
    let first = versions.first()?;
    Some(Resource {
        group: first.group.clone(),
        kind: first.kind.clone(),
        scope: versions
            .iter()
            .find_map(|version| version.scope.as_ref())
            .map_or_else(Scope::default, |scope| scope.value),
        names,
        annotations,
        labels,
        versions,
    })
}

fn report_doubles(versions: &[KindVersion], problems: &mut Problems) {
    for pair in versions.windows(2) {
        let [first, second] = pair else { continue };
        if first.version == second.version {
            problems.push(
                Problem::error(
                    Code::DuplicateKind,
                    second.span,
                    format!(
                        "`{}` of `{}/{}` is declared twice",
                        second.kind, second.group, second.version
                    ),
                )
                .related(first.span, "the first one")
                .help("give one of them another version or kind, or exclude it with `+kubebuilder:skip`"),
            );
        }
    }
}

/// Returns the names of the resource that one version states, if any.
fn statement(version: &KindVersion) -> Option<(Statement<'_>, Span)> {
    let places = [&version.plural, &version.singular]
        .into_iter()
        .flatten()
        .map(|text| text.span);
    let lists = version
        .short_names
        .iter()
        .chain(&version.categories)
        .map(|text| text.span);
    let scope = version.scope.as_ref().map(|scope| scope.span);
    let span = places.chain(lists).chain(scope).min()?;
    Some((
        Statement {
            plural: version.plural.as_ref().map(|text| text.value.as_str()),
            singular: version.singular.as_ref().map(|text| text.value.as_str()),
            short_names: version
                .short_names
                .iter()
                .map(|text| text.value.as_str())
                .collect(),
            categories: version
                .categories
                .iter()
                .map(|text| text.value.as_str())
                .collect(),
            scope: version
                .scope
                .as_ref()
                .map(|scope| scope.value)
                .unwrap_or_default(),
        },
        span,
    ))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Statement<'a> {
    plural: Option<&'a str>,
    singular: Option<&'a str>,
    short_names: Vec<&'a str>,
    categories: Vec<&'a str>,
    scope: Scope,
}

/// Returns the version whose names, annotations and labels count if the versions disagree. Programs merge the definitions
/// of kube-derive into that of the stored version, and drop the rest of the others.
fn decisive(versions: &[KindVersion], compat: Compat) -> Option<&KindVersion> {
    let are_merged = compat.is_kube_derive()
        && versions
            .iter()
            .all(|version| version.style == KindStyle::KubeDerive);
    let stored = || {
        let stated = versions.iter().find(|version| version.storage.is_some());
        stated.or_else(|| implied_storage(&versions.iter().collect::<Vec<_>>()))
    };
    stored().filter(|_| are_merged)
}

/// Returns the names on which all versions agree. A version without names agrees with any, except with the decisive one.
fn names(
    versions: &[KindVersion],
    decisive: Option<&KindVersion>,
    problems: &mut Problems,
) -> Option<ResourceNames> {
    let first = versions.first()?;
    let mut stated =
        decisive.map(|version| statement(version).unwrap_or((Statement::default(), version.span)));
    for version in versions {
        if let (Some((known, place)), Some(decisive)) = (&stated, decisive) {
            let (other, span) = statement(version).unwrap_or((Statement::default(), version.span));
            if *known != other {
                let problem = disagreement(&version.version, span, *place);
                // Versions of different scopes cannot be merged.
                problems.push(if known.scope == other.scope {
                    problem.tolerated().help(format!(
                        "`crd:compat=kube-derive` takes those of `{}`, which is stored",
                        decisive.version
                    ))
                } else {
                    problem
                });
            }
            continue;
        }
        match (&stated, statement(version)) {
            (None, found) => stated = found,
            (Some((known, place)), Some((other, span))) if *known != other => {
                problems.push(disagreement(&version.version, span, *place));
            }
            _ => {}
        }
    }
    let (stated, _) = stated.unwrap_or((Statement::default(), first.span));
    let default_plural = match first.style {
        KindStyle::WholeStruct => plural(&first.kind),
        // kube-derive derives the plural from the singular.
        KindStyle::KubeDerive => {
            let singular = stated
                .singular
                .map_or_else(|| first.kind.to_lowercase(), str::to_owned);
            kube_plural(&singular)
        }
    };
    let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
    Some(ResourceNames {
        plural: stated.plural.map_or(default_plural, str::to_owned),
        singular: stated
            .singular
            .map_or_else(|| first.kind.to_lowercase(), str::to_owned),
        list_kind: versions
            .iter()
            .find_map(|version| version.list_kind.as_ref())
            .map_or_else(|| format!("{}List", first.kind), |text| text.value.clone()),
        short_names: texts(&stated.short_names),
        categories: texts(&stated.categories),
    })
}

fn disagreement(version: &str, span: Span, other: Span) -> Problem {
    let message =
        format!("the names, scope or categories in `{version}` differ from those in another version");
    Problem::error(Code::VersionDisagreement, span, message)
        .related(other, "the other version")
        .help("write them only once, or the same in every version")
}

type Entries = BTreeMap<String, String>;

/// Annotations and labels of all versions, or only those of the decisive one. Two values for one key is a problem.
fn metadata(
    versions: &[KindVersion],
    decisive: Option<&KindVersion>,
    problems: &mut Problems,
) -> (Entries, Entries) {
    let mut collect = |of: fn(&KindVersion) -> &Vec<(String, String, Span)>, what: &str| {
        let mut entries: BTreeMap<String, (String, Span)> = BTreeMap::new();
        for (key, value, span) in decisive.into_iter().flat_map(of) {
            entries.insert(key.clone(), (value.clone(), *span));
        }
        for (key, value, span) in versions.iter().flat_map(of) {
            match entries.get(key) {
                Some((known, place)) if known != value => {
                    let message = format!("the {what} `{key}` has two values");
                    let problem = Problem::error(Code::VersionDisagreement, *span, message)
                        .related(*place, "the first one")
                        .help("use one value; annotations and labels are the same for all versions");
                    problems.push(if decisive.is_some() {
                        problem.tolerated()
                    } else {
                        problem
                    });
                }
                None if decisive.is_some() => {}
                _ => {
                    entries.insert(key.clone(), (value.clone(), *span));
                }
            }
        }
        entries
            .into_iter()
            .map(|(key, (value, _))| (key, value))
            .collect()
    };
    (
        collect(|version| &version.annotations, "annotation"),
        collect(|version| &version.labels, "label"),
    )
}

/// Returns the plural that kube-derive gives a kind, which is what its clients use.
fn kube_plural(word: &str) -> String {
    if ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|ending| word.ends_with(ending))
    {
        return format!("{word}es");
    }
    if let Some(stem) = word.strip_suffix('y')
        && stem
            .chars()
            .last()
            .is_some_and(|last| !matches!(last, 'a' | 'e' | 'i' | 'o' | 'u'))
    {
        return format!("{stem}ies");
    }
    format!("{word}s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_as_kube_derive_makes_them() {
        for (word, plural) in [
            ("kiln", "kilns"),
            ("proxy", "proxies"),
            ("gateway", "gateways"),
            ("mesh", "meshes"),
        ] {
            assert_eq!(kube_plural(word), plural);
        }
    }
}
