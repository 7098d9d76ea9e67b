//! Deployments, and the Services that select their pods.

use serde_json::Value;

use crate::manifests::{Manifests, selects};
use crate::object::{Object, items, text};

/// The environment variable with the namespaces that an operator watches.
pub const WATCH_NAMESPACE: &str = "WATCH_NAMESPACE";

/// Returns whether a flag limits an operator to namespaces. Flags take precedence over [`WATCH_NAMESPACE`].
#[must_use]
pub fn is_watch_flag(flag: &str) -> bool {
    matches!(
        flag,
        "--namespace" | "--namespaces" | "--watch-namespace" | "--watch-namespaces"
    )
}

impl Manifests {
    /// Returns the Deployments.
    pub fn deployments(&self) -> impl Iterator<Item = &Object> {
        self.of_kind("apps", "Deployment")
    }

    /// Returns a Service.
    #[must_use]
    pub fn service(&self, namespace: &str, name: &str) -> Option<&Object> {
        self.find("", "Service", namespace, name)
    }

    /// Returns the first Deployment whose pods a Service selects.
    #[must_use]
    pub fn deployment_behind(&self, service: &Object) -> Option<&Object> {
        self.deployments().find(|deployment| {
            deployment.namespace() == service.namespace()
                && selects(
                    &service.value["spec"]["selector"],
                    &deployment.value["spec"]["template"]["metadata"]["labels"],
                )
        })
    }
}

impl Object {
    /// Returns the template of the pods of a Deployment; null for other objects.
    #[must_use]
    pub fn pod_spec(&self) -> &Value {
        &self.value["spec"]["template"]["spec"]
    }

    /// Returns the containers of a Deployment, without init containers.
    #[must_use]
    pub fn containers(&self) -> &[Value] {
        items(&self.pod_spec()["containers"])
    }

    /// Returns the service account of the pods of a Deployment.
    #[must_use]
    pub fn service_account(&self) -> &str {
        let spec = self.pod_spec();
        [&spec["serviceAccountName"], &spec["serviceAccount"]]
            .into_iter()
            .map(text)
            .find(|name| !name.is_empty())
            .unwrap_or("default")
    }

    /// Returns the port of the pods of a Deployment that a port of a Service leads to.
    ///
    /// `port` is the port of the Service. A target that is a name is resolved with the ports of the containers.
    #[must_use]
    pub fn target_port(&self, service: &Object, port: i64) -> Option<i64> {
        let ports = items(&service.value["spec"]["ports"]);
        let own = ports.iter().find(|entry| entry["port"].as_i64() == Some(port))?;
        match &own["targetPort"] {
            Value::Null => Some(port),
            Value::String(name) => self.named_port(name).or_else(|| name.parse().ok()),
            number => number.as_i64(),
        }
    }

    fn named_port(&self, name: &str) -> Option<i64> {
        self.containers()
            .iter()
            .flat_map(|container| items(&container["ports"]))
            .find(|port| text(&port["name"]) == name)?["containerPort"]
            .as_i64()
    }
}
