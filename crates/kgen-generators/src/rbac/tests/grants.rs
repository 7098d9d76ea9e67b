//! Property tests of merging: the merged rules allow exactly the same requests.

use std::collections::BTreeSet;

use kgen_diagnostics::{Files, Span, Spanned};
use kgen_model::AccessRule;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::rbac::merge::{Rule, roles};

/// Everything that the rules of a test can name.
const GROUPS: &[&str] = &["", "core", "apps", "batch"];
const RESOURCES: &[&str] = &["pods", "jobs", "jobs/status", "*"];
const RESOURCE_NAMES: &[&str] = &["one", "two"];
const URLS: &[&str] = &["/a", "/b", "/c"];
const VERBS: &[&str] = &["get", "list", "watch", "*"];

/// A request: namespace, role, group, resource, name, path, verb.
type Grant = [String; 7];

/// Generates some of the words, with duplicates.
fn some(words: &'static [&'static str], count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    vec(select(words).prop_map(str::to_owned), count)
}

/// Generates `None`, or sometimes the word.
fn sometimes(word: &'static str) -> impl Strategy<Value = Option<String>> {
    prop_oneof![3 => Just(None), 1 => Just(Some(word.to_owned()))]
}

/// Generates a rule that an API server accepts: about resources, or about paths.
fn rule() -> impl Strategy<Value = AccessRule> {
    let names = prop_oneof![3 => Just(Vec::new()), 1 => some(RESOURCE_NAMES, 1..3)];
    let resources = (
        some(GROUPS, 1..4),
        some(RESOURCES, 1..4),
        names,
        sometimes("north"),
    )
        .prop_map(|(groups, resources, names, namespace)| (groups, resources, names, Vec::new(), namespace));
    let urls = some(URLS, 1..4).prop_map(|urls| (Vec::new(), Vec::new(), Vec::new(), urls, None));
    let subject = prop_oneof![3 => resources, 1 => urls];
    (subject, some(VERBS, 1..4), sometimes("other")).prop_map(|(subject, verbs, role_name)| {
        let (groups, resources, resource_names, urls, namespace) = subject;
        let span = Span::of(Files::default().next_id(), 0..0);
        let at = |value: String| Spanned::new(value, span);
        let all = |values: Vec<String>| values.into_iter().map(at).collect();
        AccessRule {
            groups,
            resources: all(resources),
            resource_names: all(resource_names),
            urls: all(urls),
            verbs: all(verbs),
            namespace: namespace.map(at),
            role_name: role_name.map(at),
            wildcard_allowed: None,
            span,
        }
    })
}

/// Returns every request that a rule allows. A star among the verbs means all verbs that the test knows.
fn grants(namespace: &str, name: &str, rule: &Rule) -> BTreeSet<Grant> {
    let or_any = |set: &BTreeSet<String>| match set.is_empty() {
        true => vec!["(any)".to_owned()],
        false => set.iter().cloned().collect(),
    };
    let verbs = match rule.verbs.contains("*") {
        true => VERBS.iter().map(|verb| (*verb).to_owned()).collect(),
        false => or_any(&rule.verbs),
    };
    let mut grants = BTreeSet::new();
    for group in or_any(&rule.groups) {
        for resource in or_any(&rule.resources) {
            for object in or_any(&rule.resource_names) {
                for url in or_any(&rule.urls) {
                    for verb in &verbs {
                        let parts = [namespace, name, &group, &resource, &object, &url, verb];
                        grants.insert(parts.map(str::to_owned));
                    }
                }
            }
        }
    }
    grants
}

fn all_grants(rules: &[AccessRule]) -> BTreeSet<Grant> {
    let of_role = |role: &crate::rbac::merge::Role| {
        role.rules
            .iter()
            .flat_map(|rule| grants(&role.namespace, &role.name, rule))
            .collect::<Vec<_>>()
    };
    roles(rules, "keeper").iter().flat_map(of_role).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merged_rules_allow_exactly_what_the_single_rules_allow(rules in vec(rule(), 1..9)) {
        let single: BTreeSet<Grant> =
            rules.iter().flat_map(|rule| all_grants(std::slice::from_ref(rule))).collect();
        prop_assert_eq!(all_grants(&rules), single);
    }

    #[test]
    fn the_order_of_markers_means_nothing(rules in vec(rule(), 1..9)) {
        let mut reversed = rules.clone();
        reversed.reverse();
        prop_assert_eq!(roles(&rules, "keeper"), roles(&reversed, "keeper"));
    }

    #[test]
    fn no_two_rules_are_about_the_same(rules in vec(rule(), 1..9)) {
        for role in roles(&rules, "keeper") {
            let mut subjects = BTreeSet::new();
            for mut rule in role.rules {
                rule.verbs.clear();
                prop_assert!(subjects.insert(rule));
            }
        }
    }
}
