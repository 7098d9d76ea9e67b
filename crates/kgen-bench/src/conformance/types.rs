//! The types that custom resources embed most.

/// A type of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its API group and version, as a folder of the Go module.
    pub package: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// The types by their packages. All minor versions have them.
const TYPES: &[(&str, &[&str])] = &[
    (
        "core/v1",
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
    ("apps/v1", &["DeploymentSpec", "StatefulSetSpec", "DaemonSetSpec"]),
    ("batch/v1", &["JobSpec", "JobTemplateSpec", "CronJobSpec"]),
    ("networking/v1", &["IngressSpec", "NetworkPolicySpec"]),
    ("rbac/v1", &["RoleRef", "Subject", "PolicyRule"]),
    ("autoscaling/v2", &["HorizontalPodAutoscalerSpec", "MetricSpec"]),
    ("policy/v1", &["PodDisruptionBudgetSpec"]),
    ("meta/v1", &["LabelSelector", "Condition", "OwnerReference"]),
];

/// Returns all types.
pub fn all() -> Vec<Type> {
    let types = TYPES.iter();
    types
        .flat_map(|(package, names)| names.iter().map(|name| Type { package, name }))
        .collect()
}

impl Type {
    /// Returns the kind that holds it.
    pub fn kind(self) -> String {
        format!("{}Holder", self.name)
    }

    /// Returns the plural of that kind.
    pub fn plural(self) -> String {
        format!("{}s", self.kind().to_lowercase())
    }

    /// Returns the package in Go.
    pub fn go_package(self) -> String {
        match self.package.strip_prefix("meta/") {
            Some(version) => format!("k8s.io/apimachinery/pkg/apis/meta/{version}"),
            None => format!("k8s.io/api/{}", self.package),
        }
    }

    /// Returns the name of the package in a Go file.
    pub fn go_alias(self) -> String {
        self.package.replace('/', "")
    }

    /// Returns the path in Rust.
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
    fn there_are_at_least_forty_types_of_different_names() {
        let types = all();
        let names: BTreeSet<_> = types.iter().map(|each| each.name).collect();
        assert!(types.len() >= 40 && names.len() == types.len());
    }
}
