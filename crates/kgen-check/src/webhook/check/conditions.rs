//! Conditions in CEL that a request must fulfill before a webhook is called.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Report, list, text};
use crate::kubernetes_names;
use crate::rules;

/// The maximum number of conditions in an API server.
const LIMIT: usize = 64;

pub(super) fn check(entry: &Map<String, Value>, report: &mut Report<'_>) {
    let path = &["matchConditions"];
    let conditions = list(entry, "matchConditions");
    if conditions.len() > LIMIT {
        let message = format!(
            "the webhook has {} conditions, more than {LIMIT}",
            conditions.len()
        );
        report.error(path, message, "join some of them with `&&`");
    }
    let mut seen = BTreeSet::new();
    for condition in conditions.iter().filter_map(Value::as_object) {
        let name = text(condition, "name");
        if name.is_empty() {
            report.error(path, "a condition has no name", "write `{name: \"expression\"}`");
        } else if !kubernetes_names::is_qualified_name(name) {
            report.error(
                path,
                format!("`{name}` cannot be the name of a condition"),
                "use at most 63 letters, digits, `-`, `_` and `.`; begin and end with a letter or digit",
            );
        } else if !seen.insert(name) {
            report.error(
                path,
                format!("two conditions are called `{name}`"),
                "give one of them another name",
            );
        }
        let expression = text(condition, "expression");
        if expression.trim().is_empty() {
            report.error(
                path,
                format!("the condition `{name}` is empty"),
                "write a CEL expression",
            );
        } else if let Some(whole) = report.places.report(path) {
            let origin = report.places.condition(name, expression);
            let what = format!("condition `{name}`");
            report
                .problems
                .extend(rules::condition_problem(&what, expression, origin, whole));
        }
    }
}
