//! A kind that is known only at run time, and the answer of the server that describes it.

use kube::core::ApiResource;
use kube::discovery::Scope;
use serde::Deserialize;

/// A kind of the server, in one version.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Kind {
    /// Group, version, kind and plural.
    pub resource: ApiResource,
    /// Whether objects are in namespaces.
    pub scope: Scope,
    /// The singular name, usually the kind in lower case.
    pub singular: String,
    /// Short names, such as `deploy`.
    pub short_names: Vec<String>,
    /// The verbs, such as `list` and `watch`.
    pub verbs: Vec<String>,
    /// The subresources, such as `status`.
    pub subresources: Vec<String>,
}

impl Kind {
    /// Returns whether an informer can watch the kind.
    #[must_use]
    pub fn can_be_watched(&self) -> bool {
        ["list", "watch"]
            .iter()
            .all(|verb| self.verbs.iter().any(|other| other == verb))
    }

    /// Returns plural and group, as in `deployments.apps`, or plural and version if the group is empty, as in `pods.v1`.
    /// [`Discovery::kind`](super::Discovery::kind) accepts it.
    #[must_use]
    pub fn full_name(&self) -> String {
        let ApiResource {
            plural,
            group,
            version,
            ..
        } = &self.resource;
        let parent = if group.is_empty() { version } else { group };
        format!("{plural}.{parent}")
    }

    /// Returns whether this is the kind, plural, singular or a short name, in any case.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let short = self.short_names.iter().map(String::as_str);
        [&*self.resource.kind, &*self.resource.plural, &*self.singular]
            .into_iter()
            .chain(short)
            .any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Returns whether `parent` is the group, the version, or both as in `v1.apps`.
    pub(super) fn is_in(&self, parent: &str) -> bool {
        let ApiResource { group, version, .. } = &self.resource;
        if group.is_empty() {
            return parent == version;
        }
        let with_version = parent
            .split_once('.')
            .is_some_and(|(own_version, own_group)| own_version == version && own_group == group);
        parent == group || with_version
    }
}

/// The answer of the server about groups: `APIGroupDiscoveryList` of `apidiscovery.k8s.io`.
#[derive(Deserialize)]
pub(super) struct Groups {
    kind: String,
    #[serde(default)]
    items: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    versions: Vec<Version>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Version {
    version: String,
    #[serde(default)]
    freshness: String,
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource {
    resource: String,
    response_kind: Option<ResponseKind>,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    singular_resource: String,
    #[serde(default)]
    verbs: Vec<String>,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    subresources: Vec<Subresource>,
}

#[derive(Deserialize)]
struct ResponseKind {
    #[serde(default)]
    kind: String,
}

#[derive(Deserialize)]
struct Subresource {
    subresource: String,
}

impl Groups {
    /// Returns whether the server has understood the request.
    pub(super) fn is_aggregated(&self) -> bool {
        self.kind == "APIGroupDiscoveryList"
    }

    /// Adds the kinds of these groups, the preferred version first, and the groups that the server could not ask.
    pub(super) fn read(self, kinds: &mut Vec<Kind>, stale: &mut Vec<String>) {
        for group in self.items {
            let name = group.metadata.name;
            for Version {
                version,
                freshness,
                resources,
            } in group.versions
            {
                if freshness == "Stale" {
                    stale.push(if name.is_empty() {
                        version.clone()
                    } else {
                        format!("{name}/{version}")
                    });
                }
                let read = resources
                    .into_iter()
                    .filter_map(|resource| resource.read(&name, &version));
                kinds.extend(read);
            }
        }
    }
}

impl Resource {
    /// Returns `None` for a path that does not have objects.
    fn read(self, group: &str, version: &str) -> Option<Kind> {
        let kind = self.response_kind.filter(|kind| !kind.kind.is_empty())?.kind;
        let api_version = if group.is_empty() {
            version.to_owned()
        } else {
            format!("{group}/{version}")
        };
        Some(Kind {
            resource: ApiResource {
                group: group.to_owned(),
                version: version.to_owned(),
                api_version,
                kind,
                plural: self.resource,
            },
            scope: if self.scope == "Cluster" {
                Scope::Cluster
            } else {
                Scope::Namespaced
            },
            singular: self.singular_resource,
            short_names: self.short_names,
            verbs: self.verbs,
            subresources: self.subresources.into_iter().map(|own| own.subresource).collect(),
        })
    }
}
