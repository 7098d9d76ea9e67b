//! A control plane with the kind `Boat`, and the server that converts its objects.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use kgen_runtime::conversion::Conversion;
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::webhook::WebhookServer;
use kgen_testenv::{ControlPlane, ControlPlaneBuilder, WebhookInstallation};
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::generated::conversion::{BoatConversion, boat};

/// The result of a step.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Sends a request until the API server rejects it, because it has noticed a change. A server that never does is a failure.
pub async fn until_rejected<T, E>(request: impl AsyncFn() -> Result<T, E>) -> Outcome {
    let rejected = async { while request().await.is_ok() {} };
    Ok(tokio::time::timeout(Duration::from_secs(180), rejected).await?)
}

/// Sends a request until the API server accepts it, because a server that it needs has started. If that never happens, the last
/// error is the failure.
pub async fn until_accepted<T>(request: impl AsyncFn() -> kube::Result<T>) -> Outcome<T> {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(180);
    loop {
        match request().await {
            Ok(accepted) => return Ok(accepted),
            Err(error) if tokio::time::Instant::now() > deadline => return Err(error.into()),
            Err(_) => {}
        }
    }
}

/// The CRD, which stores `v2`.
pub const CRD: &str =
    include_str!("../../../cases/conversion-three-versions/expected/example.com_boats.yaml");

/// All versions, the oldest first.
pub const VERSIONS: [&str; 3] = ["v1", "v2", "v3"];

/// How many requests are sent at a time.
const AT_ONCE: usize = 16;

/// The translations of the author.
struct Rules;

impl BoatConversion for Rules {
    fn v2_boat_spec_memory_bytes(memory: String) -> i64 {
        assert_ne!(memory, "panic", "a mistake of the author");
        match memory.strip_suffix("Gi") {
            Some(number) => number.parse::<i64>().unwrap_or_default().saturating_mul(1 << 30),
            None => memory.parse().unwrap_or_default(),
        }
    }

    fn v1_boat_spec_memory(memory_bytes: i64) -> String {
        memory_bytes.to_string()
    }

    fn v2_boat_spec_host_port(address: String) -> (String, u16) {
        let (host, port) = address.rsplit_once(':').unwrap_or((&address, "80"));
        (host.to_owned(), port.parse().unwrap_or(80))
    }

    fn v1_boat_spec_address(host: String, port: u16) -> String {
        format!("{host}:{port}")
    }
}

/// Returns the conversion between all versions.
pub fn conversion() -> Conversion {
    boat::<Rules>()
}

/// Returns the CRD with another stored version.
pub fn storing(stored: &str) -> String {
    let mut versions = VERSIONS.iter();
    let lines = CRD.lines().map(|line| match line.trim() {
        "storage: true" | "storage: false" => {
            let is_stored = versions.next() == Some(&stored);
            format!("    storage: {is_stored}\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// A server that converts.
pub struct Server {
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Server {
    /// Starts to serve with the certificate in a folder.
    pub async fn start(address: SocketAddr, certificates: &Path, metrics: &Metrics) -> Outcome<Self> {
        let server = WebhookServer::builder()
            .certificates(certificates)
            .metrics(metrics)
            .converting(conversion())
            .listen(address)
            .await?;
        let stop = CancellationToken::new();
        let serving = tokio::spawn(server.serve(stop.clone().cancelled_owned()));
        Ok(Self { stop, serving })
    }

    /// Stops to serve, and returns when the address is free.
    pub async fn stop(self) -> Outcome {
        self.stop.cancel();
        Ok(self.serving.await?)
    }
}

/// A control plane with the kind.
pub struct Cluster {
    pub control_plane: ControlPlane,
    pub client: kube::Client,
    pub webhooks: WebhookInstallation,
    pub metrics: Metrics,
}

impl Cluster {
    /// Starts a control plane with a CRD, and a server.
    pub async fn start(definition: String) -> Outcome<(Self, Server)> {
        Self::start_with(ControlPlane::builder(), definition).await
    }

    pub async fn start_with(builder: ControlPlaneBuilder, definition: String) -> Outcome<(Self, Server)> {
        let control_plane = builder.start().await?;
        let webhooks = control_plane.install_webhooks(definition).await?;
        assert_eq!(webhooks.names(), ["boats.example.com"]);
        let cluster = Self {
            client: control_plane.client().await?,
            control_plane,
            webhooks,
            metrics: Metrics::default(),
        };
        let server = cluster.serve().await?;
        Ok((cluster, server))
    }

    /// Starts a server with the right certificate.
    pub async fn serve(&self) -> Outcome<Server> {
        Server::start(self.webhooks.address(), self.webhooks.folder(), &self.metrics).await
    }

    /// Ends everything.
    pub async fn stop(self, server: Server) -> Outcome {
        server.stop().await?;
        Ok(self.control_plane.stop().await?)
    }

    /// Returns access to the objects in the namespace `default`, in a version.
    pub fn boats(&self, version: &str) -> Api<DynamicObject> {
        self.boats_in("default", version)
    }

    pub fn boats_in(&self, namespace: &str, version: &str) -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk("example.com", version, "Boat");
        let resource = ApiResource::from_gvk_with_plural(&kind, "boats");
        Api::namespaced_with(self.client.clone(), namespace, &resource)
    }

    /// Returns access to the CRD.
    pub fn definitions(&self) -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
        Api::all_with(self.client.clone(), &ApiResource::from_gvk(&kind))
    }

    /// Changes the spec of the CRD. The API server takes a moment to work with it.
    pub async fn redefine(&self, change: impl Fn(&mut Value)) -> Outcome {
        let definitions = self.definitions();
        let mut definition = definitions.get("boats.example.com").await?;
        change(&mut definition.data["spec"]);
        definitions
            .replace("boats.example.com", &PostParams::default(), &definition)
            .await?;
        Ok(())
    }

    /// Stores another version, and returns when the API server does so.
    pub async fn store(&self, stored: &str) -> Outcome {
        self.redefine(|spec| {
            for version in spec["versions"].as_array_mut().unwrap() {
                version["storage"] = json!(version["name"] == stored);
            }
        })
        .await?;
        loop {
            self.create("v1", "probe", old_spec()).await?;
            let objects = self.stored().await?;
            let probe = objects
                .iter()
                .find(|object| object["metadata"]["name"] == "probe");
            let version = probe.map(|probe| probe["apiVersion"].clone());
            self.boats("v1").delete("probe", &DeleteParams::default()).await?;
            if version == Some(json!(format!("example.com/{stored}"))) {
                return Ok(());
            }
        }
    }

    /// Returns the objects as etcd has them.
    pub async fn stored(&self) -> Outcome<Vec<Value>> {
        Ok(self.control_plane.stored_objects("example.com", "boats").await?)
    }

    pub async fn create(&self, version: &str, name: &str, spec: Value) -> kube::Result<Value> {
        let object = serde_json::from_value(object(version, name, spec)).unwrap();
        let created = self
            .boats(version)
            .create(&PostParams::default(), &object)
            .await?;
        Ok(json!(created))
    }

    pub async fn get(&self, version: &str, name: &str) -> kube::Result<Value> {
        Ok(json!(self.boats(version).get(name).await?))
    }

    pub async fn merge(&self, version: &str, name: &str, patch: Value) -> kube::Result<Value> {
        let patched = self
            .boats(version)
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await?;
        Ok(json!(patched))
    }

    pub async fn apply(&self, version: &str, manager: &str, name: &str, spec: Value) -> kube::Result<Value> {
        let applied = self
            .boats(version)
            .patch(
                name,
                &PatchParams::apply(manager),
                &Patch::Apply(object(version, name, spec)),
            )
            .await?;
        Ok(json!(applied))
    }

    /// Creates many objects of `v1` or `v2`, whose sizes are the numbers in their names.
    pub async fn create_many(&self, version: &str, numbers: std::ops::Range<usize>) -> Outcome {
        let requests = numbers.map(|number| async move {
            let mut spec = if version == "v1" { old_spec() } else { new_spec() };
            spec[size_in(version)] = json!(number);
            self.create(version, &name(number), spec).await
        });
        futures::stream::iter(requests)
            .buffer_unordered(AT_ONCE)
            .try_for_each(|_| async { Ok(()) })
            .await?;
        Ok(())
    }

    /// Returns the sizes of all objects in a version, in the order of their names.
    pub async fn sizes(&self, version: &str) -> Outcome<Vec<i64>> {
        let list = self.boats(version).list(&ListParams::default()).await?;
        let field = size_in(version);
        let sizes = list.items.iter().map(|boat| boat.data["spec"][field].as_i64());
        sizes
            .collect::<Option<_>>()
            .ok_or_else(|| "an object has no size".into())
    }

    /// Returns the metrics as text.
    pub fn metrics(&self) -> String {
        self.metrics.encode(Format::Prometheus)
    }
}

/// Returns the name of the field with the size.
fn size_in(version: &str) -> &'static str {
    if version == "v1" { "size" } else { "replicas" }
}

/// Returns the name of the object with a number. Names are listed in the order of numbers.
pub fn name(number: usize) -> String {
    format!("boat-{number:05}")
}

pub fn object(version: &str, name: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Boat",
        "metadata": {"name": name},
        "spec": spec,
    })
}

/// Returns a spec of `v1` that no other version can represent as it is.
pub fn old_spec() -> Value {
    json!({
        "size": 3,
        "memory": "1Gi",
        "address": "localhost:8080",
        "strategy": "Rolling",
        "note": "hello",
        "ports": [{"name": "http", "port": 80}],
    })
}

/// Returns the same spec in `v2`.
pub fn new_spec() -> Value {
    json!({
        "replicas": 3,
        "memoryBytes": 1_073_741_824,
        "host": "localhost",
        "port": 8080,
        "strategy": "Rolling",
        "ports": [{"name": "http", "number": 80}],
        "priority": 5,
    })
}

/// Returns the same spec in `v3`.
pub fn newest_spec() -> Value {
    let mut spec = new_spec();
    let fields = spec.as_object_mut().unwrap();
    let host = fields.remove("host").unwrap();
    fields.insert("hostname".to_owned(), host);
    spec
}
