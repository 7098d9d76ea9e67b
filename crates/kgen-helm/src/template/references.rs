//! Names, namespaces and labels in objects of all kinds.

use std::collections::BTreeMap;

use kgen_manifests::Object;
use serde_json::Value;

use super::Context;
use crate::operator::{INJECT, items, text};
use crate::tree::{Expression, Item, Node};

/// Labels that the chart computes.
const OWN_LABELS: &[&str] = &[
    "app.kubernetes.io/instance",
    "app.kubernetes.io/managed-by",
    "app.kubernetes.io/version",
    "helm.sh/chart",
];

/// The label with the name of the application.
const NAME: &str = "app.kubernetes.io/name";

/// The lists of containers in the specification of a pod.
pub(super) const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

/// Returns the path to the specification of the pods of a kind, or `None` if it has no pods.
pub(super) fn pod_path(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "DaemonSet" | "Deployment" | "Job" | "ReplicaSet" | "StatefulSet" => {
            Some(&["spec", "template", "spec"])
        }
        "CronJob" => Some(&["spec", "jobTemplate", "spec", "template", "spec"]),
        "Pod" => Some(&["spec"]),
        _ => None,
    }
}

impl Context<'_> {
    /// Replaces everything that depends on the release.
    pub(super) fn references(&self, node: &mut Node, object: &Object) {
        self.metadata(node, object);
        self.selectors(node, object);
        let namespace = object.namespace();
        if let Some(path) = pod_path(object.kind()) {
            self.pod(node.at(path), namespace);
        }
        match object.kind() {
            "StatefulSet" => self.rename(node.at(&["spec", "serviceName"]), "Service", namespace),
            "RoleBinding" | "ClusterRoleBinding" => self.binding(node, object),
            "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
                for webhook in node.get("webhooks").map(Node::items).unwrap_or_default() {
                    self.service(
                        webhook
                            .node()
                            .and_then(|node| node.at(&["clientConfig", "service"])),
                    );
                }
            }
            "CustomResourceDefinition" => {
                self.service(node.at(&["spec", "conversion", "webhook", "clientConfig", "service"]));
            }
            "APIService" => self.service(node.at(&["spec", "service"])),
            "Certificate" => {
                self.rename(node.at(&["spec", "secretName"]), "Secret", namespace);
                self.rename(node.at(&["spec", "issuerRef", "name"]), "Issuer", namespace);
                self.host(node.at(&["spec", "commonName"]));
                self.hosts(node.at(&["spec", "dnsNames"]));
            }
            "ServiceMonitor" | "PodMonitor" => self.monitor(node, object),
            "HorizontalPodAutoscaler" => {
                let target = text(&object.value["spec"]["scaleTargetRef"]["kind"]).to_owned();
                self.rename(node.at(&["spec", "scaleTargetRef", "name"]), &target, namespace);
            }
            "ValidatingAdmissionPolicyBinding" => {
                self.rename(node.at(&["spec", "policyName"]), "ValidatingAdmissionPolicy", "");
            }
            "MutatingAdmissionPolicyBinding" => {
                self.rename(node.at(&["spec", "policyName"]), "MutatingAdmissionPolicy", "");
            }
            _ => {}
        }
    }

    /// Replaces arguments and values of variables that are names or the namespace. Everything else that reads them must be
    /// done before.
    pub(super) fn arguments(&self, node: &mut Node, object: &Object) {
        let Some(spec) = pod_path(object.kind()).and_then(|path| node.at(path)) else {
            return;
        };
        let replace = |node: Option<&mut Node>| {
            if let Some(node) = node
                && let Some(new) = self.names.argument(node.as_text())
            {
                *node = new;
            }
        };
        for list in CONTAINERS {
            for container in spec.get(list).map(Node::items).unwrap_or_default() {
                let Some(container) = container.node() else {
                    continue;
                };
                for texts in ["args", "command"] {
                    for item in container.get(texts).map(Node::items).unwrap_or_default() {
                        replace(item.node());
                    }
                }
                for variable in container.get("env").map(Node::items).unwrap_or_default() {
                    replace(variable.node().and_then(|node| node.get("value")));
                }
            }
        }
    }

    fn metadata(&self, node: &mut Node, object: &Object) {
        let Some(metadata) = node.get("metadata") else {
            return;
        };
        metadata.remove("creationTimestamp");
        if let Some(name) = self
            .names
            .name_of(object.kind(), object.namespace(), object.name())
        {
            metadata.set("name", name);
        }
        self.own_namespace(metadata);
        let own = self.own_labels(&object.value["metadata"]["labels"]);
        metadata.set("labels", Node::Block(Expression::Labels("labels", own)));
        if let Some(inject) = metadata.at(&["annotations", INJECT])
            && let Some(reference) = self.names.qualified("Certificate", inject.as_text())
        {
            *inject = reference;
        }
    }

    /// Replaces the namespace of the operator at the key `namespace`.
    fn own_namespace(&self, node: &mut Node) {
        if let Some(namespace) = node.get("namespace")
            && self.names.is_own_namespace(namespace.as_text())
        {
            *namespace = Node::Quoted(Expression::Namespace);
        }
    }

    /// Returns the labels that the chart does not compute.
    pub(super) fn own_labels(&self, labels: &Value) -> BTreeMap<String, String> {
        let operator = self.operator.deployment;
        let application = [
            &operator.value["spec"]["template"]["metadata"]["labels"],
            &operator.value["metadata"]["labels"],
        ]
        .into_iter()
        .find_map(|labels| labels.get(NAME));
        labels
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(key, _)| !OWN_LABELS.contains(&key.as_str()))
            // Another application of the manifests keeps its name.
            .filter(|(key, value)| key.as_str() != NAME || application.is_some_and(|own| own != *value))
            .map(|(key, value)| (key.clone(), text(value).to_owned()))
            .collect()
    }

    fn selectors(&self, node: &mut Node, object: &Object) {
        let path: &[&str] = match object.kind() {
            "Service" => &["spec", "selector"],
            "NetworkPolicy" => &["spec", "podSelector", "matchLabels"],
            "Deployment"
            | "StatefulSet"
            | "DaemonSet"
            | "ReplicaSet"
            | "PodDisruptionBudget"
            | "ServiceMonitor"
            | "PodMonitor" => &["spec", "selector", "matchLabels"],
            _ => return,
        };
        let wanted = path.iter().fold(&object.value, |value, key| &value[*key]);
        if wanted.as_object().is_some_and(|wanted| !wanted.is_empty())
            && let Some(selector) = node.at(path)
        {
            *selector = self.selector(wanted);
        }
        if let Some(metadata) = node.at(&["spec", "template", "metadata"]) {
            let own = self.own_labels(&object.value["spec"]["template"]["metadata"]["labels"]);
            metadata.set("labels", Node::Block(Expression::Labels("selector", own)));
        }
    }

    /// Returns the labels of a selector, with those of the release.
    pub(super) fn selector(&self, wanted: &Value) -> Node {
        Node::Block(Expression::Labels("selector", self.own_labels(wanted)))
    }

    fn rename(&self, name: Option<&mut Node>, kind: &str, namespace: &str) {
        if let Some(name) = name
            && let Some(new) = self.names.name_of(kind, namespace, name.as_text())
        {
            *name = new;
        }
    }

    fn host(&self, host: Option<&mut Node>) {
        if let Some(host) = host
            && let Some(new) = self.names.host(host.as_text())
        {
            *host = new;
        }
    }

    fn hosts(&self, hosts: Option<&mut Node>) {
        for host in hosts.map(Node::items).unwrap_or_default() {
            self.host(host.node());
        }
    }

    fn service(&self, service: Option<&mut Node>) {
        let Some(service) = service else { return };
        let namespace = service
            .get("namespace")
            .map(|node| node.as_text().to_owned())
            .unwrap_or_default();
        self.rename(service.get("name"), "Service", &namespace);
        self.own_namespace(service);
    }

    fn binding(&self, node: &mut Node, object: &Object) {
        let role_kind = text(&object.value["roleRef"]["kind"]);
        let role_namespace = if role_kind == "Role" {
            object.namespace()
        } else {
            ""
        };
        self.rename(node.at(&["roleRef", "name"]), role_kind, role_namespace);
        let subjects = items(&object.value["subjects"]);
        let nodes = node.get("subjects").map(Node::items).unwrap_or_default();
        for (item, subject) in nodes.iter_mut().zip(subjects) {
            let Some(item) = item.node() else { continue };
            if text(&subject["kind"]) == "ServiceAccount" {
                let namespace = match text(&subject["namespace"]) {
                    "" => object.namespace(),
                    namespace => namespace,
                };
                self.account(item.get("name"), namespace);
                self.own_namespace(item);
            }
        }
    }

    /// Replaces the name of a service account. The operator's can be chosen with a value.
    fn account(&self, name: Option<&mut Node>, namespace: &str) {
        let Some(name) = name else { return };
        let is_operator = name.as_text() == self.operator.deployment.service_account()
            && namespace == self.operator.namespace();
        if is_operator {
            *name = Node::Quoted(Expression::Include("serviceAccountName"));
        } else {
            self.rename(Some(name), "ServiceAccount", namespace);
        }
    }

    fn pod(&self, spec: Option<&mut Node>, namespace: &str) {
        let Some(spec) = spec else { return };
        self.account(spec.get("serviceAccountName"), namespace);
        // The older name of the same field.
        spec.remove("serviceAccount");
        for secret in spec.get("imagePullSecrets").map(Node::items).unwrap_or_default() {
            self.rename(
                secret.node().and_then(|node| node.get("name")),
                "Secret",
                namespace,
            );
        }
        for volume in spec.get("volumes").map(Node::items).unwrap_or_default() {
            let Some(volume) = volume.node() else { continue };
            self.rename(volume.at(&["configMap", "name"]), "ConfigMap", namespace);
            self.rename(volume.at(&["secret", "secretName"]), "Secret", namespace);
            let claim = ["persistentVolumeClaim", "claimName"];
            self.rename(volume.at(&claim), "PersistentVolumeClaim", namespace);
            for source in volume
                .at(&["projected", "sources"])
                .map(Node::items)
                .unwrap_or_default()
            {
                let Some(source) = source.node() else { continue };
                self.rename(source.at(&["configMap", "name"]), "ConfigMap", namespace);
                self.rename(source.at(&["secret", "name"]), "Secret", namespace);
            }
        }
        for list in CONTAINERS {
            for container in spec.get(list).map(Node::items).unwrap_or_default() {
                self.environment(container, namespace);
            }
        }
    }

    fn environment(&self, container: &mut Item, namespace: &str) {
        let Some(container) = container.node() else { return };
        for variable in container.get("env").map(Node::items).unwrap_or_default() {
            let Some(source) = variable.node().and_then(|node| node.get("valueFrom")) else {
                continue;
            };
            self.rename(source.at(&["configMapKeyRef", "name"]), "ConfigMap", namespace);
            self.rename(source.at(&["secretKeyRef", "name"]), "Secret", namespace);
        }
        for source in container.get("envFrom").map(Node::items).unwrap_or_default() {
            let Some(source) = source.node() else { continue };
            self.rename(source.at(&["configMapRef", "name"]), "ConfigMap", namespace);
            self.rename(source.at(&["secretRef", "name"]), "Secret", namespace);
        }
    }

    fn monitor(&self, node: &mut Node, object: &Object) {
        for namespace in node
            .at(&["spec", "namespaceSelector", "matchNames"])
            .map(Node::items)
            .unwrap_or_default()
        {
            if let Some(namespace) = namespace.node()
                && self.names.is_own_namespace(namespace.as_text())
            {
                *namespace = Node::Quoted(Expression::Namespace);
            }
        }
        for endpoint in node
            .at(&["spec", "endpoints"])
            .map(Node::items)
            .unwrap_or_default()
        {
            let Some(tls) = endpoint.node().and_then(|node| node.get("tlsConfig")) else {
                continue;
            };
            self.host(tls.get("serverName"));
            for source in ["ca", "cert"] {
                self.rename(tls.at(&[source, "secret", "name"]), "Secret", object.namespace());
                self.rename(
                    tls.at(&[source, "configMap", "name"]),
                    "ConfigMap",
                    object.namespace(),
                );
            }
            self.rename(tls.at(&["keySecret", "name"]), "Secret", object.namespace());
        }
    }
}
