//! Sample objects, each judged as the API server would judge it. A wrong sample is never returned.

use kgen_generators::crd::{CrdOptions, definition};
use kgen_model::{KindVersion, Resource};
use kgen_sample::Sampler;
use kgen_schema::{Definition, Patterns, Version, broken_rules};
use serde_json::{Map, Value, json};

/// The name of every sample.
const NAME: &str = "example";

/// The definition of a kind, as the API server reads it.
pub(crate) struct Samples {
    definition: Option<Definition>,
}

impl Samples {
    pub(crate) fn of(resource: &Resource) -> Self {
        let options = CrdOptions {
            max_description_length: Some(0),
            ..CrdOptions::default()
        };
        Self {
            definition: Definition::from_json(&definition(resource, &options, None)).ok(),
        }
    }

    /// Returns the schema of a version.
    pub(crate) fn schema(&self, version: &str) -> Option<&kgen_schema::Schema> {
        Some(self.definition.as_ref()?.version(version)?.schema())
    }

    /// Returns an object of a version. `given` are objects of the user.
    ///
    /// # Errors
    /// Returns why there is none: the rule that no object was found for, or the message of the API server.
    pub(crate) fn sample(&self, version: &KindVersion, given: &[Value]) -> Result<Value, String> {
        let unreadable = || "its schema cannot be read".to_owned();
        let definition = self.definition.as_ref().ok_or_else(unreadable)?;
        let served = definition.version(&version.version).ok_or_else(unreadable)?;
        let api_version = format!("{}/{}", version.group, version.version);
        let own = given
            .iter()
            .find(|object| object["apiVersion"] == api_version && object["kind"] == version.kind);
        let sampler = Sampler::new(served.schema(), None);
        let value = match sampler.example(own) {
            Ok(value) => value,
            Err(broken) => sampler
                .smallest()
                .ok_or_else(|| reason(served, broken.as_ref()))?,
        };
        let object = whole(&api_version, &version.kind, &value);
        match refusal(definition, served, &object) {
            None => Ok(object),
            Some(first) => {
                let smallest = sampler.smallest().ok_or_else(|| first.clone())?;
                let object = whole(&api_version, &version.kind, &smallest);
                match refusal(definition, served, &object) {
                    None => Ok(object),
                    Some(_) => Err(first),
                }
            }
        }
    }
}

/// Returns why no value was found.
fn reason(version: &Version, value: Option<&Value>) -> String {
    let rule = value.and_then(|value| {
        let schema = version.schema();
        let broken = broken_rules(schema, value, &Patterns::default());
        let first = broken.first()?;
        let mut node = schema;
        for segment in &first.segments {
            node = match segment {
                kgen_schema::Segment::Name(name) => node.property(name)?,
                kgen_schema::Segment::Index(_) => node.items.as_deref()?,
            };
        }
        Some(format!(
            "no object satisfies the rule `{}`",
            node.rules.get(first.index)?.rule
        ))
    });
    rule.unwrap_or_else(|| "no valid object was found".to_owned())
}

/// Returns a value as a whole object.
fn whole(api_version: &str, kind: &str, value: &Value) -> Value {
    let mut object = Map::new();
    object.insert("apiVersion".to_owned(), Value::from(api_version));
    object.insert("kind".to_owned(), Value::from(kind));
    object.insert("metadata".to_owned(), json!({ "name": NAME }));
    for (name, entry) in value.as_object().into_iter().flatten() {
        if !matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
            object.insert(name.clone(), entry.clone());
        }
    }
    Value::Object(object)
}

/// Returns why the API server would refuse an object, or drop a part of it.
fn refusal(definition: &Definition, version: &Version, object: &Value) -> Option<String> {
    let mut object = object.clone();
    if definition.is_namespaced()
        && let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
    {
        metadata.insert("namespace".to_owned(), Value::from("default"));
    }
    match version.prune(&mut object) {
        Err(_) => return Some("the object is malformed".to_owned()),
        Ok(unknown) => {
            if let Some(unknown) = unknown.first() {
                return Some(kgen_schema::unknown_field_message(unknown));
            }
        }
    }
    version.default(&mut object);
    let report = version.validate(&object);
    if let Some(error) = report.errors.first() {
        return Some(error.to_string());
    }
    let undecided = report.undecided.first()?;
    Some(format!("the rule `{}` cannot be evaluated here", undecided.rule))
}
