//! Built-in kinds of Kubernetes, given by their path in `k8s-openapi`.

use kgen_diagnostics::{Code, Problem, nearest};

use crate::built_in::{self, BuiltIn};

/// A kind that the project does not define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct External {
    /// The path of its type.
    pub(crate) path: String,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
}

/// The groups of Kubernetes, by their modules in `k8s-openapi`.
const GROUPS: &[(&str, &str)] = &[
    ("admissionregistration", "admissionregistration.k8s.io"),
    ("apiserverinternal", "internal.apiserver.k8s.io"),
    ("apps", "apps"),
    ("authentication", "authentication.k8s.io"),
    ("authorization", "authorization.k8s.io"),
    ("autoscaling", "autoscaling"),
    ("batch", "batch"),
    ("certificates", "certificates.k8s.io"),
    ("coordination", "coordination.k8s.io"),
    ("core", ""),
    ("discovery", "discovery.k8s.io"),
    ("events", "events.k8s.io"),
    ("flowcontrol", "flowcontrol.apiserver.k8s.io"),
    ("lifecycle", "lifecycle.k8s.io"),
    ("networking", "networking.k8s.io"),
    ("node", "node.k8s.io"),
    ("policy", "policy"),
    ("rbac", "rbac.authorization.k8s.io"),
    ("resource", "resource.k8s.io"),
    ("scheduling", "scheduling.k8s.io"),
    ("storage", "storage.k8s.io"),
    ("storagemigration", "storagemigration.k8s.io"),
];

/// Returns the module and the whole name of a group of Kubernetes, which is given as on the command line of kubebuilder
/// (`core`, `apps`, `networking`) or by its whole name.
fn group_of(given: &str) -> Option<(&'static str, &'static str)> {
    let mut groups = GROUPS.iter().copied();
    groups.find(|(module, whole)| *module == given || (!given.is_empty() && *whole == given))
}

/// Returns the built-in kind of a group. Returns `None` if Kubernetes has no such kind.
pub(crate) fn in_group(group: &str, version: &str, kind: &str) -> Option<External> {
    let (module, group) = group_of(group)?;
    let mut known = built_in::of_group(group);
    let found = known.find(|known| known.kind == kind && known.versions.contains(&version))?;
    Some(External {
        path: format!("k8s_openapi::api::{module}::{version}::{kind}"),
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
        plural: found.resource.to_owned(),
    })
}

/// Adds the kind of Kubernetes that a user probably meant: the same one in another version, or one with a similar name.
pub(crate) fn suggest(problem: Problem, group: &str, kind: &str) -> Problem {
    let Some((_, group)) = group_of(group) else {
        return problem;
    };
    let known: Vec<BuiltIn> = built_in::of_group(group).collect();
    if let Some(same) = known.iter().find(|known| known.kind == kind) {
        let versions: Vec<String> = same
            .versions
            .iter()
            .map(|version| format!("`{version}`"))
            .collect();
        return problem.help(format!("Kubernetes has `{kind}` in {}", versions.join(" and ")));
    }
    match nearest(kind, known.iter().map(|known| known.kind)) {
        Some(near) => problem.meant(near),
        None => problem,
    }
}

/// Parses a path such as `k8s_openapi::api::apps::v1::Deployment`.
pub(crate) fn parse(path: &str) -> Result<External, Problem> {
    let refuse = |message: String| {
        Problem::general(Code::Usage, message)
            .help("use the path of a type, such as `k8s_openapi::api::apps::v1::Deployment`")
    };
    let parts: Vec<&str> = path.split("::").collect();
    let (module, version, kind) = match parts.as_slice() {
        ["k8s_openapi", "api", module, version, kind] => (*module, *version, *kind),
        ["k8s_openapi", ..] => return Err(refuse(format!("`{path}` is not a kind of k8s-openapi"))),
        _ => {
            return Err(refuse(format!(
                "`{path}` is not a kind of k8s-openapi, and other kinds are not supported"
            )));
        }
    };
    crate::names::version(version)?;
    let is_kind = kind.starts_with(|first: char| first.is_ascii_uppercase())
        && kind.chars().all(|letter| letter.is_ascii_alphanumeric());
    let is_module = module.chars().all(|letter| letter.is_ascii_lowercase());
    if !is_kind || !is_module || module.is_empty() {
        return Err(refuse(format!("`{path}` is not a kind of k8s-openapi")));
    }
    if let Some(found) = in_group(module, version, kind) {
        return Ok(found);
    }
    // It can be a kind of another release of Kubernetes, unless it is probably a mistake.
    let problem = suggest(
        Problem::general(Code::Usage, format!("Kubernetes does not have `{path}`")),
        module,
        kind,
    );
    if !problem.help.is_empty() {
        return Err(problem);
    }
    let group = group_of(module).map_or_else(|| format!("{module}.k8s.io"), |(_, group)| group.to_owned());
    Ok(External {
        path: path.to_owned(),
        group,
        version: version.to_owned(),
        kind: kind.to_owned(),
        plural: kgen_model::plural(kind),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_group_version_and_kind() {
        for (path, group, version, kind) in [
            (
                "k8s_openapi::api::apps::v1::Deployment",
                "apps",
                "v1",
                "Deployment",
            ),
            ("k8s_openapi::api::core::v1::Pod", "", "v1", "Pod"),
            (
                "k8s_openapi::api::networking::v1::Ingress",
                "networking.k8s.io",
                "v1",
                "Ingress",
            ),
            (
                "k8s_openapi::api::rbac::v1::ClusterRole",
                "rbac.authorization.k8s.io",
                "v1",
                "ClusterRole",
            ),
        ] {
            let found = parse(path).unwrap();
            assert_eq!(
                (found.group.as_str(), found.version.as_str(), found.kind.as_str()),
                (group, version, kind)
            );
        }
        for bad in [
            "Deployment",
            "k8s_openapi::Resource",
            "k8s_openapi::api::apps::v1::deployment",
            "",
            "a::b",
            "k8s_openapi::api::apps::v1::Deploymnet",
            "k8s_openapi::api::apps::v1beta1::Deployment",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn groups_have_the_kinds_of_kubernetes_only() {
        let endpoints = in_group("core", "v1", "Endpoints").unwrap();
        assert_eq!(
            (endpoints.path.as_str(), endpoints.plural.as_str()),
            ("k8s_openapi::api::core::v1::Endpoints", "endpoints")
        );
        assert!(in_group("storage.k8s.io", "v1", "StorageClass").is_some());
        for (group, version, kind) in [
            ("storage", "v1", "Foo"),
            ("storage", "v1beta1", "StorageClass"),
            ("webapp", "v1", "Pod"),
            ("", "v1", "Pod"),
        ] {
            assert_eq!(in_group(group, version, kind), None, "{group}/{version} {kind}");
        }
    }
}
