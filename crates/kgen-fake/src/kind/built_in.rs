//! The built-in kinds: a table with one row per kind.
//!
//! Types, list types and merge keys come from `data/schemas.json`, which was made from the OpenAPI documents of Kubernetes
//! 1.36. Defaults that exist only in Go code are in `workloads.rs`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use kgen_schema::{FieldError, Version};
use serde_json::{Map, Value};

use super::workloads as with;
use super::{Kind, KindVersion, ScalePaths, Source, remove};
use crate::status::qualified;

mod rules;

pub(crate) use rules::validate;

/// A built-in kind.
pub(crate) struct Row {
    pub(crate) group: &'static str,
    pub(crate) version: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) short_names: &'static [&'static str],
    pub(crate) categories: &'static [&'static str],
    pub(crate) is_namespaced: bool,
    pub(crate) has_status: bool,
    pub(crate) has_scale: bool,
    pub(crate) has_generation: bool,
    pub(crate) unconditional_update: bool,
    pub(crate) create_on_update: bool,
    pub(crate) selectable: &'static [&'static str],
    /// Fills in the defaults of Go code.
    pub(crate) defaults: fn(&mut Value),
    /// Drops or sets what a creation cannot set.
    pub(crate) prepare_create: fn(&mut Value),
    /// Returns the value of a selectable field that is not at its path.
    pub(crate) field: fn(&Value, &str) -> Option<String>,
    schema: OnceLock<Option<Version>>,
}

/// The properties of most rows.
fn row(
    group: &'static str,
    version: &'static str,
    plural: &'static str,
    kind: &'static str,
    short_names: &'static [&'static str],
) -> Row {
    Row {
        group,
        version,
        plural,
        kind,
        short_names,
        categories: &[],
        is_namespaced: true,
        has_status: false,
        has_scale: false,
        has_generation: false,
        unconditional_update: true,
        create_on_update: false,
        selectable: &[],
        defaults: nothing,
        prepare_create: drop_status,
        field: no_field,
        schema: OnceLock::new(),
    }
}

impl Row {
    fn cluster(mut self) -> Self {
        self.is_namespaced = false;
        self
    }

    fn status(mut self) -> Self {
        self.has_status = true;
        self
    }

    fn scale(mut self) -> Self {
        self.has_scale = true;
        self
    }

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

    fn everything(mut self) -> Self {
        self.categories = &["all"];
        self
    }

    fn extension(mut self) -> Self {
        self.categories = &["api-extensions"];
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

    fn field(mut self, field: fn(&Value, &str) -> Option<String>) -> Self {
        self.field = field;
        self
    }

    fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_owned()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// Returns the schema of the kind, as in the OpenAPI document of a server.
    pub(crate) fn schema(&self) -> Option<&Version> {
        let schema = self.schema.get_or_init(|| {
            let json = expanded(&format!("{}/{}", self.api_version(), self.kind))?;
            Version::from_schema(self.group, self.kind, self.version, &json).ok()
        });
        schema.as_ref()
    }

    /// Returns the schema as JSON, with the references replaced and without `metadata`.
    pub(crate) fn schema_json(&self) -> Value {
        expanded(&format!("{}/{}", self.api_version(), self.kind)).unwrap_or(Value::Null)
    }

    /// Makes a kind of the row.
    pub(crate) fn to_kind(&'static self, floor: u64) -> Kind {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let path = |path: &str| path.split('.').map(str::to_owned).collect();
        Kind {
            group: self.group.to_owned(),
            plural: self.plural.to_owned(),
            singular: self.kind.to_lowercase(),
            kind: self.kind.to_owned(),
            list_kind: format!("{}List", self.kind),
            short_names: texts(self.short_names),
            categories: texts(self.categories),
            is_namespaced: self.is_namespaced,
            resource: Arc::from(qualified(self.plural, self.group)),
            versions: vec![KindVersion {
                name: self.version.to_owned(),
                is_served: true,
                deprecation: None,
                has_status: self.has_status,
                scale: self.has_scale.then(|| ScalePaths {
                    spec: path("spec.replicas"),
                    status: path("status.replicas"),
                    selector: None,
                }),
                selectable: texts(self.selectable),
                columns: crate::table::built_in_columns(self.kind),
                schema: Value::Null,
            }],
            stored: self.version.to_owned(),
            floor,
            epoch: 0,
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
        row("", "v1", "configmaps", "ConfigMap", &["cm"]),
        row("", "v1", "endpoints", "Endpoints", &["ep"]).creates(),
        row("", "v1", "events", "Event", &["ev"])
            .creates()
            .selects(EVENT_FIELDS)
            .defaults(with::event)
            .field(with::event_field),
        row("", "v1", "limitranges", "LimitRange", &["limits"]).creates(),
        row("", "v1", "namespaces", "Namespace", &["ns"])
            .cluster()
            .status()
            .selects(&["name", "status.phase"])
            .defaults(with::namespace)
            .creating(with::new_namespace)
            .field(with::namespace_field),
        row("", "v1", "nodes", "Node", &["no"])
            .cluster()
            .status()
            .selects(&["spec.unschedulable"])
            .creating(nothing),
        row(
            "",
            "v1",
            "persistentvolumeclaims",
            "PersistentVolumeClaim",
            &["pvc"],
        )
        .status()
        .selects(&["name"])
        .defaults(with::claim)
        .creating(with::new_claim)
        .field(with::namespace_field),
        row("", "v1", "persistentvolumes", "PersistentVolume", &["pv"])
            .cluster()
            .status()
            .selects(&["name"])
            .defaults(with::volume)
            .creating(with::new_volume)
            .field(with::namespace_field),
        row("", "v1", "pods", "Pod", &["po"])
            .everything()
            .status()
            .generation()
            .selects(POD_FIELDS)
            .defaults(with::pod)
            .creating(with::new_pod),
        row("", "v1", "podtemplates", "PodTemplate", &[]).defaults(with::pod_template),
        row(
            "",
            "v1",
            "replicationcontrollers",
            "ReplicationController",
            &["rc"],
        )
        .everything()
        .status()
        .scale()
        .generation()
        .selects(&["status.replicas"])
        .defaults(with::replica_set)
        .creating(with::no_replicas),
        row("", "v1", "resourcequotas", "ResourceQuota", &["quota"])
            .status()
            .creating(empty_status),
        row("", "v1", "secrets", "Secret", &[])
            .selects(&["type"])
            .defaults(with::secret),
        row("", "v1", "serviceaccounts", "ServiceAccount", &["sa"]),
        row("", "v1", "services", "Service", &["svc"])
            .everything()
            .status()
            .creates()
            .selects(&["spec.clusterIP", "spec.type"])
            .defaults(with::service)
            .creating(with::new_service),
        row(
            ADMISSION,
            "v1",
            "mutatingwebhookconfigurations",
            "MutatingWebhookConfiguration",
            &[],
        )
        .cluster()
        .extension()
        .conditional()
        .generation()
        .defaults(with::mutating_webhooks),
        row(
            ADMISSION,
            "v1",
            "validatingwebhookconfigurations",
            "ValidatingWebhookConfiguration",
            &[],
        )
        .cluster()
        .extension()
        .conditional()
        .generation()
        .defaults(with::webhooks),
        row(
            "apiextensions.k8s.io",
            "v1",
            "customresourcedefinitions",
            "CustomResourceDefinition",
            &["crd", "crds"],
        )
        .cluster()
        .extension()
        .conditional()
        .status()
        .generation()
        .defaults(super::definition::fill_in)
        .creating(super::definition::new_status),
        row("apps", "v1", "controllerrevisions", "ControllerRevision", &[]),
        row("apps", "v1", "daemonsets", "DaemonSet", &["ds"])
            .everything()
            .status()
            .generation()
            .defaults(with::daemon_set)
            .creating(with::new_daemon_set),
        row("apps", "v1", "deployments", "Deployment", &["deploy"])
            .everything()
            .status()
            .scale()
            .generation()
            .defaults(with::deployment)
            .creating(empty_status),
        row("apps", "v1", "replicasets", "ReplicaSet", &["rs"])
            .everything()
            .status()
            .scale()
            .generation()
            .selects(&["status.replicas"])
            .defaults(with::replica_set)
            .creating(with::no_replicas),
        row("apps", "v1", "statefulsets", "StatefulSet", &["sts"])
            .everything()
            .status()
            .scale()
            .generation()
            .defaults(with::stateful_set)
            .creating(with::new_stateful_set),
        row(
            "autoscaling",
            "v2",
            "horizontalpodautoscalers",
            "HorizontalPodAutoscaler",
            &["hpa"],
        )
        .everything()
        .status()
        .generation()
        .creating(with::new_autoscaler),
        row("batch", "v1", "cronjobs", "CronJob", &["cj"])
            .everything()
            .status()
            .generation()
            .defaults(with::cron_job)
            .creating(empty_status),
        row("batch", "v1", "jobs", "Job", &[])
            .everything()
            .status()
            .generation()
            .selects(&["status.successful"])
            .defaults(with::job)
            .creating(empty_status),
        row("coordination.k8s.io", "v1", "leases", "Lease", &[])
            .conditional()
            .creates(),
        row("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", &[]).generation(),
        row("events.k8s.io", "v1", "events", "Event", &["ev"]).creates(),
        row(NETWORKING, "v1", "ingressclasses", "IngressClass", &[])
            .cluster()
            .generation(),
        row(NETWORKING, "v1", "ingresses", "Ingress", &["ing"])
            .status()
            .generation()
            .creating(with::new_ingress),
        row(NETWORKING, "v1", "networkpolicies", "NetworkPolicy", &["netpol"])
            .generation()
            .defaults(with::network_policy),
        row("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", &[])
            .cluster()
            .conditional()
            .creates(),
        row(
            "policy",
            "v1",
            "poddisruptionbudgets",
            "PodDisruptionBudget",
            &["pdb"],
        )
        .status()
        .generation()
        .conditional()
        .creating(with::new_budget),
        row(RBAC, "v1", "clusterrolebindings", "ClusterRoleBinding", &[])
            .cluster()
            .creates()
            .defaults(with::binding),
        row(RBAC, "v1", "clusterroles", "ClusterRole", &[])
            .cluster()
            .creates()
            .defaults(with::role),
        row(RBAC, "v1", "rolebindings", "RoleBinding", &[])
            .creates()
            .defaults(with::binding),
        row(RBAC, "v1", "roles", "Role", &[])
            .creates()
            .defaults(with::role),
        row(
            "scheduling.k8s.io",
            "v1",
            "priorityclasses",
            "PriorityClass",
            &["pc"],
        )
        .cluster()
        .generation()
        .defaults(with::priority_class),
        row(STORAGE, "v1", "csidrivers", "CSIDriver", &[])
            .cluster()
            .conditional(),
        row(STORAGE, "v1", "csinodes", "CSINode", &[])
            .cluster()
            .conditional(),
        row(STORAGE, "v1", "storageclasses", "StorageClass", &["sc"])
            .cluster()
            .defaults(with::storage_class),
        row(STORAGE, "v1", "volumeattachments", "VolumeAttachment", &[])
            .cluster()
            .conditional()
            .status(),
    ]
});

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

/// Returns the schema of a kind without references.
fn expanded(kind: &str) -> Option<Value> {
    let (kinds, schemas) = &*SCHEMAS;
    let mut schema = schemas.get(kinds.get(kind)?)?.clone();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for name in kgen_schema::META_FIELDS {
            properties.remove(name);
        }
    }
    Some(resolve(&schema, schemas, 0))
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
            Value::Object(resolved)
        }
        Value::Array(items) => items.iter().map(|item| resolve(item, schemas, depth)).collect(),
        other => other.clone(),
    }
}

/// Refuses values whose type is not that of the Go struct.
pub(crate) fn check_types(row: &Row, schema: &Version, object: &Value) -> Result<(), String> {
    let found = schema.violations(schema.schema(), object);
    let wrong = found.iter().find_map(|violation| match &violation.problem {
        kgen_schema::Problem::Type { expected, actual } => Some((&violation.path, expected, actual)),
        _ => None,
    });
    let Some((path, expected, actual)) = wrong else {
        return Ok(());
    };
    let word = match *actual {
        "integer" | "int64" => "number",
        "boolean" => "bool",
        actual => actual,
    };
    Err(format!(
        "json: cannot unmarshal {word} into Go struct field {}.{path} of type {expected}",
        row.kind
    ))
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
    kgen_schema::metadata_errors(object, old, row.is_namespaced, rules::name_rule(row))
}
