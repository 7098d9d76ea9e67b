//! Small valid objects of the kinds of Kubernetes that webhooks are usually for, for the tests of new webhooks.

/// An example: group, kind, whether it is cluster-scoped, and the lines of JSON beside the metadata.
type Row = (&'static str, &'static str, bool, &'static [&'static str]);

const POD_TEMPLATE: &str = r#"    "template": {"metadata": {"labels": {"app": "one"}}, "spec": {"containers": [{"name": "main", "image": "one"}]}},"#;
const SELECTOR: &str = r#"    "selector": {"matchLabels": {"app": "one"}},"#;
const JOB: &str = r#"    "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "one"}]}},"#;
const JOB_IN_TEMPLATE: &str = r#"        "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "one"}]}},"#;
const SPEC: &str = r#""spec": {"#;
const END: &str = "},";

const EXAMPLES: &[Row] = &[
    ("", "ConfigMap", false, &[]),
    ("", "Namespace", true, &[]),
    (
        "",
        "PersistentVolumeClaim",
        false,
        &[
            SPEC,
            r#"    "accessModes": ["ReadWriteOnce"],"#,
            r#"    "resources": {"requests": {"storage": "1Gi"}},"#,
            END,
        ],
    ),
    (
        "",
        "Pod",
        false,
        &[r#""spec": {"containers": [{"name": "main", "image": "one"}]},"#],
    ),
    ("", "Secret", false, &[]),
    (
        "",
        "Service",
        false,
        &[r#""spec": {"selector": {"app": "one"}, "ports": [{"port": 80}]},"#],
    ),
    ("", "ServiceAccount", false, &[]),
    ("apps", "DaemonSet", false, &[SPEC, SELECTOR, POD_TEMPLATE, END]),
    ("apps", "Deployment", false, &[SPEC, SELECTOR, POD_TEMPLATE, END]),
    ("apps", "ReplicaSet", false, &[SPEC, SELECTOR, POD_TEMPLATE, END]),
    (
        "apps",
        "StatefulSet",
        false,
        &[SPEC, r#"    "serviceName": "one","#, SELECTOR, POD_TEMPLATE, END],
    ),
    (
        "batch",
        "CronJob",
        false,
        &[
            SPEC,
            r#"    "schedule": "0 * * * *","#,
            r#"    "jobTemplate": {"spec": {"#,
            JOB_IN_TEMPLATE,
            "    }},",
            END,
        ],
    ),
    ("batch", "Job", false, &[SPEC, JOB, END]),
    ("coordination.k8s.io", "Lease", false, &[r#""spec": {},"#]),
    (
        "networking.k8s.io",
        "Ingress",
        false,
        &[r#""spec": {"defaultBackend": {"service": {"name": "one", "port": {"number": 80}}}},"#],
    ),
    (
        "networking.k8s.io",
        "NetworkPolicy",
        false,
        &[r#""spec": {"podSelector": {}},"#],
    ),
    (
        "policy",
        "PodDisruptionBudget",
        false,
        &[SPEC, r#"    "minAvailable": 1,"#, SELECTOR, END],
    ),
    (
        "rbac.authorization.k8s.io",
        "ClusterRole",
        true,
        &[r#""rules": [],"#],
    ),
    ("rbac.authorization.k8s.io", "Role", false, &[r#""rules": [],"#]),
];

/// An example of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Example {
    pub(crate) is_cluster_scoped: bool,
    /// The lines beside the metadata.
    pub(crate) lines: &'static [&'static str],
}

/// Returns the example of a kind. Returns `None` if there is none.
pub(crate) fn of(group: &str, kind: &str) -> Option<Example> {
    let mut rows = EXAMPLES.iter();
    let (_, _, is_cluster_scoped, lines) = rows.find(|row| (row.0, row.1) == (group, kind))?;
    Some(Example {
        is_cluster_scoped: *is_cluster_scoped,
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;

    #[test]
    fn examples_are_sorted_kinds_of_kubernetes() {
        assert!(
            EXAMPLES
                .windows(2)
                .all(|pair| (pair[0].0, pair[0].1) < (pair[1].0, pair[1].1))
        );
        for (group, kind, ..) in EXAMPLES {
            assert!(
                built_in::of_group(group).any(|known| known.kind == *kind),
                "{kind}"
            );
            let lines = of(group, kind).unwrap().lines.concat();
            let text = format!("{{{}}}", lines.trim_end_matches(','));
            assert!(
                text.matches(['{', '[']).count() == text.matches(['}', ']']).count(),
                "{text}"
            );
        }
    }
}
