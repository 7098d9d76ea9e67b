//! The roles that are bound to a service account.

use serde_json::Value;

use crate::manifests::Manifests;
use crate::object::{Object, items, text};

/// Where the rules of a binding apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleScope {
    /// In the whole cluster.
    Cluster,
    /// In one namespace.
    Namespace(String),
}

/// A binding of a role to a service account.
#[derive(Clone, Debug)]
pub struct Binding<'a> {
    /// The RoleBinding or ClusterRoleBinding.
    pub object: &'a Object,
    /// The kind of the role, `Role` or `ClusterRole`.
    pub role_kind: &'a str,
    /// The name of the role.
    pub role_name: &'a str,
    /// The role; `None` if the manifests do not have it.
    pub role: Option<&'a Object>,
    /// Where the rules apply.
    pub scope: RoleScope,
}

impl<'a> Binding<'a> {
    /// Returns the rules of the role.
    #[must_use]
    pub fn rules(&self) -> &'a [Value] {
        self.role
            .map(|role| items(&role.value["rules"]))
            .unwrap_or_default()
    }
}

impl Manifests {
    /// Returns the bindings of a service account, in the order of the manifests.
    #[must_use]
    pub fn bindings_of(&self, namespace: &str, account: &str) -> Vec<Binding<'_>> {
        self.bindings()
            .filter(|binding| {
                items(&binding.object.value["subjects"])
                    .iter()
                    .any(|subject| names_account(subject, binding.object, namespace, account))
            })
            .collect()
    }

    /// Returns all bindings of roles.
    pub fn bindings(&self) -> impl Iterator<Item = Binding<'_>> {
        self.objects.iter().filter_map(|object| self.binding(object))
    }

    fn binding<'a>(&'a self, object: &'a Object) -> Option<Binding<'a>> {
        if object.group() != RBAC {
            return None;
        }
        let scope = match object.kind() {
            "ClusterRoleBinding" => RoleScope::Cluster,
            "RoleBinding" => RoleScope::Namespace(object.namespace().to_owned()),
            _ => return None,
        };
        let reference = &object.value["roleRef"];
        let (role_kind, role_name) = (text(&reference["kind"]), text(&reference["name"]));
        let namespace = match role_kind {
            "Role" => object.namespace(),
            _ => "",
        };
        Some(Binding {
            object,
            role_kind,
            role_name,
            role: self.find(RBAC, role_kind, namespace, role_name),
            scope,
        })
    }
}

const RBAC: &str = "rbac.authorization.k8s.io";

fn names_account(subject: &Value, binding: &Object, namespace: &str, account: &str) -> bool {
    let own = match text(&subject["namespace"]) {
        "" => binding.namespace(),
        namespace => namespace,
    };
    match text(&subject["kind"]) {
        "ServiceAccount" => text(&subject["name"]) == account && own == namespace,
        _ => false,
    }
}
