//! The Deployments of the CSV, as OLM runs them.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::Object;
use serde_json::{Map, Value, json};

use crate::Bundle;
use crate::json::{items, set, text, without_cert_manager};

/// The folder in which OLM mounts the certificate of webhooks.
const CERTIFICATES: &str = "/tmp/k8s-webhook-server/serving-certs";

/// The variable that limits an operator to namespaces.
const WATCH_NAMESPACE: &str = "WATCH_NAMESPACE";

/// Returns the Deployments.
pub(crate) fn deployments(bundle: &Bundle<'_>, problems: &mut Problems) -> Vec<Value> {
    let manifests = &bundle.options.manifests;
    if manifests.deployments().next().is_none() {
        problems.push(
            Problem::general(Code::BundleDeployment, "the manifests have no Deployment")
                .help("name the folder, file or `-` with the operator's manifests in `manifests`"),
        );
    }
    manifests
        .deployments()
        .map(|deployment| one(bundle, deployment, problems))
        .collect()
}

fn one(bundle: &Bundle<'_>, deployment: &Object, problems: &mut Problems) -> Value {
    let mut spec = deployment.value["spec"].clone();
    let removed = bundle.options.manifests.certificate_volumes(deployment);
    without_cert_manager(&mut spec["template"]["metadata"]);
    let pod = &mut spec["template"]["spec"];
    retain(pod, "volumes", |volume| {
        !removed.iter().any(|name| text(&volume["name"]) == name)
    });
    let manager = manager(items(&pod["containers"]));
    for kind in ["containers", "initContainers"] {
        let Some(containers) = pod.get_mut(kind).and_then(Value::as_array_mut) else {
            continue;
        };
        for (index, container) in containers.iter_mut().enumerate() {
            check_paths(container, &removed, deployment, problems);
            retain(container, "volumeMounts", |mount| {
                !removed.iter().any(|name| text(&mount["name"]) == name)
            });
            let is_manager = kind == "containers" && index == manager;
            if let Some(image) = bundle.options.image.as_deref().filter(|_| is_manager) {
                container["image"] = json!(image);
            }
            watch_namespaces(bundle, container, is_manager);
        }
    }
    let mut entry = Map::new();
    set(&mut entry, "name", deployment.name());
    set(
        &mut entry,
        "label",
        deployment.value["metadata"]["labels"].clone(),
    );
    set(&mut entry, "spec", spec);
    Value::Object(entry)
}

/// Returns the index of the operator's container: the one called `manager`, or else the first.
fn manager(containers: &[Value]) -> usize {
    let called = containers
        .iter()
        .position(|container| container["name"] == "manager");
    called.unwrap_or(0)
}

/// Removes the entries of a list, and the list if nothing remains.
fn retain(parent: &mut Value, key: &str, keep: impl Fn(&Value) -> bool) {
    let Some(parent) = parent.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(entries)) = parent.get_mut(key) {
        entries.retain(keep);
        if entries.is_empty() {
            parent.remove(key);
        }
    }
}

/// Warns about a certificate that the operator reads from a folder in which OLM does not provide one.
fn check_paths(container: &Value, removed: &[String], deployment: &Object, problems: &mut Problems) {
    for mount in items(&container["volumeMounts"]) {
        let path = text(&mount["mountPath"]);
        if !removed.iter().any(|name| text(&mount["name"]) == name) || path == CERTIFICATES {
            continue;
        }
        let message = format!(
            "the operator reads the certificate of cert-manager from `{path}`, but OLM provides its certificate in `{CERTIFICATES}`"
        );
        problems.push(
            Problem::warning(Code::BundleDeployment, deployment.span(), message)
                .help(format!("mount the secret at `{CERTIFICATES}`")),
        );
    }
}

/// Takes the namespaces from OLM, if the operator can be limited to some.
fn watch_namespaces(bundle: &Bundle<'_>, container: &mut Value, is_manager: bool) {
    let modes = &bundle.options.install_modes;
    let is_limited = modes.iter().any(|mode| mode != "AllNamespaces");
    let source = json!({ "fieldRef": { "fieldPath": "metadata.annotations['olm.targetNamespaces']" } });
    let entry = json!({ "name": WATCH_NAMESPACE, "valueFrom": source });
    let Some(container) = container.as_object_mut() else {
        return;
    };
    let has_one = items(container.get("env").unwrap_or(&Value::Null))
        .iter()
        .any(|variable| variable["name"] == WATCH_NAMESPACE);
    if !(has_one || is_limited && is_manager) {
        return;
    }
    let variables = container.entry("env").or_insert_with(|| json!([]));
    if let Some(variables) = variables.as_array_mut() {
        variables.retain(|variable| variable["name"] != WATCH_NAMESPACE);
        variables.push(entry);
    }
}

/// Returns every image of the deployments, each once.
pub(crate) fn related_images(deployments: &[Value]) -> Vec<Value> {
    let mut images: Vec<(String, String)> = Vec::new();
    let mut add = |name: String, image: &str| {
        if !image.is_empty() && !images.iter().any(|(_, known)| known == image) {
            images.push((name, image.to_owned()));
        }
    };
    for deployment in deployments {
        let pod = &deployment["spec"]["template"]["spec"];
        for container in items(&pod["containers"])
            .iter()
            .chain(items(&pod["initContainers"]))
        {
            add(text(&container["name"]).to_owned(), text(&container["image"]));
            for variable in items(&container["env"]) {
                if let Some(name) = text(&variable["name"]).strip_prefix("RELATED_IMAGE_") {
                    add(
                        name.to_ascii_lowercase().replace('_', "-"),
                        text(&variable["value"]),
                    );
                }
            }
        }
    }
    images.sort();
    images
        .into_iter()
        .map(|(name, image)| json!({ "name": name, "image": image }))
        .collect()
}
