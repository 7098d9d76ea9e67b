//! A client with the field manager that all writes of this program share.

use std::fmt;
use std::sync::Arc;

use tokio::runtime;

use crate::Result;
use crate::discovery::{Discovery, Kind};

/// The longest field manager that the server accepts.
const LONGEST_FIELD_MANAGER: usize = 128;

/// A [`kube::Client`] and a default field manager. Clones are cheap and share both.
#[derive(Clone)]
pub struct Connection {
    client: kube::Client,
    field_manager: Arc<str>,
    discovery: Discovery,
    /// The runtime of informers that are started outside of any runtime.
    runtime: Option<runtime::Handle>,
}

impl Connection {
    /// Uses `client`, with the name of the running program as the field manager.
    #[must_use]
    pub fn new(client: kube::Client) -> Self {
        Self {
            discovery: Discovery::new(client.clone()),
            client,
            field_manager: program_name().into(),
            runtime: runtime::Handle::try_current().ok(),
        }
    }

    /// Connects with the kubeconfig, or with the service account of the pod inside a cluster.
    ///
    /// # Errors
    ///
    /// Returns an error if neither exists, or if the configuration is invalid.
    pub async fn try_default() -> Result<Self> {
        Ok(Self::new(kube::Client::try_default().await?))
    }

    /// Sets the field manager to `name`.
    #[must_use]
    pub fn with_field_manager(mut self, name: impl Into<String>) -> Self {
        self.field_manager = name.into().into();
        self
    }

    /// Returns the underlying client.
    #[must_use]
    pub fn client(&self) -> &kube::Client {
        &self.client
    }

    /// Returns the kinds of the server. All clones of this connection share one cache.
    #[must_use]
    pub fn discovery(&self) -> &Discovery {
        &self.discovery
    }

    /// Waits until the server has a kind of that name. See [`Discovery::wait_for_kind`].
    ///
    /// # Errors
    ///
    /// Returns an error if the name is ambiguous, or if the server does not answer.
    pub async fn wait_for_kind(&self, name: &str) -> Result<Kind> {
        self.discovery.wait_for_kind(name).await
    }

    /// Returns the field manager of this program's writes.
    #[must_use]
    pub fn field_manager(&self) -> &str {
        &self.field_manager
    }

    /// Returns the runtime of the caller, or else the runtime in which this connection was created.
    pub(crate) fn runtime(&self) -> Option<runtime::Handle> {
        runtime::Handle::try_current()
            .ok()
            .or_else(|| self.runtime.clone())
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Connection")
            .field("field_manager", &self.field_manager)
            .finish_non_exhaustive()
    }
}

/// Returns the file name of the running program without its extension, truncated to the length that the server accepts.
fn program_name() -> String {
    let name = std::env::current_exe()
        .ok()
        .and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .unwrap_or_default();
    let name: String = name
        .chars()
        .filter(|character| character.is_ascii_graphic())
        .take(LONGEST_FIELD_MANAGER)
        .collect();
    if name.is_empty() {
        "kgen-runtime".to_owned()
    } else {
        name
    }
}
