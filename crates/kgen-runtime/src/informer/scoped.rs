//! A type whose scope is decided while the program runs. An informer takes any kind, and kube's constructors for a
//! namespace want to know at compile time that the kind has namespaces.

use std::any::TypeId;
use std::borrow::Cow;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::{ClusterResourceScope, DynamicResourceScope};
use kube::{Api, Client, Resource};
use serde::Deserialize;

/// An object of kind `K`, read exactly as `K` is.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Scoped<K>(pub(super) K);

impl<K: Resource> Resource for Scoped<K> {
    type DynamicType = K::DynamicType;
    type Scope = DynamicResourceScope;

    fn kind(resource: &Self::DynamicType) -> Cow<'_, str> {
        K::kind(resource)
    }

    fn group(resource: &Self::DynamicType) -> Cow<'_, str> {
        K::group(resource)
    }

    fn version(resource: &Self::DynamicType) -> Cow<'_, str> {
        K::version(resource)
    }

    fn api_version(resource: &Self::DynamicType) -> Cow<'_, str> {
        K::api_version(resource)
    }

    fn plural(resource: &Self::DynamicType) -> Cow<'_, str> {
        K::plural(resource)
    }

    fn metadata_api() -> bool {
        K::metadata_api()
    }

    fn url_path(resource: &Self::DynamicType, namespace: Option<&str>) -> String {
        K::url_path(resource, namespace)
    }

    fn meta(&self) -> &ObjectMeta {
        self.0.meta()
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        self.0.meta_mut()
    }
}

/// The API of kind `K` in `namespace`, or everywhere.
pub(super) fn api<K: Resource>(
    client: Client,
    resource: &K::DynamicType,
    namespace: Option<&str>,
) -> Api<Scoped<K>> {
    match namespace {
        Some(namespace) => Api::namespaced_with(client, namespace, resource),
        None => Api::all_with(client, resource),
    }
}

/// Whether objects of kind `K` never have a namespace.
pub(super) fn is_cluster_scoped<K: Resource + 'static>() -> bool {
    TypeId::of::<K::Scope>() == TypeId::of::<ClusterResourceScope>()
}
