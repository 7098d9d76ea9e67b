//! Reads webhook configurations as `+kubebuilder:webhook` and `+kubebuilder:webhookconfiguration`.
//!
//! An entry with more than one rule, selectors or conditions keeps these parts in the argument `patch`, so none is lost.

use kgen_diagnostics::{Code, FileId, Problem, Problems, Spanned};
use kgen_model::{Webhook, WebhookConfiguration};
use serde_json::{Map, Value};

use super::{report_others, text, texts, type_of};
use crate::yaml::{self, Content, Node};

/// The values that entries have unless a marker states others.
const SERVICE: &str = "webhook-service";
const NAMESPACE: &str = "system";

/// The keys of an entry that are arguments of the marker.
const ARGUMENTS: &[&str] = &[
    "admissionReviewVersions",
    "clientConfig",
    "failurePolicy",
    "matchPolicy",
    "name",
    "reinvocationPolicy",
    "rules",
    "sideEffects",
    "timeoutSeconds",
];

/// The webhooks of a manifest.
#[derive(Clone, Debug, Default)]
pub struct Webhooks {
    /// The entries, in the order of the text.
    pub webhooks: Vec<Webhook>,
    /// The names of configurations that do not have the default name.
    pub configurations: Vec<WebhookConfiguration>,
}

/// Reads the webhooks of all configurations in a text.
pub fn webhooks(source: &str, file: FileId, problems: &mut Problems) -> Webhooks {
    let mut found = Webhooks::default();
    for document in yaml::read_or_report(source, file, problems) {
        let mutating = match type_of(&document) {
            ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration") => true,
            ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration") => false,
            (version, kind) => {
                let message = format!("`{kind}` of `{version}` is not a webhook configuration");
                problems.push(
                    Problem::error(Code::InvalidDefinition, document.span, message)
                        .help("move it to another file, because this one is generated from markers"),
                );
                continue;
            }
        };
        configuration(&document, mutating, &mut found, problems);
    }
    found
}

fn configuration(document: &Node, mutating: bool, found: &mut Webhooks, problems: &mut Problems) {
    let what = "a webhook configuration";
    let known = ["apiVersion", "kind", "metadata", "webhooks"];
    report_others(document, &known, what, problems);
    if let Some(metadata) = document.get("metadata") {
        report_others(metadata, &["name", "creationTimestamp"], what, problems);
        let usual = match mutating {
            true => "mutating-webhook-configuration",
            false => "validating-webhook-configuration",
        };
        if let Some(name) = text(metadata, "name", problems).filter(|name| name.value != usual) {
            found.configurations.push(WebhookConfiguration {
                mutating,
                name: name.value,
                span: name.span,
            });
        }
    }
    for entry in document.get("webhooks").map(Node::items).unwrap_or_default() {
        found.webhooks.push(webhook(entry, mutating, problems));
    }
}

fn webhook(entry: &Node, mutating: bool, problems: &mut Problems) -> Webhook {
    let plain = |values: Vec<Spanned<String>>| values.into_iter().map(|value| value.value).collect();
    let mut patch: Map<String, Value> = entry
        .entries()
        .iter()
        .filter(|part| !ARGUMENTS.contains(&part.key.as_str()) && !part.value.is_null())
        .map(|part| (part.key.clone(), part.value.to_json()))
        .collect();
    let rules = entry.get("rules").map(Node::items).unwrap_or_default();
    let is_plain = |rule: &Node| rule.get("scope").is_none();
    if rules.len() != 1 || !rules.iter().all(is_plain) {
        patch.insert("rules".to_owned(), rules.iter().map(Node::to_json).collect());
    }
    let first = rules.first();
    let mut of_rule = |key: &str| -> Vec<Spanned<String>> {
        first.map_or_else(Vec::new, |rule| texts(rule, key, problems))
    };
    let (groups, versions) = (of_rule("apiGroups"), of_rule("apiVersions"));
    let (resources, verbs) = (of_rule("resources"), of_rule("operations"));
    let client = entry.get("clientConfig");
    let service = client.and_then(|client| client.get("service"));
    if let Some(bundle) = client.and_then(|client| client.get("caBundle")) {
        patch.insert(
            "clientConfig".to_owned(),
            Value::Object(Map::from_iter([("caBundle".to_owned(), bundle.to_json())])),
        );
    }
    let mut of_service = |key: &str, usual: &str| -> Option<String> {
        let value = text(service?, key, problems)?.value;
        (value != usual).then_some(value)
    };
    let (service_name, service_namespace) = (of_service("name", SERVICE), of_service("namespace", NAMESPACE));
    let port = service.and_then(|service| integer(service, "port", problems));
    let mut stated = |key: &str| text(entry, key, problems);
    let (match_policy, side_effects) = (stated("matchPolicy"), stated("sideEffects"));
    let (reinvocation_policy, policy) = (stated("reinvocationPolicy"), stated("failurePolicy"));
    let name = stated("name");
    Webhook {
        mutating,
        name: name.unwrap_or_else(|| Spanned::new(String::new(), entry.span)),
        path: service.and_then(|service| text(service, "path", problems)),
        url: client.and_then(|client| text(client, "url", problems)),
        service_name,
        service_namespace,
        service_port: port.map(|port| port.value),
        groups: plain(groups),
        versions: plain(versions),
        resources: plain(resources),
        verbs,
        // The API server's default.
        failure_policy: policy.unwrap_or_else(|| Spanned::new("Fail".to_owned(), entry.span)),
        match_policy,
        side_effects,
        timeout_seconds: integer(entry, "timeoutSeconds", problems),
        admission_review_versions: plain(texts(entry, "admissionReviewVersions", problems)),
        reinvocation_policy,
        webhook_versions: Vec::new(),
        namespace_selector: None,
        object_selector: None,
        match_conditions: Vec::new(),
        patch: (!patch.is_empty()).then(|| Spanned::new(Value::Object(patch), entry.span)),
        arguments: Vec::new(),
        span: entry.span,
    }
}

/// Returns the integer of a key. Another value is a problem.
fn integer(parent: &Node, key: &str, problems: &mut Problems) -> Option<Spanned<i64>> {
    let value = parent.get(key)?;
    let number = match &value.content {
        Content::Scalar(number) => number.as_i64(),
        _ => None,
    };
    if number.is_none() {
        problems.push(super::unexpected(key, "an integer", value));
    }
    number.map(|number| Spanned::new(number, value.span))
}

#[cfg(test)]
mod tests {
    use kgen_diagnostics::{Files, SourceFile};
    use kgen_markers::write::{webhook_configuration_line, webhook_line};

    use super::*;

    #[test]
    fn entries_become_markers() {
        let source = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: mine
webhooks:
- admissionReviewVersions: [v1]
  clientConfig:
    service: {name: webhook-service, namespace: system, path: /mutate, port: 8443}
  failurePolicy: Fail
  name: mpod.example.com
  rules:
  - apiGroups: ['']
    apiVersions: [v1]
    operations: [CREATE, UPDATE]
    resources: [pods]
  sideEffects: None
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: validating-webhook-configuration
webhooks:
- admissionReviewVersions: [v1]
  clientConfig:
    service: {name: other, namespace: there, path: /validate}
  failurePolicy: Ignore
  name: vpod.example.com
  namespaceSelector: {matchLabels: {a: b}}
  rules:
  - {apiGroups: [''], apiVersions: [v1], operations: [DELETE], resources: [pods], scope: Namespaced}
  sideEffects: None
  timeoutSeconds: 5
";
        let file = Files::default().add(SourceFile::new("manifests.yaml", source));
        let mut problems = Problems::new();
        let found = webhooks(source, file, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        let lines: Vec<String> = found
            .webhooks
            .iter()
            .map(webhook_line)
            .chain(found.configurations.iter().map(webhook_configuration_line))
            .collect();
        insta::assert_snapshot!(lines.join("\n"));
    }
}
