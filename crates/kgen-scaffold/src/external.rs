//! Kinds that the project does not define: those of Kubernetes, by their path in `k8s-openapi`, and those of other projects,
//! by the path of a Rust type.

use kgen_diagnostics::{Code, Problem, nearest};

use crate::built_in::{self, BuiltIn};
use crate::names_in_code;

/// A kind that the project does not define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct External {
    /// The path of its type.
    pub(crate) path: String,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    /// Whether another project defines it, with a CRD. Only the metadata of its type is known then.
    pub(crate) is_foreign: bool,
}

/// A kind of another project, as the user names it. kubebuilder has the same options.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    /// The path of its type in Rust, or of the module with the type.
    pub path: String,
    /// The domain of its group, if `group` is not the whole group.
    pub domain: Option<String>,
}

impl Foreign {
    /// Returns the kind, which can also be one of Kubernetes.
    pub(crate) fn find(
        &self,
        group: &str,
        version: &str,
        kind: &str,
        plural: Option<&str>,
    ) -> Result<External, Problem> {
        let path = self.path.as_str();
        if path.starts_with("k8s_openapi::") {
            let found = parse(path)?;
            if self.domain.is_none() && is_same(&found, group, version, kind) {
                return Ok(found);
            }
            let message = format!("`{path}` is not `{kind}` of `{group}/{version}`");
            return Err(Problem::general(Code::Usage, message).help("leave out `--external`"));
        }
        crate::names::type_path(path)?;
        crate::names::version(version)?;
        crate::names::kind(kind)?;
        let group = match &self.domain {
            Some(domain) => format!("{group}.{domain}"),
            None => group.to_owned(),
        };
        crate::names::foreign_group(&group)?;
        let name = path.rsplit("::").next().unwrap_or_default();
        let path = match name {
            name if name == kind => path.to_owned(),
            name if name.starts_with(|first: char| first.is_ascii_uppercase()) => {
                let message = format!("the type `{path}` is not called `{kind}` like the kind");
                return Err(Problem::general(Code::Usage, message).help(format!(
                    "declare `pub use {path} as {kind};` in a module, and use that path"
                )));
            }
            _ => format!("{path}::{kind}"),
        };
        Ok(External {
            path,
            group,
            version: version.to_owned(),
            kind: kind.to_owned(),
            plural: plural.map_or_else(|| kgen_model::plural(kind), str::to_owned),
            is_foreign: true,
        })
    }
}

/// Returns whether a kind of Kubernetes is the one that the user names; its group can be given as its module.
fn is_same(found: &External, group: &str, version: &str, kind: &str) -> bool {
    let is_group = group_of(group).is_some_and(|(_, whole)| whole == found.group);
    is_group && (found.version.as_str(), found.kind.as_str()) == (version, kind)
}

/// Returns the kind of code that kgen scaffolded for a kind of others, or `None` if it is for another kind than `stem`.
///
/// The code names the type in its `use` declaration, and the group and the plural in its markers. `version` gets the path of
/// the type.
pub(crate) fn of_code(code: &str, version: impl FnOnce(&str) -> String, stem: &str) -> Option<External> {
    let mut paths = code
        .lines()
        .filter_map(|line| line.strip_prefix("use ")?.strip_suffix(';'));
    let path = paths.find(|path| {
        let name = path.rsplit("::").next().unwrap_or_default();
        name.starts_with(|first: char| first.is_ascii_uppercase()) && names_in_code::kind(name) == stem
    })?;
    let kind = path.rsplit("::").next()?;
    let mut markers = code
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("// +kubebuilder:"));
    let argument = |marker: &str, name: &str| {
        let mut arguments = marker.split([':', ',']);
        arguments.find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=').map(str::to_owned))
    };
    let (group, plural) =
        markers.find_map(|marker| Some((argument(marker, "groups")?, argument(marker, "resources")?)))?;
    let group = group.trim_matches('"').to_owned();
    Some(External {
        path: path.to_owned(),
        group,
        version: version(path),
        kind: kind.to_owned(),
        plural,
        is_foreign: !path.starts_with("k8s_openapi::"),
    })
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

/// Returns whether Kubernetes has a group.
pub(crate) fn is_group(given: &str) -> bool {
    group_of(given).is_some()
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
        is_foreign: false,
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
    crate::names::type_path(path)?;
    let parts: Vec<&str> = path.split("::").collect();
    let (module, version, kind) = match parts.as_slice() {
        ["k8s_openapi", "api", module, version, kind] => (*module, *version, *kind),
        ["k8s_openapi", ..] => return Err(refuse(format!("`{path}` is not a kind of k8s-openapi"))),
        _ => {
            return Err(
                Problem::general(Code::Usage, format!("`{path}` is not a kind of k8s-openapi")).help(
                    "name the kind of another project, too: `--group GROUP --version VERSION --kind KIND`",
                ),
            );
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
        is_foreign: false,
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
    fn kinds_of_others_have_a_path_and_a_whole_group() {
        let foreign = |path: &str, domain: Option<&str>| Foreign {
            path: path.to_owned(),
            domain: domain.map(str::to_owned),
        };
        let find = |foreign: &Foreign, group: &str| foreign.find(group, "v1", "Certificate", None);
        let expected = External {
            path: "cert_manager::v1::Certificate".to_owned(),
            group: "cert-manager.io".to_owned(),
            version: "v1".to_owned(),
            kind: "Certificate".to_owned(),
            plural: "certificates".to_owned(),
            is_foreign: true,
        };
        for (path, domain, group) in [
            ("cert_manager::v1::Certificate", None, "cert-manager.io"),
            ("cert_manager::v1", Some("io"), "cert-manager"),
        ] {
            assert_eq!(find(&foreign(path, domain), group).unwrap(), expected);
        }
        for (path, group) in [
            (
                "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1",
                "cert-manager.io",
            ),
            ("cert_manager::v1::Cert", "cert-manager.io"),
            ("cert_manager::v1", "cert-manager"),
            ("cert_manager::", "cert-manager.io"),
            ("", "cert-manager.io"),
            ("k8s_openapi::api::core::v1::Pod", "core"),
        ] {
            assert!(find(&foreign(path, None), group).is_err(), "{path} {group}");
        }
        let pod = foreign("k8s_openapi::api::core::v1::Pod", None);
        assert!(!pod.find("core", "v1", "Pod", None).unwrap().is_foreign);
    }

    #[test]
    fn scaffolded_code_names_the_kind_of_others() {
        let code = "use kube::Resource;\n\nuse cert_manager::v1::Certificate;\n\n\
                    // +kubebuilder:rbac:groups=cert-manager.io,resources=certificates,verbs=get\n";
        let found = of_code(code, |_| "v1".to_owned(), "certificate").unwrap();
        assert_eq!(
            (found.group.as_str(), found.plural.as_str()),
            ("cert-manager.io", "certificates")
        );
        assert_eq!(found.path, "cert_manager::v1::Certificate");
        assert!(found.is_foreign);
        assert_eq!(of_code(code, |_| "v1".to_owned(), "issuer"), None);
        let code = "use k8s_openapi::api::core::v1::Pod;\n// +kubebuilder:webhook:path=/a,groups=\"\",resources=pods\n";
        assert_eq!(
            of_code(code, |_| "v1".to_owned(), "pod"),
            in_group("core", "v1", "Pod")
        );
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
