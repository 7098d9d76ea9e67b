//! The access of a user, from the audit log of the API server.

use kgen_access::{Asked, Record};
use serde_json::Value;

use crate::components::AUDIT_LOG;
use crate::control_plane::ControlPlane;
use crate::error::{Error, IoContext, Result};
use crate::manifests::Manifests;

impl ControlPlane {
    /// Compares the requests of a user so far with the rules of roles. It needs
    /// [`ControlPlaneBuilder::record_access`](crate::ControlPlaneBuilder::record_access).
    ///
    /// A service account is `system:serviceaccount:NAMESPACE:NAME`. Other roles of the user do not count.
    ///
    /// ```no_run
    /// # async fn example() -> kgen_testenv::Result<()> {
    /// use std::path::Path;
    ///
    /// use kgen_testenv::ControlPlane;
    ///
    /// let control_plane = ControlPlane::builder().record_access().start().await?;
    /// // … run the operator as its service account …
    /// let role = Path::new("config/rbac/role.yaml");
    /// let access = control_plane.access("system:serviceaccount:foo-system:foo-operator", role)?;
    /// // Panics with the markers of rules that the role lacks, or does not need.
    /// access.require_exact();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the control plane has no audit log, or if the roles cannot be read.
    pub fn access(&self, user: &str, roles: impl Into<Manifests>) -> Result<Record> {
        let mut record = Record::default();
        for role in roles.into().documents_of(&["Role", "ClusterRole"])? {
            let value: Value = serde_saphyr::from_str(&role.text).map_err(|source| Error::Manifest {
                origin: role.name,
                problem: format!("not YAML: {source}"),
            })?;
            record.add_role(&value);
        }
        let path = self.layout.folder.join(AUDIT_LOG);
        let log = std::fs::read_to_string(&path).context("read", &path)?;
        for line in log.lines() {
            // A line may be cut off where the API server was killed.
            let Ok(event) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if event["user"]["username"] == user {
                read(&event, &mut record);
            }
        }
        Ok(record)
    }
}

/// Adds the request of an audit event.
fn read(event: &Value, record: &mut Record) {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let resource = match (text("/objectRef/resource"), text("/objectRef/subresource")) {
        // A path such as `/version` is not a resource.
        ("", _) => return,
        (resource, "") => resource.to_owned(),
        (resource, subresource) => format!("{resource}/{subresource}"),
    };
    let verb = text("/verb");
    let asked = Asked {
        verb: verb.to_owned(),
        group: text("/objectRef/apiGroup").to_owned(),
        resource,
        namespace: text("/objectRef/namespace").to_owned(),
        // The name of an object that is created is not part of the question.
        name: if verb == "create" {
            String::new()
        } else {
            text("/objectRef/name").to_owned()
        },
    };
    if asked.is_for_everybody() {
        return;
    }
    if let Some(object) = event.get("requestObject") {
        record.wrote(object);
    }
    record.ask(asked);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The exemption is that of the role `system:basic-user`, so other reviews need a rule.
    #[test]
    fn reviews_of_other_users_need_a_rule() {
        let mut record = Record::default();
        for (group, resource) in [
            ("authorization.k8s.io", "selfsubjectaccessreviews"),
            ("authentication.k8s.io", "tokenreviews"),
            ("authorization.k8s.io", "subjectaccessreviews"),
        ] {
            let event = json!({"verb": "create", "objectRef": {"apiGroup": group, "resource": resource}});
            read(&event, &mut record);
        }
        assert_eq!(
            record.missing(),
            [
                "// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create",
                "// +kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create",
            ]
        );
    }
}
