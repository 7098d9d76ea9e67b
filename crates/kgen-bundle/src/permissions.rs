//! The permissions of the CSV: the rules of the roles that are bound to the operator's service accounts.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::{Binding, RoleScope};
use serde_json::{Value, json};

use crate::Bundle;

/// The rules of each service account: in the operator's namespace, and in the cluster.
#[derive(Default)]
pub(crate) struct Permissions {
    pub(crate) namespaced: Vec<Value>,
    pub(crate) cluster: Vec<Value>,
}

/// Collects the rules. A binding that OLM cannot express is a warning, and a role that does not exist is an error.
pub(crate) fn permissions(bundle: &Bundle<'_>, problems: &mut Problems) -> Permissions {
    let manifests = &bundle.options.manifests;
    // OLM runs all Deployments in one namespace, so accounts of the same name become one.
    let mut accounts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for deployment in manifests.deployments() {
        let namespaces = accounts.entry(deployment.service_account()).or_default();
        namespaces.insert(deployment.namespace());
    }
    let mut permissions = Permissions::default();
    for (account, namespaces) in accounts {
        let mut rules = Rules::default();
        for namespace in namespaces {
            for binding in manifests.bindings_of(namespace, account) {
                rules.add(&binding, namespace, problems);
            }
        }
        for (own, all) in [
            (rules.namespaced, &mut permissions.namespaced),
            (rules.cluster, &mut permissions.cluster),
        ] {
            if !own.is_empty() {
                all.push(json!({ "serviceAccountName": account, "rules": own }));
            }
        }
    }
    permissions
}

/// The rules of one service account, each once.
#[derive(Default)]
struct Rules {
    namespaced: Vec<Value>,
    cluster: Vec<Value>,
}

impl Rules {
    /// Adds the rules of a binding to an operator in `namespace`.
    fn add(&mut self, binding: &Binding<'_>, namespace: &str, problems: &mut Problems) {
        if binding.role.is_none() {
            let message = format!(
                "the {} `{}` is bound to the operator, but the manifests do not have it",
                binding.role_kind, binding.role_name
            );
            problems.push(
                Problem::error(
                    Code::BundlePermission,
                    binding.object.place(&["roleRef", "name"]),
                    message,
                )
                .help("add the role to the manifests; OLM only knows rules that the bundle states"),
            );
            return;
        }
        let rules = match &binding.scope {
            RoleScope::Cluster => &mut self.cluster,
            RoleScope::Namespace(own) if own == namespace => &mut self.namespaced,
            RoleScope::Namespace(other) => {
                let message = format!(
                    "{} grants rules in the namespace `{other}`, but a bundle grants rules only in the operator's namespace",
                    binding.object
                );
                problems.push(
                    Problem::warning(Code::BundlePermission, binding.object.span(), message)
                        .help("these rules are left out; create the role in that namespace yourself"),
                );
                return;
            }
        };
        for rule in binding.rules() {
            if !rules.contains(rule) {
                rules.push(rule.clone());
            }
        }
    }
}
