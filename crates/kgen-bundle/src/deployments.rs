//! The Deployments of the CSV, as OLM runs them.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::{Object, WATCH_NAMESPACE, is_watch_flag};
use serde_json::{Map, Value, json};

use crate::Bundle;
use crate::json::{items, set, text, without_cert_manager};
use crate::objects;

/// The folder in which OLM mounts the certificate of webhooks.
const CERTIFICATES: &str = "/tmp/k8s-webhook-server/serving-certs";

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
    objects::warn_of_move(bundle, deployment, problems);
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
            leave_out_paths(container, &removed, deployment, problems);
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

/// Removes the arguments that name a folder with a certificate of cert-manager in which OLM does not provide one.
///
/// OLM has certificates only for webhooks. Without the argument, an operator that serves metrics creates its own.
fn leave_out_paths(container: &mut Value, removed: &[String], deployment: &Object, problems: &mut Problems) {
    let mounts = items(&container["volumeMounts"]).iter();
    let paths: Vec<String> = mounts
        .filter(|mount| removed.iter().any(|name| text(&mount["name"]) == name))
        .map(|mount| text(&mount["mountPath"]).to_owned())
        .filter(|path| path != CERTIFICATES)
        .collect();
    for path in paths {
        let arguments = items(&container["args"]);
        let found = arguments_about(arguments, &path);
        let named: Vec<&str> = found
            .iter()
            .filter_map(|index| arguments.get(*index))
            .map(text)
            .collect();
        if named.is_empty() || named.iter().any(|argument| argument.contains("webhook")) {
            let message = format!(
                "the operator reads the certificate of cert-manager from `{path}`, but OLM provides its certificate in `{CERTIFICATES}`"
            );
            problems.push(
                Problem::warning(Code::BundleDeployment, deployment.span(), message)
                    .help(format!("mount the secret at `{CERTIFICATES}`")),
            );
            continue;
        }
        let (noun, verb) = match named.as_slice() {
            [_] => ("argument", "is"),
            _ => ("arguments", "are"),
        };
        let message = format!(
            "OLM provides no certificate in `{path}`, so the {noun} `{}` {verb} left out",
            named.join(" ")
        );
        problems.push(
            Problem::warning(Code::BundleDeployment, deployment.span(), message)
                .help("check that the operator creates a certificate itself then"),
        );
        if let Some(arguments) = container.get_mut("args").and_then(Value::as_array_mut) {
            let mut indices = 0..;
            arguments.retain(|_| !indices.next().is_some_and(|index| found.contains(&index)));
        }
    }
}

/// Returns the indices of the arguments with a path, as `--flag=PATH` or as `--flag PATH`.
fn arguments_about(arguments: &[Value], path: &str) -> Vec<usize> {
    let is_inside = |value: &str| {
        let rest = value.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut found = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let argument = text(argument);
        if is_inside(argument) {
            let is_flag = |before: &usize| {
                let flag = arguments.get(*before).map(text).unwrap_or_default();
                flag.starts_with('-') && !flag.contains('=')
            };
            found.extend(index.checked_sub(1).filter(is_flag));
            found.push(index);
        } else if argument
            .split_once('=')
            .is_some_and(|(_, value)| is_inside(value))
        {
            found.push(index);
        }
    }
    found
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
    if let Some(Value::Array(arguments)) = container.get_mut("args") {
        // Kubernetes puts the value of the variable there.
        let mut is_value = false;
        for argument in arguments {
            let given = text(argument).to_owned();
            if std::mem::take(&mut is_value) && !given.starts_with('-') {
                *argument = json!(format!("$({WATCH_NAMESPACE})"));
                continue;
            }
            // `--flag VALUE` is two arguments.
            is_value = is_watch_flag(&given);
            if let Some((flag, _)) = given.split_once('=')
                && is_watch_flag(flag)
            {
                *argument = json!(format!("{flag}=$({WATCH_NAMESPACE})"));
            }
        }
    }
    let variables = container.entry("env").or_insert_with(|| json!([]));
    if let Some(variables) = variables.as_array_mut() {
        // Only later variables can refer to it, so it stays at its place.
        let place = variables
            .iter()
            .position(|variable| variable["name"] == WATCH_NAMESPACE);
        variables.retain(|variable| variable["name"] != WATCH_NAMESPACE);
        variables.insert(place.unwrap_or(0), entry);
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
