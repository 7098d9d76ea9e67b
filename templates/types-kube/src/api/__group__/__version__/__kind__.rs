//! The kind `{{ kind }}`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// {{ capital_article }} {{ kind }}. Describe it here; `kubectl explain {{ plural }}` shows this text.
#[derive(Clone, Debug, Default, PartialEq, CustomResource, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "{{ group }}",
    version = "{{ version }}",
    kind = "{{ kind }}",
    plural = "{{ plural }}",
{%- for short in shorts %}
    shortname = "{{ short }}",
{%- endfor %}
{%- if not cluster %}
    namespaced,
{%- endif %}
    status = "{{ kind }}Status",
    derive = "PartialEq",
    printcolumn = r#"{"name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status"}"#,
    printcolumn = r#"{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct {{ kind }}Spec {
    /// An example of a field. Replace it with your own, and run `kgen generate`.
    #[schemars(range(min = 1, max = 10))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}

/// The observed state of {{ article }} [`{{ kind }}`].
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct {{ kind }}Status {
    /// The `metadata.generation` for which the controller computed this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The conditions. `Ready` is true if the actual state matches the spec.
    // +listType=map
    // +listMapKey=type
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
