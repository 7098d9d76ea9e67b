//! The kinds of Kubernetes by their resources, as roles name them.

/// The group, the resource, and the version and kind of its type in `k8s-openapi`.
type Row = (&'static str, &'static str, &'static str, &'static str);

const KINDS: &[Row] = &[
    ("", "configmaps", "v1", "ConfigMap"),
    ("", "endpoints", "v1", "Endpoints"),
    ("", "events", "v1", "Event"),
    ("", "limitranges", "v1", "LimitRange"),
    ("", "namespaces", "v1", "Namespace"),
    ("", "nodes", "v1", "Node"),
    ("", "persistentvolumeclaims", "v1", "PersistentVolumeClaim"),
    ("", "persistentvolumes", "v1", "PersistentVolume"),
    ("", "pods", "v1", "Pod"),
    ("", "podtemplates", "v1", "PodTemplate"),
    ("", "replicationcontrollers", "v1", "ReplicationController"),
    ("", "resourcequotas", "v1", "ResourceQuota"),
    ("", "secrets", "v1", "Secret"),
    ("", "serviceaccounts", "v1", "ServiceAccount"),
    ("", "services", "v1", "Service"),
    (
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations",
        "v1",
        "MutatingWebhookConfiguration",
    ),
    (
        "admissionregistration.k8s.io",
        "validatingwebhookconfigurations",
        "v1",
        "ValidatingWebhookConfiguration",
    ),
    ("apps", "controllerrevisions", "v1", "ControllerRevision"),
    ("apps", "daemonsets", "v1", "DaemonSet"),
    ("apps", "deployments", "v1", "Deployment"),
    ("apps", "replicasets", "v1", "ReplicaSet"),
    ("apps", "statefulsets", "v1", "StatefulSet"),
    (
        "autoscaling",
        "horizontalpodautoscalers",
        "v2",
        "HorizontalPodAutoscaler",
    ),
    ("batch", "cronjobs", "v1", "CronJob"),
    ("batch", "jobs", "v1", "Job"),
    (
        "certificates.k8s.io",
        "certificatesigningrequests",
        "v1",
        "CertificateSigningRequest",
    ),
    ("coordination.k8s.io", "leases", "v1", "Lease"),
    ("discovery.k8s.io", "endpointslices", "v1", "EndpointSlice"),
    ("events.k8s.io", "events", "v1", "Event"),
    ("networking.k8s.io", "ingressclasses", "v1", "IngressClass"),
    ("networking.k8s.io", "ingresses", "v1", "Ingress"),
    ("networking.k8s.io", "networkpolicies", "v1", "NetworkPolicy"),
    ("node.k8s.io", "runtimeclasses", "v1", "RuntimeClass"),
    ("policy", "poddisruptionbudgets", "v1", "PodDisruptionBudget"),
    (
        "rbac.authorization.k8s.io",
        "clusterrolebindings",
        "v1",
        "ClusterRoleBinding",
    ),
    ("rbac.authorization.k8s.io", "clusterroles", "v1", "ClusterRole"),
    ("rbac.authorization.k8s.io", "rolebindings", "v1", "RoleBinding"),
    ("rbac.authorization.k8s.io", "roles", "v1", "Role"),
    ("scheduling.k8s.io", "priorityclasses", "v1", "PriorityClass"),
    ("storage.k8s.io", "csidrivers", "v1", "CSIDriver"),
    ("storage.k8s.io", "storageclasses", "v1", "StorageClass"),
    ("storage.k8s.io", "volumeattachments", "v1", "VolumeAttachment"),
];

/// Returns the version and the kind of a resource.
pub(super) fn find(group: &str, resource: &str) -> Option<(&'static str, &'static str)> {
    let mut rows = KINDS.iter();
    let row = rows.find(|(known, plural, ..)| *known == group && *plural == resource)?;
    Some((row.2, row.3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_sorted_plurals() {
        assert!(KINDS.windows(2).all(|pair| pair[0] < pair[1]));
        for (_, plural, _, kind) in KINDS.iter().filter(|row| row.3 != "Endpoints") {
            assert_eq!(kgen_model::plural(kind), *plural);
        }
        assert_eq!(find("apps", "deployments"), Some(("v1", "Deployment")));
        assert_eq!(find("", "deployments"), None);
    }
}
