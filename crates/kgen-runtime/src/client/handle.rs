//! The verbs of one kind in one scope. Requests are built here and not by [`kube::Api`], which logs answers that it cannot read
//! and whose parameters for POST and PUT cannot carry the field validation.

use std::fmt::{self, Debug};
use std::sync::Arc;

use futures::{Stream, StreamExt};
use kube::api::{
    DeleteParams, GetParams, ListParams, ObjectList, Patch, PatchParams, PostParams, Request, WatchEvent,
    WatchParams,
};
use kube::core::{ApiResource, ClusterResourceScope, DynamicResourceScope, NamespaceResourceScope};
use kube::{Api, Resource};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::transport::Built;
use super::{Connection, WriteOptions, transport};
use crate::discovery::Kind;
use crate::{ApplyConfiguration, Error, Result};

/// A client with every verb for objects of kind `K` in one namespace, in all namespaces, or in the cluster.
///
/// Generated types wrap a handle and expose the verbs of their kind.
pub struct Handle<K> {
    api: Api<K>,
    /// For messages.
    kind: Arc<str>,
    pub(super) connection: Connection,
    pub(super) options: WriteOptions,
}

// Implemented by hand, because a derive would require `K: Clone` and `K: Debug`.
impl<K> Clone for Handle<K>
where
    Api<K>: Clone,
{
    fn clone(&self) -> Self {
        Self {
            api: self.api.clone(),
            kind: Arc::clone(&self.kind),
            connection: self.connection.clone(),
            options: self.options.clone(),
        }
    }
}

impl<K: Resource> Debug for Handle<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Handle")
            .field("path", &self.api.resource_url())
            .field("field_manager", &self.connection.field_manager())
            .field("options", &self.options)
            .finish()
    }
}

/// Constructors.
impl<K: Resource<DynamicType = ()>> Handle<K> {
    /// Returns a handle for objects in `namespace`.
    #[must_use]
    pub fn namespaced(connection: &Connection, namespace: &str) -> Self
    where
        K: Resource<Scope = NamespaceResourceScope>,
    {
        Self::over(
            connection,
            Api::namespaced(connection.client().clone(), namespace),
        )
    }

    /// Returns a handle for objects in all namespaces. The server supports only `list` and `watch` there.
    #[must_use]
    pub fn all_namespaces(connection: &Connection) -> Self
    where
        K: Resource<Scope = NamespaceResourceScope>,
    {
        Self::over(connection, Api::all(connection.client().clone()))
    }

    /// Returns a handle for cluster-scoped objects.
    #[must_use]
    pub fn cluster(connection: &Connection) -> Self
    where
        K: Resource<Scope = ClusterResourceScope>,
    {
        Self::over(connection, Api::all(connection.client().clone()))
    }

    fn over(connection: &Connection, api: Api<K>) -> Self {
        Self {
            api,
            kind: K::kind(&()).into(),
            connection: connection.clone(),
            options: WriteOptions::default(),
        }
    }
}

/// Kinds that are known only at run time.
impl<K: Resource<DynamicType = ApiResource, Scope = DynamicResourceScope>> Handle<K> {
    /// Returns a handle for a kind that is known only at run time: for cluster-scoped objects, or for objects in all
    /// namespaces, where the server supports only `list` and `watch`. It has the verbs, options and errors of a typed handle.
    ///
    /// ```no_run
    /// use kgen_runtime::{Connection, Handle};
    /// use kube::core::DynamicObject;
    ///
    /// # async fn example(connection: Connection) -> kgen_runtime::Result<()> {
    /// let kind = connection.discovery().kind("Foo.example.com").await?;
    /// let foos: Handle<DynamicObject> = Handle::dynamic(&connection, &kind).in_namespace("shop");
    /// println!("{:?}", foos.get("a").await?.data);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn dynamic(connection: &Connection, kind: &Kind) -> Self {
        Self {
            api: Api::dynamic(connection.client().clone(), &kind.resource, &kind.scope),
            kind: kind.resource.kind.as_str().into(),
            connection: connection.clone(),
            options: WriteOptions::default(),
        }
    }

    /// Returns the same handle for the objects in `namespace`. Cluster-scoped kinds ignore it.
    #[must_use]
    pub fn in_namespace(&self, namespace: &str) -> Self
    where
        K: Clone,
    {
        Self {
            api: self.api.clone().constrain(namespace),
            kind: Arc::clone(&self.kind),
            connection: self.connection.clone(),
            options: self.options.clone(),
        }
    }
}

impl<K: Resource> Handle<K> {
    /// Returns the underlying `kube::Api`, for other requests. It ignores the options of this handle.
    #[must_use]
    pub fn as_api(&self) -> &Api<K> {
        &self.api
    }

    /// Returns the namespace of the objects. It is `None` for all namespaces and for cluster-scoped kinds.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.api.namespace()
    }
}

/// The verbs.
impl<K> Handle<K>
where
    K: Resource + Clone + Debug + Serialize + DeserializeOwned,
{
    /// Returns the same handle with `options` for its writes.
    #[must_use]
    pub fn with_options(&self, options: WriteOptions) -> Self {
        Self {
            options,
            ..self.clone()
        }
    }

    /// Creates `object` and returns it as the server stored it.
    ///
    /// # Errors
    ///
    /// Returns [`Error::is_already_exists`] if an object of that name exists.
    pub async fn create(&self, object: &K) -> Result<K> {
        let request = self.request()?.create(&self.post_params(), json(object)?);
        self.send(self.validated(request)?).await
    }

    /// Replaces the object of the same name. If `object` has a `resourceVersion` or a UID, they must match those on the
    /// server.
    ///
    /// # Errors
    ///
    /// Returns [`Error::MissingName`] without a request, or [`Error::is_conflict`] if the object has changed since.
    pub async fn update(&self, object: &K) -> Result<K> {
        let request = self
            .request()?
            .replace(self.object_name(object)?, &self.post_params(), json(object)?);
        self.send(self.validated(request)?).await
    }

    /// Replaces only the status of the object.
    ///
    /// # Errors
    ///
    /// See [`Handle::update`].
    pub async fn update_status(&self, object: &K) -> Result<K> {
        self.update_subresource(self.object_name(object)?, "status", object)
            .await
    }

    /// Deletes the object `name`. `params` contain preconditions, propagation policy, grace period and dry run.
    ///
    /// # Errors
    ///
    /// Returns [`Error::is_not_found`] if it does not exist, or [`Error::is_conflict`] if a precondition does not hold.
    pub async fn delete(&self, name: &str, params: &DeleteParams) -> Result<()> {
        let request = self.request()?;
        let request = request.delete(path_part("name", name)?, &self.delete_params(params));
        // The response is either the object or a `Status`; neither is needed.
        transport::request::<IgnoredAny>(self.client(), request).await?;
        Ok(())
    }

    /// Deletes all objects that match `list`.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it.
    pub async fn delete_collection(&self, delete: &DeleteParams, list: &ListParams) -> Result<()> {
        let request = self.request()?;
        let request = request.delete_collection(&self.delete_params(delete), list);
        transport::request::<IgnoredAny>(self.client(), request).await?;
        Ok(())
    }

    /// Returns the object `name`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::is_not_found`] if it does not exist.
    pub async fn get(&self, name: &str) -> Result<K> {
        Ok(transport::request(self.client(), self.read(name)?).await?)
    }

    /// Returns the object `name`, or `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it, except if the object does not exist.
    pub async fn get_opt(&self, name: &str) -> Result<Option<K>> {
        Ok(transport::request_opt(self.client(), self.read(name)?).await?)
    }

    /// Lists the objects that match `params`.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it.
    pub async fn list(&self, params: &ListParams) -> Result<ObjectList<K>> {
        let request = self.request()?;
        let request = if K::metadata_api() {
            request.list_metadata(params)
        } else {
            request.list(params)
        };
        Ok(transport::request(self.client(), request).await?)
    }

    /// Watches changes since `version`. An error event that the server sends in the stream, for example because the
    /// version has expired, is returned as an error. An [`Informer`](crate::Informer) handles all of this.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch cannot start.
    pub async fn watch(
        &self,
        params: &WatchParams,
        version: &str,
    ) -> Result<impl Stream<Item = Result<WatchEvent<K>>> + use<K>> {
        self.request()?;
        let events = self.api.watch(params, version).await?;
        Ok(events.map(|event| match event? {
            WatchEvent::Error(status) => Err(Error::Kube(kube::Error::Api(status))),
            event => Ok(event),
        }))
    }

    /// Patches the object `name`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::is_not_found`] if it does not exist.
    pub async fn patch<P: Serialize + Debug>(&self, name: &str, patch: &Patch<P>) -> Result<K> {
        let params = self.patch_params(patch);
        let request = self.request()?.patch(path_part("name", name)?, &params, patch);
        self.send(request.map_err(kube::Error::BuildRequest)?).await
    }

    /// Applies `configuration` with server-side apply: creates the object, or sets its fields and owns them.
    ///
    /// # Errors
    ///
    /// Returns [`Error::MissingName`] or [`Error::NamespaceMismatch`] without a request. Returns [`Error::is_conflict`] if
    /// another manager owns a field with another value and [`WriteOptions::force`] is not set.
    pub async fn apply<A: ApplyConfiguration<Object = K>>(&self, configuration: &A) -> Result<K> {
        let name = self.configured_name(configuration)?;
        self.patch(name, &Patch::Apply(configuration)).await
    }

    /// Applies `configuration` to the status subresource with server-side apply.
    ///
    /// # Errors
    ///
    /// See [`Handle::apply`].
    pub async fn apply_status<A: ApplyConfiguration<Object = K>>(&self, configuration: &A) -> Result<K> {
        let name = self.configured_name(configuration)?;
        self.patch_subresource(name, "status", &Patch::Apply(configuration))
            .await
    }

    /// Returns the name in `configuration` after checking that its namespace matches this handle.
    fn configured_name<'a, A: ApplyConfiguration<Object = K>>(
        &self,
        configuration: &'a A,
    ) -> Result<&'a str> {
        if let (Some(handle), Some(namespace)) = (self.api.namespace(), configuration.namespace())
            && handle != namespace
        {
            return Err(Error::NamespaceMismatch {
                handle: handle.to_owned(),
                configuration: namespace.to_owned(),
            });
        }
        configuration
            .name()
            .filter(|name| !name.is_empty())
            .ok_or_else(|| self.missing_name())
    }
}

/// Building and sending requests.
impl<K: Resource> Handle<K> {
    /// Returns a builder for requests below the path of this handle.
    pub(super) fn request(&self) -> Result<Request> {
        if let Some(namespace) = self.api.namespace() {
            path_part("namespace", namespace)?;
        }
        Ok(Request::new(self.api.resource_url()))
    }

    /// Returns the request for the object `name`.
    fn read(&self, name: &str) -> Result<Built> {
        let (request, name) = (self.request()?, path_part("name", name)?);
        Ok(if K::metadata_api() {
            request.get_metadata(name, &GetParams::default())
        } else {
            request.get(name, &GetParams::default())
        })
    }

    pub(super) fn post_params(&self) -> PostParams {
        self.options.post_params(self.connection.field_manager())
    }

    pub(super) fn patch_params<P: Serialize>(&self, patch: &Patch<P>) -> PatchParams {
        self.options
            .patch_params(self.connection.field_manager(), matches!(patch, Patch::Apply(_)))
    }

    /// Adds the dry run of this handle to the parameters of a deletion.
    fn delete_params(&self, params: &DeleteParams) -> DeleteParams {
        DeleteParams {
            dry_run: params.dry_run || self.options.is_dry_run(),
            ..params.clone()
        }
    }

    /// Adds the field validation, which kube's parameters for POST and PUT do not have.
    pub(super) fn validated(
        &self,
        request: Result<http::Request<Vec<u8>>, kube::core::request::Error>,
    ) -> Result<http::Request<Vec<u8>>> {
        let mut request = request.map_err(kube::Error::BuildRequest)?;
        if let Some(directive) = self.options.validation() {
            let uri = request.uri().to_string();
            let separator = if uri.ends_with('?') { "" } else { "&" };
            *request.uri_mut() = format!("{uri}{separator}fieldValidation={directive}")
                .parse()
                .map_err(|problem: http::uri::InvalidUri| kube::Error::HttpError(problem.into()))?;
        }
        Ok(request)
    }

    pub(super) async fn send<R: DeserializeOwned>(&self, request: http::Request<Vec<u8>>) -> Result<R> {
        Ok(transport::request(self.client(), Ok(request)).await?)
    }

    fn client(&self) -> &kube::Client {
        self.connection.client()
    }

    fn object_name<'a>(&self, object: &'a K) -> Result<&'a str> {
        let name = object.meta().name.as_deref();
        let name = name.filter(|name| !name.is_empty());
        path_part("name", name.ok_or_else(|| self.missing_name())?)
    }

    fn missing_name(&self) -> Error {
        Error::MissingName {
            kind: self.kind.to_string(),
        }
    }
}

/// Returns the body of a request.
pub(super) fn json<T: Serialize>(object: &T) -> Result<Vec<u8>> {
    serde_json::to_vec(object).map_err(Error::Serialize)
}

/// Returns `text` if it is valid as one segment of a path.
pub(super) fn path_part<'a>(what: &'static str, text: &'a str) -> Result<&'a str> {
    let refused = matches!(text, "" | "." | "..") || text.contains(['/', '%', '?', '#']);
    if refused {
        Err(Error::InvalidName {
            what,
            name: text.to_owned(),
        })
    } else {
        Ok(text)
    }
}
