//! Validates the metadata of an object, on creation and on update.
//!
//! Mirrors `ValidateObjectMetaAccessor` and `ValidateObjectMetaAccessorUpdate` of the API machinery.

use serde_json::{Map, Value};

use crate::error::{ErrorKind, FieldError};
use crate::go_text::quoted;
use crate::names;
use crate::validate::sorted;

/// The most bytes that all annotations together may have.
const ANNOTATION_BYTES: usize = 256 * 1024;

/// Returns the mistakes in a name; the second argument is `true` if something is appended to it.
pub(crate) type NameMistakes = fn(&str, bool) -> Vec<String>;

/// Returns the mistakes in the name of a custom resource.
pub(crate) fn resource_name(name: &str, is_prefix: bool) -> Vec<String> {
    if is_prefix {
        names::subdomain_mistakes(&names::masked(name))
    } else {
        names::subdomain_mistakes(name)
    }
}

/// Checks the metadata of a new object, after its name was generated.
pub(crate) fn check_new(
    metadata: &Map<String, Value>,
    is_namespaced: bool,
    name_mistakes: NameMistakes,
    path: &str,
    errors: &mut Vec<FieldError>,
) {
    let text = |key: &str| metadata.get(key).and_then(Value::as_str).unwrap_or_default();
    let prefix = text("generateName");
    if !prefix.is_empty() {
        for mistake in name_mistakes(prefix, true) {
            errors.push(FieldError::invalid_text(
                format!("{path}.generateName"),
                prefix,
                mistake,
            ));
        }
    }
    let name = text("name");
    if name.is_empty() {
        let field = format!("{path}.name");
        errors.push(FieldError::required(field, "name or generateName is required"));
    } else {
        for mistake in name_mistakes(name, false) {
            errors.push(FieldError::invalid_text(format!("{path}.name"), name, mistake));
        }
    }
    let namespace = text("namespace");
    let field = format!("{path}.namespace");
    match (is_namespaced, namespace.is_empty()) {
        (true, true) => errors.push(FieldError::required(field, "")),
        (true, false) => {
            for mistake in names::label_mistakes(namespace) {
                errors.push(FieldError::invalid_text(field.as_str(), namespace, mistake));
            }
        }
        (false, false) => {
            errors.push(FieldError::new(
                ErrorKind::Forbidden,
                field,
                "not allowed on this type",
            ));
        }
        (false, true) => {}
    }
    if let Some(generation) = metadata.get("generation")
        && generation.as_i64().is_some_and(|generation| generation < 0)
    {
        let detail = "must be greater than or equal to 0";
        errors.push(FieldError::invalid(
            format!("{path}.generation"),
            generation,
            detail,
        ));
    }
    check_labels(metadata, path, errors);
    check_annotations(metadata, path, errors);
    check_owners(metadata, path, errors);
    check_finalizers(metadata, path, errors);
    check_managed_fields(metadata, path, errors);
}

/// Checks the metadata of a changed object.
pub(crate) fn check_changed(
    metadata: &Map<String, Value>,
    old: &Map<String, Value>,
    path: &str,
    errors: &mut Vec<FieldError>,
) {
    if old.contains_key("deletionTimestamp") {
        check_new_finalizers(metadata, old, path, errors);
    }
    if metadata
        .get("resourceVersion")
        .and_then(Value::as_str)
        .is_none_or(str::is_empty)
    {
        let field = format!("{path}.resourceVersion");
        errors.push(FieldError::invalid_text(
            field,
            "",
            "must be specified for an update",
        ));
    }
    let generation =
        |metadata: &Map<String, Value>| metadata.get("generation").and_then(Value::as_i64).unwrap_or(0);
    if generation(metadata) < generation(old) {
        let value = Value::from(generation(metadata));
        let field = format!("{path}.generation");
        errors.push(FieldError::invalid(field, &value, "must not be decremented"));
    }
    let empty = Value::from("");
    for name in [
        "name",
        "namespace",
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    ] {
        if metadata.get(name) != old.get(name) {
            let missing = if matches!(name, "name" | "namespace" | "uid") {
                &empty
            } else {
                &Value::Null
            };
            let value = metadata.get(name).unwrap_or(missing);
            errors.push(FieldError::invalid(
                format!("{path}.{name}"),
                value,
                "field is immutable",
            ));
        }
    }
    check_labels(metadata, path, errors);
    check_annotations(metadata, path, errors);
    check_owners(metadata, path, errors);
    check_managed_fields(metadata, path, errors);
}

fn texts<'m>(metadata: &'m Map<String, Value>, key: &str) -> impl Iterator<Item = (&'m str, &'m str)> {
    let entries = metadata.get(key).and_then(Value::as_object);
    let entries = entries.into_iter().flat_map(sorted);
    entries.map(|(key, value)| (key, value.as_str().unwrap_or_default()))
}

fn check_labels(metadata: &Map<String, Value>, path: &str, errors: &mut Vec<FieldError>) {
    let field = || format!("{path}.labels");
    for (key, value) in texts(metadata, "labels") {
        for mistake in names::key_mistakes(key) {
            errors.push(FieldError::invalid_text(field(), key, mistake));
        }
        for mistake in names::value_mistakes(value) {
            errors.push(FieldError::invalid_text(field(), value, mistake));
        }
    }
}

fn check_annotations(metadata: &Map<String, Value>, path: &str, errors: &mut Vec<FieldError>) {
    let field = || format!("{path}.annotations");
    let mut bytes = 0_usize;
    for (key, value) in texts(metadata, "annotations") {
        bytes = bytes.saturating_add(key.len()).saturating_add(value.len());
        for mistake in names::key_mistakes(&key.to_lowercase()) {
            errors.push(FieldError::invalid_text(field(), key, mistake));
        }
    }
    if bytes > ANNOTATION_BYTES {
        errors.push(FieldError::too_long(
            field(),
            i64::try_from(ANNOTATION_BYTES).unwrap_or(i64::MAX),
        ));
    }
}

fn check_owners(metadata: &Map<String, Value>, path: &str, errors: &mut Vec<FieldError>) {
    let owners = metadata.get("ownerReferences").and_then(Value::as_array);
    let Some(owners) = owners else { return };
    let field = format!("{path}.ownerReferences");
    let mut controller: Option<String> = None;
    for owner in owners {
        let text = |key: &str| owner.get(key).and_then(Value::as_str).unwrap_or_default();
        let api_version = text("apiVersion");
        let version = match api_version.split('/').collect::<Vec<_>>().as_slice() {
            [version] => *version,
            [_, version] => *version,
            _ => "",
        };
        if version.is_empty() {
            let field = format!("{field}.apiVersion");
            errors.push(FieldError::invalid_text(
                field,
                api_version,
                "version must not be empty",
            ));
        }
        for key in ["kind", "name", "uid"] {
            if text(key).is_empty() {
                errors.push(FieldError::invalid_text(
                    format!("{field}.{key}"),
                    "",
                    "must not be empty",
                ));
            }
        }
        if api_version == "v1" && text("kind") == "Event" {
            let detail = "/v1, Kind=Event is disallowed from being an owner";
            errors.push(
                FieldError::new(ErrorKind::Invalid, field.as_str(), detail).with_shown(owner_json(owner)),
            );
        }
        if owner.get("controller") == Some(&Value::Bool(true)) {
            let name = format!("{}/{}", text("kind"), text("name"));
            match &controller {
                None => controller = Some(name),
                Some(first) => {
                    let detail = format!(
                        "Only one reference can have Controller set to true. Found \"true\" in references for {first} \
                         and {name}"
                    );
                    let all: Vec<_> = owners.iter().map(owner_json).collect();
                    let shown = format!("[{}]", all.join(","));
                    errors
                        .push(FieldError::new(ErrorKind::Invalid, field.as_str(), detail).with_shown(shown));
                }
            }
        }
    }
}

/// Writes an owner reference with its fields in the order of the Go struct.
fn owner_json(owner: &Value) -> String {
    let keys = [
        "apiVersion",
        "kind",
        "name",
        "uid",
        "controller",
        "blockOwnerDeletion",
    ];
    let field = |key: &&str| Some(format!("\"{key}\":{}", crate::go_text::json(owner.get(*key)?)));
    let fields: Vec<_> = keys.iter().filter_map(field).collect();
    format!("{{{}}}", fields.join(","))
}

fn finalizers(metadata: &Map<String, Value>) -> Vec<&str> {
    let finalizers = metadata.get("finalizers").and_then(Value::as_array);
    finalizers
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn check_finalizers(metadata: &Map<String, Value>, path: &str, errors: &mut Vec<FieldError>) {
    let field = format!("{path}.finalizers");
    let finalizers = finalizers(metadata);
    for finalizer in &finalizers {
        for mistake in names::key_mistakes(finalizer) {
            errors.push(FieldError::invalid_text(field.as_str(), finalizer, mistake));
        }
    }
    if finalizers.contains(&"orphan") && finalizers.contains(&"foregroundDeletion") {
        let detail = "finalizer orphan and foregroundDeletion cannot be both set";
        let value = Value::from(finalizers);
        errors.push(FieldError::invalid(field, &value, detail));
    }
}

fn check_new_finalizers(
    metadata: &Map<String, Value>,
    old: &Map<String, Value>,
    path: &str,
    errors: &mut Vec<FieldError>,
) {
    let old = finalizers(old);
    let mut added: Vec<_> = finalizers(metadata);
    added.retain(|finalizer| !old.contains(finalizer));
    added.sort_unstable();
    added.dedup();
    if !added.is_empty() {
        let added: Vec<_> = added.into_iter().map(quoted).collect();
        let detail = format!(
            "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
            added.join(", ")
        );
        errors.push(FieldError::new(
            ErrorKind::Forbidden,
            format!("{path}.finalizers"),
            detail,
        ));
    }
}

fn check_managed_fields(metadata: &Map<String, Value>, path: &str, errors: &mut Vec<FieldError>) {
    let entries = metadata.get("managedFields").and_then(Value::as_array);
    for (index, entry) in entries.into_iter().flatten().enumerate() {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let field = format!("{path}.managedFields[{index}]");
        let operation = text("operation");
        if !matches!(operation, "Apply" | "Update") {
            let detail = "must be `Apply` or `Update`";
            errors.push(FieldError::invalid_text(
                format!("{field}.operation"),
                operation,
                detail,
            ));
        }
        let fields_type = text("fieldsType");
        if !matches!(fields_type, "" | "FieldsV1") {
            let detail = "must be `FieldsV1`";
            errors.push(FieldError::invalid_text(
                format!("{field}.fieldsType"),
                fields_type,
                detail,
            ));
        }
        for (key, most) in [("manager", 128), ("subresource", 256)] {
            if text(key).len() > most {
                let most = i64::try_from(most).unwrap_or(i64::MAX);
                errors.push(FieldError::too_long(format!("{field}.{key}"), most));
            }
        }
    }
}

/// Returns the errors in the metadata of an object of any kind. With an old object, it is an update.
///
/// `name_mistakes` returns the mistakes in a name, or in the prefix of a generated name if its second argument is `true`.
/// [`Version::validate`](crate::Version::validate) includes these errors for custom resources.
pub fn metadata_errors(
    object: &Value,
    old: Option<&Value>,
    is_namespaced: bool,
    name_mistakes: fn(&str, bool) -> Vec<String>,
) -> Vec<FieldError> {
    let metadata = |object: &Value| {
        let metadata = object.get("metadata").and_then(Value::as_object);
        metadata.cloned().unwrap_or_default()
    };
    let mut errors = Vec::new();
    check_new(
        &metadata(object),
        is_namespaced,
        name_mistakes,
        "metadata",
        &mut errors,
    );
    if let Some(old) = old {
        check_changed(&metadata(object), &metadata(old), "metadata", &mut errors);
    }
    errors
}
