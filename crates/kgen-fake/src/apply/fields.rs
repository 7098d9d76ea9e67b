//! The paths of one manager, which are read from JSON only when somebody asks for them.
//!
//! Most writes touch the fields of few managers. The entries of the others are copied as JSON.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::set::Set;

/// A set of paths, or the JSON of one.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// The JSON of the set, if the set was read from it.
    json: Option<Value>,
    set: OnceLock<Set>,
}

impl Fields {
    /// Takes over JSON that [`Set::to_json`] has written. A malformed part would be an empty set.
    pub(crate) fn of_json(json: Option<&Value>) -> Self {
        Self {
            json: Some(json.cloned().unwrap_or_else(|| Value::Object(Map::new()))),
            set: OnceLock::new(),
        }
    }

    pub(crate) fn set(&self) -> &Set {
        self.set.get_or_init(|| {
            let set = self.json.as_ref().map(Set::from_json);
            set.and_then(Result::ok).unwrap_or_default()
        })
    }

    pub(crate) fn into_set(mut self) -> Set {
        self.set();
        self.set.take().unwrap_or_default()
    }

    pub(crate) fn into_json(mut self) -> Value {
        match self.json.take() {
            Some(json) => json,
            None => self.set().to_json(),
        }
    }

    /// Returns whether the set may have members in common with a set whose JSON is `paths`. `true` may be wrong.
    pub(crate) fn may_share(&self, paths: &Value) -> bool {
        match &self.json {
            Some(json) => may_share(json, paths),
            None => true,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match &self.json {
            Some(Value::Object(json)) => json.is_empty(),
            _ => self.set().is_empty(),
        }
    }
}

fn may_share(json: &Value, paths: &Value) -> bool {
    let (Value::Object(json), Value::Object(paths)) = (json, paths) else {
        return false;
    };
    let is_member = |value: &Value| match value {
        Value::Object(below) => below.is_empty() || below.contains_key("."),
        _ => true,
    };
    paths.iter().any(|(name, below)| match json.get(name) {
        Some(found) => (is_member(found) && is_member(below)) || may_share(found, below),
        // Equal numbers may be written in different ways.
        None => !name.starts_with("f:") && json.keys().any(|name| !name.starts_with("f:")),
    })
}

impl From<Set> for Fields {
    fn from(set: Set) -> Self {
        Self {
            json: None,
            set: OnceLock::from(set),
        }
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        self.set() == other.set()
    }
}

impl Eq for Fields {}
