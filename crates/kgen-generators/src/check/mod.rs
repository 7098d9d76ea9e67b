//! What an API server would refuse, found before anything is written, and reported at the line that is to blame.
//!
//! One file a family of rules. Rules over a whole resource take the resource; rules over schemas take one node at a
//! time, and one walk over the schemas of a version serves them all. Where a rule mirrors code of Kubernetes, it says
//! so; `testdata/apiserver` holds the verdicts of that code on our examples.

mod bounds;
pub(crate) mod cel;
mod columns;
mod duplicates;
mod field_path;
mod format_names;
mod go_regex;
mod json_path;
mod lists;
mod metadata;
mod names;
mod nested;
mod patterns;
mod reserved_group;
mod scale;
mod selectable_fields;
mod storage;
mod structural;
mod text;
mod values;
mod walk;

use kgen_diagnostics::{Code, Problems, Severity};
use kgen_model::{Api, KindStyle, KindVersion, Resource, map_all};

use patterns::Patterns;
use walk::Node;

/// Where rules over schemas put what they find, and what they share.
struct Report<'a> {
    problems: Problems,
    patterns: &'a Patterns,
    /// What the rules of the version cost that is being walked through.
    budget: cel::Budget,
}

/// Rules over resources as a whole.
const RESOURCE_RULES: &[fn(&Resource, &mut Problems)] = &[
    names::check,
    metadata::check,
    reserved_group::check,
    storage::check,
];

/// Rules over one version and what its markers refer to.
const VERSION_RULES: &[fn(&KindVersion, &mut Problems)] =
    &[columns::check, selectable_fields::check, scale::check];

/// Rules over one node of a schema.
const NODE_RULES: &[fn(&Node<'_>, &mut Report<'_>)] = &[
    structural::check,
    nested::check,
    lists::check,
    bounds::check,
    format_names::check,
    patterns::check,
    values::check,
    cel::check,
];

/// Every rule over the whole API.
pub(crate) fn check(api: &Api) -> Problems {
    let mut problems = Problems::new();
    duplicates::check(api, &mut problems);
    let patterns = Patterns::default();
    let found = map_all(&api.resources, |resource| check_resource(resource, &patterns));
    for list in found {
        problems.extend(list);
    }
    problems
}

/// Every rule over the whole API, with warnings for what kube-derive leaves alone in a program that works.
///
/// These are columns and scale that lead nowhere, at which the API server does not look either; copies of Kubernetes' own
/// types, which a program only uses and never installs; and which of several versions is stored, which it says in code.
pub(crate) fn check_like_kube_derive(api: &Api) -> Problems {
    let versions = || api.resources.iter().flat_map(|resource| &resource.versions);
    let columns = versions()
        .flat_map(|version| &version.columns)
        .map(|column| &column.value.json_path)
        // A path that cannot be read is refused by the API server, too.
        .filter(|path| json_path::parse(&path.value).is_ok());
    let scales = versions().filter_map(|version| version.scale.as_ref());
    let scales = scales.flat_map(|scale| {
        let paths = [&scale.value.spec_path, &scale.value.status_path];
        paths.into_iter().chain(&scale.value.selector_path)
    });
    let places: Vec<_> = columns.chain(scales).map(|path| Some(path.span)).collect();
    let guesses: Vec<_> = api
        .resources
        .iter()
        .filter_map(|resource| storage::guessed(&written_versions(resource).collect::<Vec<_>>()))
        .map(|version| Some(version.span))
        .collect();
    let groups: Vec<_> = versions()
        .filter(|version| version.style == KindStyle::KubeDerive)
        .map(|version| Some(version.group_span))
        .collect();
    let mut problems = Problems::new();
    for mut problem in check(api) {
        let is_left_alone = match problem.code {
            Code::JsonPath => places.contains(&problem.span),
            Code::StorageVersion => guesses.contains(&problem.span),
            Code::ReservedGroup => groups.contains(&problem.span),
            _ => false,
        };
        if is_left_alone {
            problem.severity = Severity::Warning;
        }
        problems.push(problem);
    }
    problems
}

fn check_resource(resource: &Resource, patterns: &Patterns) -> Problems {
    let mut report = Report {
        problems: Problems::new(),
        patterns,
        budget: cel::Budget::default(),
    };
    for rule in RESOURCE_RULES {
        rule(resource, &mut report.problems);
    }
    for version in written_versions(resource) {
        for rule in VERSION_RULES {
            rule(version, &mut report.problems);
        }
        walk::walk(version, &mut |node| {
            for rule in NODE_RULES {
                rule(node, &mut report);
            }
        });
        cel::finish(version, &mut report);
    }
    report.problems
}

/// The versions that are part of the definition.
fn written_versions(resource: &Resource) -> impl Iterator<Item = &KindVersion> {
    resource.versions.iter().filter(|version| !version.skipped)
}

#[cfg(test)]
pub(crate) mod tests;
