//! Two schemas of one type, key by key.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// A key that the two tools write differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The field, from the type inwards; `[]` and `{}` are items of lists and values of maps.
    pub path: String,
    /// The key of the schema, or `properties` where only one tool has the field.
    pub key: String,
    /// The schema of controller-gen.
    pub theirs: Value,
    /// The schema of kgen.
    pub ours: Value,
}

/// Why the two tools may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A struct that embeds an atomic one.
    EmbeddedAtomic,
    /// A validation that only the Go source has.
    Validation,
    /// A field that k8s-openapi may leave out when it writes.
    LeftOut,
}

impl Reason {
    /// Every reason, in the order of the page.
    pub const ALL: [Self; 3] = [Self::EmbeddedAtomic, Self::Validation, Self::LeftOut];

    /// Returns the letter for it in the table.
    pub fn letter(self) -> char {
        match self {
            Self::EmbeddedAtomic => 'a',
            Self::Validation => 'b',
            Self::LeftOut => 'c',
        }
    }

    /// Returns the reason as the page tells it.
    pub fn text(self) -> &'static str {
        match self {
            Self::EmbeddedAtomic => {
                "The Go struct embeds `LocalObjectReference`, which is atomic. controller-gen hands that on to the \
                 struct around it. The API server does not: its own documents leave the map type of these structs \
                 open, and kgen follows the server."
            }
            Self::Validation => {
                "controller-gen reads bounds, enumerations and rules from the `+k8s:` markers of the Go types. They are \
                 neither in k8s-openapi nor in the documents of an API server. Values outside of them are still refused, \
                 by the server, when the embedded object is created."
            }
            Self::LeftOut => {
                "The type of k8s-openapi is an `Option`, and leaves the field out when it is `None`. A schema that \
                 required it would refuse what the Rust type writes."
            }
        }
    }
}

/// Fields whose Go structs embed `LocalObjectReference`.
const EMBED_ATOMIC: &[&str] = &["configMap", "configMapRef", "secret", "secretRef"];

/// Fields that Kubernetes requires and k8s-openapi has as an `Option`.
const LEFT_OUT: &[&str] = &["podSelector"];

/// Keys that narrow a value.
const VALIDATIONS: &[&str] = &[
    "enum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "pattern",
    "x-kubernetes-validations",
];

impl Difference {
    /// Returns the reason for the difference, if there is a good one.
    pub fn reason(&self) -> Option<Reason> {
        let only_theirs = self.ours.is_null();
        match self.key.as_str() {
            "x-kubernetes-map-type" if only_theirs && self.theirs == "atomic" => {
                let field = self.path.rsplit('.').next()?;
                EMBED_ATOMIC.contains(&field).then_some(Reason::EmbeddedAtomic)
            }
            key if only_theirs && VALIDATIONS.contains(&key) => Some(Reason::Validation),
            "required" if self.is_left_out() => Some(Reason::LeftOut),
            _ => None,
        }
    }

    /// Returns whether controller-gen requires what kgen requires, and besides only what is known to be left out.
    fn is_left_out(&self) -> bool {
        let names = |value: &Value| -> BTreeSet<String> {
            let list = value.as_array().into_iter().flatten();
            list.filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        let differing: BTreeSet<_> = names(&self.theirs)
            .symmetric_difference(&names(&self.ours))
            .cloned()
            .collect();
        names(&self.theirs).is_superset(&differing)
            && differing.iter().all(|name| LEFT_OUT.contains(&name.as_str()))
    }
}

/// Returns all differences between what controller-gen and kgen wrote.
pub fn differences(theirs: &Value, ours: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(theirs, ours, "", &mut found);
    found
}

fn compare(theirs: &Value, ours: &Value, path: &str, found: &mut Vec<Difference>) {
    let none = Map::new();
    let (theirs, ours) = (
        theirs.as_object().unwrap_or(&none),
        ours.as_object().unwrap_or(&none),
    );
    let keys: BTreeSet<_> = theirs.keys().chain(ours.keys()).collect();
    for key in keys.into_iter().filter(|key| *key != "description") {
        let (left, right) = (
            theirs.get(key).unwrap_or(&Value::Null),
            ours.get(key).unwrap_or(&Value::Null),
        );
        match key.as_str() {
            "properties" => properties(left, right, path, found),
            "items" if left.is_object() && right.is_object() => {
                compare(left, right, &format!("{path}[]"), found);
            }
            "additionalProperties" if left.is_object() && right.is_object() => {
                compare(left, right, &format!("{path}{{}}"), found);
            }
            _ if left == right => {}
            _ => found.push(Difference {
                path: path.to_owned(),
                key: key.clone(),
                theirs: left.clone(),
                ours: right.clone(),
            }),
        }
    }
}

fn properties(theirs: &Value, ours: &Value, path: &str, found: &mut Vec<Difference>) {
    let none = Map::new();
    let (theirs, ours) = (
        theirs.as_object().unwrap_or(&none),
        ours.as_object().unwrap_or(&none),
    );
    let names: BTreeSet<_> = theirs.keys().chain(ours.keys()).collect();
    for name in names {
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        match (theirs.get(name), ours.get(name)) {
            (Some(theirs), Some(ours)) => compare(theirs, ours, &path, found),
            (theirs, ours) => found.push(Difference {
                path,
                key: "properties".to_owned(),
                theirs: theirs.cloned().unwrap_or_default(),
                ours: ours.cloned().unwrap_or_default(),
            }),
        }
    }
}

/// Returns how many fields a schema has at any depth.
pub fn fields(schema: &Value) -> usize {
    let own = schema.get("properties").and_then(Value::as_object);
    let inner = own.into_iter().flat_map(|properties| properties.values());
    let own_count = own.map_or(0, Map::len);
    let nested = ["items", "additionalProperties"]
        .iter()
        .filter_map(|key| schema.get(*key));
    own_count + inner.chain(nested).map(fields).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_key_counts_but_descriptions() {
        let theirs = json!({"type": "object", "description": "a", "required": ["a", "podSelector"], "properties": {
            "a": {"type": "array", "items": {"type": "string", "minLength": 1}},
            "b": {"type": "string"},
        }});
        let ours = json!({"type": "object", "description": "b", "required": ["a"], "properties": {
            "a": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "c": {"type": "string"},
        }});
        let found = differences(&theirs, &ours);
        let shown: Vec<_> = found
            .iter()
            .map(|each| (each.path.as_str(), each.key.as_str(), each.reason()))
            .collect();
        let expected = [
            ("a[]", "minLength", Some(Reason::Validation)),
            ("a", "x-kubernetes-list-type", None),
            ("b", "properties", None),
            ("c", "properties", None),
            ("", "required", Some(Reason::LeftOut)),
        ];
        assert_eq!(shown, expected);
        assert!(differences(&theirs, &theirs).is_empty());
        let reason = |theirs, ours| differences(&theirs, &ours)[0].reason();
        assert_eq!(reason(json!({"required": ["a"]}), json!({})), None);
        assert_eq!(reason(json!({}), json!({"required": ["podSelector"]})), None);
        assert_eq!(
            reason(json!({"x-kubernetes-map-type": "atomic"}), json!({})),
            None
        );
        assert_eq!(fields(&theirs), 2);
    }
}
