//! The webhooks of a manager: what was registered, and where it is served.

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::metrics::Metrics;
use crate::webhook::{WebhookError, WebhookServer, WebhookServerBuilder};

/// Handlers for a server that is not there yet.
#[derive(Default)]
pub(super) struct Webhooks(Option<WebhookServerBuilder>);

impl Webhooks {
    pub(super) fn add(&mut self, add: impl FnOnce(WebhookServerBuilder) -> WebhookServerBuilder) {
        let builder = self.0.take().unwrap_or_else(WebhookServer::builder);
        self.0 = Some(add(builder));
    }

    /// Serves what was registered until `stop` is cancelled. Without a certificate, nothing is served: an operator that runs on
    /// somebody's own machine cannot be reached by the API server.
    pub(super) async fn serve(
        self,
        place: Option<(SocketAddr, PathBuf)>,
        metrics: &Metrics,
        stop: &CancellationToken,
    ) -> Result<Option<JoinHandle<()>>, WebhookError> {
        let Some(builder) = self.0 else {
            return Ok(None);
        };
        let Some((address, certificates)) = place else {
            tracing::warn!("webhooks are not served, because there is no folder with their certificate");
            return Ok(None);
        };
        let server = builder
            .certificates(certificates)
            .metrics(metrics)
            .listen(address)
            .await?;
        tracing::info!(address = %server.address(), "serving webhooks");
        Ok(Some(tokio::spawn(server.serve(stop.clone().cancelled_owned()))))
    }
}
