//! The webhooks of a manager, and the settings of their server.

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::metrics::Metrics;
use crate::webhook::{WebhookError, WebhookServer, WebhookServerBuilder};

/// The handlers of a server that does not exist yet.
#[derive(Default)]
pub(super) struct Webhooks(Option<WebhookServerBuilder>);

impl Webhooks {
    pub(super) fn add(&mut self, add: impl FnOnce(WebhookServerBuilder) -> WebhookServerBuilder) {
        let builder = self.0.take().unwrap_or_else(WebhookServer::builder);
        self.0 = Some(add(builder));
    }

    /// Serves the registered webhooks until `stop` is canceled. Without a certificate, it does not serve them, because
    /// the API server usually cannot reach an operator that runs on a developer's machine.
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
            tracing::warn!("not serving webhooks, because no folder with their certificate is set");
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
