//! Sets of paths as JSON, which is `fieldsV1` in an entry of managed fields.
//!
//! An element is a key. The value has the elements below it, and `.` if the element itself is a member too. An element
//! without anything below it is a member.

use serde_json::{Map, Value};

use super::element::{Element, NotAnElement};
use super::set::Set;

impl Set {
    /// Returns the set as `fieldsV1`.
    ///
    /// ```
    /// use kgen_fake::apply::{Path, Set};
    ///
    /// let set = Set::of([Path::fields(["spec"]), Path::fields(["spec", "size"])]);
    /// assert_eq!(set.to_json(), serde_json::json!({"f:spec": {".": {}, "f:size": {}}}));
    /// ```
    pub fn to_json(&self) -> Value {
        Value::Object(self.to_map(false))
    }

    fn to_map(&self, is_member: bool) -> Map<String, Value> {
        let mut map = Map::new();
        if is_member {
            map.insert(".".to_owned(), Value::Object(Map::new()));
        }
        for node in self.nodes() {
            let below = node.below.as_ref();
            let below = below.map_or_else(Map::new, |below| below.to_map(node.is_member));
            map.insert(node.element.name(), Value::Object(below));
        }
        map
    }

    /// Reads `fieldsV1`.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not an object or the name of an element is malformed.
    pub fn from_json(json: &Value) -> Result<Self, String> {
        read(json).map(|(set, _)| set)
    }
}

/// Returns the set, and whether the element that it is below is a member itself.
fn read(json: &Value) -> Result<(Set, bool), String> {
    let entries = match json {
        Value::Object(entries) => entries,
        Value::Null => return Ok((Set::default(), true)),
        _ => return Err("ReadMapCB: expect { or n".to_owned()),
    };
    let mut set = Set::default();
    let mut is_member = false;
    for (name, value) in entries {
        if name == "." {
            is_member = true;
            continue;
        }
        match Element::read(name) {
            Ok(element) => {
                let (below, is_element_member) = read(value)?;
                set.add(&element, is_element_member, below);
            }
            Err(NotAnElement::Unknown) => {}
            Err(NotAnElement::Malformed(reason)) => {
                return Err(format!("parsing key as path element: {reason}"));
            }
        }
    }
    is_member |= set.is_empty();
    Ok((set, is_member))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Set;

    #[test]
    fn json_is_read_and_written() {
        let json = json!({
            "f:metadata": {"f:labels": {".": {}, "f:x": {}}},
            "f:spec": {"f:ports": {r#"k:{"port":80,"protocol":"TCP"}"#: {".": {}, "f:name": {}}},
                       "f:tags": {r#"v:"a""#: {}}, "f:size": {}},
        });
        assert_eq!(Set::from_json(&json).unwrap().to_json(), json);
        assert_eq!(Set::default().to_json(), json!({}));
        assert_eq!(Set::from_json(&json!({"z:new": {}})), Ok(Set::default()));
        assert!(Set::from_json(&json!({"f:a": 1})).is_err());
        assert!(Set::from_json(&json!({"x": {}})).is_err());
    }
}
