//! The requests of a program, compared with the rules of its role.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::marker::{marker, markers};
use crate::rule::rules;
use crate::{Asked, Rule};

/// The requests that a program was allowed and denied.
#[derive(Clone, Debug, Default)]
pub struct Record {
    rules: Vec<Rule>,
    /// Requests that no rule allows.
    missing: BTreeSet<Asked>,
    /// Requests that a rule allows.
    used: BTreeSet<Asked>,
    /// Group and kind of owners whose deletion the program blocks.
    blocked: BTreeSet<(String, String)>,
}

impl Record {
    /// Adds the rules of a Role or ClusterRole.
    pub fn add_role(&mut self, role: &Value) {
        self.rules.extend(rules(role));
    }

    /// Returns whether a rule allows a request, without remembering it.
    pub fn allows(&self, asked: &Asked) -> bool {
        self.rules.iter().any(|rule| rule.allows(asked))
    }

    /// Remembers a request. Returns whether a rule allows it.
    pub fn ask(&mut self, asked: Asked) -> bool {
        let is_allowed = self.allows(&asked);
        match is_allowed {
            true => self.used.insert(asked),
            false => self.missing.insert(asked),
        };
        is_allowed
    }

    /// Remembers the owners in an object that the program wrote.
    ///
    /// With the admission plugin `OwnerReferencesPermissionEnforcement`, an owner reference that blocks the deletion of its
    /// owner needs the verb `update` for the `finalizers` of the owner. So such a rule is needed, although no request names it.
    pub fn wrote(&mut self, object: &Value) {
        let owners = object
            .pointer("/metadata/ownerReferences")
            .and_then(Value::as_array);
        for owner in owners.into_iter().flatten() {
            if owner.get("blockOwnerDeletion") != Some(&Value::Bool(true)) {
                continue;
            }
            let text = |key: &str| owner.get(key).and_then(Value::as_str).unwrap_or_default();
            let (group, _) = text("apiVersion").split_once('/').unwrap_or_default();
            self.blocked.insert((group.to_owned(), text("kind").to_owned()));
        }
    }

    /// Returns the markers of the rules that the program lacked, ready to paste.
    pub fn missing(&self) -> Vec<String> {
        markers(&self.missing)
    }

    /// Returns the markers of the parts of rules that no request needed.
    pub fn unused(&self) -> Vec<String> {
        let mut unused = Vec::new();
        for rule in &self.rules {
            for group in &rule.groups {
                for resource in &rule.resources {
                    let verbs: Vec<&str> = rule
                        .verbs
                        .iter()
                        .filter(|verb| !self.needs(rule, group, resource, verb))
                        .map(String::as_str)
                        .collect();
                    if !verbs.is_empty() {
                        let names: Vec<&str> = rule.names.iter().map(String::as_str).collect();
                        unused.push(marker(group, resource, &verbs, &names, rule.namespace.as_deref()));
                    }
                }
            }
        }
        unused
    }

    /// Returns whether a request needed a part of a rule.
    fn needs(&self, rule: &Rule, group: &str, resource: &str, verb: &str) -> bool {
        let part = Rule {
            groups: vec![group.to_owned()],
            resources: vec![resource.to_owned()],
            verbs: vec![verb.to_owned()],
            ..rule.clone()
        };
        let blocks = |(owner_group, kind): &(String, String)| {
            verb == "update" && owner_group == group && is_finalizers_of(resource, kind)
        };
        self.used.iter().any(|asked| part.allows(asked)) || self.blocked.iter().any(blocks)
    }

    /// Panics if the role lacks a rule, or has one that was never needed.
    ///
    /// # Panics
    ///
    /// Panics with the markers of these rules.
    #[allow(clippy::panic, reason = "it is an assertion")]
    pub fn require_exact(&self) {
        let (missing, unused) = (self.missing(), self.unused());
        if !missing.is_empty() || !unused.is_empty() {
            panic!(
                "the role lacks:\n{}\nand does not need:\n{}",
                missing.join("\n"),
                unused.join("\n")
            );
        }
    }
}

/// Returns whether `resource` is the subresource `finalizers` of a kind. Its plural differs from the kind only at the end.
fn is_finalizers_of(resource: &str, kind: &str) -> bool {
    let kind = kind.to_lowercase();
    let mut stem = kind.chars();
    stem.next_back();
    let plural = resource.strip_suffix("/finalizers");
    plural.is_some_and(|plural| plural.starts_with(stem.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(verb: &str, resource: &str, namespace: &str, name: &str) -> Asked {
        Asked {
            verb: verb.to_owned(),
            group: "example.org".to_owned(),
            resource: resource.to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn only_reviews_of_oneself_are_for_everybody() {
        let is_free = |verb: &str, group: &str, resource: &str| {
            let asked = Asked {
                group: group.to_owned(),
                ..asked(verb, resource, "", "")
            };
            asked.is_for_everybody()
        };
        let (authentication, authorization) = ("authentication.k8s.io", "authorization.k8s.io");
        assert!(is_free("create", authentication, "selfsubjectreviews"));
        assert!(is_free("create", authorization, "selfsubjectaccessreviews"));
        assert!(is_free("create", authorization, "selfsubjectrulesreviews"));
        assert!(!is_free("create", authentication, "tokenreviews"));
        assert!(!is_free("create", authorization, "subjectaccessreviews"));
        assert!(!is_free("create", authorization, "localsubjectaccessreviews"));
        assert!(!is_free("list", authorization, "selfsubjectaccessreviews"));
    }

    #[test]
    fn the_only_name_and_namespace_are_stated() {
        let mut record = Record::default();
        record.ask(asked("get", "widgets", "team", "a"));
        let line = "// +kubebuilder:rbac:groups=example.org,resources=widgets,verbs=get,resourceNames=a,namespace=team";
        assert_eq!(record.missing(), [line]);
        record.ask(asked("update", "widgets", "other", "b"));
        let line = "// +kubebuilder:rbac:groups=example.org,resources=widgets,verbs=get;update";
        assert_eq!(record.missing(), [line]);
        record.ask(asked("watch", "widgets", "", "a"));
        let line = "// +kubebuilder:rbac:groups=example.org,resources=widgets,verbs=get;update;watch";
        assert_eq!(record.missing(), [line]);
    }

    #[test]
    fn a_blocking_owner_reference_needs_the_finalizers_of_its_owner() {
        let mut record = Record::default();
        let rule = |resource: &str| json!({"apiGroups": ["example.org"], "resources": [resource], "verbs": ["update"]});
        record.add_role(&json!({
            "kind": "ClusterRole",
            "rules": [rule("policies/finalizers"), rule("widgets/finalizers")],
        }));
        let owner = |kind: &str, blocks: bool| {
            json!({"metadata": {"ownerReferences": [
                {"apiVersion": "example.org/v1", "kind": kind, "name": "a", "uid": "u", "blockOwnerDeletion": blocks},
            ]}})
        };
        record.wrote(&owner("Policy", true));
        record.wrote(&owner("Widget", false));
        let line = "// +kubebuilder:rbac:groups=example.org,resources=widgets/finalizers,verbs=update";
        assert_eq!(record.unused(), [line]);
        record.wrote(&owner("Widget", true));
        record.require_exact();
    }

    #[test]
    #[should_panic(
        expected = "the role lacks:\n// +kubebuilder:rbac:groups=example.org,resources=widgets,verbs=list"
    )]
    fn a_role_that_lacks_a_rule_is_not_exact() {
        let mut record = Record::default();
        record.ask(asked("list", "widgets", "", ""));
        record.require_exact();
    }
}
