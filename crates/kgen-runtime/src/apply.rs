//! Server-side apply. A generated apply configuration mirrors a type with optional fields, so that it contains only the
//! fields that its field manager wants to own. [`ObjectMetaApply`] is the mirror of the metadata.

use std::collections::BTreeMap;
use std::fmt::Debug;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::core::DynamicObject;
use serde::{Deserialize, Serialize};

/// A part of an object that one field manager wants to own.
///
/// It serializes to the object that the API server merges, with `apiVersion` and `kind`.
/// [`Handle::apply`](crate::Handle::apply) uses its name and namespace.
///
/// ```
/// use kgen_runtime::{ApplyConfiguration, ObjectMetaApply};
/// use k8s_openapi::api::core::v1::ConfigMap;
///
/// #[derive(Debug, serde::Serialize)]
/// #[serde(rename_all = "camelCase")]
/// struct ConfigMapApply {
///     api_version: &'static str,
///     kind: &'static str,
///     metadata: ObjectMetaApply,
///     #[serde(skip_serializing_if = "Option::is_none")]
///     immutable: Option<bool>,
/// }
///
/// impl ApplyConfiguration for ConfigMapApply {
///     type Object = ConfigMap;
///     fn name(&self) -> Option<&str> { self.metadata.name.as_deref() }
///     fn namespace(&self) -> Option<&str> { self.metadata.namespace.as_deref() }
/// }
///
/// let configuration = ConfigMapApply {
///     api_version: "v1",
///     kind: "ConfigMap",
///     metadata: ObjectMetaApply::default().name("settings").label("app", "web"),
///     immutable: None,
/// };
/// assert_eq!(
///     serde_json::to_value(&configuration)?,
///     serde_json::json!({
///         "apiVersion": "v1", "kind": "ConfigMap",
///         "metadata": { "name": "settings", "labels": { "app": "web" } },
///     }),
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait ApplyConfiguration: Serialize + Debug {
    /// The type of the whole object.
    type Object;

    /// Returns the name of the object. Server-side apply requires it.
    fn name(&self) -> Option<&str>;

    /// Returns the namespace of the object, or `None` if it is not set.
    fn namespace(&self) -> Option<&str>;
}

/// The object as JSON, for kinds that are known only at run time. It should contain only the fields to own.
impl ApplyConfiguration for DynamicObject {
    type Object = Self;

    fn name(&self) -> Option<&str> {
        self.metadata.name.as_deref()
    }

    fn namespace(&self) -> Option<&str> {
        self.metadata.namespace.as_deref()
    }
}

/// The metadata of an apply configuration. Fields that are `None` are not sent and not owned.
///
/// An empty list or map is sent, so that the field manager can own a list and keep it empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectMetaApply {
    /// Name of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Namespace of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// A prefix for which the server generates a name. Server-side apply itself always needs a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate_name: Option<String>,
    /// Labels to own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<String, String>>,
    /// Annotations to own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, String>>,
    /// Finalizers to own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizers: Option<Vec<String>>,
    /// Owner references to own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_references: Option<Vec<OwnerReference>>,
    /// The resource version that the object must have, as a precondition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<String>,
    /// The UID that the object must have, as a precondition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
}

impl ObjectMetaApply {
    /// Sets the name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Sets a prefix for which the server generates a name.
    #[must_use]
    pub fn generate_name(mut self, prefix: impl Into<String>) -> Self {
        self.generate_name = Some(prefix.into());
        self
    }

    /// Adds one label; a later value for the same key wins.
    #[must_use]
    pub fn label(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels([(key, value)])
    }

    /// Adds labels; a later value for the same key wins. An empty iterator sets an empty map.
    #[must_use]
    pub fn labels<K: Into<String>, V: Into<String>>(
        mut self,
        labels: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let labels = labels.into_iter().map(|(key, value)| (key.into(), value.into()));
        self.labels.get_or_insert_default().extend(labels);
        self
    }

    /// Adds one annotation; a later value for the same key wins.
    #[must_use]
    pub fn annotation(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.annotations([(key, value)])
    }

    /// Adds annotations; a later value for the same key wins. An empty iterator sets an empty map.
    #[must_use]
    pub fn annotations<K: Into<String>, V: Into<String>>(
        mut self,
        annotations: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let annotations = annotations
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()));
        self.annotations.get_or_insert_default().extend(annotations);
        self
    }

    /// Appends finalizers. An empty iterator sets an empty list.
    #[must_use]
    pub fn finalizers<F: Into<String>>(mut self, finalizers: impl IntoIterator<Item = F>) -> Self {
        self.finalizers
            .get_or_insert_default()
            .extend(finalizers.into_iter().map(Into::into));
        self
    }

    /// Appends owner references. An empty iterator sets an empty list.
    #[must_use]
    pub fn owner_references(mut self, owners: impl IntoIterator<Item = OwnerReference>) -> Self {
        self.owner_references.get_or_insert_default().extend(owners);
        self
    }

    /// Requires the object to have this resource version.
    #[must_use]
    pub fn resource_version(mut self, version: impl Into<String>) -> Self {
        self.resource_version = Some(version.into());
        self
    }

    /// Requires the object to have this UID.
    #[must_use]
    pub fn uid(mut self, uid: impl Into<String>) -> Self {
        self.uid = Some(uid.into());
        self
    }
}
