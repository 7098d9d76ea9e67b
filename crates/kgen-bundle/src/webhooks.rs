//! The webhooks of the CSV. OLM creates the service and the certificate of each.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_manifests::{Object, WebhookService};
use serde_json::{Map, Value, json};

use crate::Bundle;
use crate::json::{copy, set};

/// Returns the webhooks, by name.
pub(crate) fn definitions(bundle: &Bundle<'_>, problems: &mut Problems) -> Vec<Value> {
    let manifests = &bundle.options.manifests;
    let mut found: BTreeMap<String, (Span, Value)> = BTreeMap::new();
    let mut add = |name: String, span: Span, value: Value, problems: &mut Problems| {
        if let Some((first, _)) = found.get(&name) {
            problems.push(
                Problem::error(
                    Code::BundleDeployment,
                    span,
                    format!("two webhooks are called `{name}`"),
                )
                .related(*first, "the first is here")
                .help("OLM creates one configuration per webhook, so rename one of them"),
            );
            return;
        }
        found.insert(name, (span, value));
    };
    for webhook in manifests.webhooks() {
        let index = webhook.index.to_string();
        let place = |key: &str| webhook.configuration.place(&["webhooks", &index, key]);
        let Some(service) = webhook.service() else {
            let message = format!(
                "the webhook `{}` calls a URL, which OLM does not support",
                webhook.name()
            );
            problems.push(Problem::warning(Code::BundleObject, place("name"), message));
            continue;
        };
        let Some(backend) = backend(bundle, &service, webhook.configuration, place("name"), problems) else {
            continue;
        };
        let mut entry = Map::new();
        let kind = match webhook.is_mutating {
            true => "MutatingAdmissionWebhook",
            false => "ValidatingAdmissionWebhook",
        };
        set(&mut entry, "type", kind);
        set(&mut entry, "generateName", webhook.name());
        backend.write(&service, &mut entry);
        copy(webhook.value, COPIED, &mut entry);
        for key in ["namespaceSelector", "matchConditions"] {
            let is_set = webhook.value.get(key).is_some_and(|value| {
                value.as_object().is_some_and(|map| !map.is_empty())
                    || value.as_array().is_some_and(|list| !list.is_empty())
            });
            if is_set {
                let message = format!(
                    "a bundle cannot state the `{key}` of the webhook `{}`",
                    webhook.name()
                );
                problems.push(
                    Problem::warning(Code::BundleObject, place(key), message)
                        .help("OLM limits webhooks to the namespaces of the operator group; check the rest in the operator"),
                );
            }
        }
        add(
            webhook.name().to_owned(),
            place("name"),
            Value::Object(entry),
            problems,
        );
    }
    for (definition, service) in manifests.conversion_webhooks() {
        let Some(backend) = backend(bundle, &service, definition, definition.span(), problems) else {
            continue;
        };
        let mut entry = Map::new();
        let name = format!("c{}", definition.name());
        set(&mut entry, "type", "ConversionWebhook");
        set(&mut entry, "generateName", name.as_str());
        backend.write(&service, &mut entry);
        set(&mut entry, "sideEffects", "None");
        let reviews = &definition.value["spec"]["conversion"]["webhook"]["conversionReviewVersions"];
        set(&mut entry, "admissionReviewVersions", reviews.clone());
        set(&mut entry, "conversionCRDs", json!([definition.name()]));
        add(name, definition.span(), Value::Object(entry), problems);
    }
    found.into_values().map(|(_, value)| value).collect()
}

/// The keys that a webhook has in a configuration and in a CSV.
const COPIED: &[&str] = &[
    "admissionReviewVersions",
    "failurePolicy",
    "matchPolicy",
    "objectSelector",
    "reinvocationPolicy",
    "rules",
    "sideEffects",
    "timeoutSeconds",
];

/// The Deployment and the port behind a service.
struct Backend<'a> {
    deployment: &'a Object,
    target_port: i64,
}

impl Backend<'_> {
    fn write(&self, service: &WebhookService<'_>, entry: &mut Map<String, Value>) {
        set(entry, "deploymentName", self.deployment.name());
        set(entry, "containerPort", service.port);
        set(entry, "targetPort", self.target_port);
        set(entry, "webhookPath", service.path);
    }
}

fn backend<'a>(
    bundle: &'a Bundle<'_>,
    service: &WebhookService<'_>,
    user: &Object,
    span: Span,
    problems: &mut Problems,
) -> Option<Backend<'a>> {
    let manifests = &bundle.options.manifests;
    let named = format!("{}/{}", service.namespace, service.name);
    let mut refuse = |reason: String| {
        problems.push(Problem::error(Code::BundleDeployment, span, reason).help(format!(
            "{user} calls this service; OLM calls only webhooks of a Deployment in the bundle"
        )));
    };
    let Some(object) = manifests.service(service.namespace, service.name) else {
        refuse(format!(
            "the manifests do not have the Service `{named}` of this webhook"
        ));
        return None;
    };
    let Some(deployment) = manifests.deployment_behind(object) else {
        refuse(format!(
            "the Service `{named}` of this webhook selects no Deployment"
        ));
        return None;
    };
    let Some(target_port) = deployment.target_port(object, service.port) else {
        refuse(format!(
            "the Service `{named}` of this webhook has no port {}",
            service.port
        ));
        return None;
    };
    Some(Backend {
        deployment,
        target_port,
    })
}
