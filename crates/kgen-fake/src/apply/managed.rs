//! The managed fields of an object: who owns which paths.
//!
//! An entry is identified by its manager, operation and subresource and, for updates, the version of the API. [`Managed`]
//! reads and writes `metadata.managedFields`, and merges the oldest updaters if there are too many.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::fields::Fields;
use super::set::Set;

/// How many updaters an object may have before the oldest are merged.
const MAX_UPDATERS: usize = 10;

/// The manager of the merged updaters.
const OLD_UPDATERS: &str = "ancient-changes";

/// How a manager wrote its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// A server-side apply.
    Apply,
    /// A create, update or another patch.
    Update,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

/// Identifies an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name of the manager.
    pub manager: String,
    /// How the manager wrote its fields.
    pub operation: Operation,
    /// The version of an update. It is empty for an apply, so that an applier keeps its entry if it changes the version.
    pub api_version: String,
    /// The subresource, or an empty string.
    pub subresource: String,
}

impl Identity {
    /// Returns the identity of a manager.
    pub(crate) fn new(manager: &str, operation: Operation, api_version: &str, subresource: &str) -> Self {
        let api_version = match operation {
            Operation::Apply => "",
            Operation::Update => api_version,
        };
        Self {
            manager: manager.to_owned(),
            operation,
            api_version: api_version.to_owned(),
            subresource: subresource.to_owned(),
        }
    }

    /// Returns the text by which the API server sorts identities.
    fn text(&self) -> String {
        let mut text = String::from("{");
        let fields = [
            ("manager", &*self.manager),
            ("operation", self.operation.name()),
            ("apiVersion", &*self.api_version),
            ("subresource", &*self.subresource),
        ];
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&format!(
                "\"{name}\":{}",
                super::value::written(&Value::from(value))
            ));
        }
        text.push('}');
        text
    }
}

impl Ord for Identity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text().cmp(&other.text())
    }
}

impl PartialOrd for Identity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The fields of one manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who owns the fields.
    pub identity: Identity,
    /// The version of the API in which the paths are.
    pub api_version: String,
    pub(crate) fields: Fields,
    /// When the set last changed, as in JSON.
    pub time: Option<String>,
}

impl Entry {
    /// Returns the paths that are owned.
    pub fn set(&self) -> &Set {
        self.fields.set()
    }

    /// Returns whether the fields were applied.
    pub fn is_applied(&self) -> bool {
        self.identity.operation == Operation::Apply
    }
}

/// All entries of an object. Identities are unique.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Managed {
    pub(crate) entries: Vec<Entry>,
}

impl Managed {
    /// Reads the managed fields of an object. An object without them has no entries.
    ///
    /// # Errors
    ///
    /// Returns the message of the API server if an entry is malformed.
    pub fn of_object(object: &Value) -> Result<Self, String> {
        list_in(object).map_or_else(|| Ok(Self::default()), |list| Self::from_json(list))
    }

    /// Reads the managed fields of an object that is stored, so that their sets are known to be well formed.
    pub(crate) fn of_stored(object: &Value) -> Result<Self, String> {
        let of_json = |json: Option<&Value>| Ok(Fields::of_json(json));
        list_in(object).map_or_else(|| Ok(Self::default()), |list| Self::read(list, of_json))
    }

    /// Reads the list in `metadata.managedFields`.
    ///
    /// # Errors
    ///
    /// Returns the message of the API server if an entry is malformed.
    pub fn from_json(list: &[Value]) -> Result<Self, String> {
        Self::read(list, |fields| match fields {
            None | Some(Value::Null) => Ok(Set::default().into()),
            Some(fields) => Set::from_json(fields).map(Fields::from),
        })
    }

    fn read(list: &[Value], read: impl Fn(Option<&Value>) -> Result<Fields, String>) -> Result<Self, String> {
        let mut managed = Self {
            entries: Vec::with_capacity(list.len()),
        };
        for (index, json) in list.iter().enumerate() {
            let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default();
            let operation = match text("operation") {
                "Apply" => Operation::Apply,
                "Update" => Operation::Update,
                _ => return Err("operation must be `Apply` or `Update`".to_owned()),
            };
            let api_version = text("apiVersion");
            if api_version.is_empty() {
                return Err("apiVersion must not be empty".to_owned());
            }
            match text("fieldsType") {
                "FieldsV1" => {}
                "" => return Err(format!("missing fieldsType in managed fields entry {index}")),
                other => {
                    let other = kgen_schema::quoted(other);
                    return Err(format!(
                        "invalid fieldsType {other} in managed fields entry {index}"
                    ));
                }
            }
            let fields = read(json.get("fieldsV1")).map_err(|error| {
                format!("error decoding versioned set from {json}: error decoding set: {error}")
            })?;
            managed.put(Entry {
                identity: Identity::new(text("manager"), operation, api_version, text("subresource")),
                api_version: api_version.to_owned(),
                fields,
                time: json.get("time").and_then(Value::as_str).map(str::to_owned),
            });
        }
        Ok(managed)
    }

    /// Returns the list for `metadata.managedFields`, sorted as the API server sorts it.
    pub fn into_json(self) -> Vec<Value> {
        let mut entries = self.entries;
        entries.sort_by(|left, right| {
            let (one, other) = (&left.identity, &right.identity);
            one.operation
                .cmp(&other.operation)
                .then_with(|| left.time.cmp(&right.time))
                .then_with(|| one.manager.cmp(&other.manager))
                .then_with(|| left.api_version.cmp(&right.api_version))
                .then_with(|| one.subresource.cmp(&other.subresource))
        });
        entries.into_iter().map(Entry::into_json).collect()
    }

    /// Writes the managed fields into an object.
    pub fn write_to(self, object: &mut Value) {
        let list = self.into_json();
        let Value::Object(object) = object else {
            return;
        };
        if list.is_empty() {
            if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
                metadata.remove("managedFields");
            }
            return;
        }
        let metadata = object
            .entry("metadata")
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(metadata) = metadata {
            metadata.insert("managedFields".to_owned(), Value::Array(list));
        }
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entry of an identity.
    pub fn entry(&self, identity: &Identity) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.identity == *identity)
    }

    /// Returns all entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Removes and returns the entry of an identity.
    pub(crate) fn take(&mut self, identity: &Identity) -> Option<Entry> {
        let place = self
            .entries
            .iter()
            .position(|entry| entry.identity == *identity)?;
        Some(self.entries.remove(place))
    }

    /// Adds an entry, or replaces the one with the same identity.
    pub(crate) fn put(&mut self, entry: Entry) {
        let found = self
            .entries
            .iter_mut()
            .find(|other| other.identity == entry.identity);
        match found {
            Some(found) => *found = entry,
            None => self.entries.push(entry),
        }
    }

    /// Merges the oldest updaters of each version until there are no more than ten.
    pub(crate) fn merge_old_updaters(&mut self) {
        let updaters = self.entries.iter().filter(|entry| !entry.is_applied());
        let mut updaters: Vec<_> = updaters
            .map(|entry| (entry.time.clone(), entry.identity.clone()))
            .collect();
        let mut count = updaters.len();
        if count <= MAX_UPDATERS {
            return;
        }
        updaters.sort();
        // The first updater of each version becomes the entry into which the others are merged.
        let mut first_of_version: Vec<(String, Identity)> = Vec::new();
        for (time, identity) in updaters {
            if count <= MAX_UPDATERS {
                return;
            }
            let Some(version) = self.entry(&identity).map(|entry| entry.api_version.clone()) else {
                continue;
            };
            let first = first_of_version.iter().find(|(other, _)| *other == version);
            let Some((_, first)) = first else {
                first_of_version.push((version, identity));
                continue;
            };
            let bucket = Identity::new(OLD_UPDATERS, Operation::Update, &version, "");
            if self.entry(&bucket).is_none()
                && let Some(first) = self.take(first)
            {
                self.put(Entry {
                    identity: bucket.clone(),
                    ..first
                });
            }
            let Some(merged) = self.take(&identity) else {
                continue;
            };
            let old = self.entry(&bucket).map(|entry| entry.set().union(merged.set()));
            self.put(Entry {
                identity: bucket,
                fields: old.map_or(merged.fields, Fields::from),
                time,
                ..merged
            });
            count -= 1;
        }
    }
}

impl Entry {
    fn into_json(self) -> Value {
        let mut json = Map::new();
        let mut text = |key: &str, text: String| {
            if !text.is_empty() {
                json.insert(key.to_owned(), Value::String(text));
            }
        };
        text("apiVersion", self.api_version);
        text("fieldsType", "FieldsV1".to_owned());
        text("manager", self.identity.manager);
        text("operation", self.identity.operation.name().to_owned());
        text("subresource", self.identity.subresource);
        text("time", self.time.unwrap_or_default());
        json.insert("fieldsV1".to_owned(), self.fields.into_json());
        Value::Object(json)
    }
}

/// Returns the list of managed fields in an object.
pub(crate) fn list_in(object: &Value) -> Option<&Vec<Value>> {
    object.get("metadata")?.get("managedFields")?.as_array()
}
