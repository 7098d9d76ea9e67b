//! Objects as tables, which kubectl prints, and as metadata only.
//!
//! Custom kinds have the columns of their definition. Built-in kinds have those of `kind/data/columns.json`, with the cells
//! of `printers.rs`; kinds without a printer show when they were created.

mod json_path;
mod pods;
mod printers;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use k8s_openapi::jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::kind::{Column, Kind};
use crate::meta;
use crate::status::Failure;

const NAME_DESCRIPTION: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
const AGE_DESCRIPTION: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/// The column with the age of an object.
pub(crate) fn age_column() -> Column {
    Column {
        name: "Age".to_owned(),
        column_type: "date".to_owned(),
        format: String::new(),
        description: AGE_DESCRIPTION.to_owned(),
        priority: 0,
        path: ".metadata.creationTimestamp".to_owned(),
    }
}

/// The columns of built-in kinds, as a server describes them, by group and kind.
static COLUMNS: LazyLock<BTreeMap<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../kind/data/columns.json")).unwrap_or_default());

/// Returns the columns of a built-in kind.
fn built_in_columns(kind: &Kind) -> Value {
    let key = crate::status::qualified(&kind.kind, &kind.group);
    COLUMNS.get(&key).cloned().unwrap_or_else(default_columns)
}

/// Returns the columns of kinds without a printer.
fn default_columns() -> Value {
    json!([
        {"name": "Name", "type": "string", "format": "name", "description": NAME_DESCRIPTION, "priority": 0},
        {"name": "Created At", "type": "date", "format": "", "description": AGE_DESCRIPTION, "priority": 0},
    ])
}

/// Returns the descriptions of all columns of a kind.
fn definitions(kind: &Kind, columns: &[Column]) -> Value {
    if !kind.is_custom() {
        return built_in_columns(kind);
    }
    let name = json!({
        "name": "Name", "type": "string", "format": "name", "description": NAME_DESCRIPTION, "priority": 0,
    });
    let columns = columns.iter().map(|column| {
        json!({
            "name": column.name, "type": column.column_type, "format": column.format,
            "description": column.description, "priority": column.priority,
        })
    });
    [name].into_iter().chain(columns).collect()
}

/// Returns the cells of an object.
fn cells(kind: &Kind, columns: &[Column], object: &Value, now: Timestamp) -> Vec<Value> {
    let name = Value::from(meta::name(object));
    if kind.is_custom() {
        let others = columns.iter().map(|column| cell(object, column, now));
        return [name].into_iter().chain(others).collect();
    }
    let printed = printers::cells(&kind.group, &kind.kind, object, now);
    printed.unwrap_or_else(|| vec![name, Value::from(meta::text(object, "creationTimestamp"))])
}

/// The part of an object that a row contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Include {
    None,
    Metadata,
    Object,
}

impl Include {
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        match text {
            "" | "Metadata" => Ok(Self::Metadata),
            "None" => Ok(Self::None),
            "Object" => Ok(Self::Object),
            other => Err(Failure::bad_request(format!(
                "Unable to convert to Table as requested: includeObject: Invalid value: {other:?}: must be 'Metadata', \
                 'Object', 'None', or empty"
            ))),
        }
    }
}

/// Returns an object or a list as a table.
pub(crate) fn table(
    kind: &Kind,
    version: &str,
    body: &Value,
    is_list: bool,
    include: Include,
    (table_version, now): (&str, Timestamp),
) -> Value {
    let columns = kind
        .version(version)
        .map(|version| version.columns.as_slice())
        .unwrap_or_default();
    let definitions = definitions(kind, columns);
    let mut metadata = Map::new();
    for key in ["resourceVersion", "continue", "remainingItemCount"] {
        if let Some(value) = body
            .get("metadata")
            .and_then(|metadata| metadata.get(key))
            .filter(|value| *value != "")
        {
            metadata.insert(key.to_owned(), value.clone());
        }
    }
    let objects: Vec<&Value> = if is_list {
        body.get("items")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .collect()
    } else {
        vec![body]
    };
    let rows = objects.into_iter().map(|object| {
        let mut row = json!({"cells": cells(kind, columns, object, now)});
        if kind.group.is_empty()
            && kind.kind == "Pod"
            && let Some(conditions) = pods::conditions(object)
        {
            row["conditions"] = conditions;
        }
        match include {
            Include::None => row["object"] = Value::Null,
            Include::Metadata => row["object"] = partial(object, table_version),
            Include::Object => {
                let mut whole = object.clone();
                whole["kind"] = Value::from(kind.kind.as_str());
                whole["apiVersion"] = Value::from(kind.api_version(version));
                row["object"] = whole;
            }
        }
        row
    });
    json!({
        "kind": "Table", "apiVersion": format!("meta.k8s.io/{table_version}"), "metadata": metadata,
        "columnDefinitions": definitions, "rows": rows.collect::<Vec<_>>(),
    })
}

/// Returns only the metadata of an object.
pub(crate) fn partial(object: &Value, version: &str) -> Value {
    let mut metadata = meta::of(object).clone();
    // It is a field of Kubernetes' own type, and not metadata.
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.remove(crate::kind::defaults::GENERATION);
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    json!({
        "kind": "PartialObjectMetadata", "apiVersion": format!("meta.k8s.io/{version}"), "metadata": metadata,
    })
}

/// Returns a `Scale` as a table.
pub(crate) fn scale(scale: &Value, is_custom: bool, table_version: &str, now: Timestamp) -> Value {
    let number = |path: &str| scale.pointer(path).and_then(Value::as_i64).unwrap_or(0);
    let created = meta::text(scale, "creationTimestamp").parse().unwrap_or(now);
    let column = |name: &str, kind: &str, description: &str| json!({"name": name, "type": kind, "format": "", "description": description, "priority": 0});
    let mut name = column("Name", "string", NAME_DESCRIPTION);
    if is_custom {
        name["format"] = json!("name");
    }
    let (desired, available) = if is_custom {
        ("Number of desired replicas", "Number of actual replicas")
    } else {
        (
            "replicas is the desired number of instances for the scaled object.",
            "replicas is the actual number of observed instances of the scaled object.",
        )
    };
    json!({
        "kind": "Table", "apiVersion": format!("meta.k8s.io/{table_version}"),
        "metadata": {"resourceVersion": meta::version(scale)},
        "columnDefinitions": [
            name,
            column("Desired", "integer", desired),
            column("Available", "integer", available),
            column("Age", if is_custom { "date" } else { "string" }, AGE_DESCRIPTION),
        ],
        "rows": [{
            "cells": [meta::name(scale), number("/spec/replicas"), number("/status/replicas"), age(now, created)],
            "object": partial(scale, table_version),
        }],
    })
}

/// Returns only the metadata of the objects in a list.
pub(crate) fn partial_list(list: &Value, version: &str) -> Value {
    let items = list.get("items").and_then(Value::as_array).into_iter().flatten();
    let mut metadata = list.get("metadata").cloned().unwrap_or_default();
    if metadata.get("continue").is_some_and(|token| token == "") {
        crate::kind::remove(&mut metadata, "continue");
    }
    let items: Vec<Value> = items.map(|item| partial(item, version)).collect();
    json!({
        "kind": "PartialObjectMetadataList", "apiVersion": format!("meta.k8s.io/{version}"),
        "metadata": metadata,
        "items": if items.is_empty() { Value::Null } else { Value::Array(items) },
    })
}

/// Returns the value of a column, or `null` if it does not fit to the type.
fn cell(object: &Value, column: &Column, now: Timestamp) -> Value {
    let Some(value) = json_path::select(object, &column.path).into_iter().next() else {
        return Value::Null;
    };
    match (column.column_type.as_str(), value) {
        ("date", Value::String(text)) if text.is_empty() || text == "null" => Value::from("<unknown>"),
        ("date", Value::String(text)) => match text.parse::<Timestamp>() {
            Ok(time) => Value::from(age(now, time)),
            Err(_) => Value::from("<invalid>"),
        },
        ("integer", Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Value::from(number),
            #[allow(
                clippy::cast_possible_truncation,
                reason = "the server cuts off the fraction, too"
            )]
            (None, Some(number)) => Value::from(number as i64),
            _ => Value::Null,
        },
        ("number", value) if value.is_number() => value.clone(),
        ("boolean", value) if value.is_boolean() => value.clone(),
        ("string", Value::String(text)) => Value::from(text.as_str()),
        ("string", Value::Null) => Value::from("<no value>"),
        ("string", value) => Value::from(kgen_schema::go_json(value)),
        _ => Value::Null,
    }
}

/// Returns a duration as kubectl shows it. Mirrors `duration.HumanDuration`.
fn age(now: Timestamp, time: Timestamp) -> String {
    let seconds = now.as_second() - time.as_second();
    if seconds < -1 {
        return "<invalid>".to_owned();
    }
    let seconds = seconds.max(0);
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let both = |large: i64, unit: &str, small: i64, small_unit: &str| {
        if small == 0 {
            format!("{large}{unit}")
        } else {
            format!("{large}{unit}{small}{small_unit}")
        }
    };
    match seconds {
        0..120 => format!("{seconds}s"),
        120..600 => both(minutes, "m", seconds % 60, "s"),
        600..10_800 => format!("{minutes}m"),
        10_800..28_800 => both(hours, "h", minutes % 60, "m"),
        28_800..172_800 => format!("{hours}h"),
        172_800..691_200 => both(hours / 24, "d", hours % 24, "h"),
        691_200..63_072_000 => format!("{}d", hours / 24),
        63_072_000..252_288_000 => both(hours / 8760, "y", (hours / 24) % 365, "d"),
        _ => format!("{}y", hours / 8760),
    }
}
