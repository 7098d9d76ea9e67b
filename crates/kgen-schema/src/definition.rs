//! A CRD and its versions.

use std::collections::BTreeMap;

use kgen_cel::go_regex::Patterns;
use serde_json::{Map, Value};

use crate::correlation::Correlation;
use crate::error::{ErrorKind, FieldError, Report};
use crate::path::ROOT;
use crate::prune::Pruner;
use crate::read::{Keywords, ReadError};
use crate::rule::{Evaluation, Ratchet, RuleTree};
use crate::scale::Scale;
use crate::schema::Schema;
use crate::validate::Validator;
use crate::{defaults, depth, embedded, formats, list_types, metadata, object_meta, prune};

/// A CRD: its names and the schemas of its versions.
#[derive(Debug)]
pub struct Definition {
    group: String,
    kind: String,
    plural: String,
    is_namespaced: bool,
    stored_version: Option<String>,
    versions: BTreeMap<String, Version>,
}

impl Definition {
    /// Reads a CRD of `apiextensions.k8s.io/v1`.
    ///
    /// # Errors
    ///
    /// Returns the first field that is missing or has the wrong type.
    pub fn from_json(json: &Value) -> Result<Self, ReadError> {
        let Value::Object(keywords) = json else {
            return Err(ReadError::new("", "a CRD must be an object"));
        };
        let root = Keywords { keywords };
        if root.text("kind")? != Some("CustomResourceDefinition") {
            return Err(ReadError::new("kind", "must be `CustomResourceDefinition`"));
        }
        let spec = root.object("spec")?.ok_or_else(|| missing("spec"))?;
        Self::read_spec(&Keywords { keywords: spec }).map_err(|error| error.within("spec"))
    }

    /// Reads a CRD from JSON text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not JSON or not a CRD.
    pub fn from_json_text(text: &str) -> Result<Self, ReadError> {
        let json = serde_json::from_str::<Value>(text);
        Self::from_json(&json.map_err(|error| ReadError::new("", error.to_string()))?)
    }

    /// Reads a CRD from YAML text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not YAML or not a CRD.
    #[cfg(feature = "yaml")]
    pub fn from_yaml(text: &str) -> Result<Self, ReadError> {
        let json = serde_saphyr::from_str::<Value>(text);
        Self::from_json(&json.map_err(|error| ReadError::new("", error.to_string()))?)
    }

    fn read_spec(spec: &Keywords<'_>) -> Result<Self, ReadError> {
        let text = |read: &Keywords<'_>, key: &str| -> Result<String, ReadError> {
            Ok(read.text(key)?.ok_or_else(|| missing(key))?.to_owned())
        };
        let names = spec.object("names")?.ok_or_else(|| missing("names"))?;
        let names = Keywords { keywords: names };
        let named = |key: &str| text(&names, key).map_err(|error| error.within("names"));
        let (group, kind, plural) = (text(spec, "group")?, named("kind")?, named("plural")?);
        let is_namespaced = text(spec, "scope")? == "Namespaced";
        let mut versions = BTreeMap::new();
        let mut stored_version = None;
        for (index, json) in spec.array("versions")?.into_iter().flatten().enumerate() {
            let place = |error: ReadError| error.within(&format!("versions[{index}]"));
            let Value::Object(keywords) = json else {
                return Err(place(ReadError::new("", "must be an object")));
            };
            let read = Keywords { keywords };
            let name = text(&read, "name").map_err(place)?;
            let schema = read.object("schema").map_err(place)?;
            let schema = schema.and_then(|schema| schema.get("openAPIV3Schema"));
            let schema = match schema {
                None => Schema::default(),
                Some(json) => Schema::read(json)
                    .map_err(|error| place(error.within("openAPIV3Schema").within("schema")))?,
            };
            let subresources = read.object("subresources").map_err(place)?;
            let scale = subresources.and_then(|subresources| subresources.get("scale"));
            let mut version = Version::new(schema);
            version.group = group.clone();
            version.kind = kind.clone();
            version.name = name.clone();
            version.is_namespaced = is_namespaced;
            version.scale = scale.and_then(Scale::read);
            if keywords.get("storage") == Some(&Value::Bool(true)) {
                stored_version = Some(name.clone());
            }
            versions.insert(name, version);
        }
        Ok(Self {
            group,
            kind,
            plural,
            is_namespaced,
            stored_version,
            versions,
        })
    }

    /// Returns the group.
    pub fn group(&self) -> &str {
        &self.group
    }

    /// Returns the kind.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the plural, which is the name of the resource in URLs.
    pub fn plural(&self) -> &str {
        &self.plural
    }

    /// Returns whether objects are in namespaces.
    pub fn is_namespaced(&self) -> bool {
        self.is_namespaced
    }

    /// Returns the name of the version in which objects are stored.
    pub fn stored_version(&self) -> Option<&str> {
        self.stored_version.as_deref()
    }

    /// Returns a version by its name.
    pub fn version(&self, name: &str) -> Option<&Version> {
        self.versions.get(name)
    }

    /// Returns all versions, ordered by name.
    pub fn versions(&self) -> impl Iterator<Item = &Version> {
        self.versions.values()
    }
}

fn missing(key: &str) -> ReadError {
    ReadError::new(key, "is missing")
}

/// One version of a CRD. It prunes, defaults and validates objects of that version.
#[derive(Debug)]
pub struct Version {
    group: String,
    kind: String,
    name: String,
    is_namespaced: bool,
    scale: Option<Scale>,
    schema: Schema,
    rules: Option<RuleTree>,
    patterns: Patterns,
}

impl Version {
    fn new(mut schema: Schema) -> Self {
        prune_defaults(&mut schema);
        drop_formats(&mut schema);
        Self {
            group: String::new(),
            kind: String::new(),
            name: String::new(),
            is_namespaced: false,
            scale: None,
            rules: RuleTree::of(&schema),
            schema,
            patterns: Patterns::default(),
        }
    }

    /// Makes a version from its schema alone, in the form that it has below `openAPIV3Schema`. Objects are in namespaces.
    ///
    /// # Errors
    ///
    /// Returns the first keyword whose value has the wrong type, or an error if the schema is nested too deeply.
    pub fn from_schema(group: &str, kind: &str, name: &str, schema: &Value) -> Result<Self, ReadError> {
        let mut version = Self::new(Schema::read(schema)?);
        version.group = group.to_owned();
        version.kind = kind.to_owned();
        version.name = name.to_owned();
        version.is_namespaced = true;
        Ok(version)
    }

    /// Returns everything in `value` that violates a keyword of `schema`, which is a part of this version's schema.
    ///
    /// This is [`violations`](crate::violations) with the compiled patterns of this version.
    pub fn violations(&self, schema: &Schema, value: &Value) -> Vec<crate::Violation> {
        crate::violations(schema, value, &self.patterns)
    }

    /// Returns the name of the version, such as `v1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Removes the fields that the API server does not store: fields that neither the schema nor `ObjectMeta` has, and
    /// `null` where it is not allowed. Returns the paths of the removed fields, in the order of the API server's
    /// messages.
    ///
    /// With `fieldValidation=Strict`, the API server refuses an object with such fields; [`unknown_field_message`] has its
    /// message.
    ///
    /// # Errors
    ///
    /// Returns an error if the metadata of the object or of an embedded resource cannot be read. The API server refuses
    /// such an object with the code 400.
    pub fn prune(&self, object: &mut Value) -> Result<Vec<String>, MalformedObject> {
        depth::check(object).map_err(MalformedObject)?;
        let Value::Object(entries) = object else {
            return Err(MalformedObject("the object is not a JSON object".to_owned()));
        };
        let mut removed = Vec::new();
        let found = entries
            .get("metadata")
            .map(object_meta::read)
            .transpose()
            .map_err(MalformedObject)?;
        let mut kept = None;
        if let Some(found) = found {
            removed.extend(found.unknown.iter().map(|name| format!("metadata.{name}")));
            kept = Some(found.metadata);
        }
        if self.is_own_kind(object) {
            let mut pruner = Pruner::new();
            pruner.prune(Some(&self.schema), object, true);
            removed.append(&mut pruner.into_paths());
            prune::remove_nulls(Some(&self.schema), object);
            let mut unknown = Vec::new();
            embedded::coerce(&self.schema, object, &ROOT, &mut unknown)
                .map_err(|error| MalformedObject(error.to_string()))?;
            unknown.sort_unstable();
            removed.append(&mut unknown);
        }
        if let (Value::Object(entries), Some(kept)) = (object, kept) {
            entries.insert("metadata".to_owned(), Value::Object(kept));
        }
        Ok(removed)
    }

    /// Returns whether an object has the kind and the group of this version, or none. The schema says nothing about others.
    fn is_own_kind(&self, object: &Value) -> bool {
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let group =
            |api_version: &str| api_version.split_once('/').map_or("", |(group, _)| group) == self.group;
        text("kind").is_none_or(|kind| kind == self.kind) && text("apiVersion").is_none_or(group)
    }

    /// Fills in defaults. Prune the object first: the API server does.
    pub fn default(&self, object: &mut Value) {
        if depth::check(object).is_ok() && self.is_own_kind(object) {
            defaults::fill_in(&self.schema, object);
        }
    }

    /// Validates a new object, after pruning, defaulting and the generation of its name.
    pub fn validate(&self, object: &Value) -> Report {
        self.validate_object(object, None, false)
    }

    /// Validates a changed object. Errors of unchanged values are not reported, and transition rules are evaluated.
    pub fn validate_update(&self, object: &Value, old: &Value) -> Report {
        self.validate_object(object, Some(old), false)
    }

    /// Validates an object whose status was written. The schema is that of the status alone, but all rules are evaluated.
    pub fn validate_status_update(&self, object: &Value, old: &Value) -> Report {
        self.validate_object(object, Some(old), true)
    }

    fn validate_object(&self, object: &Value, old: Option<&Value>, is_status: bool) -> Report {
        let mut report = Report::default();
        let errors = &mut report.errors;
        for value in [Some(object), old].into_iter().flatten() {
            if let Err(message) = depth::check(value) {
                errors.push(FieldError::new(ErrorKind::Invalid, "<nil>", message));
                return report;
            }
        }
        if let Some(old) = old {
            self.check_common(object, old, errors);
        }
        let before = errors.len();
        self.check_type(object, errors);
        let has_type = errors.len() == before;
        let correlation = old.map(|old| Correlation {
            value: object,
            old,
            schema: &self.schema,
        });
        if has_type {
            match old {
                None => {
                    let name = metadata::resource_name;
                    metadata::check_new(&metadata_of(object), self.is_namespaced, name, "metadata", errors);
                }
                Some(old) => {
                    metadata::check_changed(&metadata_of(object), &metadata_of(old), "metadata", errors);
                }
            }
            self.check_schema(object, correlation, is_status, errors);
        }
        if !is_status {
            embedded::check(&self.schema, object, &ROOT, errors);
        }
        let mut duplicates = Vec::new();
        list_types::check(&self.schema, object, &ROOT, &mut duplicates);
        if !duplicates.is_empty() {
            let mut before = Vec::new();
            if let Some(old) = old {
                list_types::check(&self.schema, old, &ROOT, &mut before);
            }
            if before.is_empty() {
                errors.append(&mut duplicates);
            }
        }
        if let Some(rules) = &self.rules {
            if errors.iter().any(blocks_rules) {
                let detail = "some validation rules were not checked because the object was invalid; correct the \
                              existing errors to complete validation";
                let error = FieldError::new(ErrorKind::Invalid, "<nil>", detail);
                errors.push(error.with_json(&Value::Null));
            } else {
                let mut evaluation = Evaluation::new(&self.patterns);
                let ratchet = Ratchet {
                    current: correlation,
                    parent: None,
                };
                evaluation.run(rules, &self.schema, object, old, ratchet);
                errors.append(&mut evaluation.errors);
                report.warnings = evaluation.warnings;
                report.undecided = evaluation.undecided;
            }
        }
        report
    }

    /// Checks an object of the right type, or its status, against the schema.
    fn check_schema(
        &self,
        object: &Value,
        correlation: Option<Correlation<'_>>,
        is_status: bool,
        errors: &mut Vec<FieldError>,
    ) {
        let validator = Validator {
            patterns: &self.patterns,
        };
        let outcome = validator.validate(&self.schema, object, &ROOT, correlation.as_ref());
        let mut found: Vec<FieldError> = outcome
            .violations
            .into_iter()
            .map(|violation| violation.into_field_error())
            .collect();
        if let Some(scale) = &self.scale {
            scale.check(object, &mut found);
        }
        if is_status {
            // The fields of scale errors begin with a dot.
            let is_in_status = |field: &str| {
                let rest = field.trim_start_matches('.').strip_prefix("status");
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            found.retain(|error| is_in_status(error.field()));
            found = found.into_iter().map(within_status).collect();
        }
        errors.append(&mut found);
    }

    fn check_type(&self, object: &Value, errors: &mut Vec<FieldError>) {
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let api_version = format!("{}/{}", self.group, self.name);
        for (key, expected) in [("kind", &self.kind), ("apiVersion", &api_version)] {
            if text(key) != expected {
                errors.push(FieldError::invalid_text(
                    key,
                    text(key),
                    format!("must be {expected}"),
                ));
            }
        }
    }

    /// Checks the metadata of a changed object before everything else, as the API server does for all kinds. It checks the
    /// same again for custom resources, so that some errors are reported three times.
    fn check_common(&self, object: &Value, old: &Value, errors: &mut Vec<FieldError>) {
        let (metadata, old) = (metadata_of(object), metadata_of(old));
        let name = crate::names::path_segment_mistakes;
        metadata::check_new(&metadata, self.is_namespaced, name, "metadata", errors);
        metadata::check_changed(&metadata, &old, "metadata", errors);
    }
}

/// Returns the metadata of an object; empty if it has none.
fn metadata_of(object: &Value) -> Map<String, Value> {
    let metadata = object.get("metadata").and_then(Value::as_object);
    metadata.cloned().unwrap_or_default()
}

/// Returns an error with the path in its text relative to the status, because the server validates the status alone.
fn within_status(error: FieldError) -> FieldError {
    let detail = error.detail().to_owned();
    let rest = detail.strip_prefix("status");
    match rest.map(|rest| rest.strip_prefix('.').unwrap_or(rest)) {
        Some(rest) if detail.contains(" in body ") => error.with_detail(rest),
        _ => error,
    }
}

/// Returns whether an error keeps the API server from evaluating rules.
fn blocks_rules(error: &FieldError) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotSupported
            | ErrorKind::Required
            | ErrorKind::TooLong
            | ErrorKind::TooMany
            | ErrorKind::TypeInvalid
    )
}

/// Removes the formats that the API server ignores in objects.
fn drop_formats(schema: &mut Schema) {
    if schema
        .format
        .as_ref()
        .is_some_and(|format| !formats::is_checked(schema, format))
    {
        schema.format = None;
    }
    schema.each_part_mut(&mut drop_formats);
}

/// Prunes the defaults of a schema, as the API server does before it uses them.
fn prune_defaults(schema: &mut Schema) {
    if let Some(mut default) = schema.default.take() {
        embedded::coerce_leniently(schema, &mut default);
        Pruner::new().prune(Some(schema), &mut default, schema.embedded_resource);
        schema.default = Some(default);
    }
    schema.each_part_mut(&mut prune_defaults);
}

/// Returns the message for a field that was removed, as the API server writes it with `fieldValidation=Strict`.
///
/// ```
/// assert_eq!(kgen_schema::unknown_field_message("spec.sise"), r#"unknown field "spec.sise""#);
/// ```
pub fn unknown_field_message(path: &str) -> String {
    format!("unknown field \"{path}\"")
}

/// Why an object cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedObject(String);

impl std::fmt::Display for MalformedObject {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for MalformedObject {}
