//! Starts, kills, restarts and stops components.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::assets::{Assets, minor};
use crate::builder::{ControlPlaneBuilder, KGEN_LOGS};
use crate::certificates::Authority;
use crate::components::{ADMIN, ADMINS, Component, Layout, Options, node};
use crate::control_plane::ControlPlane;
use crate::error::{Error, IoContext, Result};
use crate::https::{Content, HttpsClient};
use crate::process::{Process, tail};
use crate::run_folder::RunFolder;
use crate::watchdog::Watchdog;

/// How often a condition is checked.
pub(super) const POLL: Duration = Duration::from_millis(50);

/// How long a component may take to exit.
const STOP_PATIENCE: Duration = Duration::from_secs(10);

impl ControlPlane {
    /// Starts the control plane that `builder` describes. If this fails, dropping the partial control plane cleans up.
    pub(crate) async fn start_with(builder: &ControlPlaneBuilder, assets: Assets) -> Result<Self> {
        let folder = RunFolder::claim()?;
        let layout = Layout {
            folder: folder.path().to_owned(),
            logs: log_folder(builder, folder.path())?,
            ports: folder.ports(),
        };
        let authority = Authority::new()?;
        let identity = authority.client(ADMIN, Some(ADMINS))?;
        let admin = layout.write_files(&authority, &identity)?;
        let https = HttpsClient::new(&authority.own.certificate, &identity)?;
        let watchdog = Watchdog::start(folder.path())?;
        let mut control_plane = Self {
            assets,
            options: Options {
                service_accounts: builder.has_service_accounts(),
                controllers: builder.controllers.clone(),
                audit: builder.records_access,
                api_server_flags: builder.api_server_flags.clone(),
            },
            layout,
            authority,
            admin,
            https,
            version: String::new(),
            ready_within: builder.ready_within,
            processes: Mutex::new(BTreeMap::new()),
            watchdog,
            run_folder: folder,
        };
        control_plane.bring_up(builder).await?;
        Ok(control_plane)
    }

    async fn bring_up(&mut self, builder: &ControlPlaneBuilder) -> Result<()> {
        // The API server waits for etcd by itself, so both can start at the same time.
        self.launch(Component::Etcd)?;
        self.launch(Component::ApiServer)?;
        self.wait_until_ready(Component::ApiServer).await?;
        self.check_version(builder).await?;
        self.wait_for(Component::ApiServer, "/api/v1/namespaces/default", |_| true)
            .await?;

        let others = || {
            builder
                .components
                .iter()
                .copied()
                .filter(|component| *component > Component::ApiServer)
        };
        for component in others() {
            self.launch(component)?;
        }
        for number in 0..builder.nodes {
            self.api("POST", "/api/v1/nodes", Some(Content::json(&node(number))))
                .await?;
        }
        for component in others() {
            self.wait_until_ready(component).await?;
        }
        if builder.has_service_accounts() {
            // Until it exists, every pod in the namespace is rejected.
            let account = "/api/v1/namespaces/default/serviceaccounts/default";
            self.wait_for(Component::ControllerManager, account, |_| true)
                .await?;
        }
        if builder.components.contains(&Component::Kwok) {
            self.wait_for(Component::Kwok, "/api/v1/nodes", all_nodes_are_ready)
                .await?;
        }
        Ok(())
    }

    async fn check_version(&mut self, builder: &ControlPlaneBuilder) -> Result<()> {
        let version = self.api("GET", "/version", None).await?;
        self.version = version["gitVersion"].as_str().unwrap_or_default().to_owned();
        match &builder.kubernetes {
            Some(asked) if minor(asked) != minor(&self.version) => Err(Error::WrongVersion {
                asked: asked.clone(),
                found: self.version.clone(),
                folder: self.assets.folder().to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Kills a component, like a crash. It is not an error if the component has already ended.
    ///
    /// # Errors
    ///
    /// Returns an error if this control plane does not have the component.
    pub fn kill(&self, component: Component) -> Result<()> {
        match self.processes().get_mut(&component) {
            None => Err(Error::NotPartOfIt(component)),
            Some(slot) => {
                drop(slot.take());
                Ok(())
            }
        }
    }

    /// Restarts a component with the same ports, certificates and data, and waits until it is ready. Kills it first if it is
    /// running.
    ///
    /// # Errors
    ///
    /// Returns an error if this control plane does not have the component, or if it does not start.
    pub async fn restart(&self, component: Component) -> Result<()> {
        self.kill(component)?;
        self.launch(component)?;
        self.wait_until_ready(component).await
    }

    /// Checks that every component is running, except components that were killed with [`kill`](Self::kill).
    ///
    /// # Errors
    ///
    /// Returns the first component that exited by itself, with the end of its log.
    pub fn check(&self) -> Result<()> {
        self.processes()
            .values_mut()
            .flatten()
            .try_for_each(Process::check)
    }

    /// Stops all components gracefully in the right order, and removes the folder.
    ///
    /// # Errors
    ///
    /// Returns an error if a component had exited by itself, or if the folder cannot be removed. All components are
    /// stopped anyway.
    pub async fn stop(self) -> Result<()> {
        let outcome = self.check();
        for component in Component::ALL.into_iter().rev() {
            let process = self.processes().get_mut(&component).and_then(Option::take);
            if let Some(process) = process {
                process.terminate(STOP_PATIENCE).await;
            }
        }
        let folder = self.layout.folder.clone();
        drop(self);
        outcome?;
        if folder.exists() {
            std::fs::remove_dir_all(&folder).context("remove", &folder)
        } else {
            Ok(())
        }
    }

    /// Starts the process of a component.
    fn launch(&self, component: Component) -> Result<()> {
        let process = Process::start(
            component,
            &self.assets.component(component)?,
            &component.arguments(&self.layout, &self.options),
            &self.layout.log(component),
            self.watchdog.group(),
        )?;
        self.processes().insert(component, Some(process));
        Ok(())
    }

    /// Waits until a component reports that it is ready.
    async fn wait_until_ready(&self, component: Component) -> Result<()> {
        let port = self.layout.ports.of(component);
        let deadline = Instant::now() + self.ready_within;
        loop {
            self.check()?;
            let last = match self.https.send(port, "GET", component.health_path(), None).await {
                Ok(answer) if answer.status == 200 => return Ok(()),
                Ok(answer) => format!("it answers {}", answer.status),
                Err(error) => error.to_string(),
            };
            self.wait_on(component, deadline, last).await?;
        }
    }

    /// Waits until the object or list at `path` exists and satisfies `holds`. Errors name `component`.
    async fn wait_for(&self, component: Component, path: &str, holds: impl Fn(&Value) -> bool) -> Result<()> {
        let deadline = Instant::now() + self.ready_within;
        loop {
            self.check()?;
            let last = match self.api("GET", path, None).await {
                Ok(found) if holds(&found) => return Ok(()),
                Ok(_) => format!("{path} is not as it should be"),
                Err(error) => error.to_string(),
            };
            self.wait_on(component, deadline, last).await?;
        }
    }

    /// Waits a moment. Returns an error if the time is over.
    async fn wait_on(&self, component: Component, deadline: Instant, last: String) -> Result<()> {
        if Instant::now() < deadline {
            tokio::time::sleep(POLL).await;
            return Ok(());
        }
        let log = self.layout.log(component);
        Err(Error::NotReady {
            component,
            seconds: self.ready_within.as_secs(),
            last,
            tail: tail(&log),
            log,
        })
    }
}

impl Drop for ControlPlane {
    /// Kills the processes: a graceful stop takes seconds and has no benefit here. The order does not matter, because a
    /// killed API server cannot hang while etcd is gone. The watchdog and the folder are dropped afterwards, as fields.
    fn drop(&mut self) {
        for process in self.processes().values_mut().rev() {
            drop(process.take());
        }
    }
}

fn all_nodes_are_ready(nodes: &Value) -> bool {
    let ready = |node: &Value| {
        node["status"]["conditions"].as_array().is_some_and(|conditions| {
            conditions
                .iter()
                .any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
        })
    };
    nodes["items"]
        .as_array()
        .is_some_and(|nodes| nodes.iter().all(ready))
}

/// Returns the folder of the logs: a new folder in the one that the test or `KGEN_LOGS` chose, otherwise the control
/// plane's own folder.
fn log_folder(builder: &ControlPlaneBuilder, run_folder: &Path) -> Result<PathBuf> {
    let chosen = match &builder.logs {
        Some(folder) => Some(folder.clone()),
        None => std::env::var_os(KGEN_LOGS)
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from),
    };
    let folder = match (chosen, run_folder.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => run_folder.join("logs"),
    };
    std::fs::create_dir_all(&folder).context("make the folder", &folder)?;
    Ok(folder)
}
