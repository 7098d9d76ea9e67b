//! Types of Kubernetes among the fields.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{Container, LocalObjectReference, ResourceRequirements, SecretKeySelector};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector, ObjectMeta, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What most operators use.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Workload",
    namespaced,
    status = "WorkloadStatus"
)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadSpec {
    pub selector: LabelSelector,
    pub optional_selector: Option<LabelSelector>,
    /// Where the password is.
    pub password: Option<SecretKeySelector>,
    pub reference: LocalObjectReference,
    pub resources: Option<ResourceRequirements>,
    pub limit: Quantity,
    pub optional_limit: Option<Quantity>,
    pub limits: BTreeMap<String, Quantity>,
    pub port: IntOrString,
    pub optional_port: Option<IntOrString>,
    pub at: Time,
    pub optional_at: Option<Time>,
    pub metadata: Option<ObjectMeta>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WorkloadStatus {
    pub conditions: Vec<Condition>,
    #[serde(default)]
    pub more: Vec<Condition>,
}

/// A type that fills pages.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Sidecar", namespaced)]
pub struct SidecarSpec {
    pub container: Container,
}
