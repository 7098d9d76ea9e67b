//! JSON merge patches, RFC 7386, with one addition of the API server: objects within new lists lose their `null` values.

use serde_json::Value;

/// Applies a patch to a value.
pub(crate) fn apply(target: &mut Value, patch: &Value) {
    let (Value::Object(entries), Value::Object(changes)) = (&mut *target, patch) else {
        let replaces_object = target.is_object();
        *target = patch.clone();
        if !replaces_object {
            drop_nulls(target);
        }
        return;
    };
    for (key, change) in changes {
        if change.is_null() {
            entries.remove(key);
        } else {
            apply(entries.entry(key.clone()).or_insert(Value::Null), change);
        }
    }
}

/// Removes the fields of objects that are `null`. Lists keep such items.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|_, entry| !entry.is_null());
            entries.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    /// The examples of the RFC, and lists.
    #[test]
    fn merges_as_the_rfc_says() {
        for (target, patch, expected) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
            (
                json!({}),
                json!({"a": {"bb": {"ccc": null}}}),
                json!({"a": {"bb": {}}}),
            ),
            (
                json!({"a": [1], "b": {}}),
                json!({"a": [null, {"x": null}], "b": [{"x": null}]}),
                json!({"a": [null, {}], "b": [{"x": null}]}),
            ),
        ] {
            let mut found = target;
            super::apply(&mut found, &patch);
            assert_eq!(found, expected);
        }
    }
}
