//! Converts a resource of the model to the JSON of a `CustomResourceDefinition`, without the fields that the API server
//! sets.

use std::collections::BTreeMap;

use kgen_model::{Column, ConversionWebhook, KindVersion, Resource, Scale};
use serde_json::{Map, Value};

use super::schema::{self, put, put_text, put_texts};
use super::{CrdOptions, DescriptionLimit};

/// Returns whether any version of the resource is part of its CRD.
pub(super) fn is_written(resource: &Resource) -> bool {
    resource.versions.iter().any(|version| !version.skipped)
}

/// Returns the `CustomResourceDefinition` of `resource` as JSON. Objects are converted by `webhook`, if there is one.
#[must_use]
pub fn definition(resource: &Resource, options: &CrdOptions, webhook: Option<&ConversionWebhook>) -> Value {
    let mut map = Map::new();
    put(&mut map, "apiVersion", "apiextensions.k8s.io/v1");
    put(&mut map, "kind", "CustomResourceDefinition");
    let mut metadata = Map::new();
    put_entries(&mut metadata, "annotations", &resource.annotations);
    put_entries(&mut metadata, "labels", &resource.labels);
    put(
        &mut metadata,
        "name",
        format!("{}.{}", resource.names.plural, resource.group),
    );
    put(&mut map, "metadata", metadata);
    put(&mut map, "spec", spec(resource, options, webhook));
    Value::Object(map)
}

/// Returns the schema of a version without descriptions, as JSON.
#[must_use]
pub(crate) fn schema_without_descriptions(version: &KindVersion) -> Value {
    schema::root(&version.schema, DescriptionLimit::from_option(Some(0)))
}

fn spec(resource: &Resource, options: &CrdOptions, webhook: Option<&ConversionWebhook>) -> Value {
    let mut map = Map::new();
    if let Some(webhook) = webhook {
        put(&mut map, "conversion", conversion(webhook));
    }
    put(&mut map, "group", resource.group.as_str());
    put(&mut map, "names", names(resource, options));
    if let Some(preserve) = options.preserve_unknown_fields {
        put(&mut map, "preserveUnknownFields", preserve);
    }
    put(&mut map, "scope", resource.scope.word());
    let mut versions: Vec<_> = resource
        .versions
        .iter()
        .filter(|version| !version.skipped)
        .collect();
    versions.sort_by(|left, right| left.version.cmp(&right.version));
    let limit = DescriptionLimit::from_option(options.max_description_length);
    let implied = kgen_model::implied_storage(&versions);
    put(
        &mut map,
        "versions",
        versions
            .into_iter()
            .map(|entry| {
                let is_implied = implied.is_some_and(|implied| implied.version == entry.version);
                version(entry, is_implied, limit, options)
            })
            .collect::<Vec<_>>(),
    );
    Value::Object(map)
}

/// Returns the webhook that converts objects between versions.
fn conversion(webhook: &ConversionWebhook) -> Value {
    let mut client = Map::new();
    match &webhook.url {
        Some(url) => put(&mut client, "url", url.value.as_str()),
        None => {
            let mut service = Map::new();
            let name = webhook.service_name.as_deref();
            put(
                &mut service,
                "name",
                name.unwrap_or(kgen_check::WEBHOOK_SERVICE_NAME),
            );
            let namespace = webhook.service_namespace.as_deref();
            put(
                &mut service,
                "namespace",
                namespace.unwrap_or(kgen_check::WEBHOOK_SERVICE_NAMESPACE),
            );
            put(
                &mut service,
                "path",
                webhook.path.as_deref().unwrap_or("/convert"),
            );
            if let Some(port) = webhook.service_port {
                put(&mut service, "port", port);
            }
            put(&mut client, "service", service);
        }
    }
    let mut settings = Map::new();
    put(&mut settings, "clientConfig", client);
    put(&mut settings, "conversionReviewVersions", vec!["v1"]);
    let mut map = Map::new();
    put(&mut map, "strategy", "Webhook");
    put(&mut map, "webhook", settings);
    Value::Object(map)
}

fn names(resource: &Resource, options: &CrdOptions) -> Value {
    let mut map = Map::new();
    let names = &resource.names;
    let writes_empty_lists = resource.versions.iter().any(|version| version.writes_empty_lists);
    if writes_empty_lists {
        put(&mut map, "categories", Vec::<Value>::new());
        put(&mut map, "shortNames", Vec::<Value>::new());
    }
    put_texts(&mut map, "categories", names.categories.iter());
    put(&mut map, "kind", resource.kind.as_str());
    if !options.like_kube_derive {
        put_text(&mut map, "listKind", Some(&names.list_kind));
    }
    put(&mut map, "plural", names.plural.as_str());
    put_texts(&mut map, "shortNames", names.short_names.iter());
    put_text(&mut map, "singular", Some(&names.singular));
    Value::Object(map)
}

/// Returns one version. `is_implied` means that it is the storage version although no marker says so.
fn version(version: &KindVersion, is_implied: bool, limit: DescriptionLimit, options: &CrdOptions) -> Value {
    let mut map = Map::new();
    if !version.columns.is_empty() || version.writes_empty_lists {
        let columns: Vec<_> = version
            .columns
            .iter()
            .map(|entry| column(&entry.value, options))
            .collect();
        put(&mut map, "additionalPrinterColumns", columns);
    }
    if let Some(deprecation) = &version.deprecation {
        put(&mut map, "deprecated", true);
        put_text(&mut map, "deprecationWarning", deprecation.warning.as_deref());
    }
    put(&mut map, "name", version.version.as_str());
    let mut holder = Map::new();
    let schema = if options.like_kube_derive {
        schema::convert(&version.schema, limit)
    } else {
        schema::root(&version.schema, limit)
    };
    put(&mut holder, "openAPIV3Schema", schema);
    put(&mut map, "schema", holder);
    if !version.selectable_fields.is_empty() {
        let fields: Vec<_> = version
            .selectable_fields
            .iter()
            .map(|entry| selectable_field(&entry.value))
            .collect();
        put(&mut map, "selectableFields", fields);
    }
    put(&mut map, "served", version.unserved.is_none());
    put(&mut map, "storage", is_implied || version.storage.is_some());
    if version.status_subresource.is_some() || version.scale.is_some() || version.writes_empty_lists {
        put(&mut map, "subresources", subresources(version));
    }
    Value::Object(map)
}

fn column(column: &Column, options: &CrdOptions) -> Value {
    let mut map = Map::new();
    put_text(&mut map, "description", column.description.as_deref());
    put_text(&mut map, "format", column.format.as_deref());
    put(&mut map, "jsonPath", column.json_path.value.as_str());
    put(&mut map, "name", column.name.as_str());
    // A missing priority means zero; kube-derive writes every priority that it is given.
    let is_written = |priority: &i64| *priority != 0 || options.like_kube_derive;
    if let Some(priority) = column.priority.filter(is_written) {
        put(&mut map, "priority", priority);
    }
    put(&mut map, "type", column.column_type.as_str());
    Value::Object(map)
}

fn selectable_field(json_path: &str) -> Value {
    let mut map = Map::new();
    put(&mut map, "jsonPath", json_path);
    Value::Object(map)
}

fn subresources(version: &KindVersion) -> Value {
    let mut map = Map::new();
    if let Some(wanted) = &version.scale {
        put(&mut map, "scale", scale(&wanted.value));
    }
    if version.status_subresource.is_some() {
        put(&mut map, "status", Map::new());
    }
    Value::Object(map)
}

fn scale(scale: &Scale) -> Value {
    let mut map = Map::new();
    put_text(
        &mut map,
        "labelSelectorPath",
        scale.selector_path.as_ref().map(|path| path.value.as_str()),
    );
    put(&mut map, "specReplicasPath", scale.spec_path.value.as_str());
    put(&mut map, "statusReplicasPath", scale.status_path.value.as_str());
    Value::Object(map)
}

fn put_entries(map: &mut Map<String, Value>, key: &str, entries: &BTreeMap<String, String>) {
    if !entries.is_empty() {
        let entries: Map<_, _> = entries
            .iter()
            .map(|(key, text)| (key.clone(), Value::from(text.as_str())))
            .collect();
        put(map, key, entries);
    }
}
