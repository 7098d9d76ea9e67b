//! The lines of `+kubebuilder:rbac` markers.

use std::collections::{BTreeMap, BTreeSet};

use crate::Asked;

/// Returns one marker per group and resource, with all verbs. A name or namespace is stated if it was the only one.
pub(crate) fn markers(asked: &BTreeSet<Asked>) -> Vec<String> {
    let mut by_resource: BTreeMap<(&str, &str), Vec<&Asked>> = BTreeMap::new();
    for one in asked {
        let resource = (one.group.as_str(), one.resource.as_str());
        by_resource.entry(resource).or_default().push(one);
    }
    let markers = by_resource.into_iter().map(|((group, resource), asked)| {
        let verbs: BTreeSet<&str> = asked.iter().map(|one| one.verb.as_str()).collect();
        let verbs: Vec<&str> = verbs.into_iter().collect();
        let is_named = |one: &&Asked| !one.name.is_empty() && can_be_named(&one.verb);
        let name = match asked.iter().all(is_named) {
            true => only(asked.iter().map(|one| one.name.as_str())),
            false => None,
        };
        let names: Vec<&str> = name.into_iter().collect();
        let namespace = only(asked.iter().map(|one| one.namespace.as_str()));
        marker(group, resource, &verbs, &names, namespace)
    });
    markers.collect()
}

/// Returns the text that all texts are equal to, unless it is empty.
fn only<'t>(texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let texts: BTreeSet<&str> = texts.collect();
    let first = texts.first().copied().filter(|text| !text.is_empty());
    first.filter(|_| texts.len() == 1)
}

/// Returns whether a rule with this verb can be limited to names.
fn can_be_named(verb: &str) -> bool {
    matches!(verb, "get" | "update" | "patch" | "delete")
}

/// Returns one marker, ready to paste.
pub(crate) fn marker(
    group: &str,
    resource: &str,
    verbs: &[&str],
    names: &[&str],
    namespace: Option<&str>,
) -> String {
    let group = if group.is_empty() { "\"\"" } else { group };
    let mut line = format!(
        "// +kubebuilder:rbac:groups={group},resources={resource},verbs={}",
        verbs.join(";")
    );
    if !names.is_empty() {
        line.push_str(&format!(",resourceNames={}", names.join(";")));
    }
    if let Some(namespace) = namespace {
        line.push_str(&format!(",namespace={namespace}"));
    }
    line
}
