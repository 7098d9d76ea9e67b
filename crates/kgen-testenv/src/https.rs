//! The requests that this crate makes itself: health checks, CRDs, tokens, and etcd's compaction.
//!
//! Each request has its own connection, so that tests with different Tokio runtimes can share a control plane. The
//! client uses the dependencies of kube (hyper, rustls with ring), so that an operator's tests do not compile others.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::certificates::CertifiedKey;
use crate::error::{Error, Result};

/// All of these requests are fast; a server that does not answer in this time is not ready.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

/// A client with one certificate, for all servers of one control plane.
#[derive(Clone)]
pub(crate) struct HttpsClient {
    connector: TlsConnector,
}

/// The body of a request and its content type.
pub(crate) struct Content {
    pub(crate) kind: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Content {
    pub(crate) fn json(value: &serde_json::Value) -> Self {
        Self {
            kind: "application/json",
            bytes: value.to_string().into_bytes(),
        }
    }
}

/// A complete response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
}

impl HttpsClient {
    /// Returns a client that trusts `authority` (PEM) and presents the certificate of `identity`.
    pub(crate) fn new(authority: &str, identity: &CertifiedKey) -> Result<Self> {
        let mut trusted = RootCertStore::empty();
        let authority =
            CertificateDer::from_pem_slice(authority.as_bytes()).map_err(Error::certificate("read"))?;
        trusted.add(authority).map_err(Error::certificate("trust"))?;
        let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes())
            .map_err(Error::certificate("read"))?;
        let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes())
            .map_err(Error::certificate("read the key of"))?;
        // The provider is chosen here and not installed for the process: the operator under test may prefer another
        // one.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(Error::certificate("use"))?
            .with_root_certificates(trusted)
            .with_client_auth_cert(vec![certificate], key)
            .map_err(Error::certificate("use"))?;
        Ok(Self {
            connector: TlsConnector::from(Arc::new(config)),
        })
    }

    /// Sends one request to a port on this machine; any status is a response.
    pub(crate) async fn send(
        &self,
        port: u16,
        method: &'static str,
        path: &str,
        content: Option<Content>,
    ) -> Result<Answer> {
        let no_answer = |reason: String| Error::Request {
            request: format!("{method} {path}"),
            reason,
        };
        match tokio::time::timeout(ANSWER_WITHIN, self.exchange(port, method, path, content)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(source)) => Err(no_answer(source.to_string())),
            Err(_) => Err(no_answer(format!(
                "nothing came in {} s",
                ANSWER_WITHIN.as_secs()
            ))),
        }
    }

    /// Sends one request whose response is JSON; a status of 400 and above is an error.
    pub(crate) async fn json(
        &self,
        port: u16,
        method: &'static str,
        path: &str,
        content: Option<Content>,
    ) -> Result<serde_json::Value> {
        let answer = self.send(port, method, path, content).await?;
        let request = format!("{method} {path}");
        if answer.status >= 400 {
            return Err(Error::Refused {
                request,
                status: answer.status,
                message: message(&answer.body),
            });
        }
        serde_json::from_slice(&answer.body).map_err(|source| Error::Request {
            request,
            reason: format!("the response is not JSON: {source}"),
        })
    }

    async fn exchange(
        &self,
        port: u16,
        method: &str,
        path: &str,
        content: Option<Content>,
    ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        let address = Ipv4Addr::LOCALHOST;
        let stream = TcpStream::connect(SocketAddr::from((address, port))).await?;
        let stream = self
            .connector
            .connect(ServerName::from(std::net::IpAddr::from(address)), stream)
            .await?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);

        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", format!("{address}:{port}"));
        if let Some(content) = &content {
            request = request.header("content-type", content.kind);
        }
        let body = content.map(|content| content.bytes).unwrap_or_default();
        let answer = sender
            .send_request(request.body(Full::new(Bytes::from(body)))?)
            .await?;
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await?.to_bytes();
        connection.abort();
        Ok(Answer { status, body })
    }
}

/// Returns the message in an error response: that of a Kubernetes `Status` or an etcd error, otherwise the whole text.
fn message(body: &[u8]) -> String {
    serde_json::from_slice::<serde_json::Value>(body)
        .ok()
        .and_then(|value| {
            value
                .get("message")
                .and_then(|message| message.as_str())
                .map(str::to_owned)
        })
        .unwrap_or_else(|| String::from_utf8_lossy(body).trim().to_owned())
}
