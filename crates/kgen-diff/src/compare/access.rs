//! Compares the RBAC rules of an operator.

use kgen_diagnostics::{Code, Spanned};
use kgen_model::{AccessRule, Api, group_name};

use crate::finding::{Finding, Level};

/// Returns the RBAC rules of the new state that no rule of the old state covers.
#[must_use]
pub fn access(old: &Api, new: &Api) -> Vec<Finding> {
    let is_new = |rule: &&AccessRule| !is_covered(rule, &old.access_rules);
    let rules = new.access_rules.iter().filter(is_new);
    rules
        .map(|rule| Finding {
            code: Code::AccessAdded,
            level: Level::Risky,
            group: String::new(),
            kind: String::new(),
            version: None,
            path: ".".to_owned(),
            message: format!("the operator may now {}", shown(rule)),
            label: String::new(),
            new: Some(rule.span),
            old: None,
            around: vec![rule.span],
            witness: None,
            says: None,
            reads: None,
            ratchets_at: None,
            unproved: false,
            help: vec!["the user who installs the new version needs permission to grant it".to_owned()],
        })
        .collect()
}

/// Returns whether the rules of `known` together grant everything that `rule` grants.
fn is_covered(rule: &AccessRule, known: &[AccessRule]) -> bool {
    let has = |list: &[Spanned<String>], word: &str| {
        let mut words = list.iter().map(|known| known.value.as_str());
        words.any(|known| known == "*" || known == word)
    };
    let namespace = |rule: &AccessRule| rule.namespace.as_ref().map(|namespace| namespace.value.clone());
    let reaches = |known: &AccessRule| known.namespace.is_none() || namespace(known) == namespace(rule);
    let names: Vec<Option<&str>> = if rule.resource_names.is_empty() {
        vec![None]
    } else {
        let names = rule.resource_names.iter();
        names.map(|name| Some(name.value.as_str())).collect()
    };
    let grants = |known: &AccessRule, group: &str, resource: &str, name: Option<&str>, verb: &str| {
        let mut groups = known.groups.iter().map(|group| group_name(group));
        reaches(known)
            && groups.any(|known| known == "*" || known == group_name(group))
            && covers_resource(&known.resources, resource)
            && (known.resource_names.is_empty() || name.is_some_and(|name| has(&known.resource_names, name)))
            && has(&known.verbs, verb)
    };
    let verbs = || rule.verbs.iter().map(|verb| verb.value.as_str());
    let of_resources = rule.groups.iter().all(|group| {
        rule.resources.iter().all(|resource| {
            names.iter().all(|name| {
                let is_granted = |verb| {
                    known
                        .iter()
                        .any(|known| grants(known, group, &resource.value, *name, verb))
                };
                verbs().all(is_granted)
            })
        })
    });
    let of_urls = rule.urls.iter().all(|url| {
        let is_granted = |verb| {
            let mut known = known.iter().filter(|known| reaches(known));
            known.any(|known| covers_url(&known.urls, &url.value) && has(&known.verbs, verb))
        };
        verbs().all(is_granted)
    });
    of_resources && of_urls
}

/// Returns whether a list has a resource. `*/scale` stands for that subresource of all resources.
fn covers_resource(list: &[Spanned<String>], resource: &str) -> bool {
    let is_known = |known: &str| {
        let subresource = resource.split_once('/').map(|(_, subresource)| subresource);
        known == "*"
            || known == resource
            || known
                .strip_prefix("*/")
                .is_some_and(|part| Some(part) == subresource)
    };
    list.iter().any(|known| is_known(&known.value))
}

/// Returns whether a list has a path. `/metrics/*` stands for everything that begins with `/metrics/`.
fn covers_url(list: &[Spanned<String>], url: &str) -> bool {
    let is_known = |known: &str| {
        known == url
            || known
                .strip_suffix('*')
                .is_some_and(|start| url.starts_with(start))
    };
    list.iter().any(|known| is_known(&known.value))
}

fn shown(rule: &AccessRule) -> String {
    let join = |list: &[Spanned<String>]| {
        let words: Vec<&str> = list.iter().map(|word| word.value.as_str()).collect();
        words.join(", ")
    };
    let groups: Vec<&str> = rule.groups.iter().map(|group| group_name(group)).collect();
    let of = if rule.resources.is_empty() || groups.iter().all(|group| group.is_empty()) {
        String::new()
    } else {
        format!(" of {}", groups.join(", "))
    };
    let what = [join(&rule.resources), join(&rule.urls)];
    let what: Vec<String> = what.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{} {}{of}", join(&rule.verbs), what.join(", "))
}
