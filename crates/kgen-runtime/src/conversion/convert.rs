//! Converts objects within a program, as the webhook does.

use kgen_schema::{MAX_OBJECT_DEPTH, META_FIELDS};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::deep::{self, MAX_DEPTH, USUAL_DEPTH};
use super::error::ConversionError;
use super::table::{Conversion, Parts};

impl Conversion {
    /// Converts an object to the version of another Rust type of the same kind.
    ///
    /// # Errors
    ///
    /// Fails if one of the types is not a version of this kind, if the result does not fit the Rust type, if the kept values
    /// do not fit into annotations, or if the object is nested more than 512 levels deep.
    pub fn convert<A, B>(&self, object: &A) -> Result<B, ConversionError>
    where
        A: kube::Resource<DynamicType = ()> + Serialize,
        B: kube::Resource<DynamicType = ()> + DeserializeOwned,
    {
        let mut json =
            serde_json::to_value(object).map_err(|error| ConversionError::Type(error.to_string()))?;
        // A type does not have to serialize its own name.
        if let Value::Object(entries) = &mut json {
            let type_meta = [("apiVersion", A::api_version(&())), ("kind", A::kind(&()))];
            for (name, value) in type_meta {
                entries.insert(name.to_owned(), Value::from(value.into_owned()));
            }
        }
        // serde reads the result into the type on the stack of the caller.
        if deep::is_deeper(&json, MAX_OBJECT_DEPTH) {
            return Err(ConversionError::TooDeep(MAX_OBJECT_DEPTH));
        }
        if B::group(&()) != self.group || B::kind(&()) != self.kind {
            return Err(self.unknown_kind(&B::group(&()), &B::kind(&())));
        }
        let converted = self.convert_json(json, &B::version(&()))?;
        serde_path_to_error::deserialize(converted).map_err(|error| ConversionError::Type(error.to_string()))
    }

    /// Converts the JSON of an object to another version, as the webhook does. All metadata is copied.
    ///
    /// An object that has the version already is returned unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the value is not an object of this kind and of a known version, or if the kept values do not fit into
    /// annotations. A value that no API server accepts, because it is nested more than 10,000 levels deep, fails too.
    pub fn convert_json(&self, json: Value, version: &str) -> Result<Value, ConversionError> {
        self.checked()?;
        let annotations = json.pointer("/metadata/annotations").and_then(Value::as_object);
        let has_deep_kept = annotations.is_some_and(|annotations| self.has_deep_kept(annotations));
        if !has_deep_kept && !deep::is_deeper(&json, USUAL_DEPTH) {
            return self.convert_value(json, version);
        }
        if deep::is_deeper(&json, MAX_DEPTH) {
            return Err(ConversionError::TooDeep(MAX_DEPTH));
        }
        let converted = deep::on_large_stack(|| self.convert_value(json, version));
        converted.unwrap_or_else(|error| Err(ConversionError::Thread(error.to_string())))
    }

    /// Returns whether a kept value is nested deeply.
    pub(super) fn has_deep_kept(&self, annotations: &Map<String, Value>) -> bool {
        let texts = self
            .chain
            .iter()
            .filter_map(|version| annotations.get(&version.annotation));
        texts.filter_map(Value::as_str).any(deep::is_deep)
    }

    fn convert_value(&self, json: Value, version: &str) -> Result<Value, ConversionError> {
        let to = self.index_of(version)?;
        let Value::Object(mut object) = json else {
            return Err(ConversionError::NotAnObject("the value is not an object"));
        };
        let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
        let from = self.recognize(text("apiVersion"), text("kind"))?;
        if from == to {
            return Ok(Value::Object(object));
        }
        let mut metadata = match object.remove("metadata") {
            Some(Value::Object(metadata)) => metadata,
            _ => Map::new(),
        };
        META_FIELDS.iter().for_each(|name| drop(object.remove(*name)));
        let annotations = match metadata.remove("annotations") {
            Some(Value::Object(annotations)) => annotations,
            _ => Map::new(),
        };
        let parts = Parts {
            body: Value::Object(object),
            annotations,
        };
        let parts = self.convert_parts(parts, from, to, &|| object_name(&metadata))?;
        if !parts.annotations.is_empty() {
            metadata.insert("annotations".to_owned(), Value::Object(parts.annotations));
        }
        let mut object = match parts.body {
            Value::Object(entries) => entries,
            _ => Map::new(),
        };
        let api_version = self.chain.get(to).map_or("", |version| &version.api_version);
        object.insert("apiVersion".to_owned(), Value::from(api_version));
        object.insert("kind".to_owned(), Value::from(self.kind.as_str()));
        object.insert("metadata".to_owned(), Value::Object(metadata));
        Ok(Value::Object(object))
    }

    /// Returns the index of the version of an object.
    pub(super) fn recognize(&self, api_version: &str, kind: &str) -> Result<usize, ConversionError> {
        let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        if group != self.group || kind != self.kind {
            return Err(self.unknown_kind(group, kind));
        }
        self.index_of(version)
    }

    fn unknown_kind(&self, group: &str, kind: &str) -> ConversionError {
        ConversionError::UnknownKind {
            expected: self.full_name(),
            found: full_name(group, kind),
        }
    }
}

/// Returns a kind and its group, such as `Widget.example.com`.
pub(super) fn full_name(group: &str, kind: &str) -> String {
    match (group, kind) {
        ("", "") => "an object without a kind".to_owned(),
        ("", kind) => kind.to_owned(),
        (group, kind) => format!("{kind}.{group}"),
    }
}

/// Returns the namespace and name of an object.
pub(super) fn object_name(metadata: &Map<String, Value>) -> String {
    let text = |name: &str| metadata.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("namespace") {
        "" => text("name").to_owned(),
        namespace => format!("{namespace}/{}", text("name")),
    }
}
