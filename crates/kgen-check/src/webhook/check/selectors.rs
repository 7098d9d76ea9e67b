//! The namespaces and objects for which a webhook is called. Selectors in text were checked when they were parsed; this
//! finds mistakes in selectors of a patch.

use serde_json::{Map, Value};

use super::{Report, list, object, text, texts};
use crate::kubernetes_names;
use crate::webhook::values;

const NAME_HELP: &str =
    "use at most 63 letters, digits, `-`, `_` and `.`; begin and end with a letter or digit";

pub(super) fn check(entry: &Map<String, Value>, report: &mut Report<'_>) {
    for key in ["namespaceSelector", "objectSelector"] {
        let Some(selector) = object(entry, key) else {
            continue;
        };
        for (label, value) in object(selector, "matchLabels").into_iter().flatten() {
            check_key(&[key, "matchLabels"], label, report);
            check_value(&[key, "matchLabels"], value.as_str().unwrap_or_default(), report);
        }
        for expression in list(selector, "matchExpressions")
            .iter()
            .filter_map(Value::as_object)
        {
            check_expression(&[key, "matchExpressions"], expression, report);
        }
    }
}

fn check_expression(path: &[&str], expression: &Map<String, Value>, report: &mut Report<'_>) {
    let (key, operator) = (text(expression, "key"), text(expression, "operator"));
    let selected = texts(expression, "values");
    match operator {
        "In" | "NotIn" if selected.is_empty() => {
            report.error(
                path,
                format!("`{operator}` for the label `{key}` has no values"),
                "add `values`",
            );
        }
        "Exists" | "DoesNotExist" if !selected.is_empty() => {
            let help = "remove `values`, or compare with `In` or `NotIn`";
            report.error(
                path,
                format!("`{operator}` for the label `{key}` has values"),
                help,
            );
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
        word => {
            report.unknown_word(
                report.places.report(path),
                "operator of a selector",
                word,
                values::SELECTOR_OPERATORS,
            );
        }
    }
    check_key(path, key, report);
    for value in selected {
        check_value(path, value, report);
    }
}

fn check_key(path: &[&str], key: &str, report: &mut Report<'_>) {
    if !kubernetes_names::is_qualified_name(key) {
        let help = format!("write a name, or a domain, a slash and a name; in the name, {NAME_HELP}");
        report.error(path, format!("`{key}` cannot be the key of a label"), help);
    }
}

fn check_value(path: &[&str], value: &str, report: &mut Report<'_>) {
    if !kubernetes_names::is_label_value(value) {
        report.error(
            path,
            format!("`{value}` cannot be the value of a label"),
            NAME_HELP,
        );
    }
}
