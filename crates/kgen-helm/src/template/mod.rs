//! Objects of the manifests as templates: the file of each, the condition around it, and the expressions in it.
//!
//! `references` replaces names, namespaces and labels in every object. The other modules know the objects that values
//! change, and `extra` has those that only the chart has.

mod extra;
mod pod;
mod rbac;
mod references;
mod webhook;

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::Object;
use serde_json::Value;

use crate::names::Names;
use crate::operator::{Operator, items, text};
use crate::options::{Crds, HelmOptions};
use crate::tree::{Condition, Document, Node};

pub(crate) use pod::image_parts;

/// The folder of the templates of CRDs.
pub(crate) const CRDS: &str = "crds/";

/// Everything that templates are made from.
pub(crate) struct Context<'a> {
    pub(crate) operator: &'a Operator<'a>,
    pub(crate) names: &'a Names,
    pub(crate) options: &'a HelmOptions,
}

/// The documents of each file below `templates/`.
pub(crate) type Files = BTreeMap<String, Vec<Document>>;

/// Turns all objects into templates.
pub(crate) fn files(context: &Context<'_>, problems: &mut Problems) -> Files {
    let mut files = Files::new();
    for object in &context.operator.manifests.objects {
        if let Some(place) = context.place(object, problems) {
            let mut node = Node::Data(object.value.clone());
            node.remove("status");
            context.references(&mut node, object);
            context.mentions(object, problems);
            let mut documents = context.documents(node, object, place.condition);
            for document in &mut documents {
                context.arguments(&mut document.node, object);
            }
            files.entry(place.file).or_default().extend(documents);
        }
    }
    for (file, document) in context.extra() {
        files.entry(file.to_owned()).or_default().push(document);
    }
    files
}

/// The file of an object, and when it is rendered.
struct Place {
    file: String,
    condition: Option<Condition>,
}

impl Place {
    fn always(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            condition: None,
        }
    }

    fn when(file: &str, condition: Condition) -> Self {
        Self {
            file: file.to_owned(),
            condition: Some(condition),
        }
    }
}

impl Context<'_> {
    /// Returns the place of an object; `None` if the chart leaves it out.
    fn place(&self, object: &Object, problems: &mut Problems) -> Option<Place> {
        let operator = self.operator;
        if let Some(purpose) = operator.role_purpose(object) {
            return Some(Place::when("rbac.yaml", rbac::condition(operator, purpose)));
        }
        let is_webhook_service = operator
            .webhooks
            .as_ref()
            .is_some_and(|webhooks| std::ptr::eq(webhooks.service, object));
        let is_metrics_service = operator
            .metrics
            .as_ref()
            .is_some_and(|metrics| std::ptr::eq(metrics.service, object));
        let webhooks_on = || Condition::set("webhook.enabled");
        Some(match (object.group(), object.kind()) {
            ("", "Namespace") if self.names.is_own_namespace(object.name()) => {
                let message =
                    format!("{object} is not in the chart: Helm installs into the namespace of the release");
                problems.push(
                    Problem::note(Code::HelmObject, message)
                        .help("create it with `helm install --create-namespace`, and add its labels with `kubectl label`"),
                );
                return None;
            }
            ("apiextensions.k8s.io", "CustomResourceDefinition") if self.options.crds == Crds::None => {
                return None;
            }
            ("apiextensions.k8s.io", "CustomResourceDefinition") => {
                let spec = &object.value["spec"];
                let (group, plural) = (text(&spec["group"]), text(&spec["names"]["plural"]));
                let file = format!("{CRDS}{group}_{plural}.yaml");
                match self.options.crds {
                    Crds::Chart => Place::always(file),
                    _ => Place::when(&file, Condition::set("crds.install")),
                }
            }
            ("", "ServiceAccount") if operator.is_account(object) => {
                Place::when("rbac.yaml", Condition::set("serviceAccount.create"))
            }
            ("", "ServiceAccount") => Place::always("rbac.yaml"),
            ("", "Service") if is_webhook_service => Place::when("webhook.yaml", webhooks_on()),
            ("", "Service") if is_metrics_service => {
                Place::when("service.yaml", Condition::set("metrics.enabled"))
            }
            ("", "Service") => Place::always("service.yaml"),
            ("apps", "Deployment") => Place::always("deployment.yaml"),
            (
                "admissionregistration.k8s.io",
                "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration",
            ) if operator.webhooks.is_some() => Place::when("webhook.yaml", webhooks_on()),
            _ if object.is_of_cert_manager() => match self.is_for_webhooks(object) {
                true => Place::when("certificate.yaml", webhook::by_cert_manager()),
                false => Place::always("certificate.yaml"),
            },
            ("monitoring.coreos.com", "ServiceMonitor") if operator.metrics.is_some() => {
                Place::when("monitor.yaml", extra::monitored())
            }
            ("monitoring.coreos.com", _) => Place::always("monitor.yaml"),
            ("networking.k8s.io", "NetworkPolicy") => {
                Place::when("networkpolicy.yaml", Condition::set("networkPolicy.enabled"))
            }
            ("policy", "PodDisruptionBudget") => Place::when(
                "poddisruptionbudget.yaml",
                Condition::set("podDisruptionBudget.enabled"),
            ),
            (_, kind) => Place::always(format!("{}.yaml", kind.to_lowercase())),
        })
    }

    /// Puts the values into an object. A role can become several documents.
    fn documents(&self, mut node: Node, object: &Object, condition: Option<Condition>) -> Vec<Document> {
        match object.kind() {
            "Deployment" if std::ptr::eq(object, self.operator.deployment) => self.deployment(&mut node),
            "ServiceAccount" if self.operator.is_account(object) => rbac::account(&mut node),
            "CustomResourceDefinition" => self.definition(&mut node, object),
            "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
                self.webhook_configuration(&mut node, object);
            }
            "Role" | "ClusterRole" | "RoleBinding" | "ClusterRoleBinding" => {
                return self.rbac(node, object, condition);
            }
            _ => {}
        }
        vec![Document {
            node,
            condition,
            each: None,
            fails: None,
        }]
    }

    /// Warns of texts that mention a name in a place where kgen does not know what it means.
    fn mentions(&self, object: &Object, problems: &mut Problems) {
        let mut texts: Vec<(String, Vec<String>)> = Vec::new();
        let mut add = |value: &Value, path: Vec<String>| {
            if let Value::String(text) = value {
                texts.push((text.clone(), path));
            }
        };
        let pods = references::pod_path(object.kind()).into_iter();
        for (pod, containers) in pods.flat_map(|pod| references::CONTAINERS.map(|list| (pod, list))) {
            let spec = pod.iter().fold(&object.value, |value, key| &value[*key]);
            for (index, container) in items(&spec[containers]).iter().enumerate() {
                for list in ["args", "command", "env"] {
                    for (position, item) in items(&container[list]).iter().enumerate() {
                        let mut path: Vec<String> = pod.iter().map(|key| (*key).to_owned()).collect();
                        path.extend(
                            [containers, &index.to_string(), list, &position.to_string()].map(Into::into),
                        );
                        if list == "env" {
                            path.push("value".to_owned());
                        }
                        add(if list == "env" { &item["value"] } else { item }, path);
                    }
                }
            }
        }
        if object.is("", "ConfigMap") {
            for (key, value) in object.value["data"].as_object().into_iter().flatten() {
                add(value, vec!["data".to_owned(), key.clone()]);
            }
        }
        for (text, path) in texts {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            if path.first() == Some(&"spec") && self.names.argument(&text).is_some() {
                continue;
            }
            if self.names.mentions_namespace(&text) {
                let message = format!(
                    "{object} contains the namespace `{}` in a string, which the chart cannot replace",
                    self.operator.namespace()
                );
                problems.push(
                    Problem::warning(Code::HelmObject, object.place(&path), message).help(
                        "remove the namespace from the string, or install the chart into this namespace",
                    ),
                );
            } else if let Some(name) = self.names.mentioned(&text) {
                let message =
                    format!("{object} contains the name `{name}` in a string, which the chart cannot rename");
                problems.push(
                    Problem::warning(Code::HelmObject, object.place(&path), message).help(
                        "remove the name from the string, or set `fullnameOverride` when you install the chart",
                    ),
                );
            }
        }
    }
}
