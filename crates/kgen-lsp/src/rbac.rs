//! The groups and resources that RBAC markers and webhooks name: those of the project, and those of Kubernetes.

/// The resources that operators use, by group.
const BUILT_IN: &[(&str, &[&str])] = &[
    (
        "core",
        &[
            "configmaps",
            "endpoints",
            "events",
            "namespaces",
            "nodes",
            "persistentvolumeclaims",
            "persistentvolumes",
            "pods",
            "pods/exec",
            "pods/log",
            "pods/status",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "serviceaccounts",
            "services",
            "services/status",
        ],
    ),
    (
        "admissionregistration.k8s.io",
        &["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
    ),
    (
        "apiextensions.k8s.io",
        &["customresourcedefinitions", "customresourcedefinitions/status"],
    ),
    (
        "apps",
        &[
            "daemonsets",
            "daemonsets/status",
            "deployments",
            "deployments/scale",
            "deployments/status",
            "replicasets",
            "statefulsets",
            "statefulsets/scale",
            "statefulsets/status",
        ],
    ),
    ("authentication.k8s.io", &["tokenreviews"]),
    ("authorization.k8s.io", &["subjectaccessreviews"]),
    ("autoscaling", &["horizontalpodautoscalers"]),
    ("batch", &["cronjobs", "cronjobs/status", "jobs", "jobs/status"]),
    ("certificates.k8s.io", &["certificatesigningrequests"]),
    ("coordination.k8s.io", &["leases"]),
    ("discovery.k8s.io", &["endpointslices"]),
    ("events.k8s.io", &["events"]),
    (
        "networking.k8s.io",
        &[
            "ingressclasses",
            "ingresses",
            "ingresses/status",
            "networkpolicies",
        ],
    ),
    ("policy", &["poddisruptionbudgets"]),
    (
        "rbac.authorization.k8s.io",
        &["clusterrolebindings", "clusterroles", "rolebindings", "roles"],
    ),
    ("scheduling.k8s.io", &["priorityclasses"]),
    (
        "storage.k8s.io",
        &["csidrivers", "storageclasses", "volumeattachments"],
    ),
];

/// The parts of resources of the project that have rules of their own.
const SUBRESOURCES: &[&str] = &["finalizers", "status"];

/// Returns the groups of Kubernetes.
pub(crate) fn groups<'a>() -> impl Iterator<Item = &'a str> {
    BUILT_IN.iter().map(|(group, _)| *group)
}

/// Returns the resources of the groups that a marker names; of all groups if it names none. `own` has the groups and resources of
/// the project.
pub(crate) fn resources<'a>(
    own: impl Iterator<Item = (&'a str, &'a str)>,
    arguments: &str,
    has_subresources: bool,
) -> Vec<String> {
    let named = arguments
        .split(',')
        .find_map(|part| part.trim_start_matches(':').strip_prefix("groups="));
    let named: Vec<&str> = named
        .into_iter()
        .flat_map(|list| list.split(';'))
        .map(|group| group.trim_matches(['"', '{', '}']))
        .map(|group| if group.is_empty() { "core" } else { group })
        .collect();
    let is_wanted = |group: &str| named.is_empty() || named.contains(&group) || named.contains(&"*");
    let mut found = Vec::new();
    for (_, plural) in own.filter(|(group, _)| is_wanted(group)) {
        found.push(plural.to_owned());
        if has_subresources {
            found.extend(SUBRESOURCES.iter().map(|part| format!("{plural}/{part}")));
        }
    }
    for (_, resources) in BUILT_IN.iter().filter(|(group, _)| is_wanted(group)) {
        let wanted = resources
            .iter()
            .filter(|name| has_subresources || !name.contains('/'));
        found.extend(wanted.map(|name| (*name).to_owned()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_resources_of_the_named_groups_are_offered() {
        let of = |arguments: &str| resources([("example.com", "kilns")].into_iter(), arguments, true);
        let has = |list: &[String], name: &str| list.iter().any(|found| found == name);
        let apps = of("groups=apps,resources=");
        assert!(has(&apps, "deployments/scale") && !has(&apps, "pods") && !has(&apps, "kilns"));
        assert!(has(&of(":groups=\"\",resources="), "pods"));
        let own = of("groups=example.com;core,resources=");
        assert!(has(&own, "kilns/status") && has(&own, "secrets") && !has(&own, "jobs"));
        let all = of("resources=");
        assert!(has(&all, "kilns") && has(&all, "jobs"));
        let plain = resources([("example.com", "kilns")].into_iter(), "", false);
        assert!(!plain.iter().any(|name| name.contains('/')));
    }
}
