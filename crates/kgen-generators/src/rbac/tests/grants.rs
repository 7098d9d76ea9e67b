//! The one thing that a merge of rules must never change: what they allow.

use std::collections::BTreeSet;

use kgen_diagnostics::{Files, Span, Spanned};
use kgen_model::AccessRule;

use crate::rbac::merge::{Rule, roles};

/// A request: role, group or nothing, resource, name or all, path, verb.
type Grant = [String; 7];

/// A small generator of numbers (SplitMix64), so that a failure can be repeated from its seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).expect("a small number")
    }

    /// Between `least` and three of the words, doubles included.
    fn some(&mut self, least: usize, words: &[&str]) -> Vec<String> {
        let count = least + self.below(4 - least);
        (0..count)
            .map(|_| words[self.below(words.len())].to_owned())
            .collect()
    }

    fn rule(&mut self, span: Span) -> AccessRule {
        let for_urls = self.below(4) == 0;
        let choose = |numbers: &mut Self, wanted: bool, least: usize, words: &[&str]| match wanted {
            true => numbers.some(least, words),
            false => Vec::new(),
        };
        let names = self.below(4) == 0;
        AccessRule {
            groups: choose(self, !for_urls, 1, &["", "core", "apps", "batch"]),
            resources: choose(self, !for_urls, 1, &["pods", "jobs", "jobs/status", "*"]),
            resource_names: choose(self, !for_urls && names, 0, &["one", "two"]),
            urls: choose(self, for_urls, 1, &["/a", "/b", "/c"]),
            verbs: self
                .some(1, &["get", "list", "watch", "*"])
                .into_iter()
                .map(|verb| Spanned::new(verb, span))
                .collect(),
            namespace: (!for_urls && self.below(4) == 0).then(|| "north".to_owned()),
            role_name: (self.below(6) == 0).then(|| "other".to_owned()),
            wildcard_allowed: true,
            span,
        }
    }
}

/// Everything that a rule allows. A star among the verbs stands for all verbs that the test knows.
fn grants(namespace: &str, name: &str, rule: &Rule) -> BTreeSet<Grant> {
    let or_any = |set: &BTreeSet<String>| match set.is_empty() {
        true => vec!["(any)".to_owned()],
        false => set.iter().cloned().collect(),
    };
    let verbs = match rule.verbs.contains("*") {
        true => ["get", "list", "watch", "*"].map(str::to_owned).to_vec(),
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
    let roles = roles(rules, "keeper");
    roles
        .iter()
        .flat_map(|role| {
            role.rules
                .iter()
                .flat_map(|rule| grants(&role.namespace, &role.name, rule))
        })
        .collect()
}

#[test]
fn merged_rules_allow_exactly_what_the_single_rules_allow() {
    let span = Span::of(Files::default().next_id(), 0..0);
    for seed in 0..1000 {
        let mut numbers = Numbers(seed);
        let count = 1 + numbers.below(8);
        let rules: Vec<AccessRule> = (0..count).map(|_| numbers.rule(span)).collect();
        let single: BTreeSet<Grant> = rules
            .iter()
            .flat_map(|rule| all_grants(std::slice::from_ref(rule)))
            .collect();
        assert_eq!(all_grants(&rules), single, "seed {seed}: {rules:#?}");
    }
}

#[test]
fn the_order_of_markers_means_nothing() {
    let span = Span::of(Files::default().next_id(), 0..0);
    for seed in 0..1000 {
        let mut numbers = Numbers(seed);
        let count = 1 + numbers.below(8);
        let mut rules: Vec<AccessRule> = (0..count).map(|_| numbers.rule(span)).collect();
        let before = roles(&rules, "keeper");
        rules.reverse();
        assert_eq!(roles(&rules, "keeper"), before, "seed {seed}");
    }
}
