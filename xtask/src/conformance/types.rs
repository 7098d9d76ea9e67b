//! The types that custom resources embed most.

use crate::overlay;

/// A type of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its API group and version, as a folder of the Go module.
    pub package: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// The types by their packages, and the first minor version that has all of them.
const TYPES: &[(&str, u32, &[&str])] = &[
    (
        "core/v1",
        0,
        &[
            "PodTemplateSpec",
            "PodSpec",
            "Container",
            "EphemeralContainer",
            "ContainerPort",
            "EnvVar",
            "EnvVarSource",
            "EnvFromSource",
            "ConfigMapKeySelector",
            "SecretKeySelector",
            "Lifecycle",
            "Probe",
            "SecurityContext",
            "PodSecurityContext",
            "ResourceRequirements",
            "ResourceClaim",
            "Volume",
            "VolumeMount",
            "VolumeDevice",
            "Affinity",
            "NodeSelector",
            "Toleration",
            "TopologySpreadConstraint",
            "HostAlias",
            "LocalObjectReference",
            "ObjectReference",
            "SecretReference",
            "TypedLocalObjectReference",
            "PersistentVolumeClaimSpec",
            "PersistentVolumeClaimTemplate",
            "PersistentVolumeSpec",
            "ServiceSpec",
            "ServicePort",
            "ReplicationControllerSpec",
            "ConfigMap",
            "Secret",
        ],
    ),
    (
        "apps/v1",
        0,
        &["DeploymentSpec", "StatefulSetSpec", "DaemonSetSpec"],
    ),
    ("batch/v1", 0, &["JobSpec", "JobTemplateSpec", "CronJobSpec"]),
    ("networking/v1", 0, &["IngressSpec", "NetworkPolicySpec"]),
    ("rbac/v1", 0, &["RoleRef", "Subject", "PolicyRule"]),
    (
        "autoscaling/v2",
        0,
        &["HorizontalPodAutoscalerSpec", "MetricSpec"],
    ),
    ("policy/v1", 0, &["PodDisruptionBudgetSpec"]),
    ("resource/v1", 34, &["ResourceClaimSpec"]),
    ("meta/v1", 0, &["LabelSelector", "Condition", "OwnerReference"]),
];

/// The types that a minor version such as `1.36` has.
pub fn of_minor(minor: &str) -> Vec<Type> {
    let number = overlay::minor_number(minor);
    let known = TYPES.iter().filter(|(_, since, _)| *since <= number);
    known
        .flat_map(|(package, _, names)| names.iter().map(|name| Type { package, name }))
        .collect()
}

impl Type {
    /// The kind that holds it.
    pub fn kind(self) -> String {
        format!("{}Holder", self.name)
    }

    /// The plural of that kind.
    pub fn plural(self) -> String {
        format!("{}s", self.kind().to_lowercase())
    }

    /// The package in Go.
    pub fn go_package(self) -> String {
        match self.package.strip_prefix("meta/") {
            Some(version) => format!("k8s.io/apimachinery/pkg/apis/meta/{version}"),
            None => format!("k8s.io/api/{}", self.package),
        }
    }

    /// What the package is called in a Go file.
    pub fn go_alias(self) -> String {
        self.package.replace('/', "")
    }

    /// The path in Rust.
    pub fn rust_path(self) -> String {
        let module = match self.package.strip_prefix("meta/") {
            Some(version) => format!("apimachinery::pkg::apis::meta::{version}"),
            None => format!("api::{}", self.package.replace('/', "::")),
        };
        format!("k8s_openapi::{module}::{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn types_have_their_names_in_both_languages() {
        let label = Type {
            package: "meta/v1",
            name: "LabelSelector",
        };
        assert_eq!(label.go_package(), "k8s.io/apimachinery/pkg/apis/meta/v1");
        assert_eq!(
            label.rust_path(),
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector"
        );
        assert_eq!(
            (label.go_alias(), label.plural()),
            ("metav1".into(), "labelselectorholders".into())
        );
    }

    #[test]
    fn every_minor_has_at_least_forty_types_of_different_names() {
        for minor in ["1.33", "1.37"] {
            let types = of_minor(minor);
            let names: BTreeSet<_> = types.iter().map(|each| each.name).collect();
            assert!(types.len() >= 40 && names.len() == types.len());
        }
        assert!(of_minor("1.37").len() > of_minor("1.33").len());
    }
}
