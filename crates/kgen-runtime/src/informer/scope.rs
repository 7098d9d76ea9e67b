//! Which collections an informer watches: one per namespace, or one for everything. For kinds that are known only at run time,
//! the user or the server says whether they have namespaces.

use std::any::TypeId;

use kube::Resource;
use kube::core::{ClusterResourceScope, DynamicResourceScope};
use kube::discovery::Scope;

/// The places in which an informer looks for its objects.
pub(super) enum Places {
    /// These namespaces, or everything for `None`. Each with the path of the collection.
    Known(Vec<Place>),
    /// The first if the server says that the kind has namespaces, otherwise the second.
    AskServer {
        namespaces: Vec<Place>,
        everything: Place,
        /// The path at which the server describes the group and version.
        group: String,
        plural: String,
    },
}

/// A namespace, or everything, and the path of the collection in it.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) namespace: Option<String>,
    pub(super) path: String,
}

impl Places {
    /// Returns the places of kind `K`, if `namespaces` are wanted and the scope is perhaps `given`.
    pub(super) fn of<K: Resource + 'static>(
        resource: &K::DynamicType,
        namespaces: impl IntoIterator<Item = String>,
        given: Option<Scope>,
    ) -> Self {
        let place = |namespace: Option<String>| Place {
            path: K::url_path(resource, namespace.as_deref()),
            namespace,
        };
        let everything = place(None);
        let namespaces: Vec<_> = namespaces.into_iter().map(Some).map(place).collect();
        let is_cluster_scoped = TypeId::of::<K::Scope>() == TypeId::of::<ClusterResourceScope>();
        let is_known = TypeId::of::<K::Scope>() != TypeId::of::<DynamicResourceScope>();
        if namespaces.is_empty() || is_cluster_scoped {
            return Self::Known(vec![everything]);
        }
        match given {
            Some(Scope::Cluster) => Self::Known(vec![everything]),
            Some(Scope::Namespaced) => Self::Known(namespaces),
            None if is_known => Self::Known(namespaces),
            None => {
                let (group, version) = (K::group(resource), K::version(resource));
                Self::AskServer {
                    namespaces,
                    everything,
                    group: if group.is_empty() {
                        format!("/api/{version}")
                    } else {
                        format!("/apis/{group}/{version}")
                    },
                    plural: K::plural(resource).into_owned(),
                }
            }
        }
    }

    /// Returns the namespaces that are watched, as far as is known before the server has been asked.
    pub(super) fn namespaces(&self) -> impl Iterator<Item = &str> {
        let (Self::Known(places)
        | Self::AskServer {
            namespaces: places, ..
        }) = self;
        places.iter().filter_map(|place| place.namespace.as_deref())
    }

    /// Returns whether the places are known before the server has been asked.
    pub(super) fn is_known(&self) -> bool {
        matches!(self, Self::Known(_))
    }

    /// How many watches there are, as far as is known before the server has been asked.
    pub(super) fn len(&self) -> usize {
        let (Self::Known(places)
        | Self::AskServer {
            namespaces: places, ..
        }) = self;
        places.len()
    }
}
