//! Rules of webhook configurations.

use kgen_schema::{FieldError, names};
use serde_json::Value;

use super::errors::{Errors, has, invalid, items, named, one_of, required, text};

const OPERATIONS: [&str; 5] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

pub(super) fn configuration(object: &Value, errors: &mut Errors) {
    for (index, webhook) in items(object, "webhooks").iter().enumerate() {
        let at = |key: &str| format!("webhooks[{index}].{key}");
        let name = text(webhook, "name");
        if name.is_empty() {
            required(errors, at("name"), "");
        } else if name.split('.').count() < 3 {
            let detail = "should be a domain with at least three segments separated by dots";
            invalid(errors, at("name"), name, detail);
        } else {
            named(errors, &at("name"), name, names::subdomain_mistakes(name));
        }
        let effects = text(webhook, "sideEffects");
        if !effects.is_empty() && !matches!(effects, "None" | "NoneOnDryRun") {
            let supported = ["None", "NoneOnDryRun"];
            errors.push(FieldError::not_supported(at("sideEffects"), effects, &supported));
        }
        let versions = items(webhook, "admissionReviewVersions");
        if versions.is_empty() {
            required(
                errors,
                at("admissionReviewVersions"),
                "must specify one of v1, v1beta1",
            );
        } else if !versions
            .iter()
            .any(|version| version == "v1" || version == "v1beta1")
        {
            let detail = "must include at least one of v1, v1beta1";
            invalid(errors, at("admissionReviewVersions"), versions, detail);
        }
        client(errors, webhook, &at("clientConfig"));
        for (key, supported) in [
            ("failurePolicy", ["Fail", "Ignore"]),
            ("matchPolicy", ["Equivalent", "Exact"]),
        ] {
            one_of(errors, at(key), text(webhook, key), &supported);
        }
        let seconds = webhook.get("timeoutSeconds").and_then(Value::as_i64);
        if let Some(seconds) = seconds.filter(|seconds| !(1..=30).contains(seconds)) {
            let detail = "the timeout value must be between 1 and 30 seconds";
            invalid(errors, at("timeoutSeconds"), &seconds, detail);
        }
        for (position, rule) in items(webhook, "rules").iter().enumerate() {
            let field = format!("webhooks[{index}].rules[{position}]");
            for key in ["operations", "apiGroups", "apiVersions", "resources"] {
                if items(rule, key).is_empty() {
                    required(errors, format!("{field}.{key}"), "");
                }
            }
            for (number, operation) in items(rule, "operations").iter().enumerate() {
                let operation = operation.as_str().unwrap_or_default();
                if !OPERATIONS.contains(&operation) {
                    let field = format!("{field}.operations[{number}]");
                    errors.push(FieldError::not_supported(field, operation, &OPERATIONS));
                }
            }
        }
    }
}

fn client(errors: &mut Errors, webhook: &Value, field: &str) {
    let nothing = Value::Null;
    let client = webhook.get("clientConfig").unwrap_or(&nothing);
    let url = client.get("url").and_then(Value::as_str);
    if url.is_some() == has(client, "service") {
        required(errors, field, "exactly one of url or service is required");
    }
    if let Some(url) = url {
        let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
        if scheme != "https" {
            let detail = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
            invalid(errors, format!("{field}.url"), scheme, detail);
        }
    }
    if let Some(service) = client.get("service").filter(|service| service.is_object()) {
        for key in ["name", "namespace"] {
            if text(service, key).is_empty() {
                required(errors, format!("{field}.service.{key}"), "");
            }
        }
    }
}
