//! Events, which both groups show: they are stored as Events of the core group.

use serde_json::{Map, Value, json};

/// The fields that have other names in the core group: there, and in `events.k8s.io`.
const NAMES: [(&str, &str); 7] = [
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("reportingComponent", "reportingController"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
];

fn renamed(event: &Value, name: impl Fn(&str) -> String) -> Map<String, Value> {
    let fields = event.as_object().into_iter().flatten();
    fields.map(|(key, value)| (name(key), value.clone())).collect()
}

/// Returns an Event of `events.k8s.io` as the core group has it.
pub(crate) fn to_core(event: &Value) -> Value {
    let name = |key: &str| {
        let found = NAMES.iter().find(|(_, name)| *name == key);
        found.map_or(key, |(name, _)| name).to_owned()
    };
    let mut event = renamed(event, name);
    event.insert("apiVersion".to_owned(), json!("v1"));
    let mut event = Value::Object(event);
    super::with::event(&mut event);
    event
}

/// Returns an Event of the core group as `events.k8s.io` has it.
pub(crate) fn from_core(event: &Value) -> Value {
    let name = |key: &str| {
        let found = NAMES.iter().find(|(name, _)| *name == key);
        found.map_or(key, |(_, name)| name).to_owned()
    };
    let mut event = renamed(event, name);
    event.insert("apiVersion".to_owned(), json!("events.k8s.io/v1"));
    // These are left out if they are empty, which they are not in the core group.
    for key in ["reportingController", "reportingInstance"] {
        if event.get(key).is_some_and(|value| value == "") {
            event.remove(key);
        }
    }
    Value::Object(event)
}
