//! One marker as one webhook of a configuration: arguments first, then the patch, then the checks.
//!
//! Unknown words are copied unchanged; the checks reject them in the complete entry, because a patch can repair or
//! break everything.

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned, words};
use kgen_model::{MatchCondition, Webhook, group_name};
use serde_json::{Map, Value, json};

use super::places::{self, Places};
use super::values::{self, canonical};
use super::{check, patch, selector};

/// The default name of the service of webhooks.
pub const SERVICE_NAME: &str = "webhook-service";
/// The default namespace of the service of webhooks.
pub const SERVICE_NAMESPACE: &str = "system";

/// A complete webhook and its source.
pub(super) struct Entry<'a> {
    /// The object in the form of Kubernetes.
    pub(super) object: Map<String, Value>,
    places: Places<'a>,
}

impl Entry<'_> {
    /// Returns the name, which determines the order.
    pub(super) fn name(&self) -> &str {
        self.object
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Returns the place of the name.
    pub(super) fn name_span(&self) -> Span {
        self.places.span(&["name"])
    }
}

/// Builds and checks one webhook.
pub(super) fn entry<'a>(webhook: &'a Webhook, problems: &mut Problems) -> Entry<'a> {
    check_versions(webhook, problems);
    check_ignored(webhook, problems);
    let mut object = object(webhook, problems);
    let mut places = Places::new(webhook);
    if let Some(stated) = &webhook.patch {
        match patch::apply(&object, &stated.value, webhook.mutating) {
            Ok(patched) => object = patched,
            Err(mistakes) => {
                places.patch_failed();
                problems.extend(mistakes.into_iter().map(|mistake| mistake.at(stated.span)));
            }
        }
    }
    check::check(&object, &places, problems);
    Entry { object, places }
}

/// Builds the entry of the arguments.
fn object(webhook: &Webhook, problems: &mut Problems) -> Map<String, Value> {
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| object.insert(key.to_owned(), value);
    set("name", json!(webhook.name.value));
    set("clientConfig", client(webhook, problems));
    set("rules", json!([rule(webhook)]));
    set(
        "failurePolicy",
        json!(canonical(&webhook.failure_policy.value, values::FAILURE_POLICIES)),
    );
    if let Some(policy) = stated(webhook.match_policy.as_ref()) {
        set("matchPolicy", json!(canonical(policy, values::MATCH_POLICIES)));
    }
    if let Some(effects) = stated(webhook.side_effects.as_ref()) {
        let current = canonical(effects, values::SIDE_EFFECTS);
        set("sideEffects", json!(canonical(current, values::OLD_SIDE_EFFECTS)));
    }
    if let Some(seconds) = &webhook.timeout_seconds {
        set("timeoutSeconds", json!(seconds.value));
    }
    set(
        "admissionReviewVersions",
        json!(webhook.admission_review_versions),
    );
    if let Some(policy) = stated(webhook.reinvocation_policy.as_ref()).filter(|_| webhook.mutating) {
        set(
            "reinvocationPolicy",
            json!(canonical(policy, values::REINVOCATION_POLICIES)),
        );
    }
    let selectors = [
        ("namespaceSelector", &webhook.namespace_selector),
        ("objectSelector", &webhook.object_selector),
    ];
    for (key, text) in selectors {
        if let Some(selector) = text.as_ref().and_then(|text| problems.take(selector::read(text))) {
            set(key, selector);
        }
    }
    if !webhook.match_conditions.is_empty() {
        let condition = |condition: &MatchCondition| json!({ "name": condition.name, "expression": condition.expression });
        set(
            "matchConditions",
            webhook.match_conditions.iter().map(condition).collect(),
        );
    }
    object
}

/// Returns an argument that is not empty; an empty string means that the argument is absent.
fn stated(text: Option<&Spanned<String>>) -> Option<&str> {
    text.map(|text| text.value.as_str())
        .filter(|text| !text.is_empty())
}

fn given(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.is_empty())
}

fn rule(webhook: &Webhook) -> Value {
    let groups: Vec<&str> = webhook.groups.iter().map(|group| group_name(group)).collect();
    let operations: Vec<&str> = webhook
        .verbs
        .iter()
        .map(|verb| canonical(&verb.value, values::OPERATIONS))
        .collect();
    json!({
        "apiGroups": groups,
        "apiVersions": webhook.versions,
        "operations": operations,
        "resources": webhook.resources,
    })
}

/// Returns the address of the webhook: a service, or a URL.
fn client(webhook: &Webhook, problems: &mut Problems) -> Value {
    match (stated(webhook.path.as_ref()), stated(webhook.url.as_ref())) {
        (None, Some(url)) => return json!({ "url": url }),
        (Some(path), None) => return service(webhook, path),
        (Some(_), Some(_)) => {
            let at = |text: &Option<Spanned<String>>| text.as_ref().map_or(webhook.span, |text| text.span);
            problems.push(
                Problem::error(
                    Code::Webhook,
                    at(&webhook.url),
                    "the webhook has both `path` and `url`",
                )
                .help("keep `path` for a service in the cluster, or `url` for a server outside of it")
                .related(at(&webhook.path), "the path"),
            );
        }
        (None, None) => problems.push(
            Problem::error(
                Code::Webhook,
                webhook.span,
                "the webhook has neither `path` nor `url`",
            )
            .help("add `path=/…` for a service in the cluster, or `url=\"https://…\"` for a server outside of it"),
        ),
    }
    // A placeholder, so that the mistake is reported once.
    service(webhook, "/")
}

fn service(webhook: &Webhook, path: &str) -> Value {
    let mut service = json!({
        "name": given(webhook.service_name.as_ref()).unwrap_or(SERVICE_NAME),
        "namespace": given(webhook.service_namespace.as_ref()).unwrap_or(SERVICE_NAMESPACE),
        "path": path,
    });
    if let (Some(port), Some(object)) = (webhook.service_port, service.as_object_mut()) {
        object.insert("port".to_owned(), json!(port));
    }
    json!({ "service": service })
}

/// Checks the versions of configurations, of which only one exists now.
fn check_versions(webhook: &Webhook, problems: &mut Problems) {
    for version in &webhook.webhook_versions {
        if !values::CONFIGURATION_VERSIONS.contains(&version.value.as_str()) {
            let message = format!(
                "the API server does not accept webhook configurations of version `{}`",
                version.value
            );
            let known = words::one_of(values::CONFIGURATION_VERSIONS.iter().copied());
            problems.push(
                Problem::error(Code::Webhook, version.span, message)
                    .help(format!("write {known}, or remove `webhookVersions`")),
            );
        }
    }
}

/// Arguments that this webhook cannot use. controller-gen ignores them silently.
fn check_ignored(webhook: &Webhook, problems: &mut Problems) {
    let only_url = stated(webhook.path.as_ref()).is_none() && stated(webhook.url.as_ref()).is_some();
    let service = [
        ("serviceName", given(webhook.service_name.as_ref()).is_some()),
        (
            "serviceNamespace",
            given(webhook.service_namespace.as_ref()).is_some(),
        ),
        ("servicePort", webhook.service_port.is_some()),
    ];
    for (argument, _) in service.into_iter().filter(|(_, given)| *given && only_url) {
        problems.push(
            Problem::warning(
                Code::Webhook,
                places::argument(webhook, argument),
                format!("`{argument}` has no effect together with `url`"),
            )
            .help(format!("remove `{argument}`, or write `path` instead of `url`")),
        );
    }
    if let Some(policy) = webhook.reinvocation_policy.as_ref().filter(|_| !webhook.mutating) {
        let message = "`reinvocationPolicy` has no effect on a validating webhook";
        problems.push(
            Problem::warning(Code::Webhook, policy.span, message)
                .help("remove it: only mutating webhooks are called again"),
        );
    }
}
