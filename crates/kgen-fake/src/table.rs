//! Objects as tables, which kubectl prints, and as metadata only.
//!
//! Mirrors the printers of the API server. Custom kinds have the columns of their definition; the most common built-in kinds
//! have theirs, all others a name and an age.

use k8s_openapi::jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::kind::{Column, Kind};
use crate::meta;
use crate::status::Failure;

const NAME_DESCRIPTION: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
const AGE_DESCRIPTION: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

const CONFIG_DATA: &str = "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.";
const SECRET_TYPE: &str = "Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types";
const SECRET_DATA: &str = "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4";

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

/// Returns the columns of a built-in kind after the name.
pub(crate) fn built_in_columns(kind: &str) -> Vec<Column> {
    let columns: &[(&str, &str, &str, &str)] = match kind {
        "Pod" => &[("Status", "string", ".status.phase", "")],
        "ConfigMap" => &[("Data", "string", ".data#", CONFIG_DATA)],
        "Deployment" => &[
            ("Ready", "string", ".status.readyReplicas", ""),
            ("Up-to-date", "string", ".status.updatedReplicas", ""),
            ("Available", "string", ".status.availableReplicas", ""),
        ],
        "Namespace" => &[("Status", "string", ".status.phase", "")],
        "Secret" => &[
            ("Type", "string", ".type", SECRET_TYPE),
            ("Data", "string", ".data#", SECRET_DATA),
        ],
        "Service" => &[
            ("Type", "string", ".spec.type", ""),
            ("Cluster-IP", "string", ".spec.clusterIP", ""),
        ],
        _ => &[],
    };
    let columns = columns
        .iter()
        .map(|(name, column_type, path, description)| Column {
            name: (*name).to_owned(),
            column_type: (*column_type).to_owned(),
            format: String::new(),
            description: (*description).to_owned(),
            priority: 0,
            path: (*path).to_owned(),
        });
    let age = Column {
        column_type: "string".to_owned(),
        ..age_column()
    };
    columns.chain([age]).collect()
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
    let mut definitions = vec![json!({
        "name": "Name", "type": "string", "format": "name", "description": NAME_DESCRIPTION, "priority": 0,
    })];
    definitions.extend(columns.iter().map(|column| {
        json!({
            "name": column.name, "type": column.column_type, "format": column.format,
            "description": column.description, "priority": column.priority,
        })
    }));
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
        let mut cells = vec![Value::from(meta::name(object))];
        cells.extend(columns.iter().map(|column| cell(object, column, now)));
        let mut row = json!({"cells": cells});
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
    json!({
        "kind": "PartialObjectMetadata", "apiVersion": format!("meta.k8s.io/{version}"),
        "metadata": meta::of(object),
    })
}

/// Returns only the metadata of the objects in a list.
pub(crate) fn partial_list(list: &Value, version: &str) -> Value {
    let items = list.get("items").and_then(Value::as_array).into_iter().flatten();
    let mut metadata = list.get("metadata").cloned().unwrap_or_default();
    if metadata.get("continue").is_some_and(|token| token == "") {
        crate::kind::remove(&mut metadata, "continue");
    }
    json!({
        "kind": "PartialObjectMetadataList", "apiVersion": format!("meta.k8s.io/{version}"),
        "metadata": metadata,
        "items": items.map(|item| partial(item, version)).collect::<Vec<_>>(),
    })
}

/// Returns the value of a column, or `null` if it does not fit to the type.
fn cell(object: &Value, column: &Column, now: Timestamp) -> Value {
    let path = column.path.trim_start_matches('.');
    if let Some(path) = path.strip_suffix('#') {
        // The number of entries, in both forms of data.
        let count = |key: &str| object.get(key).and_then(Value::as_object).map_or(0, Map::len);
        return Value::from(count(path) + count("binaryData"));
    }
    if path == "metadata.creationTimestamp" {
        return match meta::text(object, "creationTimestamp").parse::<Timestamp>() {
            Ok(time) => Value::from(age(now, time)),
            Err(_) => Value::from("<unknown>"),
        };
    }
    let value = path.split('.').try_fold(object, |value, name| {
        let (name, index) = match name.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (name, None),
        };
        let value = value.get(name.replace("\\", ""))?;
        match index {
            Some(index) => value.get(index),
            None => Some(value),
        }
    });
    match (column.column_type.as_str(), value) {
        (_, None | Some(Value::Null)) => Value::Null,
        ("date", Some(Value::String(text))) => match text.parse::<Timestamp>() {
            Ok(time) => Value::from(age(now, time)),
            Err(_) => Value::from("<invalid>"),
        },
        ("integer", Some(value)) if value.is_i64() => value.clone(),
        ("number", Some(value)) if value.is_number() => value.clone(),
        ("boolean", Some(value)) if value.is_boolean() => value.clone(),
        ("string", Some(Value::String(text))) => Value::from(text.as_str()),
        ("string", Some(value)) => Value::from(kgen_schema::go_json(value)),
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
