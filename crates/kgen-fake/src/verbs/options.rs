//! The options of requests, in the query or in the body of a deletion.

use kgen_schema::{ErrorKind, FieldError};
use serde_json::Value;

use super::Call;
use crate::status::Failure;

/// Checks the options of a request that writes.
pub(super) fn check(call: &Call, kind: &str) -> Result<(), Failure> {
    let mut errors = Vec::new();
    let dry_run: Vec<&str> = call.query.all("dryRun").collect();
    if dry_run.iter().any(|value| *value != "All") {
        errors.push(FieldError::not_supported("dryRun", &dry_run, &["All"]));
    }
    let manager = call.query.text("fieldManager");
    if manager.len() > 128 {
        errors.push(FieldError::too_long("fieldManager", 128));
    }
    if let Some((position, character)) = manager.char_indices().find(|(_, c)| c.is_control()) {
        let detail = format!(
            "invalid character U+{:04X} (at position {position})",
            u32::from(character)
        );
        let error = FieldError::new(ErrorKind::Invalid, "fieldManager", detail);
        errors.push(error.with_value(manager));
    }
    let validation = call.query.text("fieldValidation");
    if !matches!(validation, "" | "Ignore" | "Strict" | "Warn") {
        let supported = ["", "Ignore", "Strict", "Warn"];
        errors.push(FieldError::not_supported(
            "fieldValidation",
            validation,
            &supported,
        ));
    }
    if kind == "PatchOptions" {
        let is_apply = call.content_type.starts_with("application/apply-patch+");
        if is_apply && manager.is_empty() {
            let detail = "is required for apply patch";
            errors.push(FieldError::new(ErrorKind::Required, "fieldManager", detail));
        }
        if !is_apply && call.query.get("force").is_some() {
            let detail = "may not be specified for non-apply patch";
            errors.push(FieldError::new(ErrorKind::Forbidden, "force", detail));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::invalid_options(kind, &errors))
    }
}

/// Refuses options of other types than Go's.
fn check_types(options: &Value) -> Result<(), Failure> {
    for (key, go_type, is_right) in [
        ("gracePeriodSeconds", "int64", Value::is_i64 as fn(&Value) -> bool),
        ("preconditions", "v1.Preconditions", Value::is_object),
        ("orphanDependents", "bool", Value::is_boolean),
        ("propagationPolicy", "v1.DeletionPropagation", Value::is_string),
        ("dryRun", "[]string", Value::is_array),
    ] {
        if let Some(value) = options
            .get(key)
            .filter(|value| !value.is_null() && !is_right(value))
        {
            let word = crate::go_word::go_word(value);
            return Err(Failure::bad_request(format!(
                "json: cannot unmarshal {word} into Go struct field DeleteOptions.{key} of type {go_type}"
            )));
        }
    }
    Ok(())
}

/// The fate of the dependents of a deleted object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Propagation {
    Background,
    Foreground,
    Orphan,
}

/// The options of a deletion.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeleteOptions {
    pub(crate) uid: Option<String>,
    pub(crate) resource_version: Option<String>,
    pub(crate) propagation: Option<Propagation>,
    /// The older form of the propagation.
    pub(crate) orphan: Option<bool>,
    /// The seconds that a pod has.
    pub(crate) grace: Option<i64>,
    pub(crate) is_dry_run: bool,
}

impl DeleteOptions {
    /// Reads the options from the body, or from the query if there is no body.
    pub(super) fn read(call: &Call) -> Result<Self, Failure> {
        let body = if call.body.is_empty() {
            let mut body = serde_json::Map::new();
            let query = &call.query;
            if let Some(policy) = query.get("propagationPolicy") {
                body.insert("propagationPolicy".to_owned(), Value::from(policy));
            }
            if let Some(seconds) = query.get("gracePeriodSeconds") {
                let seconds: i64 = seconds.parse().map_err(|_| {
                    Failure::bad_request(format!("strconv.ParseInt: parsing \"{seconds}\": invalid syntax"))
                })?;
                body.insert("gracePeriodSeconds".to_owned(), Value::from(seconds));
            }
            if query.get("orphanDependents").is_some() {
                body.insert(
                    "orphanDependents".to_owned(),
                    Value::from(query.flag("orphanDependents")),
                );
            }
            Value::Object(body)
        } else {
            let failed = |error: String| {
                Failure::bad_request(format!("couldn't get version/kind; json parse error: {error}"))
            };
            let body = if call.content_type == "application/yaml" {
                let text = String::from_utf8_lossy(&call.body);
                crate::yaml::read(&text).map_err(failed)?.value
            } else {
                let read = crate::wire::json::read(&call.body);
                read.map_err(|error| failed(crate::go_word::go_json_error(&error)))?
                    .0
            };
            if !body.is_object() && !body.is_null() {
                return Err(failed(super::decode::not_an_object(&body)));
            }
            check_types(&body)?;
            body
        };
        Self::of_body(&body, call)
    }

    /// Reads the options in another object, such as an `Eviction`.
    pub(super) fn of(body: &Value) -> Result<Self, Failure> {
        Self::checked(body, Vec::new())
    }

    fn of_body(body: &Value, call: &Call) -> Result<Self, Failure> {
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str);
        if let Some(kind) = text("/kind").filter(|kind| *kind != "DeleteOptions" && !kind.is_empty()) {
            let version = text("/apiVersion").unwrap_or_default();
            return Err(Failure::bad_request(format!(
                "no kind \"{kind}\" is registered for version \"{version}\" in scheme \"pkg/runtime/scheme.go:111\""
            )));
        }
        let mut dry_run: Vec<String> = Vec::new();
        if call.body.is_empty() {
            dry_run.extend(call.query.all("dryRun").map(str::to_owned));
        }
        Self::checked(body, dry_run)
    }

    fn checked(body: &Value, mut dry_run: Vec<String>) -> Result<Self, Failure> {
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str);
        let listed = body.get("dryRun").and_then(Value::as_array).into_iter().flatten();
        dry_run.extend(listed.filter_map(Value::as_str).map(str::to_owned));
        let policy = text("/propagationPolicy");
        let orphan = body.get("orphanDependents").and_then(Value::as_bool);
        let mut errors = Vec::new();
        if let (Some(policy), Some(_)) = (policy, orphan) {
            let detail = "orphanDependents and deletionPropagation cannot be both set";
            errors.push(FieldError::new(ErrorKind::Invalid, "propagationPolicy", detail).with_value(policy));
        }
        let propagation = match policy {
            None => None,
            Some("Foreground") => Some(Propagation::Foreground),
            Some("Background") => Some(Propagation::Background),
            Some("Orphan") => Some(Propagation::Orphan),
            Some(other) => {
                let supported = ["Foreground", "Background", "Orphan", "nil"];
                errors.push(FieldError::not_supported("propagationPolicy", other, &supported));
                None
            }
        };
        if dry_run.iter().any(|value| value != "All") {
            errors.push(FieldError::not_supported("dryRun", &dry_run, &["All"]));
        }
        if !errors.is_empty() {
            return Err(Failure::invalid_options("DeleteOptions", &errors));
        }
        Ok(Self {
            uid: text("/preconditions/uid").map(str::to_owned),
            resource_version: text("/preconditions/resourceVersion").map(str::to_owned),
            propagation,
            orphan,
            grace: body.get("gracePeriodSeconds").and_then(Value::as_i64),
            is_dry_run: !dry_run.is_empty(),
        })
    }

    pub(crate) fn with_propagation(propagation: Propagation) -> Self {
        Self {
            propagation: Some(propagation),
            ..Self::default()
        }
    }
}
