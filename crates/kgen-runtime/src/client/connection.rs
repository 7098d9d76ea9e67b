//! A client together with what every write of this program has in common: the name under which it owns fields.

use std::fmt;
use std::sync::Arc;

use tokio::runtime;

use crate::Result;

/// The server accepts no longer field manager.
const LONGEST_FIELD_MANAGER: usize = 128;

/// A [`kube::Client`] and a default field manager. Clones are cheap and share both.
#[derive(Clone)]
pub struct Connection {
    client: kube::Client,
    field_manager: Arc<str>,
    /// Where informers run if they are started outside of any runtime.
    runtime: Option<runtime::Handle>,
}

impl Connection {
    /// Uses `client`, with the name of the running program as field manager.
    #[must_use]
    pub fn new(client: kube::Client) -> Self {
        Self {
            client,
            field_manager: program_name().into(),
            runtime: runtime::Handle::try_current().ok(),
        }
    }

    /// Connects as the environment says: kubeconfig, or the service account inside a cluster.
    ///
    /// # Errors
    ///
    /// When neither is there, or cannot be used.
    pub async fn try_default() -> Result<Self> {
        Ok(Self::new(kube::Client::try_default().await?))
    }

    /// Owns fields under `name` from here on.
    #[must_use]
    pub fn with_field_manager(mut self, name: impl Into<String>) -> Self {
        self.field_manager = name.into().into();
        self
    }

    /// The client below.
    #[must_use]
    pub fn client(&self) -> &kube::Client {
        &self.client
    }

    /// The name under which this program owns the fields it writes.
    #[must_use]
    pub fn field_manager(&self) -> &str {
        &self.field_manager
    }

    /// The runtime of the caller, or else the one that this connection was made in.
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

/// The file name of the running program without its extension, as far as the server accepts it.
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
