//! `ConversionReview` of `apiextensions.k8s.io/v1` on the wire.
//!
//! A review is read in one pass, and each object is converted and written before the next one is read: a review of 64 MiB needs
//! memory for itself, its answer and one object. Of the metadata, the API server takes back only labels and annotations and
//! compares the name, the namespace and the UID, so nothing else is read or written: managed fields are often larger than the
//! rest of an object.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::convert::full_name;
use super::deep;
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

    /// Answers a review, unless it must be read on a large stack.
    pub(crate) fn answer(&self, body: &[u8]) -> Result<Vec<u8>, Unanswered> {
        self.go_on(body, false, Progress::default())
    }

    /// Goes on with a review that has a deeply nested object. The error tells a person why the body is not a review.
    ///
    /// This blocks: the process has one large stack at a time.
    pub(crate) fn answer_deep(&self, body: &[u8], progress: Progress) -> Result<Vec<u8>, String> {
        let answered = deep::on_large_stack(|| self.go_on(body, true, progress));
        match answered {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Unanswered::NoReview(problem))) => Err(problem),
            // A large stack is never too small.
            Ok(Err(Unanswered::Deep(_))) => Err(format!("the {KIND} is nested too deeply")),
            Err(error) => Ok(failure(
                &uid(body),
                &format!("no thread for a deep object: {error}"),
            )),
        }
    }

    fn go_on(&self, body: &[u8], is_deep: bool, progress: Progress) -> Result<Vec<u8>, Unanswered> {
        let mut reading = Reading {
            conversions: self,
            is_deep,
            needs_depth: false,
            api_version: None,
            kind: None,
            request: None,
            progress,
        };
        reading.progress.answer.reserve(body.len());
        if let Err(error) = reading.read_all(body) {
            return Err(
                match !is_deep && (reading.needs_depth || deep::is_recursion_limit(&error)) {
                    true => Unanswered::Deep(reading.progress),
                    false => Unanswered::NoReview(wrong_body(body, &error)),
                },
            );
        }
        reading.finish().map_err(Unanswered::NoReview)
    }

    /// Returns whether an object has a kept value that is nested deeply.
    fn has_deep_kept(&self, object: &Incoming) -> bool {
        let annotations = &object.metadata.annotations;
        !annotations.is_empty()
            && self
                .0
                .iter()
                .any(|conversion| conversion.kind == object.kind && conversion.has_deep_kept(annotations))
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
            is_deep: false,
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

/// Why a review has no answer.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The body is not a review. The text tells a person why.
    NoReview(String),
    /// An object is nested deeply, so [`Conversions::answer_deep`] must go on.
    Deep(Progress),
}

/// The part of an answer that is written.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    answer: Vec<u8>,
    /// The number of objects that are converted.
    objects: usize,
    /// Why an object could not be converted.
    failure: Option<String>,
}

/// A review that is answered while it is read.
struct Reading<'c> {
    conversions: &'c Conversions,
    /// Whether values can be nested deeply.
    is_deep: bool,
    /// Whether a value turned out to be nested deeply.
    needs_depth: bool,
    api_version: Option<String>,
    kind: Option<String>,
    request: Option<Request>,
    progress: Progress,
}

#[derive(Default)]
struct Request {
    uid: Option<String>,
    desired_api_version: Option<String>,
    /// The objects, if they came before something that their conversion needs. The API server writes them last.
    waiting: Option<Box<RawValue>>,
    has_objects: bool,
}

impl Reading<'_> {
    /// Reads a review, and converts its objects.
    fn read_all(&mut self, body: &[u8]) -> serde_json::Result<()> {
        let mut reader = serde_json::Deserializer::from_slice(body);
        reader.deserialize_any(Fields(&mut *self))?;
        reader.end()?;
        let waiting = self.request.as_mut().and_then(|request| request.waiting.take());
        match waiting {
            Some(objects) if self.is_ready() => {
                Objects(self).deserialize(&mut serde_json::Deserializer::from_str(objects.get()))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether everything that the conversion of an object needs is known.
    fn is_ready(&self) -> bool {
        let is_complete = |request: &Request| request.uid.is_some() && request.desired_api_version.is_some();
        wrong_type(self.api_version.as_deref(), self.kind.as_deref()).is_none()
            && self.request.as_ref().is_some_and(is_complete)
    }

    /// Converts the next object and writes it. Returns `false` if it must be converted on a large stack.
    fn convert(&mut self, object: Incoming) -> bool {
        let Some(Request {
            uid: Some(uid),
            desired_api_version: Some(desired),
            ..
        }) = &self.request
        else {
            return true;
        };
        if !self.is_deep && self.conversions.has_deep_kept(&object) {
            return false;
        }
        let Progress {
            answer,
            objects,
            failure,
        } = &mut self.progress;
        match *objects {
            0 => write_head(uid, answer),
            _ => answer.push(b','),
        }
        let index = *objects;
        *objects += 1;
        let named = |name: &str| match name {
            "" => format!("object {index}"),
            name => format!("object {index} ({name:?})"),
        };
        let name = object.metadata.full_name();
        let converted = self.conversions.convert(object, desired);
        let written = converted
            .map_err(|error| format!("{}: {error}", named(&name)))
            // A list, a map or a text can always be written to memory.
            .and_then(|converted| {
                serde_json::to_writer(answer, &converted).map_err(|error| error.to_string())
            });
        *failure = written.err();
        true
    }

    /// Returns the answer. The error tells a person why the body is not a review.
    fn finish(self) -> Result<Vec<u8>, String> {
        if let Some(problem) = wrong_type(self.api_version.as_deref(), self.kind.as_deref()) {
            return Err(problem);
        }
        let Some(request) = self.request else {
            return Err(format!("the {KIND} has no request"));
        };
        let missing =
            |name: &str| format!("the request of the {KIND} cannot be read: missing field `{name}`");
        let uid = request.uid.ok_or_else(|| missing("uid"))?;
        if request.desired_api_version.is_none() {
            return Err(missing("desiredAPIVersion"));
        }
        let mut answer = self.progress.answer;
        if let Some(message) = self.progress.failure {
            return Ok(failure(&uid, &message));
        }
        if self.progress.objects == 0 {
            write_head(&uid, &mut answer);
        }
        answer.extend_from_slice(b"]}}");
        Ok(answer)
    }
}

impl ByField for &mut Reading<'_> {
    fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "apiVersion" => self.api_version = map.next_value()?,
            "kind" => self.kind = map.next_value()?,
            "request" => {
                map.next_value_seed(Fields(InRequest(self)))?;
            }
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The request of a review.
struct InRequest<'r, 'c>(&'r mut Reading<'c>);

impl ByField for InRequest<'_, '_> {
    fn begin(&mut self) {
        self.0.request.get_or_insert_default();
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let is_ready = name == "objects" && self.0.is_ready();
        let request = self.0.request.get_or_insert_default();
        match name {
            "uid" => request.uid = Some(map.next_value()?),
            "desiredAPIVersion" => request.desired_api_version = Some(map.next_value()?),
            "objects" if std::mem::replace(&mut request.has_objects, true) => {
                return Err(A::Error::duplicate_field("objects"));
            }
            "objects" if is_ready => map.next_value_seed(Objects(self.0))?,
            "objects" => request.waiting = Some(map.next_value()?),
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The objects of a review.
struct Objects<'r, 'c>(&'r mut Reading<'c>);

impl<'de> DeserializeSeed<'de> for Objects<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Objects<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self(reading) = self;
        for _ in 0..reading.progress.objects {
            items.next_element::<IgnoredAny>()?;
        }
        while reading.progress.failure.is_none() {
            let object = Incoming {
                is_deep: reading.is_deep,
                ..Incoming::default()
            };
            let Some(object) = items.next_element_seed(Fields(object))? else {
                return Ok(());
            };
            if !reading.convert(object) {
                reading.needs_depth = true;
                return Err(A::Error::custom("a kept value is nested deeply"));
            }
        }
        // The rest must be JSON, too.
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// Writes the beginning of an answer to a review that succeeds.
fn write_head(uid: &str, answer: &mut Vec<u8>) {
    let uid = Value::from(uid);
    answer.extend_from_slice(
        format!(
            r#"{{"apiVersion":"{API_VERSION}","kind":"{KIND}","response":{{"uid":{uid},"result":{{"status":"Success"}},"convertedObjects":["#
        )
        .as_bytes(),
    );
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

/// Returns the UID of a review, for an answer after something went wrong. Nothing after the UID is read, so the beginning of a
/// review is enough: the API server writes the UID first.
pub(crate) fn uid(body: &[u8]) -> String {
    /// Finds the UID in a review, and then in its request.
    struct Find<'u> {
        uid: &'u mut String,
        is_request: bool,
    }

    impl ByField for Find<'_> {
        fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
            match name {
                "request" if !self.is_request => {
                    map.next_value_seed(Fields(Find {
                        uid: self.uid,
                        is_request: true,
                    }))?;
                }
                "uid" if self.is_request => {
                    *self.uid = map.next_value()?;
                    return Err(A::Error::custom("the rest does not matter"));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(())
        }
    }

    let mut uid = String::new();
    let mut reader = serde_json::Deserializer::from_slice(body);
    // Only whether the UID was found matters.
    let _ = reader.deserialize_any(Fields(Find {
        uid: &mut uid,
        is_request: false,
    }));
    uid
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

/// An object of a review.
#[derive(Debug, Default)]
struct Incoming {
    is_object: bool,
    /// Whether values can be nested deeply.
    is_deep: bool,
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

/// A value that is read field by field. Anything but an object leaves it unchanged.
trait ByField {
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
                let value = match self.is_deep {
                    true => deep::read(map.next_value::<&'de RawValue>()?.get()).map_err(A::Error::custom)?,
                    false => map.next_value()?,
                };
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

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Fields(Self::default()))
    }
}

/// The name of a field, borrowed if it does not contain escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

struct Fields<T>(T);

impl<'de, T: ByField> DeserializeSeed<'de> for Fields<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uid_is_read_from_the_beginning_of_a_review() {
        let review = r#"{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"1-2","objects":[{"#;
        assert_eq!(uid(review.as_bytes()), "1-2");
        assert_eq!(
            uid(br#"{"request":{"objects":[{"uid":"other"}],"uid":"1-2"}}"#),
            "1-2"
        );
        assert_eq!(uid(br#"{"uid":5,"request":null}"#), "");
        assert_eq!(uid(b"[1, 2]"), "");
    }
}
