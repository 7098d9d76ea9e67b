//! The addresses at which a manager listens.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

/// The addresses at which a manager listens, with the ports that the system chose. Clones are about the same manager.
///
/// An address is `None` until [`Manager::run`](super::Manager::run) listens there.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    metrics: Arc<OnceLock<SocketAddr>>,
    probes: Arc<OnceLock<SocketAddr>>,
}

impl Addresses {
    /// Returns the address of `/metrics`.
    #[must_use]
    pub fn metrics(&self) -> Option<SocketAddr> {
        self.metrics.get().copied()
    }

    /// Returns the address of `/healthz` and `/readyz`.
    #[must_use]
    pub fn probes(&self) -> Option<SocketAddr> {
        self.probes.get().copied()
    }

    pub(super) fn set_metrics(&self, address: SocketAddr) {
        let _ = self.metrics.set(address);
    }

    pub(super) fn set_probes(&self, address: SocketAddr) {
        let _ = self.probes.set(address);
    }
}
