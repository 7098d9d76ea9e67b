//! The collections that an informer watches: one per namespace, or one for all namespaces. For kinds that are known
//! only at run time, the user or the server determines the scope.

use std::any::TypeId;

use kube::Resource;
use kube::core::{ClusterResourceScope, DynamicResourceScope};
use kube::discovery::Scope;

/// The collections of an informer.
pub(super) enum Places {
    /// These namespaces, or all for `None`, each with the path of the collection.
    Known(Vec<Place>),
    /// The first if the kind is namespaced according to the server, otherwise the second.
    AskServer {
        namespaces: Vec<Place>,
        everything: Place,
        /// The path at which the server describes the group and version.
        group: String,
        plural: String,
    },
}

/// A namespace, or all for `None`, and the path of its collection.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) namespace: Option<String>,
    pub(super) path: String,
}

impl Places {
    /// Returns the collections of kind `K`, for the requested `namespaces` and the scope `given`, if any.
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

    /// Returns the watched namespaces, as far as they are known before the server is asked.
    pub(super) fn namespaces(&self) -> impl Iterator<Item = &str> {
        let (Self::Known(places)
        | Self::AskServer {
            namespaces: places, ..
        }) = self;
        places.iter().filter_map(|place| place.namespace.as_deref())
    }

    /// Returns whether the collections are known before the server is asked.
    pub(super) fn is_known(&self) -> bool {
        matches!(self, Self::Known(_))
    }

    /// Returns the number of watches, as far as it is known before the server is asked.
    pub(super) fn len(&self) -> usize {
        let (Self::Known(places)
        | Self::AskServer {
            namespaces: places, ..
        }) = self;
        places.len()
    }
}
