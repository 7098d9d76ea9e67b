//! A server for webhooks whose handlers are in the test itself.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::control_plane::WebhookInstallation;
use crate::error::{Error, IoContext, Result};

impl WebhookInstallation {
    /// Answers the reviews of the API server with a function of the path and the review, until the Tokio runtime ends.
    ///
    /// So a test can call the handlers of webhooks without a program that serves them. The certificate is the one that the
    /// folder has now. If the function fails, the API server gets its message with the status 500.
    ///
    /// # Errors
    ///
    /// Returns an error if another server listens on the address, or if the certificate cannot be read.
    pub async fn answer_with<F, A>(&self, answer: F) -> Result<()>
    where
        F: Fn(String, Value) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Value, String>> + Send + 'static,
    {
        let acceptor = self.acceptor()?;
        let listener = TcpListener::bind(self.address())
            .await
            .map_err(|source| Error::Request {
                request: format!("listen on {}", self.address()),
                reason: source.to_string(),
            })?;
        let answer = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, answer) = (acceptor.clone(), Arc::clone(&answer));
                let service = service_fn(move |request| respond(Arc::clone(&answer), request));
                tokio::spawn(async move {
                    // A client that closes its connection is not an error.
                    if let Ok(stream) = acceptor.accept(stream).await {
                        let connection =
                            http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                        let _ = connection.await;
                    }
                });
            }
        });
        Ok(())
    }

    fn acceptor(&self) -> Result<TlsAcceptor> {
        let read = |name: &str| {
            let file = self.folder().join(name);
            std::fs::read(&file).context("read", &file)
        };
        let certificate =
            CertificateDer::from_pem_slice(&read("tls.crt")?).map_err(Error::certificate("read"))?;
        let key = PrivateKeyDer::from_pem_slice(&read("tls.key")?)
            .map_err(Error::certificate("read the key of"))?;
        // As for the client, the provider is not installed for the process.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(Error::certificate("use"))?
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .map_err(Error::certificate("use"))?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

async fn respond<F, A>(
    answer: Arc<F>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible>
where
    F: Fn(String, Value) -> A,
    A: Future<Output = Result<Value, String>>,
{
    let path = request.uri().path().to_owned();
    let answered = match request.into_body().collect().await {
        Err(error) => Err(error.to_string()),
        Ok(body) => match serde_json::from_slice(&body.to_bytes()) {
            Err(error) => Err(error.to_string()),
            Ok(review) => answer(path, review).await,
        },
    };
    let (status, kind, body) = match answered {
        Ok(review) => (StatusCode::OK, "application/json", review.to_string()),
        Err(message) => (StatusCode::INTERNAL_SERVER_ERROR, "text/plain", message),
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    Ok(response)
}
