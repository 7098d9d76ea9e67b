//! Verbs for subresources: scale, and the custom methods of `+genclient:method`. Input and result have their own types.
//! An empty path means the object itself or, for `create` and `list`, the collection, as in client-go.

use std::fmt::Debug;

use k8s_openapi::api::autoscaling::v1::Scale;
use kube::Resource;
use kube::api::{GetParams, ListParams, Patch, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Handle;
use super::handle::{json, path_part};
use crate::Result;

impl<K> Handle<K>
where
    K: Resource + Clone + Debug + Serialize + DeserializeOwned,
{
    /// Returns the scale of the object `name`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::is_not_found`](crate::Error::is_not_found) if the object or its scale does not exist.
    pub async fn get_scale(&self, name: &str) -> Result<Scale> {
        self.get_subresource(name, "scale").await
    }

    /// Replaces the scale of the object `name`.
    ///
    /// # Errors
    ///
    /// See [`Handle::update`].
    pub async fn update_scale(&self, name: &str, scale: &Scale) -> Result<Scale> {
        self.update_subresource(name, "scale", scale).await
    }

    /// Patches the scale of the object `name`.
    ///
    /// # Errors
    ///
    /// See [`Handle::patch`].
    pub async fn patch_scale<P: Serialize + Debug>(&self, name: &str, patch: &Patch<P>) -> Result<Scale> {
        self.patch_subresource(name, "scale", patch).await
    }

    /// Reads a subresource.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it.
    pub async fn get_subresource<R: DeserializeOwned>(&self, name: &str, path: &str) -> Result<R> {
        let (request, last) = self.below(name, path)?;
        let request = request
            .get(&last, &GetParams::default())
            .map_err(kube::Error::BuildRequest)?;
        self.send(request).await
    }

    /// Reads a subresource with list parameters. With an empty `path`, it ignores `name` and lists the collection.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it.
    pub async fn list_subresource<R: DeserializeOwned>(
        &self,
        name: &str,
        path: &str,
        params: &ListParams,
    ) -> Result<R> {
        let request = self
            .collection(name, path)?
            .list(params)
            .map_err(kube::Error::BuildRequest)?;
        self.send(request).await
    }

    /// Posts `input` to a subresource. With an empty `path`, it ignores `name` and posts to the collection.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it.
    pub async fn create_subresource<I: Serialize, R: DeserializeOwned>(
        &self,
        name: &str,
        path: &str,
        input: &I,
    ) -> Result<R> {
        let request = self
            .collection(name, path)?
            .create(&self.post_params(), json(input)?);
        self.send(self.validated(request)?).await
    }

    /// Replaces a subresource with `input`.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it.
    pub async fn update_subresource<I: Serialize, R: DeserializeOwned>(
        &self,
        name: &str,
        path: &str,
        input: &I,
    ) -> Result<R> {
        let (request, last) = self.below(name, path)?;
        let request = request.replace(&last, &self.post_params(), json(input)?);
        self.send(self.validated(request)?).await
    }

    /// Patches a subresource.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails or the server rejects it.
    pub async fn patch_subresource<P: Serialize + Debug, R: DeserializeOwned>(
        &self,
        name: &str,
        path: &str,
        patch: &Patch<P>,
    ) -> Result<R> {
        let (request, last) = self.below(name, path)?;
        let request = request
            .patch(&last, &self.patch_params(patch), patch)
            .map_err(kube::Error::BuildRequest)?;
        self.send(request).await
    }

    /// Applies `input` to a subresource with server-side apply.
    ///
    /// # Errors
    ///
    /// See [`Handle::apply`].
    pub async fn apply_subresource<I: Serialize + Debug, R: DeserializeOwned>(
        &self,
        name: &str,
        path: &str,
        input: &I,
    ) -> Result<R> {
        self.patch_subresource(name, path, &Patch::Apply(input)).await
    }

    /// Returns a builder and the last part of the path, because kube's builder appends exactly one name.
    fn below(&self, name: &str, path: &str) -> Result<(Request, String)> {
        let (parents, last) = self.path(name, path)?;
        Ok((Request::new(parents), last))
    }

    /// Returns a builder for requests to the path itself.
    fn collection(&self, name: &str, path: &str) -> Result<Request> {
        if path.is_empty() {
            return self.request();
        }
        let (parents, last) = self.path(name, path)?;
        Ok(Request::new(format!("{parents}/{last}")))
    }

    /// Checks the path and splits it before its last part. A subresource can have several parts.
    fn path(&self, name: &str, path: &str) -> Result<(String, String)> {
        let mut parents = self.request()?.url_path;
        let mut last = path_part("name", name)?;
        if !path.is_empty() {
            for part in path.split('/') {
                parents = format!("{parents}/{last}");
                last = path_part("subresource", part)?;
            }
        }
        Ok((parents, last.to_owned()))
    }
}
