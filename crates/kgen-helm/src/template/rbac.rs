//! Roles, bindings and the service account of the operator.

use kgen_manifests::Object;
use serde_json::Value;

use super::Context;
use crate::operator::{Operator, RolePurpose, aggregate_label, items, text};
use crate::tree::{Condition, Document, Expression, Node};

/// Resources of Kubernetes that are not in a namespace, by API group.
const CLUSTER_RESOURCES: &[(&str, &[&str])] = &[
    ("", &["namespaces", "nodes", "persistentvolumes"]),
    (
        "admissionregistration.k8s.io",
        &[
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicybindings",
            "mutatingwebhookconfigurations",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
            "validatingwebhookconfigurations",
        ],
    ),
    ("apiextensions.k8s.io", &["customresourcedefinitions"]),
    ("apiregistration.k8s.io", &["apiservices"]),
    ("authentication.k8s.io", &["selfsubjectreviews", "tokenreviews"]),
    (
        "authorization.k8s.io",
        &[
            "selfsubjectaccessreviews",
            "selfsubjectrulesreviews",
            "subjectaccessreviews",
        ],
    ),
    (
        "certificates.k8s.io",
        &["certificatesigningrequests", "clustertrustbundles"],
    ),
    (
        "flowcontrol.apiserver.k8s.io",
        &["flowschemas", "prioritylevelconfigurations"],
    ),
    (
        "networking.k8s.io",
        &["ingressclasses", "ipaddresses", "servicecidrs"],
    ),
    ("node.k8s.io", &["runtimeclasses"]),
    (
        "rbac.authorization.k8s.io",
        &["clusterrolebindings", "clusterroles"],
    ),
    ("resource.k8s.io", &["deviceclasses", "resourceslices"]),
    ("scheduling.k8s.io", &["priorityclasses"]),
    (
        "storage.k8s.io",
        &[
            "csidrivers",
            "csinodes",
            "storageclasses",
            "volumeattachments",
            "volumeattributesclasses",
        ],
    ),
];

/// Returns when the roles of a purpose are rendered.
pub(super) fn condition(operator: &Operator<'_>, purpose: RolePurpose) -> Condition {
    let create = Condition::set("rbac.create");
    let value = match purpose {
        RolePurpose::Work | RolePurpose::Users(_) => None,
        RolePurpose::LeaderElection => operator.leader_election.map(|_| "leaderElection.enabled"),
        RolePurpose::Metrics => operator.metrics.as_ref().map(|_| "metrics.enabled"),
    };
    create.and(value.map(Condition::set))
}

/// Puts the values into the service account.
pub(super) fn account(node: &mut Node) {
    if let Some(metadata) = node.get("metadata") {
        metadata.set("name", Node::Quoted(Expression::Include("serviceAccountName")));
        metadata.set_block("annotations", "serviceAccount.annotations");
    }
}

/// Returns the first rule of a role that a Role in a namespace cannot express, as a sentence.
fn outside_namespaces(operator: &Operator<'_>, role: &Object) -> Option<String> {
    let own: Vec<(&str, &str)> = operator
        .manifests
        .definitions()
        .map(|definition| &definition.value["spec"])
        .filter(|spec| text(&spec["scope"]) == "Cluster")
        .map(|spec| (text(&spec["group"]), text(&spec["names"]["plural"])))
        .collect();
    let is_outside = |rule: &Value, resource: &str| {
        let plural = resource.split('/').next().unwrap_or(resource);
        let mut groups = items(&rule["apiGroups"]).iter().map(text);
        groups.any(|group| {
            let mut known = CLUSTER_RESOURCES
                .iter()
                .filter(|(known, _)| group == "*" || group == *known);
            known.any(|(_, plurals)| plurals.contains(&plural)) || own.contains(&(group, plural))
        })
    };
    for rule in items(&role.value["rules"]) {
        let verbs: Vec<&str> = items(&rule["verbs"]).iter().map(text).collect();
        let verbs = verbs.join(", ");
        if let Some(url) = items(&rule["nonResourceURLs"]).first() {
            return Some(format!("{verbs} on the URL {}", text(url)));
        }
        let mut resources = items(&rule["resources"]).iter().map(text);
        if let Some(resource) = resources.find(|resource| is_outside(rule, resource)) {
            let groups: Vec<&str> = items(&rule["apiGroups"]).iter().map(text).collect();
            let groups = groups.join(", ");
            return Some(match groups.as_str() {
                "" => format!("{verbs} on {resource}"),
                groups => format!("{verbs} on {resource} of {groups}"),
            });
        }
    }
    None
}

impl Context<'_> {
    /// Returns the documents of a role or a binding.
    pub(super) fn rbac(
        &self,
        mut node: Node,
        object: &Object,
        condition: Option<Condition>,
    ) -> Vec<Document> {
        let purpose = self.operator.role_purpose(object);
        if let (Some(RolePurpose::Users(level)), "ClusterRole") = (purpose, object.kind()) {
            self.user_role(&mut node, object, level);
        }
        let document = |node: Node, condition: Option<Condition>| Document {
            node,
            condition,
            each: None,
            fails: None,
        };
        let Some(role) = self.role_of_namespaces(object) else {
            return vec![document(node, condition)];
        };
        let watched = Condition::set("watchNamespaces");
        let everywhere = watched.clone().negated().and(condition.clone());
        let mut each = node.clone();
        match object.kind() {
            "ClusterRole" => each.set("kind", Node::text("Role")),
            "ClusterRoleBinding" => {
                each.set("kind", Node::text("RoleBinding"));
                if let Some(reference) = each.get("roleRef") {
                    reference.set("kind", Node::text("Role"));
                }
            }
            _ => {}
        }
        if let Some(metadata) = each.get("metadata") {
            metadata.set("namespace", Node::Quoted(Expression::Variable("namespace")));
        }
        let mut documents = vec![document(node, Some(everywhere))];
        let fails = outside_namespaces(self.operator, role)
            .filter(|_| object.kind() == "ClusterRole")
            .map(|rule| {
                format!("watchNamespaces: a Role in a namespace cannot grant {rule}; leave it empty")
            });
        documents.push(Document {
            node: each,
            condition: condition.map(|condition| condition.and(Some(watched))),
            each: Some(("watchNamespaces", "namespace")),
            fails,
        });
        documents
    }

    /// Returns the role of the operator that an object is, or that it binds: in the whole cluster, or in the namespace of the
    /// operator if it has nothing else.
    fn role_of_namespaces(&self, object: &Object) -> Option<&Object> {
        let roles = self.operator.cluster_roles();
        let mut roles = roles.into_iter();
        match object.kind() {
            "ClusterRole" => roles.find(|role| std::ptr::eq(*role, object)),
            "ClusterRoleBinding" => {
                let bound = self
                    .operator
                    .manifests
                    .bindings()
                    .find(|binding| std::ptr::eq(binding.object, object))?
                    .role?;
                roles.find(|role| std::ptr::eq(*role, bound))
            }
            "Role" | "RoleBinding" => {
                let bindings = self.operator.own_bindings();
                let is_it = |found: &Object| std::ptr::eq(found, object);
                let own = bindings
                    .iter()
                    .find(|binding| is_it(binding.object) || binding.role.is_some_and(is_it));
                own.and_then(|binding| binding.role)
            }
            _ => None,
        }
    }

    /// Lets a role for users belong to a built-in role if the user wants that.
    fn user_role(&self, node: &mut Node, object: &Object, level: &'static str) {
        let mut own = self.own_labels(&object.value["metadata"]["labels"]);
        own.retain(|label, _| !label.starts_with("rbac.authorization.k8s.io/aggregate-to-"));
        if let Some(metadata) = node.get("metadata") {
            metadata.set("labels", aggregated(own, level));
        }
    }
}

/// Returns the labels of a role for users. The helper adds the label of the built-in role.
pub(super) fn aggregated(mut own: std::collections::BTreeMap<String, String>, level: &str) -> Node {
    own.insert(aggregate_label(level), "true".to_owned());
    Node::Block(Expression::Labels("aggregatedLabels", own))
}
