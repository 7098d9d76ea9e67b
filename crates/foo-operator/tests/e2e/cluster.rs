//! A control plane with the operator's manifests, operators as processes, and waiting for what the server says.

use std::error::Error;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use foo_operator::api::v1::{Foo, FooSpec};
use foo_operator::generated::Clientset;
use foo_operator::generated::example_v1::Foos;
use kgen_testenv::{ControlPlane, ControlPlaneBuilder, Kubeconfig, Manifests, suite};
use kube::runtime::wait::Condition;
use kube::{Api, Client, Resource};
use serde::de::DeserializeOwned;

use crate::collisions::Proxy;

pub type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How long anything may take. Machines of CI are slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// The operator.
const PROGRAM: &str = env!("CARGO_BIN_EXE_foo-operator");

/// Returns the folder of the manifests.
fn config() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("config")
}

pub struct Cluster {
    pub control_plane: ControlPlane,
    pub client: Client,
    pub foos: Foos,
}

impl Cluster {
    /// Starts a control plane and applies `config/default` as the README says. Its operator gets a pod that does nothing; the
    /// one under test is a process.
    pub async fn start(builder: ControlPlaneBuilder) -> Result<Self> {
        Self::start_with(builder, config().join("crd"), &["default"]).await
    }

    /// Starts a control plane with the CRD and the parts of `config/`.
    pub async fn start_with(
        builder: ControlPlaneBuilder,
        definition: impl Into<Manifests>,
        parts: &[&str],
    ) -> Result<Self> {
        let control_plane = builder
            // With it, an owner reference that blocks deletion takes a rule of its own.
            .api_server_flag("--enable-admission-plugins=OwnerReferencesPermissionEnforcement")
            .start()
            .await?;
        control_plane.install_crds(definition).await?;
        for part in parts {
            let folder = config().join(part);
            run(control_plane.kubectl().args(["apply", "-k"]).arg(folder))?;
        }
        let client = control_plane.client().await?;
        let foos = Clientset::new(client.clone()).example_v1().foos("default");
        Ok(Self {
            control_plane,
            client,
            foos,
        })
    }

    /// Starts an operator as the service account of `config/`.
    pub async fn operator(&self, name: &str, flags: &[&str]) -> Result<Operator> {
        let kubeconfig = self.account().await?.to_yaml();
        self.start_operator(name, &kubeconfig, flags)
    }

    /// Starts an operator whose requests all go through the proxy.
    pub async fn operator_behind(&self, proxy: &Proxy, name: &str, flags: &[&str]) -> Result<Operator> {
        let kubeconfig = proxy.kubeconfig(&self.account().await?);
        self.start_operator(name, &kubeconfig, flags)
    }

    pub async fn account(&self) -> Result<Kubeconfig> {
        let account = self
            .control_plane
            .service_account_kubeconfig("foo-system", "foo-operator");
        Ok(account.await?)
    }

    fn start_operator(&self, name: &str, kubeconfig: &str, flags: &[&str]) -> Result<Operator> {
        let environment = [("RUST_LOG", "info,foo_operator=debug")];
        Operator::start(self.control_plane.folder(), name, kubeconfig, flags, &environment)
    }

    pub fn kubectl(&self, arguments: &[&str]) -> Result<String> {
        run(self.control_plane.kubectl().args(arguments))
    }

    pub async fn create_foo(&self, name: &str, deployment_name: &str, replicas: i32) -> Result<Foo> {
        let spec = FooSpec {
            deployment_name: deployment_name.to_owned(),
            replicas: Some(replicas),
            ..FooSpec::default()
        };
        Ok(self.foos.create(&Foo::new(name, spec)).await?)
    }

    /// Returns an interface to objects in namespace `default`.
    pub fn api<K>(&self) -> Api<K>
    where
        K: Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>,
    {
        Api::namespaced(self.client.clone(), "default")
    }

    /// Waits until the server shows an object of that name for which `condition` holds.
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
            // While a killed server comes back, a request may fail.
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

    /// Waits until the status of a Foo says that so many pods are available, and that this is all.
    pub async fn until_ready(&self, name: &str, replicas: i32) -> Result<Foo> {
        let is_ready = |foo: Option<&Foo>| {
            foo.is_some_and(|foo| {
                foo.status.as_ref().is_some_and(|status| {
                    status.available_replicas == replicas
                        && status.observed_generation == foo.metadata.generation
                        && status
                            .conditions
                            .iter()
                            .any(|condition| condition.type_ == "Ready" && condition.status == "True")
                })
            })
        };
        let what = format!("{replicas} pods of Foo {name:?} are available");
        let found = self.until::<Foo>(&what, name, is_ready).await?;
        found.ok_or_else(|| "it was there a moment ago".into())
    }

    /// Returns whether there is an event of this reason about a Foo.
    pub fn has_event(&self, foo: &str, reason: &str) -> Result<bool> {
        let selector =
            format!("--field-selector=involvedObject.kind=Foo,involvedObject.name={foo},reason={reason}");
        let found = self.kubectl(&["get", "events", &selector, "--output=name"])?;
        Ok(!found.is_empty())
    }
}

/// Polls until `holds` returns true, for conditions that cannot be watched by name.
pub async fn poll(what: &str, holds: impl FnMut() -> Result<bool>) -> Result {
    suite::poll(what, PATIENCE, holds).await
}

/// An operator that runs; dropping it kills it.
pub struct Operator {
    process: Child,
    log: PathBuf,
}

impl Operator {
    /// Starts an operator whose kubeconfig and log are files of this name in `folder`.
    pub fn start(
        folder: &Path,
        name: &str,
        kubeconfig: &str,
        flags: &[&str],
        environment: &[(&str, &str)],
    ) -> Result<Self> {
        Self::start_program(
            Command::new(PROGRAM).args(flags),
            folder,
            name,
            kubeconfig,
            environment,
        )
    }

    /// Starts another program. The kubeconfig is its last argument.
    pub fn start_program(
        command: &mut Command,
        folder: &Path,
        name: &str,
        kubeconfig: &str,
        environment: &[(&str, &str)],
    ) -> Result<Self> {
        let file = folder.join(format!("{name}.kubeconfig"));
        std::fs::write(&file, kubeconfig)?;
        let log = folder.join(format!("{name}.log"));
        let process = command
            .arg("--kubeconfig")
            .arg(&file)
            .envs(environment.iter().copied())
            .stderr(std::fs::File::create(&log)?)
            .spawn()?;
        Ok(Self { process, log })
    }

    /// Returns whether the process has ended by itself.
    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.process.try_wait()?.is_some())
    }

    /// Returns the id of the process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns its log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Sends it a signal, such as `TERM`.
    pub fn signal(&self, name: &str) -> Result {
        let id = self.process.id().to_string();
        run(Command::new("kill").args([&format!("-{name}"), &id])).map(drop)
    }

    /// Asks it to end, and waits until it has.
    pub fn terminate(&mut self) -> Result<ExitStatus> {
        self.signal("TERM")?;
        Ok(self.process.wait()?)
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            let mut stderr = std::io::stderr();
            let _ = std::io::Write::write_all(&mut stderr, self.log().as_bytes());
        }
    }
}

/// Runs a command; its standard output, or its standard error as an error.
pub fn run(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(format!("{command:?}: {}", text(&output.stderr)).into())
    }
}

/// Prints what was measured or counted, past the harness. `cargo xtask e2e` gathers the lines that begin with `lost: `.
pub fn note(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
}
