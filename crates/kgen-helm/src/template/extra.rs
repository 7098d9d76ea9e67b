//! Objects that the manifests do not have and a value adds.

use serde_json::{Value, json};

use super::{Context, rbac, webhook};
use crate::operator::text;
use crate::tree::{Condition, Document, Expression, Item, Node};

/// Returns when the ServiceMonitor is rendered.
pub(super) fn monitored() -> Condition {
    Condition::set("metrics.enabled").and(Some(Condition::set("metrics.serviceMonitor.enabled")))
}

fn document(node: Node, condition: Condition) -> Document {
    Document {
        node,
        condition: Some(condition),
        each: None,
        fails: None,
    }
}

impl Context<'_> {
    /// Returns the objects, each with its file.
    pub(super) fn extra(&self) -> Vec<(&'static str, Document)> {
        let operator = self.operator;
        let mut extra = Vec::new();
        if !operator.has("policy", "PodDisruptionBudget") {
            let condition = Condition::set("podDisruptionBudget.enabled");
            extra.push((
                "poddisruptionbudget.yaml",
                document(self.disruption_budget(), condition),
            ));
        }
        if !operator.has("networking.k8s.io", "NetworkPolicy") {
            let condition = Condition::set("networkPolicy.enabled");
            extra.push(("networkpolicy.yaml", document(self.network_policy(), condition)));
        }
        if operator.metrics.is_some() && !operator.has("monitoring.coreos.com", "ServiceMonitor") {
            extra.push(("monitor.yaml", document(self.monitor_of_metrics(), monitored())));
        }
        if let Some(webhooks) = operator
            .webhooks
            .as_ref()
            .filter(|webhooks| webhooks.volume.is_some())
        {
            if webhooks.certificate.is_none() {
                for node in self.issued(webhooks.service) {
                    extra.push(("certificate.yaml", document(node, webhook::by_cert_manager())));
                }
            }
            let condition = Condition::set("webhook.enabled")
                .and(Some(Condition::is("webhook.certificate", "self-signed")));
            extra.push(("certificate.yaml", document(self.self_signed(), condition)));
        }
        if operator.user_roles().next().is_none() && operator.manifests.definitions().next().is_some() {
            let condition = Condition::set("rbac.create").and(Some(Condition::set("rbac.aggregate")));
            for level in ["admin", "edit", "view"] {
                extra.push(("rbac.yaml", document(self.user_role_of(level), condition.clone())));
            }
        }
        extra
    }

    /// Returns the metadata of an object that only the chart has.
    pub(super) fn own_metadata(&self, name: Node) -> Node {
        let mut metadata = Node::Map(Vec::new());
        metadata.set("name", name);
        metadata.set(
            "labels",
            Node::Block(Expression::Labels("labels", Default::default())),
        );
        metadata
    }

    fn object(&self, api_version: &str, kind: &str, suffix: &str, is_in_namespace: bool) -> Node {
        let mut node = Node::Data(json!({ "apiVersion": api_version, "kind": kind }));
        let name = Node::Quoted(Expression::Name(suffix.to_owned()));
        let mut metadata = self.own_metadata(name);
        if is_in_namespace {
            metadata.set("namespace", Node::Quoted(Expression::Namespace));
        }
        node.set("metadata", metadata);
        node
    }

    fn pod_selector(&self) -> Node {
        let mut selector = Node::Map(Vec::new());
        let wanted = &self.operator.deployment.value["spec"]["selector"]["matchLabels"];
        selector.set("matchLabels", self.selector(wanted));
        selector
    }

    fn disruption_budget(&self) -> Node {
        let mut node = self.object("policy/v1", "PodDisruptionBudget", "disruption-budget", true);
        let mut spec = Node::Data(json!({ "maxUnavailable": 1 }));
        spec.set("selector", self.pod_selector());
        node.set("spec", spec);
        node
    }

    fn network_policy(&self) -> Node {
        let mut node = self.object("networking.k8s.io/v1", "NetworkPolicy", "network-policy", true);
        let mut spec = Node::Data(json!({ "policyTypes": ["Ingress"] }));
        spec.set("podSelector", self.pod_selector());
        let metrics = self
            .operator
            .metrics
            .as_ref()
            .and_then(|metrics| metrics.container_port);
        let webhook = self.operator.webhooks.as_ref().and_then(|webhooks| webhooks.port);
        for (port, value) in [(metrics, "metrics.enabled"), (webhook, "webhook.enabled")] {
            if let Some(port) = port {
                let rule = json!({ "ports": [{ "port": port, "protocol": "TCP" }] });
                spec.push("ingress", Item::one(Node::Data(rule)).when(Condition::set(value)));
            }
        }
        node.set("spec", spec);
        node
    }

    fn monitor_of_metrics(&self) -> Node {
        let mut node = self.object(
            "monitoring.coreos.com/v1",
            "ServiceMonitor",
            "metrics-monitor",
            true,
        );
        let Some(metrics) = &self.operator.metrics else {
            return node;
        };
        let mut endpoint = json!({ "path": "/metrics" });
        let key = if metrics.port.is_string() {
            "port"
        } else {
            "targetPort"
        };
        endpoint[key] = metrics.port.clone();
        if metrics.is_secured {
            endpoint["scheme"] = "https".into();
            endpoint["bearerTokenFile"] = "/var/run/secrets/kubernetes.io/serviceaccount/token".into();
            endpoint["tlsConfig"] = json!({ "insecureSkipVerify": true });
        }
        let mut spec = Node::Data(json!({ "endpoints": [endpoint] }));
        let mut selector = Node::Map(Vec::new());
        let labels = &metrics.service.value["metadata"]["labels"];
        selector.set("matchLabels", self.selector(labels));
        spec.set("selector", selector);
        node.set("spec", spec);
        node
    }

    /// Returns a role for users of all kinds.
    fn user_role_of(&self, level: &str) -> Node {
        let verbs: Value = match level {
            "admin" => json!(["*"]),
            "edit" => json!(["create", "delete", "get", "list", "patch", "update", "watch"]),
            _ => json!(["get", "list", "watch"]),
        };
        let mut rules = Vec::new();
        for definition in self.operator.manifests.definitions() {
            let spec = &definition.value["spec"];
            let (group, plural) = (&spec["group"], text(&spec["names"]["plural"]));
            rules.push(json!({ "apiGroups": [group], "resources": [plural], "verbs": verbs }));
            rules.push(
                json!({ "apiGroups": [group], "resources": [format!("{plural}/status")], "verbs": ["get"] }),
            );
        }
        let mut node = self.object(
            "rbac.authorization.k8s.io/v1",
            "ClusterRole",
            &format!("{level}-role"),
            false,
        );
        if let Some(metadata) = node.get("metadata") {
            metadata.set("labels", rbac::aggregated(Default::default(), level));
        }
        node.set("rules", Node::Data(Value::Array(rules)));
        node
    }
}
