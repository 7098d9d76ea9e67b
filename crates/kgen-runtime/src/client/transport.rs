//! Sends requests and reads responses. kube's own function logs the whole response if it cannot be parsed, and responses
//! can contain secrets. This one only returns an error.

use http::Request;
use kube::Client;
use serde::de::DeserializeOwned;

/// A request, or the error of its construction.
pub(crate) type Built = Result<Request<Vec<u8>>, kube::core::request::Error>;

/// Sends `request` and parses the response as a `T`.
pub(crate) async fn request<T: DeserializeOwned>(client: &Client, request: Built) -> Result<T, kube::Error> {
    let text = client
        .request_text(request.map_err(kube::Error::BuildRequest)?)
        .await?;
    serde_json::from_str(&text).map_err(kube::Error::SerdeError)
}

/// Like [`request`], but returns `None` if the object does not exist.
pub(crate) async fn request_opt<T: DeserializeOwned>(
    client: &Client,
    built: Built,
) -> Result<Option<T>, kube::Error> {
    match request(client, built).await {
        Ok(object) => Ok(Some(object)),
        Err(kube::Error::Api(status)) if status.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}
