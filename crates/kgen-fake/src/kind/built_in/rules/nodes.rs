//! Rules of nodes.

use kgen_schema::names;
use serde_json::Value;

use super::errors::{Errors, forbidden, items, named, one_of, text};

pub(super) fn node(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    for (index, taint) in items(spec, "taints").iter().enumerate() {
        let key = text(taint, "key");
        named(
            errors,
            &format!("metadata.taints[{index}].key"),
            key,
            names::key_mistakes(key),
        );
        let supported = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
        let field = format!("metadata.taints[{index}].effect");
        one_of(errors, field, text(taint, "effect"), &supported);
    }
    let Some(old) = old.and_then(|old| old.get("spec")) else {
        return;
    };
    for (key, field) in [("podCIDR", "podCIDRs"), ("providerID", "providerID")] {
        let before = text(old, key);
        if !before.is_empty() && text(spec, key) != before {
            let detail = format!("node updates may not change {key} except from \"\" to valid");
            forbidden(errors, format!("spec.{field}"), detail);
        }
    }
}
