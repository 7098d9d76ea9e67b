//! Reads the parts of a CRD that `kgen_schema::Definition` leaves to its callers.

use std::sync::Arc;

use kgen_schema::Definition;
use kgen_schema::field_path::{Notation, names};
use serde_json::Value;

use super::{Column, Converter, Kind, KindVersion, ScalePaths, Source};
use crate::meta;
use crate::status::qualified;

impl Kind {
    /// Reads a kind from its CRD.
    pub(crate) fn from_definition(
        crd: &Value,
        floor: u64,
        epoch: u64,
        convert: Option<Converter>,
    ) -> Result<Self, String> {
        let definition = Definition::from_json(crd).map_err(|error| error.to_string())?;
        let text = |pointer: &str| crd.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let kind = text("/spec/names/kind").to_owned();
        let or = |value: &str, default: String| {
            if value.is_empty() {
                default
            } else {
                value.to_owned()
            }
        };
        let group = definition.group().to_owned();
        let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
        let mut versions: Vec<KindVersion> = versions
            .into_iter()
            .flatten()
            .map(|version| read_version(version, &group, &kind))
            .collect();
        versions.sort_by_key(|version| std::cmp::Reverse(priority(&version.name)));
        recommend(&mut versions, &group, &kind);
        let stored = definition.stored_version().unwrap_or_default().to_owned();
        Ok(Self {
            resource: Arc::from(qualified(definition.plural(), &group)),
            plural: definition.plural().to_owned(),
            singular: or(text("/spec/names/singular"), kind.to_lowercase()),
            list_kind: or(text("/spec/names/listKind"), format!("{kind}List")),
            short_names: texts(crd.pointer("/spec/names/shortNames")),
            categories: texts(crd.pointer("/spec/names/categories")),
            is_namespaced: definition.is_namespaced(),
            is_terminating: meta::is_being_deleted(crd),
            generation: meta::generation(crd),
            fields: std::sync::OnceLock::new(),
            kind,
            group,
            versions,
            stored,
            floor,
            epoch,
            source: Source::Custom {
                definition: Box::new(definition),
                convert,
                has_webhook: text("/spec/conversion/strategy") == "Webhook",
            },
        })
    }
}

/// Adds the version to use instead to the warnings of deprecated versions that have no warning of their own.
fn recommend(versions: &mut [KindVersion], group: &str, kind: &str) {
    let mut better: Option<String> = None;
    for version in versions.iter_mut().filter(|version| version.is_served) {
        let standard = format!("{group}/{} {kind} is deprecated", version.name);
        match (&mut version.deprecation, &better) {
            (Some(warning), Some(better)) if *warning == standard => {
                warning.push_str(&format!("; use {group}/{better} {kind}"));
            }
            (None, None) => better = Some(version.name.clone()),
            _ => {}
        }
    }
}

pub(super) fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array);
    let items = items.into_iter().flatten().filter_map(Value::as_str);
    items.map(str::to_owned).collect()
}

fn read_version(version: &Value, group: &str, kind: &str) -> KindVersion {
    let text = |value: &Value, key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let flag = |key: &str| version.get(key).and_then(Value::as_bool).unwrap_or(false);
    let name = text(version, "name");
    let deprecation =
        flag("deprecated").then(
            || match version.get("deprecationWarning").and_then(Value::as_str) {
                Some(warning) => warning.to_owned(),
                None => format!("{group}/{name} {kind} is deprecated"),
            },
        );
    let scale = version.pointer("/subresources/scale").and_then(|scale| {
        let path = |key: &str| {
            let path = scale.get(key).and_then(Value::as_str)?;
            names(path, Notation::Dots).collect::<Result<Vec<_>, _>>().ok()
        };
        Some(ScalePaths {
            spec: path("specReplicasPath")?,
            status: path("statusReplicasPath")?,
            selector: path("labelSelectorPath"),
        })
    });
    let selectable = version.get("selectableFields").and_then(Value::as_array);
    let selectable = selectable
        .into_iter()
        .flatten()
        .map(|field| text(field, "jsonPath"));
    let columns = version.get("additionalPrinterColumns").and_then(Value::as_array);
    let columns: Vec<Column> = match columns {
        Some(columns) => columns
            .iter()
            .map(|column| {
                let path = text(column, "jsonPath");
                let description = text(column, "description");
                Column {
                    name: text(column, "name"),
                    column_type: text(column, "type"),
                    format: text(column, "format"),
                    description: if description.is_empty() {
                        format!("Custom resource definition column (in JSONPath format): {path}")
                    } else {
                        description
                    },
                    priority: column.get("priority").and_then(Value::as_i64).unwrap_or(0),
                    path,
                }
            })
            .collect(),
        None => vec![crate::table::age_column()],
    };
    KindVersion {
        is_served: flag("served"),
        deprecation,
        has_status: version.pointer("/subresources/status").is_some(),
        scale,
        selectable: selectable
            .map(|path| path.trim_start_matches('.').to_owned())
            .collect(),
        columns,
        schema: version
            .pointer("/schema/openAPIV3Schema")
            .cloned()
            .unwrap_or(Value::Null),
        name,
    }
}

/// The order of versions in discovery: stable ones first, then beta, then alpha, newer ones first, then all others by name.
pub(crate) fn priority(version: &str) -> (u8, u64, u64, std::cmp::Reverse<String>) {
    let other = || (0, 0, 0, std::cmp::Reverse(version.to_owned()));
    let Some(rest) = version.strip_prefix('v') else {
        return other();
    };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let Some(Ok(major)) = rest.get(..digits).map(str::parse::<u64>) else {
        return other();
    };
    let (stage, minor) = match rest.get(digits..).unwrap_or_default() {
        "" => return (3, major, 0, std::cmp::Reverse(String::new())),
        rest if rest.starts_with("beta") => (2, rest.get(4..)),
        rest if rest.starts_with("alpha") => (1, rest.get(5..)),
        _ => return other(),
    };
    match minor.map(str::parse::<u64>) {
        Some(Ok(minor)) => (stage, major, minor, std::cmp::Reverse(String::new())),
        _ => other(),
    }
}
