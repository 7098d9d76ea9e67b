//! The names, versions, columns and scale paths of a definition.
//!
//! Mirrors `ValidateCustomResourceDefinition` as far as it is about these.

use kgen_schema::{ErrorKind, FieldError, names};
use serde_json::Value;

const COLUMN_TYPES: &str = "boolean,date,integer,number,string";
const COLUMN_FORMATS: &str = "byte,date,date-time,double,float,int32,int64,password";

/// The most fields of a version that can be selected.
const MOST_SELECTABLE: usize = 8;

fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.map(|item| item.as_str().unwrap_or_default())
}

fn invalid(field: impl Into<String>, value: &str, detail: impl Into<String>) -> FieldError {
    FieldError::new(ErrorKind::Invalid, field, detail).with_value(value)
}

/// Checks the names: all of them are labels.
pub(super) fn check_names(crd: &Value, errors: &mut Vec<FieldError>) {
    let text = |pointer: &str| crd.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let mut label = |field: String, name: &str, prefix: &str| {
        if !name.is_empty() {
            let lower = name.to_lowercase();
            let mistakes = names::label_1035_mistakes(if prefix.is_empty() { name } else { &lower });
            let mistakes = mistakes.iter().map(|mistake| format!("{prefix}{mistake}"));
            errors.extend(mistakes.map(|mistake| invalid(&*field, name, mistake)));
        }
    };
    let mixed = "may have mixed case, but should otherwise match: ";
    for (key, prefix) in [
        ("plural", ""),
        ("singular", ""),
        ("kind", mixed),
        ("listKind", mixed),
    ] {
        label(
            format!("spec.names.{key}"),
            text(&format!("/spec/names/{key}")),
            prefix,
        );
    }
    for key in ["shortNames", "categories"] {
        let listed = texts(crd.pointer(&format!("/spec/names/{key}")));
        for (index, name) in listed.enumerate() {
            label(format!("spec.names.{key}[{index}]"), name, "");
        }
    }
    let group = text("/spec/group");
    if !group.is_empty() {
        let mistakes = names::subdomain_mistakes(group);
        errors.extend(
            mistakes
                .into_iter()
                .map(|mistake| invalid("spec.group", group, mistake)),
        );
        if !group.contains('.') {
            errors.push(invalid(
                "spec.group",
                group,
                "should be a domain with at least one dot",
            ));
        }
    }
}

/// Checks the versions.
pub(super) fn check_versions(crd: &Value, errors: &mut Vec<FieldError>) {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let Some(versions) = versions else {
        return;
    };
    let names: Vec<&str> = versions
        .iter()
        .map(|version| version.get("name").and_then(Value::as_str).unwrap_or_default())
        .collect();
    for (index, name) in names.iter().enumerate() {
        let mistakes = names::label_1035_mistakes(name);
        let field = format!("spec.versions[{index}].name");
        errors.extend(
            mistakes
                .into_iter()
                .map(|mistake| invalid(&*field, name, mistake)),
        );
    }
    if names
        .iter()
        .enumerate()
        .any(|(index, name)| names.iter().take(index).any(|before| before == name))
    {
        let error = FieldError::new(
            ErrorKind::Invalid,
            "spec.versions",
            "must contain unique version names",
        );
        errors.push(error.with_value(versions));
    }
    for (index, version) in versions.iter().enumerate() {
        let warning = version.get("deprecationWarning").and_then(Value::as_str);
        if let Some(warning) = warning.filter(|warning| warning.len() > 256) {
            let field = format!("spec.versions[{index}].deprecationWarning");
            errors.push(invalid(field, warning, "must be <= 256 characters long"));
        }
        // The server keeps what all versions share in one place, and names that place.
        let place = |key: &str| {
            let is_shared = versions.iter().all(|other| other.get(key) == version.get(key));
            match (is_shared, index) {
                (true, 0) => Some(format!("spec.{key}")),
                (true, _) => None,
                (false, _) => Some(format!("spec.versions[{index}].{key}")),
            }
        };
        if let Some(place) = place("additionalPrinterColumns") {
            columns(version, &place, errors);
        }
        if let Some(place) = place("selectableFields") {
            selectable(version, &place, errors);
        }
        if let Some(place) = place("subresources") {
            scale(version, &place, errors);
        }
    }
}

fn columns(version: &Value, place: &str, errors: &mut Vec<FieldError>) {
    let columns = version.get("additionalPrinterColumns").and_then(Value::as_array);
    for (index, column) in columns.into_iter().flatten().enumerate() {
        let text = |key: &str| column.get(key).and_then(Value::as_str).unwrap_or_default();
        let at = |key: &str| format!("{place}[{index}].{key}");
        let has = |list: &str, word: &str| list.split(',').any(|known| known == word);
        if text("name").is_empty() {
            errors.push(FieldError::new(ErrorKind::Required, at("name"), ""));
        }
        if !has(COLUMN_TYPES, text("type")) {
            errors.push(invalid(
                at("type"),
                text("type"),
                format!("must be one of {COLUMN_TYPES}"),
            ));
        }
        if !text("format").is_empty() && !has(COLUMN_FORMATS, text("format")) {
            errors.push(invalid(
                at("format"),
                text("format"),
                format!("must be one of {COLUMN_FORMATS}"),
            ));
        }
        let path = text("jsonPath");
        if path.is_empty() {
            errors.push(FieldError::new(ErrorKind::Required, at("JSONPath"), ""));
        } else if !path.starts_with('.') {
            let detail = "must be a simple json path starting with .";
            errors.push(invalid(at("JSONPath"), path, detail));
        }
    }
}

/// Checks how many fields can be selected. Whether the schema has them is not checked.
fn selectable(version: &Value, place: &str, errors: &mut Vec<FieldError>) {
    let fields = version.get("selectableFields").and_then(Value::as_array);
    let fields: Vec<&str> = fields
        .into_iter()
        .flatten()
        .map(|field| field.get("jsonPath").and_then(Value::as_str).unwrap_or_default())
        .collect();
    if fields.len() > MOST_SELECTABLE {
        errors.push(FieldError::too_many(place, fields.len(), 8));
    }
    for (index, path) in fields.iter().enumerate() {
        if fields.iter().take(index).any(|before| before == path) {
            let field = format!("{place}[{index}].jsonPath");
            errors.push(FieldError::new(ErrorKind::Duplicate, field, "").with_value(path));
        }
    }
}

fn scale(version: &Value, place: &str, errors: &mut Vec<FieldError>) {
    let Some(scale) = version
        .pointer("/subresources/scale")
        .filter(|scale| scale.is_object())
    else {
        return;
    };
    for (key, roots, detail) in [
        (
            "specReplicasPath",
            &[".spec."][..],
            "should be a json path under .spec",
        ),
        (
            "statusReplicasPath",
            &[".status."][..],
            "should be a json path under .status",
        ),
        (
            "labelSelectorPath",
            &[".spec.", ".status."][..],
            "should be a json path under either .spec or .status",
        ),
    ] {
        let path = scale.get(key).and_then(Value::as_str).unwrap_or_default();
        let field = format!("{place}.scale.{key}");
        if path.is_empty() {
            if key != "labelSelectorPath" {
                errors.push(FieldError::new(ErrorKind::Required, field, ""));
            }
        } else if !roots.iter().any(|root| path.starts_with(root)) {
            errors.push(invalid(field, path, detail));
        }
    }
}
