//! Rules of Events. Those of the newer group are stricter.

use kgen_schema::names;
use serde_json::Value;

use super::super::Row;
use super::super::events::to_core;
use super::errors::{Errors, has, invalid, named, required, text, unchanged};

/// The most characters of most texts, and of the note.
const LONGEST: usize = 128;
const LONGEST_NOTE: usize = 1024;

pub(super) fn event(row: &Row, object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let is_new_group = !row.served.group.is_empty();
    let event = if is_new_group {
        to_core(object)
    } else {
        object.clone()
    };
    let old = old.map(|old| if is_new_group { to_core(old) } else { old.clone() });
    common(&event, is_new_group, errors);
    if !is_new_group {
        return;
    }
    let Some(old) = old else {
        series(&event, errors);
        if !has(&event, "eventTime") {
            required(errors, "eventTime", "");
        }
        let kind = text(&event, "type");
        if !matches!(kind, "Normal" | "Warning") {
            invalid(errors, "type", "", format!("has invalid value: {kind}"));
        }
        for key in ["firstTimestamp", "lastTimestamp", "count"] {
            if has(&event, key) && event.get(key).and_then(Value::as_i64) != Some(0) {
                invalid(errors, key, "", "needs to be unset");
            }
        }
        let source = event.get("source").and_then(Value::as_object);
        if source.is_some_and(|source| !source.is_empty()) {
            invalid(errors, "source", "", "needs to be unset");
        }
        return;
    };
    if event.get("series") != old.get("series") {
        series(&event, errors);
    }
    for (key, shown) in [
        ("involvedObject", "involvedObject"),
        ("reason", "reason"),
        ("message", "message"),
        ("source", "source"),
        ("firstTimestamp", "firstTimestamp"),
        ("lastTimestamp", "lastTimestamp"),
        ("count", "count"),
        ("type", "type"),
        ("eventTime", "eventTime"),
        ("action", "action"),
        ("related", "related"),
        ("reportingComponent", "reportingController"),
        ("reportingInstance", "reportingInstance"),
    ] {
        unchanged(errors, shown, event.get(key), old.get(key));
    }
}

fn series(event: &Value, errors: &mut Errors) {
    let Some(series) = event.get("series").filter(|series| series.is_object()) else {
        return;
    };
    if series.get("count").and_then(Value::as_i64).unwrap_or(0) < 2 {
        invalid(errors, "series.count", "", "should be at least 2");
    }
    if !has(series, "lastObservedTime") {
        required(errors, "series.lastObservedTime", "");
    }
}

/// The rules of both groups.
fn common(event: &Value, is_new_group: bool, errors: &mut Errors) {
    let namespace = crate::meta::namespace(event);
    let involved = event.pointer("/involvedObject/namespace").and_then(Value::as_str);
    let involved = involved.unwrap_or_default();
    let is_old = !has(event, "eventTime");
    let fits = match involved {
        "" if is_old => namespace == "default",
        "" => matches!(namespace, "default" | "kube-system"),
        involved => !is_old || involved == namespace,
    };
    if !fits {
        let detail = "does not match event.namespace";
        invalid(errors, "involvedObject.namespace", involved, detail);
    }
    if is_old {
        return;
    }
    let controller = text(event, "reportingComponent");
    let field = if is_new_group {
        "reportingController"
    } else {
        "reportingComponent"
    };
    if controller.is_empty() {
        required(errors, field, "");
    }
    named(errors, field, controller, names::key_mistakes(controller));
    for (key, most) in [
        ("reportingInstance", LONGEST),
        ("action", LONGEST),
        ("reason", LONGEST),
        ("message", LONGEST_NOTE),
    ] {
        let value = text(event, key);
        if value.is_empty() && key != "message" {
            required(errors, key, "");
        }
        if value.len() > most {
            invalid(errors, key, "", format!("can have at most {most} characters"));
        }
    }
}
