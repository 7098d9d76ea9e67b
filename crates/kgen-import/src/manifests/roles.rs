//! Reads `Role` and `ClusterRole` objects as the rules of `+kubebuilder:rbac`.

use kgen_diagnostics::{Code, FileId, Problem, Problems, Spanned};
use kgen_model::AccessRule;

use super::{report_others, text, texts, type_of};
use crate::yaml::{self, Node};

/// Reads the rules of all roles in a text.
///
/// The name of a role is part of its rules; the caller decides which name is the default one.
pub fn roles(source: &str, file: FileId, problems: &mut Problems) -> Vec<AccessRule> {
    let mut rules = Vec::new();
    for document in yaml::read_or_report(source, file, problems) {
        match type_of(&document) {
            ("rbac.authorization.k8s.io/v1", "Role" | "ClusterRole") => {
                role(&document, &mut rules, problems);
            }
            (version, kind) => {
                let message = format!("`{kind}` of `{version}` is not an RBAC role");
                problems.push(
                    Problem::error(Code::InvalidDefinition, document.span, message)
                        .help("move it to another file, because this one is generated from markers"),
                );
            }
        }
    }
    rules
}

fn role(document: &Node, rules: &mut Vec<AccessRule>, problems: &mut Problems) {
    let what = "a role";
    report_others(
        document,
        &["apiVersion", "kind", "metadata", "rules"],
        what,
        problems,
    );
    let metadata = document.get("metadata");
    if let Some(metadata) = metadata {
        let known = ["name", "namespace", "creationTimestamp"];
        report_others(metadata, &known, what, problems);
    }
    let name = metadata.and_then(|metadata| text(metadata, "name", problems));
    let namespace = metadata.and_then(|metadata| text(metadata, "namespace", problems));
    let (_, kind) = type_of(document);
    if kind == "Role" && namespace.is_none() {
        let message = "the role has no namespace, but markers of roles need one";
        problems.push(
            Problem::error(Code::InvalidDefinition, document.span, message)
                .help("add `metadata.namespace`, such as `system`, which kustomize replaces"),
        );
    }
    for rule in document.get("rules").map(Node::items).unwrap_or_default() {
        let known = [
            "apiGroups",
            "resources",
            "resourceNames",
            "nonResourceURLs",
            "verbs",
        ];
        report_others(rule, &known, "a rule", problems);
        let plain = |values: Vec<Spanned<String>>| values.into_iter().map(|value| value.value).collect();
        rules.push(AccessRule {
            groups: plain(texts(rule, "apiGroups", problems)),
            resources: texts(rule, "resources", problems),
            resource_names: texts(rule, "resourceNames", problems),
            urls: texts(rule, "nonResourceURLs", problems),
            verbs: texts(rule, "verbs", problems),
            namespace: namespace.clone().filter(|_| kind == "Role"),
            role_name: name.clone(),
            wildcard_allowed: None,
            span: rule.span,
        });
    }
}

#[cfg(test)]
mod tests {
    use kgen_diagnostics::{Files, SourceFile};

    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let file = Files::default().add(SourceFile::new("role.yaml", text));
        let mut problems = Problems::new();
        let rules = roles(text, file, &mut problems);
        let lines = rules.iter().flat_map(kgen_markers::write::access_lines).collect();
        (
            lines,
            problems.iter().map(|problem| problem.message.clone()).collect(),
        )
    }

    #[test]
    fn rules_become_markers() {
        let (lines, problems) = read(
            "\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager-role
rules:
- apiGroups: ['', apps]
  resources: [pods, pods/log]
  verbs: [get, list]
- nonResourceURLs: [/metrics]
  verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: other
  namespace: infra
rules:
- apiGroups: ['*']
  resources: ['*']
  verbs: ['*']
",
        );
        insta::assert_snapshot!(lines.join("\n"), @r#"
        +kubebuilder:rbac:groups="";apps,resources=pods;pods/log,verbs=get;list,roleName=manager-role
        +kubebuilder:rbac:verbs=get,urls="/metrics",roleName=manager-role
        +kgen:allow=rbac-wildcard
        +kubebuilder:rbac:groups="*",resources="*",verbs="*",namespace=infra,roleName=other
        "#);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn other_parts_are_reported() {
        let (_, problems) = read(
            "\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager-role
  labels: {a: b}
aggregationRule: {}
rules:
- verbs: [1]
---
apiVersion: v1
kind: Secret
",
        );
        insta::assert_snapshot!(problems.join("\n"), @"
        `aggregationRule` of a role is left out: no marker can express it
        `labels` of a role is left out: no marker can express it
        `verbs` must be a list of strings, but this is a number
        `Secret` of `v1` is not an RBAC role
        ");
    }
}
