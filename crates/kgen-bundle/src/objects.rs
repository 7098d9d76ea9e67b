//! The CRDs and the other objects of a bundle. OLM creates the rest itself, or does not accept it.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_generators::Artifact;
use kgen_manifests::{Object, WebhookService};
use serde_json::Value;

use crate::Bundle;
use crate::json::{items, text, without_cert_manager};

/// The kinds that a bundle may contain besides the CSV and CRDs, from operator-registry's `supported_resources.go`.
const ACCEPTED: &[&str] = &[
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "ConsoleCLIDownload",
    "ConsoleLink",
    "ConsolePlugin",
    "ConsoleQuickStart",
    "ConsoleYAMLSample",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "PriorityClass",
    "PrometheusRule",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "ServiceAccount",
    "ServiceMonitor",
    "VerticalPodAutoscaler",
];

/// Returns the files of the CRDs and of the other objects.
pub(crate) fn artifacts(bundle: &Bundle<'_>, problems: &mut Problems) -> Vec<Artifact> {
    let crds = bundle.kinds.iter();
    let mut artifacts: Vec<Artifact> = crds
        .map(|kind| bundle.yaml(format!("manifests/{}", kind.file), &kind.definition))
        .collect();
    for object in &bundle.options.manifests.objects {
        if is_replaced(bundle, object) {
            continue;
        }
        if !ACCEPTED.contains(&object.kind()) {
            let mut note = Problem::note(
                Code::BundleObject,
                format!(
                    "{object} is left out, because OLM does not accept a {}",
                    object.kind()
                ),
            );
            note.span = Some(object.span());
            problems.push(note);
            continue;
        }
        warn_of_move(bundle, object, problems);
        let mut value = object.value.clone();
        without_cert_manager(&mut value["metadata"]);
        if object.is("", "Service")
            && let Some(Value::Array(ports)) = value["spec"].get_mut("ports")
        {
            ports.retain(|port| !serves_webhooks(bundle, object, port));
        }
        if let Some(metadata) = value["metadata"].as_object_mut() {
            metadata.remove("namespace");
        }
        artifacts.push(bundle.yaml(format!("manifests/{}", file_name(object)), &value));
    }
    artifacts
}

fn file_name(object: &Object) -> String {
    let parts = [object.name(), object.group(), object.version(), object.kind()];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| part.to_lowercase().replace(':', "-"))
        .collect();
    format!("{}.yaml", parts.join("_"))
}

/// Returns whether the CSV has the information of an object, or OLM creates it.
fn is_replaced(bundle: &Bundle<'_>, object: &Object) -> bool {
    let manifests = &bundle.options.manifests;
    let is_account_of_operator = |namespace: &str, name: &str| {
        manifests
            .deployments()
            .any(|deployment| deployment.namespace() == namespace && deployment.service_account() == name)
    };
    let only_binds_operator = |binding: &Object| {
        let subjects = items(&binding.value["subjects"]);
        !subjects.is_empty()
            && subjects.iter().all(|subject: &Value| {
                let namespace = match text(&subject["namespace"]) {
                    "" => binding.namespace(),
                    namespace => namespace,
                };
                text(&subject["kind"]) == "ServiceAccount"
                    && is_account_of_operator(namespace, text(&subject["name"]))
            })
    };
    match object.kind() {
        "Deployment" | "CustomResourceDefinition" | "Namespace" => true,
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => true,
        "ServiceAccount" => is_account_of_operator(object.namespace(), object.name()),
        "RoleBinding" | "ClusterRoleBinding" => only_binds_operator(object),
        "Role" | "ClusterRole" => {
            let mut bindings = manifests
                .bindings()
                .filter(|binding| binding.role.is_some_and(|role| std::ptr::eq(role, object)))
                .peekable();
            bindings.peek().is_some() && bindings.all(|binding| only_binds_operator(binding.object))
        }
        "Service" => {
            let ports = items(&object.value["spec"]["ports"]);
            !ports.is_empty() && ports.iter().all(|port| serves_webhooks(bundle, object, port))
        }
        _ => object.is_of_cert_manager(),
    }
}

/// Returns whether webhooks call a port of a Service. OLM creates a Service of its own for them.
fn serves_webhooks(bundle: &Bundle<'_>, object: &Object, port: &Value) -> bool {
    let manifests = &bundle.options.manifests;
    let calls = |service: WebhookService<'_>| {
        service.namespace == object.namespace()
            && service.name == object.name()
            && port["port"].as_i64() == Some(service.port)
    };
    let mut admission = manifests.webhooks().filter_map(|webhook| webhook.service());
    let mut conversion = manifests.conversion_webhooks().map(|(_, service)| service);
    admission.any(calls) || conversion.any(calls)
}

/// Warns of an object that OLM creates in another namespace than the manifests.
pub(crate) fn warn_of_move(bundle: &Bundle<'_>, object: &Object, problems: &mut Problems) {
    let own = bundle.namespace();
    if own.is_empty() || object.namespace().is_empty() || object.namespace() == own {
        return;
    }
    let message = format!("{object} moves to the operator's namespace, because OLM uses no other");
    problems.push(
        Problem::warning(Code::BundleObject, object.span(), message)
            .help("remove it from the manifests of the bundle if it must be in its own namespace"),
    );
}
