//! Sample objects, each judged as the API server would judge it. A wrong sample is never returned.

use kgen_schema::{Definition, Patterns, Version, broken_rules};
use serde_json::{Map, Value, json};

use crate::Sampler;

/// The name of every sample.
const NAME: &str = "example";

/// Judges and makes objects of a CRD.
#[derive(Debug)]
pub struct Judge {
    definition: Option<Definition>,
}

impl Judge {
    /// Creates the judge of a CRD, given as JSON.
    #[must_use]
    pub fn of(definition: &Value) -> Self {
        Self {
            definition: Definition::from_json(definition).ok(),
        }
    }

    /// Returns the schema of a version.
    #[must_use]
    pub fn schema(&self, version: &str) -> Option<&kgen_schema::Schema> {
        Some(self.definition.as_ref()?.version(version)?.schema())
    }

    /// Returns why the API server would refuse an object of a version, or drop a part of it. Returns `None` if it
    /// accepts the object.
    #[must_use]
    pub fn refusal(&self, version: &str, object: &Value) -> Option<String> {
        let Some(definition) = &self.definition else {
            return Some("its schema cannot be read".to_owned());
        };
        match definition.version(version) {
            Some(served) => refusal(definition, served, object),
            None => Some(format!("the CRD has no version `{version}`")),
        }
    }

    /// Returns an object of a version. `given` are objects of the user.
    ///
    /// # Errors
    /// Returns why there is none: the rule that no object was found for, or the message of the API server.
    pub fn sample(&self, group: &str, version: &str, kind: &str, given: &[Value]) -> Result<Value, String> {
        let unreadable = || "its schema cannot be read".to_owned();
        let definition = self.definition.as_ref().ok_or_else(unreadable)?;
        let served = definition.version(version).ok_or_else(unreadable)?;
        let api_version = format!("{group}/{version}");
        let own = given
            .iter()
            .find(|object| object["apiVersion"] == api_version && object["kind"] == kind);
        let sampler = Sampler::new(served.schema(), None);
        let value = match sampler.example(own) {
            Ok(value) => value,
            Err(broken) => sampler
                .smallest()
                .ok_or_else(|| reason(served, broken.as_ref()))?,
        };
        let object = whole(&api_version, kind, &value);
        match refusal(definition, served, &object) {
            None => Ok(object),
            Some(first) => {
                let smallest = sampler.smallest().ok_or_else(|| first.clone())?;
                let object = whole(&api_version, kind, &smallest);
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
        metadata
            .entry("namespace")
            .or_insert_with(|| Value::from("default"));
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
