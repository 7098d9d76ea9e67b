//! Merges single rules into roles with controller-gen's algorithm, which keeps manifests small and their text stable.
//!
//! Each rule is split into rules for one resource, which go into the role of their namespace and name. There, rules that
//! differ in only one part become one rule with both values of that part. A merge changes only one part, so the merged
//! rules allow exactly the same requests as the single ones.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::Spanned;
use kgen_model::{AccessRule, group_name};

/// The verb that means all verbs.
const ALL_VERBS: &str = "*";

/// A role with merged rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Role {
    /// Empty for a cluster role.
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) rules: Vec<Rule>,
}

/// A rule whose lists are sets: Kubernetes ignores their order and duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rule {
    pub(super) groups: BTreeSet<String>,
    pub(super) resources: BTreeSet<String>,
    pub(super) resource_names: BTreeSet<String>,
    pub(super) urls: BTreeSet<String>,
    pub(super) verbs: BTreeSet<String>,
}

/// Selects the part of a rule in which others can differ from it.
type Part = fn(&mut Rule) -> &mut BTreeSet<String>;

/// Returns all roles, sorted by namespace and name. Rules without a role name go to `default_name`.
pub(super) fn roles(rules: &[AccessRule], default_name: &str) -> Vec<Role> {
    let mut single_rules: BTreeMap<(&str, &str), Vec<Rule>> = BTreeMap::new();
    for rule in rules {
        let namespace = rule.namespace.as_ref().map_or("", |name| name.value.as_str());
        let name = rule
            .own_role_name()
            .map_or(default_name, |name| name.value.as_str());
        single_rules
            .entry((namespace, name))
            .or_default()
            .extend(split(rule));
    }
    single_rules
        .into_iter()
        .map(|((namespace, name), rules)| Role {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            rules: merged(rules),
        })
        .collect()
}

/// Splits a rule into one rule per resource, so that rules of different markers for the same resource can be merged.
fn split(rule: &AccessRule) -> Vec<Rule> {
    let set = |values: &[Spanned<String>]| {
        values
            .iter()
            .map(|value| value.value.clone())
            .collect::<BTreeSet<_>>()
    };
    let whole = Rule {
        groups: rule
            .groups
            .iter()
            .map(|group| group_name(group).to_owned())
            .collect(),
        resources: BTreeSet::new(),
        resource_names: set(&rule.resource_names),
        urls: set(&rule.urls),
        verbs: rule.verbs.iter().map(|verb| verb.value.clone()).collect(),
    };
    if rule.resources.is_empty() {
        return vec![whole];
    }
    let single = |resource: &Spanned<String>| Rule {
        resources: BTreeSet::from([resource.value.clone()]),
        ..whole.clone()
    };
    rule.resources.iter().map(single).collect()
}

/// Performs all merges, sorts the rules, and removes the verbs that a `*` makes redundant.
///
/// The `*` comes last, as in controller-gen: rules with it are merged only if their other verbs are equal too.
fn merged(rules: Vec<Rule>) -> Vec<Rule> {
    let mut rules = unite(rules, |rule| &mut rule.verbs);
    let parts: [Part; 3] = [
        |rule| &mut rule.resources,
        |rule| &mut rule.groups,
        |rule| &mut rule.urls,
    ];
    for part in parts {
        // After a merge, two rules can differ only in their verbs. controller-gen then keeps one of the two at random.
        rules = unite(unite(rules, part), |rule| &mut rule.verbs);
    }
    rules.sort_by_cached_key(sort_key);
    for rule in &mut rules {
        if rule.verbs.contains(ALL_VERBS) {
            rule.verbs = BTreeSet::from([ALL_VERBS.to_owned()]);
        }
    }
    rules
}

/// Merges all rules that differ only in `part`.
fn unite(rules: Vec<Rule>, part: Part) -> Vec<Rule> {
    let mut united: BTreeMap<Rule, BTreeSet<String>> = BTreeMap::new();
    for mut rule in rules {
        let values = std::mem::take(part(&mut rule));
        united.entry(rule).or_default().extend(values);
    }
    let complete = |(mut rule, values): (Rule, BTreeSet<String>)| {
        *part(&mut rule) = values;
        rule
    };
    united.into_iter().map(complete).collect()
}

/// Returns the text by which controller-gen sorts.
fn sort_key(rule: &Rule) -> String {
    let joined = |values: &BTreeSet<String>| values.iter().map(String::as_str).collect::<Vec<_>>().join("&");
    let parts = [&rule.groups, &rule.resources, &rule.resource_names, &rule.urls];
    parts.map(joined).join(" + ")
}
