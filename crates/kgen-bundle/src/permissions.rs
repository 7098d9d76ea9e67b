//! The permissions of the CSV: the rules of the roles that are bound to the operator's service accounts.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::{Object, RoleScope};
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
    let mut accounts: BTreeMap<&str, &Object> = BTreeMap::new();
    for deployment in manifests.deployments() {
        accounts.entry(deployment.service_account()).or_insert(deployment);
    }
    let mut permissions = Permissions::default();
    for (account, deployment) in accounts {
        let (mut namespaced, mut cluster) = (Vec::new(), Vec::new());
        for binding in manifests.bindings_of(deployment.namespace(), account) {
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
                continue;
            }
            let rules = match &binding.scope {
                RoleScope::Cluster => &mut cluster,
                RoleScope::Namespace(own) if own == deployment.namespace() => &mut namespaced,
                RoleScope::Namespace(other) => {
                    let message = format!(
                        "{} grants rules in the namespace `{other}`, and a bundle can only grant them in the operator's own",
                        binding.object
                    );
                    problems.push(
                        Problem::warning(Code::BundlePermission, binding.object.span(), message)
                            .help("these rules are left out; create the role in that namespace another way"),
                    );
                    continue;
                }
            };
            for rule in binding.rules() {
                if !rules.contains(rule) {
                    rules.push(rule.clone());
                }
            }
        }
        if !namespaced.is_empty() {
            permissions
                .namespaced
                .push(json!({ "serviceAccountName": account, "rules": namespaced }));
        }
        if !cluster.is_empty() {
            permissions
                .cluster
                .push(json!({ "serviceAccountName": account, "rules": cluster }));
        }
    }
    permissions
}
