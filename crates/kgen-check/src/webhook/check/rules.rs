//! Which requests a webhook sees.

use kgen_diagnostics::Fix;
use serde_json::{Map, Value};

use super::{Report, list, texts};
use crate::webhook::values;

/// The argument of the marker that each list of a rule comes from, for messages.
const ARGUMENTS: &[(&str, &str, &str)] = &[
    ("apiGroups", "groups", "group"),
    ("apiVersions", "versions", "version"),
    ("resources", "resources", "resource"),
];

pub(super) fn check(entry: &Map<String, Value>, report: &mut Report<'_>) {
    for rule in list(entry, "rules").iter().filter_map(Value::as_object) {
        check_operations(&texts(rule, "operations"), report);
        for (key, argument, word) in ARGUMENTS {
            let path = &["rules", key];
            let values = texts(rule, key);
            if values.is_empty() {
                report.error(
                    path,
                    format!("the webhook has no {word}"),
                    format!("name one in `{argument}`"),
                );
            }
            // The group without a name is the core group.
            if *key != "apiGroups" && values.contains(&"") {
                report.error(
                    path,
                    format!("a {word} is empty"),
                    "remove it, or replace it with a name",
                );
            }
            if *key != "resources" && values.len() > 1 && values.contains(&"*") {
                report.error(
                    path,
                    format!("`*` is listed together with other {argument}"),
                    "remove it, or remove the others",
                );
            }
        }
        check_resources(&texts(rule, "resources"), report);
        check_never_match(&texts(rule, "apiGroups"), &texts(rule, "resources"), report);
        if let Some(scope) = rule
            .get("scope")
            .and_then(Value::as_str)
            .filter(|scope| !values::SCOPES.contains(scope))
        {
            report.unknown_word(
                report.places.report(&["rules", "scope"]),
                "`scope`",
                scope,
                values::SCOPES,
            );
        }
    }
}

fn check_operations(operations: &[&str], report: &mut Report<'_>) {
    if operations.is_empty() {
        report.error(
            &["rules", "operations"],
            "the webhook has no operation",
            "name one in `verbs`",
        );
    }
    for (index, operation) in operations.iter().enumerate() {
        if !values::OPERATIONS.contains(operation) {
            let span = report.places.report_operation(index);
            report.unknown_word(span, "operation", operation, values::OPERATIONS);
        }
        if *operation == "*" && operations.len() > 1 {
            let span = report.places.report_operation(index);
            report.error_at(
                span,
                "`*` is listed together with other operations",
                "remove it, or remove the others",
            );
        }
    }
}

/// Reports stars next to values that they include, and values that the API server accepts but no request
/// has.
fn check_never_match(groups: &[&str], resources: &[&str], report: &mut Report<'_>) {
    for (group, (name, _)) in groups
        .iter()
        .filter_map(|group| Some((group, group.split_once('/')?)))
    {
        report.warning(
            &["rules", "apiGroups"],
            format!("`{group}` does not match any group: the version belongs in `versions`"),
            |span| Some(Fix::word(span, name).only_for(*group).told()),
            "move the version to `versions`; the webhook is never called for this group".to_owned(),
        );
    }
    for resource in resources {
        let name = resource.split('/').next().unwrap_or_default();
        if name.contains(|letter: char| letter.is_uppercase()) {
            report.warning(
                &["rules", "resources"],
                format!("`{resource}` does not match any resource, because resources are lowercase"),
                |_| None,
                "write the plural that is used in URLs, such as `deployments` for the kind `Deployment`"
                    .to_owned(),
            );
        }
    }
}

fn check_resources(resources: &[&str], report: &mut Report<'_>) {
    let path = &["rules", "resources"];
    if resources.len() > 1 && resources.contains(&"*/*") {
        report.error(
            path,
            "`*/*` is listed together with other resources",
            "remove it, or remove the others",
        );
        return;
    }
    // An API server checks only the last one, and accepts `pods` before `*`.
    let last_whole = resources
        .iter()
        .rfind(|resource| !resource.is_empty() && !resource.contains('/'));
    if let Some(whole) = last_whole.filter(|whole| **whole != "*" && resources.contains(&"*")) {
        report.error(
            path,
            format!("`*` is listed together with the resource `{whole}`"),
            "remove one of them",
        );
    }
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (resource, subresource) in resources.iter().filter_map(|resource| resource.split_once('/')) {
        let star = seen.iter().find(|(known_resource, known_subresource)| {
            (*known_resource == resource && *known_subresource == "*")
                || (*known_resource == "*" && *known_subresource == subresource)
        });
        if let Some((known_resource, known_subresource)) = star {
            let message =
                format!("`{resource}/{subresource}` is part of `{known_resource}/{known_subresource}`");
            report.error(path, message, format!("remove `{resource}/{subresource}`"));
        }
        seen.push((resource, subresource));
    }
}
