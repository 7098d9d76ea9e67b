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
        let names = names(served, own);
        let mut first = None;
        let mut judged = |value: &Value| {
            names.iter().find_map(|name| {
                let object = whole(&api_version, kind, name, value);
                match refusal(definition, served, &object) {
                    None => Some(object),
                    Some(reason) => {
                        first.get_or_insert(reason);
                        None
                    }
                }
            })
        };
        let found = judged(&value).or_else(|| judged(&sampler.smallest()?));
        found.ok_or_else(|| first.unwrap_or_default())
    }
}

/// Returns the names to try: the usual one, that of the user's object, those that rules mention, and the smallest one that
/// the schema accepts.
fn names(version: &Version, own: Option<&Value>) -> Vec<String> {
    let mut names = vec![NAME.to_owned()];
    names.extend(
        own.and_then(|own| own["metadata"]["name"].as_str())
            .map(str::to_owned),
    );
    let schema = version.schema();
    let rules = schema.rules.iter().map(|rule| rule.rule.as_str());
    for rule in rules.filter(|rule| rule.contains("metadata.name")) {
        for quote in ['\'', '"'] {
            let texts = rule.split(quote).skip(1).step_by(2);
            names.extend(texts.map(str::to_owned));
        }
    }
    let stated = schema
        .property("metadata")
        .and_then(|metadata| metadata.property("name"));
    if let Some(stated) = stated {
        let sampler = Sampler::new(stated, None);
        let values = sampler
            .smallest()
            .into_iter()
            .chain(sampler.candidates(stated, None, &[]));
        names.extend(values.filter_map(|value| value.as_str().map(str::to_owned)));
    }
    names.retain(|name| is_object_name(name));
    names
}

/// Returns whether a text can be the name of an object: a DNS subdomain.
fn is_object_name(name: &str) -> bool {
    name.len() <= 253
        && name.split('.').all(|part| {
            let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            !part.is_empty() && part.bytes().all(is_sign) && !part.starts_with('-') && !part.ends_with('-')
        })
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
fn whole(api_version: &str, kind: &str, name: &str, value: &Value) -> Value {
    let mut object = Map::new();
    object.insert("apiVersion".to_owned(), Value::from(api_version));
    object.insert("kind".to_owned(), Value::from(kind));
    object.insert("metadata".to_owned(), json!({ "name": name }));
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    fn sample(mut schema: Value) -> Result<Value, String> {
        schema["type"] = "object".into();
        let version = json!({
            "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema },
        });
        let judge = Judge::of(&json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": "cups.example.org" },
            "spec": {
                "group": "example.org",
                "scope": "Namespaced",
                "names": { "kind": "Cup", "plural": "cups", "singular": "cup", "listKind": "CupList" },
                "versions": [version],
            },
        }));
        judge.sample("example.org", "v1", "Cup", &[])
    }

    #[test]
    fn names_satisfy_rules_and_schemas() {
        let name = |schema: Value| sample(schema).unwrap()["metadata"]["name"].clone();
        assert_eq!(name(json!({})), "example");
        let rule = |rule: &str| json!({ "x-kubernetes-validations": [{ "rule": rule }] });
        assert_eq!(name(rule("self.metadata.name == 'cluster'")), "cluster");
        assert_eq!(name(rule("self.metadata.name in [\"one\", \"two\"]")), "one");
        let narrow = |name: Value| json!({ "properties": { "metadata": { "type": "object", "properties": { "name": name } } } });
        assert_eq!(
            name(narrow(json!({ "type": "string", "enum": ["hierarchy"] }))),
            "hierarchy"
        );
        let short = name(narrow(json!({ "type": "string", "maxLength": 3 })));
        assert!(is_object_name(short.as_str().unwrap()), "{short}");
        assert!(sample(rule("self.metadata.name == 'No Name'")).is_err());
    }

    #[test]
    fn several_values_satisfy_their_own_rules() {
        let text = json!({
            "type": "string", "pattern": "^[^/]*$", "x-kubernetes-validations": [{ "rule": "self != ''" }],
        });
        let spec = json!({
            "type": "object",
            "required": ["group", "kind", "name"],
            "properties": { "group": text, "kind": text, "name": text },
        });
        let sample = sample(json!({ "properties": { "spec": spec } })).unwrap();
        assert_ne!(sample["spec"]["group"], "");
        assert_ne!(sample["spec"]["name"], "");
    }
}
