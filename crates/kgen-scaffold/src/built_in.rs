//! The kinds of Kubernetes, as roles and users name them.

/// The group, the resource, the versions with the preferred one first, and the kind.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str);

/// The kinds of Kubernetes 1.37 that have types in `k8s-openapi`.
const KINDS: &[Row] = &[
    ("", "bindings", &["v1"], "Binding"),
    ("", "componentstatuses", &["v1"], "ComponentStatus"),
    ("", "configmaps", &["v1"], "ConfigMap"),
    ("", "endpoints", &["v1"], "Endpoints"),
    ("", "events", &["v1"], "Event"),
    ("", "limitranges", &["v1"], "LimitRange"),
    ("", "namespaces", &["v1"], "Namespace"),
    ("", "nodes", &["v1"], "Node"),
    ("", "persistentvolumeclaims", &["v1"], "PersistentVolumeClaim"),
    ("", "persistentvolumes", &["v1"], "PersistentVolume"),
    ("", "pods", &["v1"], "Pod"),
    ("", "podtemplates", &["v1"], "PodTemplate"),
    ("", "replicationcontrollers", &["v1"], "ReplicationController"),
    ("", "resourcequotas", &["v1"], "ResourceQuota"),
    ("", "secrets", &["v1"], "Secret"),
    ("", "serviceaccounts", &["v1"], "ServiceAccount"),
    ("", "services", &["v1"], "Service"),
    (
        "admissionregistration.k8s.io",
        "mutatingadmissionpolicies",
        &["v1", "v1beta1", "v1alpha1"],
        "MutatingAdmissionPolicy",
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingadmissionpolicybindings",
        &["v1", "v1beta1", "v1alpha1"],
        "MutatingAdmissionPolicyBinding",
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations",
        &["v1"],
        "MutatingWebhookConfiguration",
    ),
    (
        "admissionregistration.k8s.io",
        "validatingadmissionpolicies",
        &["v1"],
        "ValidatingAdmissionPolicy",
    ),
    (
        "admissionregistration.k8s.io",
        "validatingadmissionpolicybindings",
        &["v1"],
        "ValidatingAdmissionPolicyBinding",
    ),
    (
        "admissionregistration.k8s.io",
        "validatingwebhookconfigurations",
        &["v1"],
        "ValidatingWebhookConfiguration",
    ),
    ("apps", "controllerrevisions", &["v1"], "ControllerRevision"),
    ("apps", "daemonsets", &["v1"], "DaemonSet"),
    ("apps", "deployments", &["v1"], "Deployment"),
    ("apps", "replicasets", &["v1"], "ReplicaSet"),
    ("apps", "statefulsets", &["v1"], "StatefulSet"),
    (
        "authentication.k8s.io",
        "selfsubjectreviews",
        &["v1"],
        "SelfSubjectReview",
    ),
    ("authentication.k8s.io", "tokenreviews", &["v1"], "TokenReview"),
    (
        "authorization.k8s.io",
        "localsubjectaccessreviews",
        &["v1"],
        "LocalSubjectAccessReview",
    ),
    (
        "authorization.k8s.io",
        "selfsubjectaccessreviews",
        &["v1"],
        "SelfSubjectAccessReview",
    ),
    (
        "authorization.k8s.io",
        "selfsubjectrulesreviews",
        &["v1"],
        "SelfSubjectRulesReview",
    ),
    (
        "authorization.k8s.io",
        "subjectaccessreviews",
        &["v1"],
        "SubjectAccessReview",
    ),
    (
        "autoscaling",
        "horizontalpodautoscalers",
        &["v2", "v1"],
        "HorizontalPodAutoscaler",
    ),
    ("batch", "cronjobs", &["v1"], "CronJob"),
    ("batch", "jobs", &["v1"], "Job"),
    (
        "certificates.k8s.io",
        "certificatesigningrequests",
        &["v1"],
        "CertificateSigningRequest",
    ),
    (
        "certificates.k8s.io",
        "clustertrustbundles",
        &["v1", "v1beta1"],
        "ClusterTrustBundle",
    ),
    (
        "certificates.k8s.io",
        "podcertificaterequests",
        &["v1", "v1beta1"],
        "PodCertificateRequest",
    ),
    (
        "coordination.k8s.io",
        "leasecandidates",
        &["v1beta1", "v1alpha2"],
        "LeaseCandidate",
    ),
    ("coordination.k8s.io", "leases", &["v1"], "Lease"),
    ("discovery.k8s.io", "endpointslices", &["v1"], "EndpointSlice"),
    ("events.k8s.io", "events", &["v1"], "Event"),
    (
        "flowcontrol.apiserver.k8s.io",
        "flowschemas",
        &["v1"],
        "FlowSchema",
    ),
    (
        "flowcontrol.apiserver.k8s.io",
        "prioritylevelconfigurations",
        &["v1"],
        "PriorityLevelConfiguration",
    ),
    (
        "internal.apiserver.k8s.io",
        "storageversions",
        &["v1alpha1"],
        "StorageVersion",
    ),
    (
        "lifecycle.k8s.io",
        "evictionrequests",
        &["v1alpha1"],
        "EvictionRequest",
    ),
    ("lifecycle.k8s.io", "evictions", &["v1alpha1"], "Eviction"),
    ("networking.k8s.io", "ingressclasses", &["v1"], "IngressClass"),
    ("networking.k8s.io", "ingresses", &["v1"], "Ingress"),
    ("networking.k8s.io", "ipaddresses", &["v1"], "IPAddress"),
    ("networking.k8s.io", "networkpolicies", &["v1"], "NetworkPolicy"),
    ("networking.k8s.io", "servicecidrs", &["v1"], "ServiceCIDR"),
    ("node.k8s.io", "runtimeclasses", &["v1"], "RuntimeClass"),
    ("policy", "poddisruptionbudgets", &["v1"], "PodDisruptionBudget"),
    (
        "rbac.authorization.k8s.io",
        "clusterrolebindings",
        &["v1"],
        "ClusterRoleBinding",
    ),
    (
        "rbac.authorization.k8s.io",
        "clusterroles",
        &["v1"],
        "ClusterRole",
    ),
    (
        "rbac.authorization.k8s.io",
        "rolebindings",
        &["v1"],
        "RoleBinding",
    ),
    ("rbac.authorization.k8s.io", "roles", &["v1"], "Role"),
    (
        "resource.k8s.io",
        "deviceclasses",
        &["v1", "v1beta2", "v1beta1"],
        "DeviceClass",
    ),
    (
        "resource.k8s.io",
        "devicetaintrules",
        &["v1", "v1beta2", "v1alpha3"],
        "DeviceTaintRule",
    ),
    (
        "resource.k8s.io",
        "resourceclaims",
        &["v1", "v1beta2", "v1beta1"],
        "ResourceClaim",
    ),
    (
        "resource.k8s.io",
        "resourceclaimtemplates",
        &["v1", "v1beta2", "v1beta1"],
        "ResourceClaimTemplate",
    ),
    (
        "resource.k8s.io",
        "resourcepoolstatusrequests",
        &["v1alpha3"],
        "ResourcePoolStatusRequest",
    ),
    (
        "resource.k8s.io",
        "resourceslices",
        &["v1", "v1beta2", "v1beta1"],
        "ResourceSlice",
    ),
    (
        "scheduling.k8s.io",
        "compositepodgroups",
        &["v1alpha3"],
        "CompositePodGroup",
    ),
    (
        "scheduling.k8s.io",
        "podgroups",
        &["v1beta1", "v1alpha3"],
        "PodGroup",
    ),
    ("scheduling.k8s.io", "priorityclasses", &["v1"], "PriorityClass"),
    (
        "scheduling.k8s.io",
        "workloads",
        &["v1beta1", "v1alpha3"],
        "Workload",
    ),
    ("storage.k8s.io", "csidrivers", &["v1"], "CSIDriver"),
    ("storage.k8s.io", "csinodes", &["v1"], "CSINode"),
    (
        "storage.k8s.io",
        "csistoragecapacities",
        &["v1"],
        "CSIStorageCapacity",
    ),
    ("storage.k8s.io", "storageclasses", &["v1"], "StorageClass"),
    ("storage.k8s.io", "volumeattachments", &["v1"], "VolumeAttachment"),
    (
        "storage.k8s.io",
        "volumeattributesclasses",
        &["v1"],
        "VolumeAttributesClass",
    ),
    (
        "storagemigration.k8s.io",
        "storageversionmigrations",
        &["v1", "v1beta1"],
        "StorageVersionMigration",
    ),
];

/// A kind of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BuiltIn {
    pub(crate) resource: &'static str,
    /// The versions, with the preferred one first.
    pub(crate) versions: &'static [&'static str],
    pub(crate) kind: &'static str,
}

/// Returns the kinds of a group, which is given by its whole name.
pub(crate) fn of_group(group: &str) -> impl Iterator<Item = BuiltIn> {
    KINDS
        .iter()
        .filter(move |(known, ..)| *known == group)
        .map(|(_, resource, versions, kind)| BuiltIn {
            resource,
            versions,
            kind,
        })
}

/// Returns the preferred version and the kind of a resource.
pub(crate) fn find(group: &str, resource: &str) -> Option<(&'static str, &'static str)> {
    let found = of_group(group).find(|found| found.resource == resource)?;
    Some((found.versions.first()?, found.kind))
}

#[cfg(test)]
mod tests {
    use kgen_model::VersionAge;

    use super::*;

    #[test]
    fn resources_are_sorted_plurals() {
        assert!(KINDS.windows(2).all(|pair| pair[0] < pair[1]));
        for (_, plural, _, kind) in KINDS.iter().filter(|row| row.3 != "Endpoints") {
            assert_eq!(kgen_model::plural(kind), *plural);
        }
        for (_, _, versions, kind) in KINDS {
            assert!(!versions.is_empty(), "{kind}");
            for pair in versions.windows(2) {
                let [preferred, other] = [pair[0], pair[1]].map(|version| VersionAge::of(version).unwrap());
                assert!(preferred.by_priority(other).is_gt(), "{kind}: {pair:?}");
            }
        }
        assert_eq!(find("apps", "deployments"), Some(("v1", "Deployment")));
        assert_eq!(find("autoscaling", "horizontalpodautoscalers").unwrap().0, "v2");
        assert_eq!(find("", "deployments"), None);
    }

    /// Reads the kinds that the API server of `kgen-fake` serves, which were recorded from a real one.
    #[test]
    fn the_kinds_that_an_api_server_serves_are_known() {
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../kgen-fake/src/kind/data/discovery.json"
        );
        let text = std::fs::read_to_string(file).unwrap();
        let served: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut count = 0;
        for group in served["groups"].as_array().unwrap() {
            let name = group["name"].as_str().unwrap();
            // Other crates than `k8s-openapi::api` have the types of these.
            if ["apiregistration.k8s.io", "apiextensions.k8s.io"].contains(&name) {
                continue;
            }
            for version in group["versions"].as_array().unwrap() {
                let stated = version["version"].as_str().unwrap();
                for resource in version["resources"].as_array().unwrap() {
                    let kind = resource["responseKind"]["kind"].as_str().unwrap();
                    let mut known = of_group(name);
                    let is_known = known.any(|known| {
                        known.kind == kind
                            && known.resource == resource["resource"]
                            && known.versions.contains(&stated)
                    });
                    assert!(is_known, "{kind} of {name}/{stated}");
                    count += 1;
                }
            }
        }
        assert!(count > 50, "{count}");
    }
}
