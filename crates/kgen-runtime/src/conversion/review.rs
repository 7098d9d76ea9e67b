//! `ConversionReview` of `apiextensions.k8s.io/v1` on the wire.
//!
//! A review is read in one pass. Of the metadata, the API server takes back only labels and annotations and compares the name, the
//! namespace and the UID, so nothing else is read or written: managed fields are often larger than the rest of an object.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::convert::full_name;
use super::error::ConversionError;
use super::table::{Conversion, Parts};

const API_VERSION: &str = "apiextensions.k8s.io/v1";
const KIND: &str = "ConversionReview";

/// The conversions that are served at one path.
#[derive(Debug)]
pub(crate) struct Conversions(Vec<Conversion>);

impl Conversions {
    /// Fails if the table of a kind is wrong, or if a kind is given twice.
    pub(crate) fn new(conversions: Vec<Conversion>) -> Result<Self, ConversionError> {
        for (index, conversion) in conversions.iter().enumerate() {
            conversion.checked()?;
            let name = conversion.full_name();
            if conversions
                .iter()
                .take(index)
                .any(|other| other.full_name() == name)
            {
                return Err(ConversionError::Table {
                    kind: name,
                    reason: "it is registered twice".to_owned(),
                });
            }
        }
        Ok(Self(conversions))
    }

    /// Answers a review. The error tells a person why the body is not a review.
    pub(crate) fn answer(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let review: Review<'_> = serde_json::from_slice(body).map_err(|error| wrong_body(body, &error))?;
        if let Some(problem) = wrong_type(review.api_version.as_deref(), review.kind.as_deref()) {
            return Err(problem);
        }
        let Some(request) = review.request else {
            return Err(format!("the {KIND} has no request"));
        };
        let mut answer = Vec::with_capacity(body.len());
        let uid = request.uid;
        let head = Head(&uid);
        match self.convert_all(
            request.desired_api_version.as_ref(),
            request.objects,
            &head,
            &mut answer,
        ) {
            Ok(()) => Ok(answer),
            Err(message) => Ok(failure(&uid, &message)),
        }
    }

    fn convert_all(
        &self,
        desired: &str,
        objects: Vec<Incoming>,
        head: &Head<'_>,
        answer: &mut Vec<u8>,
    ) -> Result<(), String> {
        head.write(answer);
        for (index, object) in objects.into_iter().enumerate() {
            if index > 0 {
                answer.push(b',');
            }
            let named = |name: &str| match name {
                "" => format!("object {index}"),
                name => format!("object {index} ({name:?})"),
            };
            let name = object.metadata.full_name();
            let converted = self
                .convert(object, desired)
                .map_err(|error| format!("{}: {error}", named(&name)))?;
            // A list, a map or a text can always be written to memory.
            serde_json::to_writer(&mut *answer, &converted).map_err(|error| error.to_string())?;
        }
        answer.extend_from_slice(b"]}}");
        Ok(())
    }

    fn convert(&self, object: Incoming, desired: &str) -> Result<Incoming, ConversionError> {
        if !object.is_object {
            return Err(ConversionError::NotAnObject("it is not an object"));
        }
        let (group, version) = desired.rsplit_once('/').unwrap_or(("", desired));
        let known = |conversion: &&Conversion| {
            let own = object.api_version.rsplit_once('/').map_or("", |(group, _)| group);
            conversion.kind == object.kind && conversion.group == own
        };
        let Some(conversion) = self.0.iter().find(known) else {
            let names: Vec<String> = self.0.iter().map(Conversion::full_name).collect();
            let own = object.api_version.rsplit_once('/').map_or("", |(group, _)| group);
            return Err(ConversionError::UnknownKind {
                expected: names.join(", "),
                found: full_name(own, &object.kind),
            });
        };
        if conversion.group != group {
            return Err(ConversionError::UnknownVersion {
                kind: conversion.full_name(),
                version: desired.to_owned(),
                known: conversion.versions().collect::<Vec<_>>().join(", "),
            });
        }
        let to = conversion.index_of(version)?;
        let from = conversion.recognize(&object.api_version, &object.kind)?;
        if from == to {
            return Ok(object);
        }
        let Incoming {
            kind,
            mut metadata,
            body,
            ..
        } = object;
        let parts = Parts {
            body: Value::Object(body),
            annotations: std::mem::take(&mut metadata.annotations),
        };
        let parts = conversion.convert_parts(parts, from, to, &|| metadata.full_name())?;
        metadata.annotations = parts.annotations;
        Ok(Incoming {
            is_object: true,
            api_version: desired.to_owned(),
            kind,
            metadata,
            body: match parts.body {
                Value::Object(entries) => entries,
                _ => Map::new(),
            },
        })
    }
}

/// The beginning of an answer to a review that succeeds.
struct Head<'u>(&'u str);

impl Head<'_> {
    fn write(&self, answer: &mut Vec<u8>) {
        let uid = Value::from(self.0);
        answer.extend_from_slice(
            format!(
                r#"{{"apiVersion":"{API_VERSION}","kind":"{KIND}","response":{{"uid":{uid},"result":{{"status":"Success"}},"convertedObjects":["#
            )
            .as_bytes(),
        );
    }
}

/// Returns the answer to a review that fails.
pub(crate) fn failure(uid: &str, message: &str) -> Vec<u8> {
    let answer = serde_json::json!({
        "apiVersion": API_VERSION,
        "kind": KIND,
        "response": {
            "uid": uid,
            "result": {"status": "Failure", "message": message},
            "convertedObjects": [],
        },
    });
    answer.to_string().into_bytes()
}

/// Returns the UID of a review, for an answer after something went wrong.
pub(crate) fn uid(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Body {
        request: Request,
    }
    #[derive(Deserialize)]
    struct Request {
        uid: String,
    }
    let body: Result<Body, _> = serde_json::from_slice(body);
    body.map(|body| body.request.uid).unwrap_or_default()
}

/// Describes the error in a body that cannot be read.
fn wrong_body(body: &[u8], error: &serde_json::Error) -> String {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Type<'a> {
        #[serde(borrow, default)]
        api_version: Option<Cow<'a, str>>,
        #[serde(borrow, default)]
        kind: Option<Cow<'a, str>>,
    }
    if body.is_empty() {
        return format!("the body is empty; expected a {KIND} of {API_VERSION}");
    }
    match serde_json::from_slice::<Type<'_>>(body) {
        Err(_) => format!("the body is not the JSON of a {KIND}: {error}"),
        Ok(found) => wrong_type(found.api_version.as_deref(), found.kind.as_deref())
            .unwrap_or_else(|| format!("the request of the {KIND} cannot be read: {error}")),
    }
}

fn wrong_type(api_version: Option<&str>, kind: Option<&str>) -> Option<String> {
    let named = |word: Option<&str>| word.map_or_else(|| "none".to_owned(), |word| format!("{word:?}"));
    if kind != Some(KIND) {
        return Some(format!("expected kind {KIND}, got {}", named(kind)));
    }
    if api_version != Some(API_VERSION) {
        return Some(format!(
            "expected {KIND} of {API_VERSION}, got {}; conversionReviewVersions of the CRD must have v1",
            named(api_version)
        ));
    }
    None
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Review<'a> {
    #[serde(borrow, default)]
    api_version: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    request: Option<Request<'a>>,
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    uid: Cow<'a, str>,
    #[serde(borrow, rename = "desiredAPIVersion")]
    desired_api_version: Cow<'a, str>,
    #[serde(default)]
    objects: Vec<Incoming>,
}

/// An object of a review.
#[derive(Debug, Default)]
struct Incoming {
    is_object: bool,
    api_version: String,
    kind: String,
    metadata: Metadata,
    body: Map<String, Value>,
}

/// The part of the metadata that matters.
#[derive(Debug, Default)]
struct Metadata {
    name: Option<Value>,
    namespace: Option<Value>,
    uid: Option<Value>,
    labels: Option<Value>,
    annotations: Map<String, Value>,
}

impl Metadata {
    fn full_name(&self) -> String {
        let text = |value: &Option<Value>| {
            value
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        match text(&self.namespace) {
            namespace if namespace.is_empty() => text(&self.name),
            namespace => format!("{namespace}/{}", text(&self.name)),
        }
    }
}

impl Serialize for Incoming {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("apiVersion", &self.api_version)?;
        map.serialize_entry("kind", &self.kind)?;
        map.serialize_entry("metadata", &self.metadata)?;
        for (name, value) in &self.body {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Metadata {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let values = [
            ("name", &self.name),
            ("namespace", &self.namespace),
            ("uid", &self.uid),
            ("labels", &self.labels),
        ];
        for (name, value) in values {
            if let Some(value) = value {
                map.serialize_entry(name, value)?;
            }
        }
        if !self.annotations.is_empty() {
            map.serialize_entry("annotations", &self.annotations)?;
        }
        map.end()
    }
}

/// A value that is read field by field. Anything but an object is read as the default value.
trait ByField: Default {
    /// Reads the value of a field, or skips it.
    fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error>;

    /// Notes that there is an object.
    fn begin(&mut self) {}
}

impl ByField for Incoming {
    fn begin(&mut self) {
        self.is_object = true;
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let text = |value: Value| match value {
            Value::String(text) => text,
            _ => String::new(),
        };
        match name {
            "apiVersion" => self.api_version = text(map.next_value()?),
            "kind" => self.kind = text(map.next_value()?),
            "metadata" => self.metadata = map.next_value()?,
            name => {
                let value = map.next_value()?;
                self.body.insert(name.to_owned(), value);
            }
        }
        Ok(())
    }
}

impl ByField for Metadata {
    fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "name" => self.name = Some(map.next_value()?),
            "namespace" => self.namespace = Some(map.next_value()?),
            "uid" => self.uid = Some(map.next_value()?),
            "labels" => self.labels = Some(map.next_value()?),
            "annotations" => {
                if let Value::Object(annotations) = map.next_value()? {
                    self.annotations = annotations;
                }
            }
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Incoming {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Fields(Self::default()))
    }
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Fields(Self::default()))
    }
}

/// The name of a field, borrowed if it does not contain escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

struct Fields<T>(T);

impl<'de, T: ByField> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut value = self.0;
        value.begin();
        while let Some(Name(name)) = map.next_key()? {
            value.read(&name, &mut map)?;
        }
        Ok(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.0)
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_bool<E>(self, _value: bool) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_i64<E>(self, _value: i64) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_u64<E>(self, _value: u64) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_f64<E>(self, _value: f64) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_str<E>(self, _value: &str) -> Result<T, E> {
        Ok(self.0)
    }
}
