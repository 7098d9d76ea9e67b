//! The rules of roles, and requests in the words of roles.

use serde_json::Value;

/// The target of a request, in the words of roles.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    /// The verb, such as `list`.
    pub verb: String,
    /// The group, empty for the core group.
    pub group: String,
    /// The resource with its subresource, such as `widgets/status`.
    pub resource: String,
    /// The namespace, empty if the request is about all namespaces or none.
    pub namespace: String,
    /// The name, empty if the request is about a collection.
    pub name: String,
}

/// The reviews that every user may create: questions about the user itself.
const FOR_EVERYBODY: [(&str, &str); 3] = [
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
];

impl Asked {
    /// Returns whether every user may do it, because Kubernetes binds the role `system:basic-user` to all of them.
    ///
    /// Reviews of other users need a rule: an operator that serves secured metrics lacks a role without it.
    pub fn is_for_everybody(&self) -> bool {
        self.verb == "create" && FOR_EVERYBODY.contains(&(self.group.as_str(), self.resource.as_str()))
    }
}

/// A rule of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(crate) groups: Vec<String>,
    pub(crate) resources: Vec<String>,
    pub(crate) verbs: Vec<String>,
    pub(crate) names: Vec<String>,
    /// The namespace of the role, `None` if it applies to all.
    pub(crate) namespace: Option<String>,
}

impl Rule {
    /// Reads an item of `rules`. It applies to one namespace, or to all.
    pub fn read(rule: &Value, namespace: Option<&str>) -> Self {
        let texts = |key: &str| {
            let items = rule.get(key).and_then(Value::as_array).into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self {
            groups: texts("apiGroups"),
            resources: texts("resources"),
            verbs: texts("verbs"),
            names: texts("resourceNames"),
            namespace: namespace.map(str::to_owned),
        }
    }

    /// Returns whether the rule allows a request.
    pub fn allows(&self, asked: &Asked) -> bool {
        let has = |items: &[String], wanted: &str| items.iter().any(|item| item == "*" || item == wanted);
        let (_, subresource) = asked.resource.split_once('/').unwrap_or((&asked.resource, ""));
        let any_of = format!("*/{subresource}");
        has(&self.groups, &asked.group)
            && (has(&self.resources, &asked.resource)
                || (!subresource.is_empty() && self.resources.contains(&any_of)))
            && has(&self.verbs, &asked.verb)
            && (self.names.is_empty() || self.names.contains(&asked.name))
            && self
                .namespace
                .as_ref()
                .is_none_or(|namespace| *namespace == asked.namespace)
    }
}

/// Returns the rules of a Role, which apply to its namespace, or of a ClusterRole, which apply to all.
pub fn rules(role: &Value) -> Vec<Rule> {
    let text = |pointer: &str| role.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let namespace = match (text("/kind"), text("/metadata/namespace")) {
        ("Role", "") => Some("default"),
        ("Role", namespace) => Some(namespace),
        _ => None,
    };
    let rules = role.get("rules").and_then(Value::as_array).into_iter().flatten();
    rules.map(|rule| Rule::read(rule, namespace)).collect()
}
