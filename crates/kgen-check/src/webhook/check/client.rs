//! The address of a webhook: a service, or a URL.

use serde_json::{Map, Value};

use super::{Report, object, text};
use crate::kubernetes_names;
use crate::webhook::url;

pub(super) fn check(entry: &Map<String, Value>, report: &mut Report<'_>) {
    let Some(client) = object(entry, "clientConfig") else {
        return;
    };
    match (
        client.get("url").and_then(Value::as_str),
        object(client, "service"),
    ) {
        (Some(address), None) => check_url(address, report),
        (None, Some(service)) => check_service(service, report),
        (Some(_), Some(_)) => report.error(
            &["clientConfig"],
            "the webhook has both a service and a `url`",
            "remove one of them in the patch with `null`",
        ),
        (None, None) => report.error(
            &["clientConfig"],
            "the webhook has neither a service nor a `url`",
            "keep one of them in the patch",
        ),
    }
}

fn check_url(address: &str, report: &mut Report<'_>) {
    for mistake in url::mistakes(address) {
        report.error(
            &["clientConfig", "url"],
            format!("the URL `{address}` is not valid: {mistake}"),
            "write it as in `https://hooks.example.org:9443/validate`",
        );
    }
}

fn check_service(service: &Map<String, Value>, report: &mut Report<'_>) {
    for key in ["name", "namespace"] {
        if text(service, key).is_empty() {
            report.error(
                &["clientConfig", "service", key],
                format!("the service of the webhook has no {key}"),
                format!("give it a {key} in the patch"),
            );
        }
    }
    if let Some(port) = service
        .get("port")
        .and_then(Value::as_i64)
        .filter(|port| !(1..=65_535).contains(port))
    {
        report.error(
            &["clientConfig", "service", "port"],
            format!("{port} is not a valid service port"),
            "write 1 to 65535, or remove the port for the default 443",
        );
    }
    check_path(text(service, "path"), report);
}

/// Checks that every segment of a path is a subdomain; a trailing slash is allowed.
fn check_path(path: &str, report: &mut Report<'_>) {
    let place = &["clientConfig", "service", "path"];
    if path.is_empty() || path == "/" {
        return;
    }
    let Some(steps) = path.strip_prefix('/') else {
        report.error(
            place,
            format!("the path `{path}` does not begin with `/`"),
            format!("write `/{path}`"),
        );
        return;
    };
    for step in steps.strip_suffix('/').unwrap_or(steps).split('/') {
        if step.is_empty() {
            report.error(
                place,
                format!("the path `{path}` has two slashes in a row"),
                "write one slash",
            );
        } else if !kubernetes_names::is_dns_subdomain(step) {
            report.error(
                place,
                format!("the path segment `{step}` is not valid"),
                "use lowercase letters, digits, `-` and `.`; begin and end each part with a letter or digit",
            );
        }
    }
}
