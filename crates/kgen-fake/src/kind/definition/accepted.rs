//! The status of a definition: which of its names are accepted, and whether it is served.
//!
//! Mirrors the naming controller. Names are unique within a group; the definition that had them first keeps them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// The names of other definitions of a group.
#[derive(Default)]
pub(crate) struct NamesInUse {
    resources: BTreeSet<String>,
    kinds: BTreeSet<String>,
}

impl NamesInUse {
    /// Collects the accepted names of all definitions but one.
    pub(crate) fn beside<'d>(crd: &Value, all: impl Iterator<Item = &'d Value>) -> Self {
        let mut names = Self::default();
        let group = crd.pointer("/spec/group");
        for other in all.filter(|other| other.pointer("/spec/group") == group) {
            if crate::meta::name(other) == crate::meta::name(crd) {
                continue;
            }
            let accepted = |key: &str| other.pointer(&format!("/status/acceptedNames/{key}"));
            let text = |key: &str| accepted(key).and_then(Value::as_str).map(str::to_owned);
            names
                .resources
                .extend(["plural", "singular"].into_iter().filter_map(text));
            names
                .resources
                .extend(crate::kind::custom::texts(accepted("shortNames")));
            names
                .kinds
                .extend(["kind", "listKind"].into_iter().filter_map(text));
        }
        names
    }
}

/// Returns whether a definition has been established once. It stays so, whatever its names become.
pub(crate) fn is_established(crd: &Value) -> bool {
    let conditions = crd.pointer("/status/conditions").and_then(Value::as_array);
    let mut conditions = conditions.into_iter().flatten();
    conditions.any(|condition| condition["type"] == "Established" && condition["status"] == "True")
}

/// Returns the status of a definition.
pub(crate) fn status(crd: &Value, in_use: &NamesInUse, now: &str) -> Value {
    let (accepted, conflict) = accept(crd, in_use);
    let mut conditions = crd
        .pointer("/status/conditions")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let mut set = |kind: &str, is_true: bool, reason: &str, message: &str| {
        let mut condition = json!({
            "type": kind, "status": if is_true { "True" } else { "False" },
            "lastTransitionTime": now, "reason": reason, "message": message,
        });
        match conditions.iter_mut().find(|known| known["type"] == kind) {
            None => conditions.push(condition),
            Some(known) => {
                if known["status"] == condition["status"] {
                    condition["lastTransitionTime"] = known["lastTransitionTime"].clone();
                }
                *known = condition;
            }
        }
    };
    match &conflict {
        None => set("NamesAccepted", true, "NoConflicts", "no conflicts found"),
        Some((reason, name)) => {
            set(
                "NamesAccepted",
                false,
                reason,
                &format!("\"{name}\" is already in use"),
            );
        }
    }
    if !is_established(crd) {
        match conflict {
            None => set(
                "Established",
                true,
                "InitialNamesAccepted",
                "the initial names have been accepted",
            ),
            Some(_) => set("Established", false, "NotAccepted", "not all names are accepted"),
        }
    }
    json!({"conditions": conditions, "acceptedNames": accepted, "storedVersions": stored_versions(crd)})
}

/// Returns the accepted names, and the last conflict with its reason.
fn accept(crd: &Value, in_use: &NamesInUse) -> (Value, Option<(&'static str, String)>) {
    let wanted = crd.pointer("/spec/names").cloned().unwrap_or_else(|| json!({}));
    let before = |key: &str| crd.pointer(&format!("/status/acceptedNames/{key}"));
    let mut accepted = wanted.clone();
    let mut conflict = None;
    let mut keep = |key: &'static str| match before(key) {
        Some(before) => accepted[key] = before.clone(),
        None => crate::kind::remove(&mut accepted, key),
    };
    for (key, reason, names) in [
        ("plural", "PluralConflict", &in_use.resources),
        ("singular", "SingularConflict", &in_use.resources),
        ("shortNames", "ShortNamesConflict", &in_use.resources),
        ("kind", "KindConflict", &in_use.kinds),
        ("listKind", "ListKindConflict", &in_use.kinds),
    ] {
        let texts = |value: Option<&Value>| match value {
            Some(Value::String(text)) => vec![text.clone()],
            value => crate::kind::custom::texts(value),
        };
        let ours = texts(before(key));
        let wanted = texts(wanted.get(key));
        if let Some(taken) = wanted
            .iter()
            .find(|name| !ours.contains(name) && names.contains(*name))
        {
            conflict = Some((reason, taken.clone()));
            keep(key);
        }
    }
    (accepted, conflict)
}

/// Returns the versions in which objects may be stored.
fn stored_versions(crd: &Value) -> Vec<Value> {
    let stored = crd.pointer("/status/storedVersions").and_then(Value::as_array);
    let mut stored = stored.cloned().unwrap_or_default();
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    for version in versions.into_iter().flatten() {
        if version.get("storage") == Some(&Value::Bool(true))
            && let Some(name) = version.get("name")
            && !stored.contains(name)
        {
            stored.push(name.clone());
        }
    }
    stored
}
