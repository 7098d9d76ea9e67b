//! Writes JSON with the fields in the order of Go's types, where the server has types: clients may number what they see.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

/// The fields of `ObjectMeta` in Go.
const METADATA: [&str; 15] = [
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
];
const TYPE: [&str; 3] = ["kind", "apiVersion", "metadata"];

/// A value whose types and metadata are written first.
pub(crate) struct InGoOrder<'v> {
    value: &'v Value,
    is_metadata: bool,
}

/// Returns the text of a value.
pub(crate) fn text(value: &Value) -> String {
    let ordered = InGoOrder {
        value,
        is_metadata: false,
    };
    serde_json::to_string(&ordered).unwrap_or_else(|_| value.to_string())
}

impl Serialize for InGoOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Array(items) => serializer.collect_seq(items.iter().map(|value| InGoOrder {
                value,
                is_metadata: false,
            })),
            Value::Object(entries) => {
                let first: &[&str] = if self.is_metadata { &METADATA } else { &TYPE };
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                let known = first.iter().filter_map(|key| entries.get_key_value(*key));
                let others = entries.iter().filter(|(key, _)| !first.contains(&key.as_str()));
                for (key, value) in known.chain(others) {
                    let value = InGoOrder {
                        value,
                        is_metadata: key == "metadata",
                    };
                    map.serialize_entry(key, &value)?;
                }
                map.end()
            }
            other => other.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn types_and_metadata_are_first() {
        let value = json!({"data": {"b": 1, "a": 2}, "metadata": {"ownerReferences": [{"uid": "o"}], "uid": "u", "name": "n"}, "kind": "K", "apiVersion": "v1"});
        let expected = r#"{"kind":"K","apiVersion":"v1","metadata":{"name":"n","uid":"u","ownerReferences":[{"uid":"o"}]},"data":{"a":2,"b":1}}"#;
        assert_eq!(super::text(&value), expected);
    }
}
