//! Every check that runs before anything is generated: reports at the source line everything that an API server would
//! reject.
//!
//! [`check`] takes an API and returns a [`Checked`] one, which is the only input that generators accept. There is one
//! file or folder per family of rules: CRDs (the files of this folder), RBAC rules, webhooks and clients. Rules over a
//! whole resource take the resource. Rules over schemas take one node at a time, and one walk over the schemas of a
//! version serves them all. A rule that mirrors code of Kubernetes says so; `testdata/apiserver` holds the verdicts of
//! that code on our examples.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod access;
mod bounds;
mod checked;
pub mod clients;
mod columns;
pub mod conversion;
mod duplicates;
mod field_path;
mod format_names;
mod json_path;
mod kubernetes_names;
mod lists;
mod metadata;
mod names;
mod nested;
mod patterns;
mod policy;
mod refusal;
mod reserved_group;
mod rules;
mod scale;
mod selectable_fields;
mod storage;
mod structural;
mod text;
mod values;
mod walk;
mod webhook;

use kgen_cel::go_regex::Patterns;
use kgen_diagnostics::Problems;
use kgen_model::{Api, KindVersion, Resource};
use kgen_threads::map_all;

use walk::Node;

pub use access::role_name_problem;
pub use checked::{Checked, Part, check};
pub use policy::KUBE_DERIVE;
pub use rules::{RULE_COST_LIMIT, RuleCost, rule_functions};
pub use webhook::{
    Configuration as WebhookConfiguration, SERVICE_NAME as WEBHOOK_SERVICE_NAME,
    SERVICE_NAMESPACE as WEBHOOK_SERVICE_NAMESPACE,
};

/// Collects the findings of rules over schemas, and their shared state.
struct Report<'a> {
    problems: Problems,
    patterns: &'a Patterns,
    /// The schemas that defaults and other values have been compared with so far.
    converter: values::Converter,
    /// The cost of the rules of the current version.
    budget: rules::Budget,
    /// Rules that use more than half of their budget, for a lint.
    expensive: Problems,
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
    rules::check,
];

/// Applies every rule over definitions.
fn check_definitions(api: &Api, problems: &mut Problems) {
    duplicates::check(api, problems);
    let patterns = Patterns::default();
    let found = map_all(&api.resources, |resource| check_resource(resource, &patterns));
    for list in found {
        problems.extend(list);
    }
}

/// Returns a warning for every rule that uses more than half of the cost that the API server allows.
#[must_use]
pub fn expensive_rules(api: &Api) -> Problems {
    let patterns = Patterns::default();
    let mut problems = Problems::new();
    for resource in &api.resources {
        problems.extend(report_of(resource, &patterns).expensive);
    }
    problems.settle(policy::LINT, &[]);
    problems
}

/// Returns the cost of every rule of a version, in the order of the schema.
#[must_use]
pub fn rule_costs(version: &KindVersion) -> Vec<RuleCost> {
    let mut costs = Vec::new();
    walk::walk(version, &mut |node| costs.extend(rules::costs(node)));
    costs
}

fn check_resource(resource: &Resource, patterns: &Patterns) -> Problems {
    report_of(resource, patterns).problems
}

fn report_of<'p>(resource: &Resource, patterns: &'p Patterns) -> Report<'p> {
    let mut report = Report {
        problems: Problems::new(),
        patterns,
        converter: values::Converter::default(),
        budget: rules::Budget::default(),
        expensive: Problems::new(),
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
        rules::finish(version, &mut report);
    }
    report
}

/// Returns the versions that are part of the definition.
fn written_versions(resource: &Resource) -> impl Iterator<Item = &KindVersion> {
    resource.versions.iter().filter(|version| !version.skipped)
}

#[cfg(test)]
mod tests;

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
