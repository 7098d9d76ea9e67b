//! The one table of values. `values.yaml`, its JSON schema, the README and the tests read it.
//!
//! A row exists only if the chart has something that the value changes.

use serde_json::{Map, Value, json};

use crate::operator::{Operator, aggregate_label};
use crate::options::{Crds, HelmOptions};
use crate::template::image_parts;

/// One value of the chart.
#[derive(Clone, Debug)]
pub struct Row {
    /// The path in `values.yaml`, such as `image.tag`.
    pub path: &'static str,
    /// The comment in `values.yaml`.
    pub comment: &'static str,
    /// The default.
    pub default: Value,
    /// The JSON schema of the value.
    pub schema: Value,
    /// The kinds of objects that `example` changes.
    pub changes: &'static [&'static str],
    /// Another value that has an effect, and the values that it needs for that.
    pub example: Value,
    /// Values that must be set for `example` to have an effect.
    pub with: &'static [(&'static str, &'static str)],
}

const POD: &[&str] = &["Deployment"];

/// All kinds: names and labels.
pub const ALL: &[&str] = &["*"];

/// Returns the values of a chart.
pub(crate) fn rows(operator: &Operator<'_>, options: &HelmOptions) -> Vec<Row> {
    let mut rows = pod_rows(operator, options);
    rows.extend(object_rows(operator, options));
    rows.extend(feature_rows(operator));
    rows.extend([
        Row {
            path: "nameOverride",
            comment: "Replaces the name of the chart in names and labels.",
            default: "".into(),
            schema: json!({ "type": "string", "maxLength": 63 }),
            changes: ALL,
            example: "other".into(),
            with: &[],
        },
        Row {
            path: "fullnameOverride",
            comment: "Replaces the first part of all names, which is made of the names of the release and the chart.",
            default: "".into(),
            schema: json!({ "type": "string", "maxLength": 63 }),
            changes: ALL,
            example: "whole".into(),
            with: &[],
        },
        Row {
            path: "commonLabels",
            comment: "Labels of all objects.",
            default: json!({}),
            schema: texts(),
            changes: ALL,
            example: json!({ "team": "1e3" }),
            with: &[],
        },
    ]);
    rows
}

fn pod_rows(operator: &Operator<'_>, options: &HelmOptions) -> Vec<Row> {
    let container = operator.container();
    let pod = operator.deployment.pod_spec();
    let template = &operator.deployment.value["spec"]["template"]["metadata"];
    let (repository, tag, digest) = image_parts(&container["image"]);
    // The version of the operator is the default tag.
    // Beside a digest, a tag only informs the reader.
    let is_default =
        digest.is_empty() && (options.app_version.is_some() || tag == app_version(operator, options));
    let tag = if is_default { String::new() } else { tag };
    let selected = &operator.deployment.value["spec"]["selector"]["matchLabels"];
    let labels: Map<String, Value> = template["labels"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| selected.get(key.as_str()).is_none() && key.as_str() != "app.kubernetes.io/name")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let or = |value: &Value, empty: Value| if value.is_null() { empty } else { value.clone() };
    let list = |schema: Value| json!({ "type": "array", "items": schema });
    let object = || json!({ "type": "object" });
    let pod_row = |path, comment, default, schema, example| Row {
        path,
        comment,
        default,
        schema,
        changes: POD,
        example,
        with: &[],
    };
    vec![
        pod_row(
            "image.repository",
            "Image of the operator, without its tag.",
            repository.into(),
            json!({ "type": "string", "minLength": 1 }),
            "registry.example.com/other".into(),
        ),
        pod_row(
            "image.tag",
            "Tag of the image; the default is the `appVersion` of the chart.",
            tag.into(),
            json!({ "type": "string" }),
            "1e3".into(),
        ),
        pod_row(
            "image.digest",
            "Digest of the image, such as `sha256:…`; it takes precedence over the tag.",
            digest.into(),
            json!({ "type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$" }),
            format!("sha256:{}", "0".repeat(64)).into(),
        ),
        pod_row(
            "image.pullPolicy",
            "Image pull policy; by default, Kubernetes decides.",
            or(&container["imagePullPolicy"], "".into()),
            json!({ "enum": ["", "Always", "IfNotPresent", "Never"] }),
            "Never".into(),
        ),
        pod_row(
            "imagePullSecrets",
            "Image pull secrets.",
            or(&pod["imagePullSecrets"], json!([])),
            list(object()),
            json!([{ "name": "registry" }]),
        ),
        pod_row(
            "replicas",
            "Number of pods.",
            or(&operator.deployment.value["spec"]["replicas"], 1.into()),
            json!({ "type": "integer", "minimum": 0 }),
            3.into(),
        ),
        pod_row(
            "resources",
            "Requests and limits of the container.",
            or(&container["resources"], json!({})),
            object(),
            json!({ "requests": { "cpu": "1e3" } }),
        ),
        pod_row(
            "nodeSelector",
            "Node selector of the pods.",
            or(&pod["nodeSelector"], json!({})),
            texts(),
            json!({ "disk": "1e3" }),
        ),
        pod_row(
            "tolerations",
            "Tolerations of the pods.",
            or(&pod["tolerations"], json!([])),
            list(object()),
            json!([{ "operator": "Exists" }]),
        ),
        pod_row(
            "affinity",
            "Affinity of the pods.",
            or(&pod["affinity"], json!({})),
            object(),
            json!({ "nodeAffinity": {} }),
        ),
        pod_row(
            "topologySpreadConstraints",
            "Topology spread constraints of the pods.",
            or(&pod["topologySpreadConstraints"], json!([])),
            list(object()),
            json!([{ "maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway" }]),
        ),
        pod_row(
            "priorityClassName",
            "Priority class of the pods.",
            or(&pod["priorityClassName"], "".into()),
            json!({ "type": "string" }),
            "system-cluster-critical".into(),
        ),
        pod_row(
            "podAnnotations",
            "Annotations of the pods.",
            or(&template["annotations"], json!({})),
            texts(),
            json!({ "example.com/a": "{{ 1e3" }),
        ),
        pod_row(
            "podLabels",
            "More labels of the pods.",
            labels.into(),
            texts(),
            json!({ "a": "true" }),
        ),
        pod_row(
            "extraArgs",
            "More arguments of the container.",
            json!([]),
            list(json!({ "type": "string" })),
            json!(["--verbose=1e3"]),
        ),
        pod_row(
            "extraEnv",
            "More environment variables of the container.",
            json!([]),
            list(object()),
            json!([{ "name": "A", "value": "1e3" }]),
        ),
        pod_row(
            "extraVolumes",
            "More volumes of the pods.",
            json!([]),
            list(object()),
            json!([{ "name": "scratch", "emptyDir": {} }]),
        ),
        pod_row(
            "extraVolumeMounts",
            "More mounts of the container.",
            json!([]),
            list(object()),
            json!([{ "name": "scratch", "mountPath": "/scratch" }]),
        ),
        pod_row(
            "securityContext",
            "Security context of the container.",
            or(&container["securityContext"], json!({})),
            object(),
            json!({ "privileged": false }),
        ),
        pod_row(
            "podSecurityContext",
            "Security context of the pods.",
            or(&pod["securityContext"], json!({})),
            object(),
            json!({ "fsGroup": 1000 }),
        ),
    ]
}

fn object_rows(operator: &Operator<'_>, options: &HelmOptions) -> Vec<Row> {
    let mut rows = Vec::new();
    let has_account = operator
        .manifests
        .objects
        .iter()
        .any(|object| operator.is_account(object));
    let bindings = &[
        "Deployment",
        "ServiceAccount",
        "RoleBinding",
        "ClusterRoleBinding",
    ];
    if has_account {
        rows.push(switch(
            "serviceAccount.create",
            "Whether the chart creates the service account.",
            true,
            bindings,
        ));
    }
    rows.push(Row {
        path: "serviceAccount.name",
        comment: "Name of the service account; the default is a name of the chart, or `default` if it is not created.",
        default: if has_account { "".into() } else { operator.deployment.service_account().into() },
        schema: json!({ "type": "string" }),
        changes: bindings,
        example: "123".into(),
        with: &[],
    });
    if has_account {
        rows.push(Row {
            path: "serviceAccount.annotations",
            comment: "Annotations of the service account.",
            default: json!({}),
            schema: texts(),
            changes: &["ServiceAccount"],
            example: json!({ "example.com/role": "1e3" }),
            with: &[],
        });
    }
    let roles = &["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"];
    let has_roles = operator
        .manifests
        .objects
        .iter()
        .any(|object| operator.role_purpose(object).is_some());
    let has_definitions = operator.manifests.definitions().next().is_some();
    if has_roles || has_definitions {
        rows.push(switch(
            "rbac.create",
            "Whether the chart creates roles and their bindings.",
            true,
            roles,
        ));
    }
    let is_aggregated = operator.user_roles().any(|role| {
        let labels = &role.value["metadata"]["labels"];
        ["admin", "edit", "view"]
            .iter()
            .any(|level| labels.get(aggregate_label(level)).is_some())
    });
    if has_definitions || operator.user_roles().next().is_some() {
        let comment = "Whether users with the roles `view`, `edit` and `admin` of Kubernetes can use the kinds of the operator.";
        rows.push(switch("rbac.aggregate", comment, is_aggregated, &["ClusterRole"]));
    }
    rows.push(Row {
        path: "watchNamespaces",
        comment: "Namespaces that the operator watches: it gets a Role in each, and the list in `WATCH_NAMESPACE`. Empty for the whole cluster.",
        default: json!([]),
        schema: json!({ "type": "array", "items": { "type": "string", "minLength": 1 } }),
        changes: &["Deployment", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"],
        example: json!(["123", "other"]),
        with: &[],
    });
    if has_definitions && options.crds == Crds::Templates {
        rows.push(switch(
            "crds.install",
            "Whether the chart installs and updates the CRDs.",
            true,
            &["CustomResourceDefinition"],
        ));
        rows.push(keep());
    }
    rows
}

fn keep() -> Row {
    switch(
        "crds.keep",
        "Whether the CRDs, and so all objects, are kept when the chart is uninstalled.",
        true,
        &["CustomResourceDefinition"],
    )
}

/// Returns the values of the chart that has only the CRDs. Names in it are those of the release of the operator.
pub(crate) fn rows_of_crds(operator: &Operator<'_>, options: &HelmOptions) -> Vec<Row> {
    let kinds = &["CustomResourceDefinition"];
    let mut conversions = operator.manifests.conversion_webhooks();
    let converts = conversions.next().is_some();
    let wanted = |row: &Row| match row.path {
        "nameOverride" | "fullnameOverride" | "commonLabels" => true,
        path => converts && path.starts_with("webhook."),
    };
    let mut all = rows(operator, options);
    all.retain(wanted);
    let release = Row {
        path: "release",
        comment: "Name of the release of the operator, which must be in the same namespace.",
        default: options.name.as_str().into(),
        schema: json!({ "type": "string", "minLength": 1 }),
        changes: kinds,
        example: "other".into(),
        with: &[],
    };
    let mut own = vec![keep(), release];
    own.extend(all.into_iter().map(|row| Row {
        changes: kinds,
        ..row
    }));
    own
}

fn feature_rows(operator: &Operator<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(webhooks) = &operator.webhooks {
        let kinds = &[
            "Deployment",
            "Service",
            "Certificate",
            "Issuer",
            "MutatingWebhookConfiguration",
            "NetworkPolicy",
            "ValidatingWebhookConfiguration",
            "CustomResourceDefinition",
        ];
        rows.push(switch(
            "webhook.enabled",
            "Whether the operator serves webhooks.",
            true,
            kinds,
        ));
        if let Some((_, secret)) = webhooks.volume {
            let kinds = &[
                "Certificate",
                "Issuer",
                "Secret",
                "MutatingWebhookConfiguration",
                "ValidatingWebhookConfiguration",
                "CustomResourceDefinition",
            ];
            let is_issued = webhooks.certificate.is_some();
            rows.push(Row {
                path: "webhook.certificate",
                comment: "Where the certificate comes from: `cert-manager`, `self-signed` (created once by the chart), or `existing` (`webhook.secretName`).",
                default: if is_issued { "cert-manager" } else { "existing" }.into(),
                schema: json!({ "enum": ["cert-manager", "self-signed", "existing"] }),
                changes: kinds,
                example: "self-signed".into(),
                with: &[],
            });
            rows.push(Row {
                path: "webhook.secretName",
                comment: "Secret with `tls.crt` and `tls.key`, if the certificate is `existing`.",
                default: if is_issued { "" } else { secret }.into(),
                schema: json!({ "type": "string" }),
                changes: POD,
                example: "123".into(),
                with: &[("webhook.certificate", "existing")],
            });
            rows.push(Row {
                path: "webhook.caBundle",
                comment: "CA of an `existing` certificate, in base64; the default is `ca.crt` of the secret.",
                default: "".into(),
                schema: json!({ "type": "string" }),
                changes: &[
                    "MutatingWebhookConfiguration",
                    "ValidatingWebhookConfiguration",
                    "CustomResourceDefinition",
                ],
                example: "Q0E=".into(),
                with: &[("webhook.certificate", "existing"), ("webhook.secretName", "own")],
            });
        }
    }
    if operator.metrics.is_some() {
        let kinds = &[
            "Deployment",
            "Service",
            "ServiceMonitor",
            "NetworkPolicy",
            "ClusterRole",
            "ClusterRoleBinding",
        ];
        rows.push(switch(
            "metrics.enabled",
            "Whether the operator serves metrics.",
            true,
            kinds,
        ));
        let default = operator.has("monitoring.coreos.com", "ServiceMonitor");
        let comment = "Whether the Prometheus operator reads the metrics.";
        rows.push(switch(
            "metrics.serviceMonitor.enabled",
            comment,
            default,
            &["ServiceMonitor"],
        ));
    }
    let policy = operator.has("networking.k8s.io", "NetworkPolicy");
    rows.push(switch(
        "networkPolicy.enabled",
        "Whether a network policy allows only the traffic that the operator needs.",
        policy,
        &["NetworkPolicy"],
    ));
    let budget = operator.has("policy", "PodDisruptionBudget");
    rows.push(switch(
        "podDisruptionBudget.enabled",
        "Whether Kubernetes keeps all but one pod running when it drains nodes.",
        budget,
        &["PodDisruptionBudget"],
    ));
    if let Some(elects) = operator.leader_election {
        rows.push(switch(
            "leaderElection.enabled",
            "Whether the pods elect a leader; needed for more than one replica.",
            elects,
            &["Deployment", "Role", "RoleBinding"],
        ));
    }
    rows.push(Row {
        path: "tests.image",
        comment: "Image with `kubectl` for `helm test`.",
        default: "registry.k8s.io/kubectl:v1.36.1".into(),
        schema: json!({ "type": "string", "minLength": 1 }),
        changes: &["Pod"],
        example: "registry.example.com/kubectl:1".into(),
        with: &[],
    });
    rows
}

fn switch(path: &'static str, comment: &'static str, default: bool, changes: &'static [&'static str]) -> Row {
    Row {
        path,
        comment,
        default: default.into(),
        schema: json!({ "type": "boolean" }),
        changes,
        example: (!default).into(),
        with: &[],
    }
}

fn texts() -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" } })
}

/// Returns the version of the operator: the given one, the tag of its image if that is a version, or that of the chart.
pub(crate) fn app_version(operator: &Operator<'_>, options: &HelmOptions) -> String {
    if let Some(given) = &options.app_version {
        return given.clone();
    }
    let (_, tag, _) = image_parts(&operator.container()["image"]);
    let digits = tag.strip_prefix('v').unwrap_or(&tag);
    if digits.contains('.') && digits.starts_with(|sign: char| sign.is_ascii_digit()) {
        tag
    } else {
        options.version.clone()
    }
}
