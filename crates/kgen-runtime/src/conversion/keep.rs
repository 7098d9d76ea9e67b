//! Finds the values of an object that another version cannot give back, and writes them as the text of an annotation.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use super::path::Location;

/// A value that is kept.
#[derive(Debug, Serialize)]
pub(super) struct Kept<'v> {
    at: Vec<Cow<'v, str>>,
    /// The value that the other version alone gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<Value>,
    /// The actual value.
    #[serde(skip_serializing_if = "Option::is_none")]
    is: Option<&'v Value>,
}

/// Returns the differences between an object and the one that the other version alone gives.
pub(super) fn differences<'v>(
    original: &'v Value,
    regained: &'v Value,
    location: Location<'_>,
) -> Vec<Kept<'v>> {
    let mut differences = Differences {
        at: Vec::new(),
        found: Vec::new(),
    };
    differences.compare(original, regained, location);
    differences.found
}

struct Differences<'v> {
    at: Vec<Cow<'v, str>>,
    found: Vec<Kept<'v>>,
}

impl<'v> Differences<'v> {
    fn add(&mut self, was: Option<&Value>, is: Option<&'v Value>) {
        self.found.push(Kept {
            at: self.at.clone(),
            was: was.map(fingerprint),
            is,
        });
    }

    fn add_at(&mut self, step: Cow<'v, str>, was: Option<&Value>, is: Option<&'v Value>) {
        self.at.push(step);
        self.add(was, is);
        self.at.pop();
    }

    fn compare(&mut self, original: &'v Value, regained: &'v Value, location: Location<'_>) {
        match (original, regained) {
            (Value::Object(original), Value::Object(regained)) => {
                self.compare_fields(original, regained, location);
            }
            (Value::Array(items), Value::Array(others)) => {
                if items != others && !self.compare_items(items, others, location) {
                    self.add(Some(regained), Some(original));
                }
            }
            _ => {
                if original != regained {
                    self.add(Some(regained), Some(original));
                }
            }
        }
    }

    fn compare_fields(
        &mut self,
        original: &'v Map<String, Value>,
        regained: &'v Map<String, Value>,
        location: Location<'_>,
    ) {
        for (name, value) in original {
            let inner = location.field(name);
            match regained.get(name) {
                Some(other) => {
                    self.at.push(Cow::Borrowed(name));
                    self.compare(value, other, inner);
                    self.at.pop();
                }
                // A field that its own version does not declare could never be restored.
                None if inner.is_undeclared() => {}
                None => self.add_at(Cow::Borrowed(name), None, Some(value)),
            }
        }
        for (name, other) in regained {
            if !original.contains_key(name) {
                self.add_at(Cow::Borrowed(name), Some(other), None);
            }
        }
    }

    /// Compares lists by the keys of their items. Returns `false` if that is impossible.
    fn compare_items(&mut self, items: &'v [Value], others: &'v [Value], location: Location<'_>) -> bool {
        let (Some(keys), Some(other_keys)) = (location.item_keys(items), location.item_keys(others)) else {
            return false;
        };
        // Restored items are appended, so the order of the others and of these must be that of the original.
        let remaining = other_keys.iter().filter(|key| keys.contains(key));
        let missing = keys.iter().filter(|key| !other_keys.contains(key));
        if !remaining.chain(missing).eq(keys.iter()) {
            return false;
        }
        for (key, item) in keys.iter().zip(items) {
            let other = other_keys.iter().position(|other| other == key);
            let step = Cow::Owned(key.clone());
            match other.and_then(|index| others.get(index)) {
                Some(other) => {
                    self.at.push(step);
                    self.compare(item, other, location.item());
                    self.at.pop();
                }
                None => self.add_at(step, None, Some(item)),
            }
        }
        for (key, other) in other_keys.iter().zip(others) {
            if !keys.contains(key) {
                self.add_at(Cow::Owned(key.clone()), Some(other), None);
            }
        }
        true
    }
}

/// Returns the value itself, or the hash of an object or a list, which could be large.
pub(super) fn fingerprint(value: &Value) -> Value {
    match value {
        Value::Object(_) | Value::Array(_) => {
            let mut hash = Hash::new();
            hash.value(value);
            let text = format!("{:032x}", hash.0);
            Value::Object(Map::from_iter([("hash".to_owned(), Value::from(text))]))
        }
        scalar => scalar.clone(),
    }
}

/// FNV-1a with 128 bits. Hashes are stored in clusters, so the function must never change.
struct Hash(u128);

impl Hash {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013B);
        }
    }

    /// Adds a value, and a byte behind it that is not part of JSON text, so that different values give different bytes.
    fn value(&mut self, value: &Value) {
        match value {
            Value::Object(entries) => {
                self.bytes(b"{");
                let mut names: Vec<_> = entries.iter().collect();
                names.sort_unstable_by_key(|(name, _)| name.as_str());
                for (name, entry) in names {
                    self.bytes(name.as_bytes());
                    self.bytes(&[0xff]);
                    self.value(entry);
                }
                self.bytes(b"}");
            }
            Value::Array(items) => {
                self.bytes(b"[");
                items.iter().for_each(|item| self.value(item));
                self.bytes(b"]");
            }
            Value::String(text) => {
                self.bytes(b"\"");
                self.bytes(text.as_bytes());
            }
            scalar => self.bytes(scalar.to_string().as_bytes()),
        }
        self.bytes(&[0xff]);
    }
}
