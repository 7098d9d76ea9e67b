//! The built-in kinds: a table with one row per kind.
//!
//! Names, scope and subresources come from `data/discovery.json`. Types, list types and merge keys come from `data/schemas.json`, which the test `side_by_side` records from a server with
//! `KGEN_RECORD=tables`. Defaults that exist only in Go code are in `defaults`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use kgen_schema::{FieldError, Version};
use serde_json::{Map, Value};

use super::defaults as with;
use super::served::{self, Served};
use super::{Kind, KindVersion, ScalePaths, Source, remove};
use crate::status::qualified;

pub(crate) mod events;
mod go_diff;
mod go_structs;
mod go_types;
mod required;
mod rules;

pub(crate) use rules::validate;
pub(crate) use rules::warnings::{of_new as warnings, of_service as service_warnings};

/// A built-in kind.
pub(crate) struct Row {
    /// The entry of the kind in discovery.
    pub(crate) served: &'static Served,
    pub(crate) has_generation: bool,
    pub(crate) unconditional_update: bool,
    pub(crate) create_on_update: bool,
    pub(crate) selectable: &'static [&'static str],
    /// Fills in the defaults of Go code.
    pub(crate) defaults: fn(&mut Value),
    /// Drops or sets what a creation cannot set.
    pub(crate) prepare_create: fn(&mut Value),
    /// Restores or sets what an update cannot set; the second object is the old one.
    pub(crate) prepare_update: fn(&mut Value, &Value),
    /// Sets what depends on the UID of a new object.
    pub(crate) finish_create: fn(&mut Value),
    /// The resource whose objects the kind shows, too.
    pub(crate) shared: Option<Shared>,
    /// Returns the value of a selectable field that is not at its path.
    pub(crate) field: fn(&Value, &str) -> Option<String>,
    schema: OnceLock<Option<Version>>,
    schema_json: OnceLock<Value>,
}

/// How a kind shows the objects of another resource.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) resource: &'static str,
    pub(crate) to_stored: fn(&Value) -> Value,
    pub(crate) from_stored: fn(&Value) -> Value,
}

/// The properties of most rows.
fn row(group: &str, plural: &str) -> Row {
    Row {
        served: served::get(group, plural),
        has_generation: false,
        unconditional_update: true,
        create_on_update: false,
        selectable: &[],
        defaults: nothing,
        prepare_create: drop_status,
        prepare_update: keep,
        finish_create: nothing,
        shared: None,
        field: no_field,
        schema: OnceLock::new(),
        schema_json: OnceLock::new(),
    }
}

impl Row {
    fn generation(mut self) -> Self {
        self.has_generation = true;
        self
    }

    fn conditional(mut self) -> Self {
        self.unconditional_update = false;
        self
    }

    fn creates(mut self) -> Self {
        self.create_on_update = true;
        self
    }

    fn selects(mut self, fields: &'static [&'static str]) -> Self {
        self.selectable = fields;
        self
    }

    fn defaults(mut self, defaults: fn(&mut Value)) -> Self {
        self.defaults = defaults;
        self
    }

    fn creating(mut self, prepare: fn(&mut Value)) -> Self {
        self.prepare_create = prepare;
        self
    }

    fn updating(mut self, prepare: fn(&mut Value, &Value)) -> Self {
        self.prepare_update = prepare;
        self
    }

    fn finishing(mut self, finish: fn(&mut Value)) -> Self {
        self.finish_create = finish;
        self
    }

    fn sharing(mut self, shared: Shared) -> Self {
        self.shared = Some(shared);
        self
    }

    fn field(mut self, field: fn(&Value, &str) -> Option<String>) -> Self {
        self.field = field;
        self
    }

    /// Returns the schema of the kind, as in the OpenAPI document of a server.
    pub(crate) fn schema(&self) -> Option<&Version> {
        let schema = self.schema.get_or_init(|| {
            let json = expanded(&self.served.type_name())?;
            let served = self.served;
            Version::from_schema(&served.group, &served.kind, &served.version, &json).ok()
        });
        schema.as_ref()
    }

    /// Returns the schema as JSON, for the merge keys of strategic merge patches, which `kgen-schema` does not have.
    pub(crate) fn schema_json(&self) -> &Value {
        self.schema_json
            .get_or_init(|| whole(&self.served.type_name()).unwrap_or(Value::Null))
    }

    /// Makes a kind of the row.
    pub(crate) fn to_kind(&'static self, floor: u64) -> Kind {
        let served = self.served;
        let path = |path: &str| path.split('.').map(str::to_owned).collect();
        Kind {
            group: served.group.clone(),
            plural: served.plural.clone(),
            singular: served.singular.clone(),
            kind: served.kind.clone(),
            list_kind: format!("{}List", served.kind),
            short_names: served.short_names.clone(),
            categories: served.categories.clone(),
            is_namespaced: served.is_namespaced,
            resource: match self.shared {
                Some(shared) => Arc::from(shared.resource),
                None => Arc::from(qualified(&served.plural, &served.group)),
            },
            versions: vec![KindVersion {
                name: served.version.clone(),
                is_served: true,
                deprecation: (served.kind == "Endpoints").then(|| {
                    "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice".to_owned()
                }),
                has_status: served.has("status"),
                scale: served.has("scale").then(|| ScalePaths {
                    spec: path("spec.replicas"),
                    status: path("status.replicas"),
                    selector: None,
                }),
                selectable: self.selectable.iter().map(|field| (*field).to_owned()).collect(),
                columns: Vec::new(),
                schema: Value::Null,
            }],
            stored: served.version.clone(),
            floor,
            // Objects of another resource are never shown as they are stored.
            epoch: u64::from(self.shared.is_some()),
            is_terminating: false,
            generation: 0,
            fields: OnceLock::new(),
            source: Source::BuiltIn(self),
        }
    }
}

fn nothing(_: &mut Value) {}

fn drop_status(object: &mut Value) {
    remove(object, "status");
}

fn empty_status(object: &mut Value) {
    object["status"] = Value::Object(Map::new());
}

fn keep(_: &mut Value, _: &Value) {}

fn no_field(_: &Value, _: &str) -> Option<String> {
    None
}

const EVENT_FIELDS: &[&str] = &[
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
];

const NEW_EVENT_FIELDS: &[&str] = &[
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingController",
    "type",
];

const POD_FIELDS: &[&str] = &[
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
];

const RBAC: &str = "rbac.authorization.k8s.io";
const ADMISSION: &str = "admissionregistration.k8s.io";
const NETWORKING: &str = "networking.k8s.io";
const STORAGE: &str = "storage.k8s.io";

/// All built-in kinds, by group.
pub(crate) static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    vec![
        row("", "configmaps"),
        row("", "endpoints").creates().defaults(with::endpoints),
        row("", "events")
            .creates()
            .selects(EVENT_FIELDS)
            .defaults(with::event)
            .field(with::event_field),
        row("", "limitranges").creates(),
        row("", "namespaces")
            .selects(&["name", "status.phase"])
            .defaults(with::namespace)
            .creating(with::new_namespace)
            .updating(with::changed_namespace)
            .field(with::namespace_field),
        row("", "nodes")
            .selects(&["spec.unschedulable"])
            .defaults(with::node)
            .creating(with::new_node),
        row("", "persistentvolumeclaims")
            .selects(&["name"])
            .defaults(with::claim)
            .creating(with::new_claim)
            .field(with::namespace_field),
        row("", "persistentvolumes")
            .selects(&["name"])
            .defaults(with::volume)
            .creating(with::new_volume)
            .finishing(with::volume_phase)
            .field(with::namespace_field),
        row("", "pods")
            .generation()
            .selects(POD_FIELDS)
            .defaults(with::pod)
            .creating(with::new_pod)
            .updating(with::changed_pod)
            .finishing(with::gated_pod),
        row("", "podtemplates").generation().defaults(with::pod_template),
        row("", "replicationcontrollers")
            .generation()
            .selects(&["status.replicas"])
            .defaults(with::replication_controller)
            .creating(with::no_replicas),
        row("", "resourcequotas").creating(empty_status),
        row("", "secrets").selects(&["type"]).defaults(with::secret),
        row("", "serviceaccounts"),
        row("", "services")
            .creates()
            .selects(&["spec.clusterIP", "spec.type"])
            .defaults(with::service)
            .creating(with::new_service)
            .updating(with::changed_service),
        row(ADMISSION, "mutatingwebhookconfigurations")
            .conditional()
            .generation()
            .defaults(with::mutating_webhooks),
        row(ADMISSION, "validatingwebhookconfigurations")
            .conditional()
            .generation()
            .defaults(with::webhooks),
        row("apiextensions.k8s.io", "customresourcedefinitions")
            .conditional()
            .generation()
            .defaults(super::definition::fill_in)
            .creating(super::definition::new_status),
        row("apps", "controllerrevisions"),
        row("apps", "daemonsets")
            .generation()
            .defaults(with::daemon_set)
            .creating(with::new_daemon_set)
            .updating(with::changed_daemon_set),
        row("apps", "deployments")
            .generation()
            .defaults(with::deployment)
            .creating(empty_status),
        row("apps", "replicasets")
            .generation()
            .selects(&["status.replicas"])
            .defaults(with::replica_set)
            .creating(with::no_replicas),
        row("apps", "statefulsets")
            .generation()
            .defaults(with::stateful_set)
            .creating(with::new_stateful_set),
        row("autoscaling", "horizontalpodautoscalers")
            .defaults(with::autoscaler)
            .creating(with::new_autoscaler),
        row("batch", "cronjobs")
            .generation()
            .defaults(with::cron_job)
            .creating(empty_status),
        row("batch", "jobs")
            .generation()
            .selects(&["status.successful"])
            .defaults(with::job)
            .creating(empty_status)
            .finishing(with::select_own_pods),
        row("coordination.k8s.io", "leases").conditional().creates(),
        row("discovery.k8s.io", "endpointslices")
            .generation()
            .defaults(with::endpoint_slice),
        row("events.k8s.io", "events")
            .creates()
            .selects(NEW_EVENT_FIELDS)
            .sharing(Shared {
                resource: "events",
                to_stored: events::to_core,
                from_stored: events::from_core,
            }),
        row(NETWORKING, "ingressclasses")
            .generation()
            .defaults(with::ingress_class),
        row(NETWORKING, "ingresses")
            .generation()
            .defaults(with::addresses)
            .creating(with::new_ingress),
        row(NETWORKING, "networkpolicies")
            .generation()
            .defaults(with::network_policy),
        row("node.k8s.io", "runtimeclasses").conditional().creates(),
        row("policy", "poddisruptionbudgets")
            .generation()
            .conditional()
            .creating(with::new_budget),
        row(RBAC, "clusterrolebindings").creates().defaults(with::binding),
        row(RBAC, "clusterroles").creates().defaults(with::role),
        row(RBAC, "rolebindings").creates().defaults(with::binding),
        row(RBAC, "roles").creates().defaults(with::role),
        row("scheduling.k8s.io", "priorityclasses")
            .generation()
            .defaults(with::priority_class),
        row(STORAGE, "csidrivers")
            .conditional()
            .generation()
            .defaults(with::storage_driver),
        row(STORAGE, "csinodes").conditional(),
        row(STORAGE, "csistoragecapacities").conditional(),
        row(STORAGE, "volumeattributesclasses").finishing(with::new_attributes_class),
        row(NETWORKING, "ipaddresses").selects(&["parentRef.name"]),
        row(NETWORKING, "servicecidrs").creating(empty_status),
        row("resource.k8s.io", "deviceclasses").generation(),
        row("resource.k8s.io", "resourceclaims")
            .defaults(with::claim_of_devices)
            .creating(empty_status),
        row("resource.k8s.io", "resourceclaimtemplates").defaults(with::template_of_claims),
        row(STORAGE, "storageclasses").defaults(with::storage_class),
        row(STORAGE, "volumeattachments")
            .conditional()
            .creating(with::new_attachment),
    ]
});

/// Returns whether a server knows a type.
pub(crate) fn has_type(group: &str, version: &str, kind: &str) -> bool {
    let name = if group.is_empty() {
        format!("{version}/{kind}")
    } else {
        format!("{group}/{version}/{kind}")
    };
    SCHEMAS.0.contains_key(&name)
}

/// Returns the schema of a kind that has no row, such as a review.
pub(crate) fn built_in_schema(group: &str, version: &str, kind: &str) -> Option<Version> {
    let json = expanded(&format!("{group}/{version}/{kind}"))?;
    Version::from_schema(group, kind, version, &json).ok()
}

/// The schemas of all kinds, and the schemas that they refer to.
static SCHEMAS: LazyLock<(BTreeMap<String, String>, BTreeMap<String, Value>)> = LazyLock::new(|| {
    let json: Value = serde_json::from_str(include_str!("data/schemas.json")).unwrap_or_default();
    let entries = |key: &str| {
        json.get(key)
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    };
    let kinds = entries("kinds").into_iter();
    let kinds = kinds.filter_map(|(kind, name)| Some((kind, name.as_str()?.to_owned())));
    (kinds.collect(), entries("schemas").into_iter().collect())
});

/// Adds the schema of a type such as `apps/v1/Deployment` to those of an OpenAPI document, with all that it refers to. Returns
/// its name.
pub(crate) fn built_in_schemas(type_name: &str, document: &mut Map<String, Value>) -> Option<String> {
    let (kinds, schemas) = &*SCHEMAS;
    let wanted = kinds.get(type_name)?;
    let mut rest = vec![wanted.clone()];
    while let Some(name) = rest.pop() {
        if let Some(schema) = schemas.get(&name).filter(|_| !document.contains_key(&name)) {
            let mut schema = schema.clone();
            refer(&mut schema, &mut rest);
            document.insert(name, schema);
        }
    }
    Some(wanted.clone())
}

/// Writes references as OpenAPI does, and adds their names to a list.
fn refer(schema: &mut Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(name) if key == "$ref" => {
                        names.push(name.clone());
                        *name = format!("#/components/schemas/{name}");
                    }
                    value => refer(value, names),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, names)),
        _ => {}
    }
}

/// Returns the schema of a kind without references, and without the fields that all kinds have.
fn expanded(kind: &str) -> Option<Value> {
    let mut schema = whole(kind)?;
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for name in kgen_schema::META_FIELDS {
            properties.remove(name);
        }
    }
    Some(schema)
}

/// Returns the schema of a kind without references.
fn whole(kind: &str) -> Option<Value> {
    let (kinds, schemas) = &*SCHEMAS;
    Some(resolve(schemas.get(kinds.get(kind)?)?, schemas, 0))
}

/// Adds the defaults of the keys of lists, which are Go's zero values: a text that is missing is empty.
fn default_keys(list: &mut Map<String, Value>) {
    let keys = list.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    let keys: Vec<String> = keys
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    for key in keys {
        let items = list
            .get_mut("items")
            .and_then(|items| items.get_mut("properties"));
        let Some(Value::Object(property)) = items.and_then(|properties| properties.get_mut(&key)) else {
            continue;
        };
        let zero = match property.get("type").and_then(Value::as_str) {
            Some("string") => Value::from(""),
            Some("integer") => Value::from(0),
            _ => continue,
        };
        property.entry("default").or_insert(zero);
    }
}

fn resolve(schema: &Value, schemas: &BTreeMap<String, Value>, depth: usize) -> Value {
    match schema {
        Value::Object(entries) => {
            let mut resolved = Map::new();
            if let Some(name) = entries.get("$ref").and_then(Value::as_str) {
                match schemas.get(name) {
                    Some(inner) if depth < 40 => {
                        if let Value::Object(inner) = resolve(inner, schemas, depth + 1) {
                            resolved = inner;
                        }
                        if name.ends_with(".RawExtension") {
                            // Its owner has the whole value.
                            resolved.insert("x-kubernetes-map-type".to_owned(), Value::from("atomic"));
                        }
                    }
                    _ => {
                        resolved.insert(
                            "x-kubernetes-preserve-unknown-fields".to_owned(),
                            Value::Bool(true),
                        );
                    }
                }
            }
            for (key, value) in entries.iter().filter(|(key, _)| *key != "$ref") {
                resolved.insert(key.clone(), resolve(value, schemas, depth));
            }
            default_keys(&mut resolved);
            Value::Object(resolved)
        }
        Value::Array(items) => items.iter().map(|item| resolve(item, schemas, depth)).collect(),
        other => other.clone(),
    }
}

/// Reads an object as Go does: refuses values whose type is not that of the struct, and writes the others as Go writes them.
pub(crate) fn read(row: &Row, object: &mut Value) -> Result<(), String> {
    go_types::read(&row.served.type_name(), object)
}

/// Returns an object of a kind without any value, as Go writes it.
pub(crate) fn zero(row: &Row) -> Value {
    let mut object = Value::Object(Map::new());
    // Nothing is refused: there is nothing.
    let _ = read(row, &mut object);
    object
}

/// Removes empty lists and maps, which Go does not write, unless the schema requires the field.
pub(crate) fn omit_empty(schema: &kgen_schema::Schema, value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|name, entry| {
                let Some(inner) = schema.property(name) else {
                    return true;
                };
                omit_empty(inner, entry);
                let is_map = inner.additional_properties.is_some();
                let is_empty = match &*entry {
                    Value::Array(items) => items.is_empty(),
                    Value::Object(entries) => is_map && entries.is_empty(),
                    _ => false,
                };
                !is_empty || schema.required.contains(name)
            });
        }
        Value::Array(items) => {
            if let Some(inner) = &schema.items {
                items.iter_mut().for_each(|item| omit_empty(inner, item));
            }
        }
        _ => {}
    }
}

/// Returns whether an object of a kind exists only while a request is handled.
pub(crate) fn is_review(group: &str) -> bool {
    matches!(group, "authorization.k8s.io" | "authentication.k8s.io")
}

/// Returns the errors of metadata that all kinds share.
fn metadata_errors(row: &Row, object: &Value, old: Option<&Value>) -> Vec<FieldError> {
    kgen_schema::metadata_errors(object, old, row.served.is_namespaced, rules::name_rule(row))
}
