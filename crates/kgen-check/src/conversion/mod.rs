//! Conversion between the versions of a kind: the differences, and the translations that only the author can provide.
//!
//! Versions form a chain by age (`chain`). Neighbors are compared from the root of the object downward (`compare`):
//! structs field by field, enums variant by variant, and everything else by its JSON. The result is data (`plan`), which
//! the generator prints. A difference that the source does not explain is a problem at its line.

mod chain;
mod compare;
mod counterparts;
mod fields;
mod lossy;
mod markers;
mod methods;
mod moved_fields;
mod moves;
mod pairs;
mod plan;
mod problems;
mod shape;
mod values;
mod variants;
mod view;

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Problem, Problems, Span, words};
use kgen_model::{Api, KindVersion, Resource};

pub use lossy::dropped_fields;
pub use plan::{
    Argument, Contents, Conversion, FieldPath, Function, Line, Method, MethodIndex, Shown, Step, Table,
    Value, VariantLine,
};

use crate::{Part, written_versions};

/// How many fields a message lists.
const LISTED: usize = 8;

/// Compares the versions of every kind that has several, and reports what keeps them from being converted.
pub(crate) fn plan<'a>(api: &'a Api, parts: &[Part], problems: &mut Problems) -> Vec<Conversion<'a>> {
    let is_wanted = parts.contains(&Part::Conversions);
    api.resources
        .iter()
        .filter_map(|resource| plan_resource(api, resource, is_wanted, problems))
        .collect()
}

fn plan_resource<'a>(
    api: &'a Api,
    resource: &'a Resource,
    is_wanted: bool,
    problems: &mut Problems,
) -> Option<Conversion<'a>> {
    let versions: Vec<&KindVersion> = written_versions(resource).collect();
    let stated = markers::all(api, &versions);
    if versions.len() < 2 {
        let webhooks = versions
            .iter()
            .filter_map(|version| version.conversion.webhook.as_ref());
        let webhooks = webhooks.map(|webhook| webhook.span);
        for span in webhooks.chain(of_no_other_kind(api, stated)) {
            let why = format!("`{}` has only one version", resource.kind);
            problems.push(problems::needless(span, &why));
        }
        return None;
    }
    let is_external = versions
        .iter()
        .any(|version| version.conversion.external.is_some());
    let says_more = !stated.is_empty() || versions.iter().any(|version| version.conversion.is_stated());
    let is_meant = is_wanted || says_more && !is_external;
    let mut found = Problems::new();
    let conversion = compare_all(api, resource, &versions, &stated, &mut found);
    let has_errors = found.has_errors();
    // Without any sign that the versions are to be converted, the output remains that of controller-gen.
    if is_meant {
        problems.extend(found);
    }
    let conversion = conversion?;
    check_strategy(
        &conversion,
        conversion.differs() || has_errors,
        is_meant,
        problems,
    );
    Some(conversion)
}

/// Returns the markers that no kind with several versions has. Kinds may share types.
fn of_no_other_kind(api: &Api, mut stated: Vec<Span>) -> Vec<Span> {
    if !stated.is_empty() {
        for resource in &api.resources {
            let versions: Vec<&KindVersion> = written_versions(resource).collect();
            if versions.len() > 1 {
                let others = markers::all(api, &versions);
                stated.retain(|span| !others.contains(span));
            }
        }
    }
    stated
}

fn compare_all<'a>(
    api: &'a Api,
    resource: &'a Resource,
    versions: &[&'a KindVersion],
    stated: &[Span],
    problems: &mut Problems,
) -> Option<Conversion<'a>> {
    let chain = chain::order(versions, problems)?;
    let mut methods = methods::Methods::default();
    let mut consulted = BTreeSet::new();
    let mut steps = Vec::new();
    for pair in chain.windows(2) {
        if let [older, newer] = pair {
            steps.push(compare::compare(
                api,
                (older, newer),
                &mut methods,
                &mut consulted,
                problems,
            ));
        }
    }
    for span in stated.iter().filter(|span| !consulted.contains(span)) {
        let why = "the oldest version has no previous one, and types that versions share are never compared";
        problems.push(problems::needless(*span, why));
    }
    Some(Conversion {
        resource,
        chain,
        steps,
        methods: methods.list,
    })
}

/// Checks that versions that differ are converted, and that others are not.
fn check_strategy(conversion: &Conversion<'_>, differs: bool, is_meant: bool, problems: &mut Problems) {
    let mut versions = conversion.chain.iter();
    let webhook = versions
        .clone()
        .find_map(|version| version.conversion.webhook.as_ref());
    let is_external = versions.any(|version| version.conversion.external.is_some());
    if !differs {
        if let Some(webhook) = webhook {
            let why = "the versions have the same JSON, so the API server converts objects itself";
            problems.push(problems::needless(webhook.span, why));
        }
        return;
    }
    if webhook.is_some() || is_external {
        return;
    }
    for step in &conversion.steps {
        let (older, newer) = (step.older, step.newer);
        let dropped = [(older, newer), (newer, older)]
            .map(|(from, to)| (from, to, dropped_fields(&from.schema, &to.schema)));
        if step.tables.is_empty() && dropped.iter().all(|(_, _, fields)| fields.is_empty()) {
            continue;
        }
        let message = format!(
            "`{}` and `{}` of `{}` differ, and nothing converts between them",
            older.version, newer.version, newer.kind
        );
        let mut problem = if is_meant {
            Problem::error(Code::LossyVersions, newer.span, message)
        } else {
            Problem::warning(Code::LossyVersions, newer.span, message)
        };
        problem = problem.related(older.span, format!("`{}` is declared here", older.version));
        for (from, to, fields) in &dropped {
            if let Some(list) = listed(fields) {
                problem = problem.help(format!(
                    "the API server drops {list} when it reads an object of `{}` as `{}`",
                    from.version, to.version
                ));
            }
        }
        if dropped.iter().all(|(_, _, fields)| fields.is_empty()) {
            problem = problem
                .help("no field is dropped, but a value of one version can be invalid in the other one");
        }
        problems.push(
            problem
                .help("write `+kgen:conversion:webhook` above one version, and serve what `kgen conversion` generates")
                .help("or write `+kgen:conversion:external` if another tool completes the definition"),
        );
    }
}

/// Lists some fields in a sentence.
fn listed(fields: &[String]) -> Option<String> {
    if fields.is_empty() {
        return None;
    }
    let shown = fields.iter().take(LISTED).map(String::as_str);
    Some(match fields.len().checked_sub(LISTED) {
        Some(more) if more > 0 => {
            let shown: Vec<String> = shown.map(|field| format!("`{field}`")).collect();
            format!("{} and {more} more", shown.join(", "))
        }
        _ => words::all_of(shown),
    })
}
