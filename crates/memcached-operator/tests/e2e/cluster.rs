//! A control plane with the operator's manifests, operators as processes, and functions that wait for states on the
//! server.

use std::error::Error;
use std::fmt::Debug;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::Pod;
use kgen_testenv::{ControlPlane, ControlPlaneBuilder, suite};
use kube::api::{ListParams, PostParams};
use kube::runtime::wait::Condition;
use kube::{Api, Client, Resource, ResourceExt};
use memcached_operator::api::v1alpha1::{Memcached, MemcachedSpec};
use serde::de::DeserializeOwned;

pub type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The timeout of every wait. CI machines are slow and busy.
const PATIENCE: Duration = Duration::from_secs(180);

pub struct Cluster {
    pub control_plane: ControlPlane,
    pub client: Client,
}

impl Cluster {
    /// Starts a control plane and applies `config/default` as in the README. Its operator pod is only simulated; the
    /// operator under test is a process.
    pub async fn start(builder: ControlPlaneBuilder) -> Result<Self> {
        let control_plane = builder
            // With it, an owner reference that blocks deletion takes a rule of its own.
            .api_server_flag("--enable-admission-plugins=OwnerReferencesPermissionEnforcement")
            .start()
            .await?;
        control_plane.install_crds(config("crd")).await?;
        run(control_plane
            .kubectl()
            .args(["apply", "-k"])
            .arg(config("default")))?;
        let client = control_plane.client().await?;
        Ok(Self {
            control_plane,
            client,
        })
    }

    /// Starts an operator as the service account of `config/`.
    pub async fn operator(&self, name: &str, flags: &[&str]) -> Result<Operator> {
        let kubeconfig = self
            .control_plane
            .service_account_kubeconfig("memcached-system", "memcached-operator")
            .await?;
        let file = self.control_plane.folder().join(format!("{name}.kubeconfig"));
        kubeconfig.write_to(&file)?;
        let log = self.control_plane.folder().join(format!("{name}.log"));
        let process = Command::new(env!("CARGO_BIN_EXE_memcached-operator"))
            .arg("--kubeconfig")
            .arg(&file)
            .args(flags)
            .env("RUST_LOG", "info,memcached_operator=debug")
            .stderr(std::fs::File::create(&log)?)
            .spawn()?;
        Ok(Operator { process, log })
    }

    pub fn kubectl(&self, arguments: &[&str]) -> Result<String> {
        run(self.control_plane.kubectl().args(arguments))
    }

    pub async fn create(&self, name: &str, size: i32) -> Result<Memcached> {
        let spec = MemcachedSpec {
            size,
            container_port: None,
        };
        let memcached = Memcached::new(name, spec);
        Ok(self.api().create(&PostParams::default(), &memcached).await?)
    }

    /// An interface to objects in namespace `default`.
    pub fn api<K>(&self) -> Api<K>
    where
        K: Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>,
    {
        Api::namespaced(self.client.clone(), "default")
    }

    /// Waits until an object of that name satisfies `condition`.
    pub async fn until<K>(&self, what: &str, name: &str, condition: impl Condition<K>) -> Result<Option<K>>
    where
        K: Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>
            + Clone
            + Debug
            + DeserializeOwned
            + Send
            + 'static,
    {
        let api = self.api::<K>();
        let deadline = Instant::now() + PATIENCE;
        loop {
            // While a killed server restarts, a request may fail.
            let found = api.get_opt(name).await;
            if let Ok(found) = &found
                && condition.matches_object(found.as_ref())
            {
                return Ok(found.clone());
            }
            if Instant::now() > deadline {
                return Err(format!("not within {PATIENCE:?}: {what}; last seen: {found:?}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the status of a Memcached reports this number of available servers, is not degraded, and names the
    /// pods.
    pub async fn until_available(&self, name: &str, size: usize) -> Result<Memcached> {
        let is_available = |memcached: Option<&Memcached>| {
            memcached.is_some_and(|memcached| {
                memcached.status.as_ref().is_some_and(|status| {
                    let has = |kind: &str, value: &str| {
                        let mut conditions = status.conditions.iter();
                        conditions.any(|condition| condition.type_ == kind && condition.status == value)
                    };
                    status.nodes.len() == size
                        && status.observed_generation == memcached.metadata.generation
                        && has("Available", "True")
                        && has("Degraded", "False")
                })
            })
        };
        let what = format!("{size} servers of Memcached {name:?} are available");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.until::<Memcached>(&what, name, is_available).await?;
            let found = found.ok_or("it was there a moment ago")?;
            let nodes = found.status.clone().unwrap_or_default().nodes;
            let running = self.running_pods(name).await?;
            // During a rollout, the pods change at any moment.
            if nodes == running {
                return Ok(found);
            }
            if Instant::now() > deadline {
                return Err(format!("{what}: the status names {nodes:?}, running are {running:?}").into());
            }
        }
    }

    /// Returns the names of the running pods of a Memcached, in order, as the server has them.
    async fn running_pods(&self, name: &str) -> Result<Vec<String>> {
        let selector = format!("app.kubernetes.io/instance={name}");
        let pods = self
            .api::<Pod>()
            .list(&ListParams::default().labels(&selector))
            .await?;
        let is_running = |pod: &&Pod| {
            let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
            phase == Some("Running") && pod.metadata.deletion_timestamp.is_none()
        };
        let mut names: Vec<_> = pods
            .items
            .iter()
            .filter(is_running)
            .map(ResourceExt::name_any)
            .collect();
        names.sort();
        Ok(names)
    }

    /// Returns whether there is an event of this reason about a Memcached.
    pub fn has_event(&self, memcached: &str, reason: &str) -> Result<bool> {
        let selector = format!(
            "--field-selector=involvedObject.kind=Memcached,involvedObject.name={memcached},reason={reason}"
        );
        let found = self.kubectl(&["get", "events", &selector, "--output=name"])?;
        Ok(!found.is_empty())
    }
}

/// A folder of the manifests.
pub fn config(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("config").join(folder)
}

/// Polls until `holds` returns true, for conditions that cannot be watched by name.
pub async fn poll(what: &str, holds: impl FnMut() -> Result<bool>) -> Result {
    suite::poll(what, PATIENCE, holds).await
}

/// A running operator; dropping it kills it.
pub struct Operator {
    process: Child,
    log: PathBuf,
}

impl Operator {
    /// Returns its log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Returns the number of calls of its reconciler.
    pub fn reconciles(&self) -> Result<u64> {
        let metrics = self.metrics()?;
        let counters = metrics
            .lines()
            .filter(|line| line.starts_with("controller_runtime_reconcile_total{"));
        Ok(counters
            .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
            .sum())
    }

    /// Returns the response of /metrics.
    fn metrics(&self) -> Result<String> {
        let log = self.log();
        let line = log
            .lines()
            .find(|line| line.contains("serving metrics"))
            .ok_or("it serves no metrics")?;
        let line: serde_json::Value = serde_json::from_str(line)?;
        let address = line["fields"]["address"].as_str().ok_or("no address")?;
        let mut stream = TcpStream::connect(address)?;
        write!(
            stream,
            "GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Asks it to end, and waits for that.
    pub fn terminate(&mut self) -> Result<ExitStatus> {
        let id = self.process.id().to_string();
        run(Command::new("kill").args(["-TERM", &id]))?;
        Ok(self.process.wait()?)
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            let mut stderr = std::io::stderr();
            let _ = stderr.write_all(self.log().as_bytes());
        }
    }
}

/// Runs a command. Returns its standard output, or its standard error as an error.
pub fn run(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(format!("{command:?}: {}", text(&output.stderr)).into())
    }
}
