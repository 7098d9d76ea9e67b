//! Verbs below an object: scale, and the custom methods of `+genclient:method`. Input and result have types of their
//! own. An empty path means the object itself, and for `create` and `list`, as in client-go, the collection.

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
    K: Resource<DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned,
{
    /// The scale of the object called `name`.
    ///
    /// # Errors
    ///
    /// [`Error::is_not_found`](crate::Error::is_not_found) if the object or its scale is not there.
    pub async fn get_scale(&self, name: &str) -> Result<Scale> {
        self.get_subresource(name, "scale").await
    }

    /// Replaces the scale of the object called `name`.
    ///
    /// # Errors
    ///
    /// As [`Handle::update`].
    pub async fn update_scale(&self, name: &str, scale: &Scale) -> Result<Scale> {
        self.update_subresource(name, "scale", scale).await
    }

    /// Patches the scale of the object called `name`.
    ///
    /// # Errors
    ///
    /// As [`Handle::patch`].
    pub async fn patch_scale<P: Serialize + Debug>(&self, name: &str, patch: &Patch<P>) -> Result<Scale> {
        self.patch_subresource(name, "scale", patch).await
    }

    /// Reads a subresource.
    ///
    /// # Errors
    ///
    /// Whatever the server refuses.
    pub async fn get_subresource<R: DeserializeOwned>(&self, name: &str, path: &str) -> Result<R> {
        let (request, last) = self.below(name, path)?;
        let request = request
            .get(&last, &GetParams::default())
            .map_err(kube::Error::BuildRequest)?;
        self.send(request).await
    }

    /// Reads a subresource with list parameters. With an empty `path` it lists the collection, whatever the `name`.
    ///
    /// # Errors
    ///
    /// Whatever the server refuses.
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

    /// Posts `input` to a subresource. With an empty `path` it goes to the collection, whatever the `name`.
    ///
    /// # Errors
    ///
    /// Whatever the server refuses.
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

    /// Replaces a subresource by `input`.
    ///
    /// # Errors
    ///
    /// Whatever the server refuses.
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
    /// Whatever the server refuses.
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

    /// Sends `input` to a subresource by server-side apply.
    ///
    /// # Errors
    ///
    /// As [`Handle::apply`].
    pub async fn apply_subresource<I: Serialize + Debug, R: DeserializeOwned>(
        &self,
        name: &str,
        path: &str,
        input: &I,
    ) -> Result<R> {
        self.patch_subresource(name, path, &Patch::Apply(input)).await
    }

    /// A builder and the last part of the path, because kube's builder appends exactly one name.
    fn below(&self, name: &str, path: &str) -> Result<(Request, String)> {
        let (parents, last) = self.path(name, path)?;
        Ok((Request::new(parents), last))
    }

    /// A builder for requests that go to the path itself.
    fn collection(&self, name: &str, path: &str) -> Result<Request> {
        if path.is_empty() {
            return self.request();
        }
        let (parents, last) = self.path(name, path)?;
        Ok(Request::new(format!("{parents}/{last}")))
    }

    /// The checked path, split before its last part. A subresource may itself have several parts.
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
