//! A webhook that parses every object into its Rust type before it converts it, as an author would write it. Complete objects are
//! converted correctly, so a failure is the fault of the parser.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::api::{v1, v2, v3};
use crate::cluster::{Outcome, conversion};

/// A server that converts only complete objects.
pub struct StrictServer(JoinSet<()>);

impl StrictServer {
    /// Starts to serve with the certificate in a folder.
    pub async fn start(address: SocketAddr, certificates: &Path) -> Outcome<Self> {
        let chain = CertificateDer::pem_file_iter(certificates.join("tls.crt"))?;
        let chain = chain.collect::<Result<Vec<_>, _>>()?;
        let key = PrivateKeyDer::from_pem_file(certificates.join("tls.key"))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(address).await?;
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                connections.spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        let service = service_fn(answer);
                        // A connection ends when the API server or the test wants it.
                        let _ = http1::Builder::new()
                            .serve_connection(TokioIo::new(stream), service)
                            .await;
                    }
                });
            }
        });
        Ok(Self(tasks))
    }

    /// Stops to serve, and returns when the address is free.
    pub async fn stop(mut self) {
        self.0.shutdown().await;
    }
}

async fn answer(request: Request<Incoming>) -> Outcome<Response<Full<Bytes>>> {
    let body = request.into_body().collect().await?.to_bytes();
    let review: Value = serde_json::from_slice(&body)?;
    let request = &review["request"];
    let desired = request["desiredAPIVersion"].as_str().unwrap_or_default();
    let objects = request["objects"].as_array().into_iter().flatten();
    let converted: Result<Vec<Value>, String> = objects.map(|object| convert(object, desired)).collect();
    let (result, objects) = match converted {
        Ok(objects) => (json!({"status": "Success"}), objects),
        Err(message) => (json!({"status": "Failure", "message": message}), Vec::new()),
    };
    let answer = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "ConversionReview",
        "response": {"uid": request["uid"], "result": result, "convertedObjects": objects},
    });
    let mut response = Response::new(Full::new(Bytes::from(answer.to_string())));
    let json = hyper::header::HeaderValue::from_static("application/json");
    response.headers_mut().insert(hyper::header::CONTENT_TYPE, json);
    Ok(response)
}

fn convert(object: &Value, desired: &str) -> Result<Value, String> {
    let spec = &object["spec"];
    match object["apiVersion"].as_str() {
        Some("example.com/v1") => parse::<v1::BoatSpec>(spec)?,
        Some("example.com/v2") => parse::<v2::BoatSpec>(spec)?,
        _ => parse::<v3::BoatSpec>(spec)?,
    }
    let version = desired.rsplit('/').next().unwrap_or_default();
    let converted = conversion().convert_json(object.clone(), version);
    converted.map_err(|error| error.to_string())
}

fn parse<T: DeserializeOwned>(spec: &Value) -> Result<(), String> {
    T::deserialize(spec).map(drop).map_err(|error| error.to_string())
}
