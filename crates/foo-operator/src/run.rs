//! Runs the controller with leader election, events, metrics, probes and conversions, and stops them in the right order.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use kgen_runtime::election::{Elector, Outcome};
use kgen_runtime::health::Health;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::Recorder;
use kgen_runtime::shutdown::Shutdown;
use kgen_runtime::webhook::WebhookServer;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::controller::{Controller, NAME};
use crate::conversion::conversion;
use crate::generated::Clientset;
use crate::options::Options;

/// The time that the shutdown of the process can take. A pod has 30 s by default.
pub const GRACE: Duration = Duration::from_secs(25);

/// The part of the grace period in which workers have to end.
const GRACE_FOR_WORK: Duration = Duration::from_secs(20);

/// The part of the grace period that is reserved for writing the last events.
const GRACE_FOR_EVENTS: Duration = Duration::from_secs(2);

/// The timeout for the sync of the caches.
const SYNC_TIMEOUT: Duration = Duration::from_secs(120);

/// The time after the expiry of its lease when a leader counts as stuck.
const LEASE_TOLERANCE: Duration = Duration::from_secs(20);

/// Runs until `shutdown` is requested, or the lease is lost.
///
/// # Errors
///
/// Returns an error if there is no configuration for a cluster, or if the operator should be restarted.
pub async fn run(options: &Options, shutdown: &Shutdown) -> Result<()> {
    let config = configuration(options).await?;
    let namespace = config.default_namespace.clone();
    let client = Client::try_from(config).context("cannot create a client from the configuration")?;
    let metrics = Metrics::default();
    let (recorder, writer) = Recorder::builder(client.clone(), NAME).metrics(&metrics).start();
    let clients = Clientset::new(client.clone());
    let controller = Controller::new(clients, &options.namespaces, recorder.clone(), &metrics);
    let elector = match options.leader_elect {
        true => Some(elector(client, namespace, &recorder, &metrics)?),
        false => None,
    };
    let stop_serving = CancellationToken::new();
    let serving = serve(options, &controller, elector.as_ref(), &metrics, &stop_serving).await?;

    // Every replica fills its caches, so that the next leader does not have to wait. They sync before the lease is acquired,
    // so that a replica that cannot sync does not become the leader.
    controller.start();
    let result = match controller.wait_for_caches(SYNC_TIMEOUT, &shutdown.token()).await {
        Ok(()) => operate(controller, elector, usize::from(options.workers), shutdown).await,
        Err(error) => Err(error.into()),
    };

    // The last events are about the shutdown, so their writer ends last.
    writer.shutdown(GRACE_FOR_EVENTS).await;
    stop_serving.cancel();
    for server in serving {
        server.await.context("a server panicked")?;
    }
    result
}

// ANCHOR: lead
async fn operate(
    controller: Controller,
    elector: Option<Elector>,
    workers: usize,
    shutdown: &Shutdown,
) -> Result<()> {
    let Some(elector) = elector else {
        return Ok(controller.run(workers, shutdown.token()).await?);
    };
    let work = async |ending| controller.run(workers, ending).await;
    match elector.lead(shutdown.requested(), work).await {
        Outcome::Finished(result) => Ok(result?),
        Outcome::NeverLed => Ok(()),
        Outcome::Lost => bail!("the lease was lost, so another replica can be the leader"),
        Outcome::TimedOut => bail!("workers did not end within {GRACE_FOR_WORK:?}"),
    }
}
// ANCHOR_END: lead

// ANCHOR: elector
// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,namespace=foo-system,verbs=get;create;update
fn elector(client: Client, namespace: String, recorder: &Recorder, metrics: &Metrics) -> Result<Elector> {
    let elector = Elector::builder(client, namespace, NAME)
        .grace(GRACE_FOR_WORK)
        .metrics(metrics)
        .recorder(recorder)
        .build()?;
    Ok(elector)
}
// ANCHOR_END: elector

/// Returns the servers for conversions, metrics and probes that the options enable.
///
/// Every replica serves conversions, and does so before it fills its caches: they may contain objects that are stored in
/// another version.
async fn serve(
    options: &Options,
    controller: &Controller,
    elector: Option<&Elector>,
    metrics: &Metrics,
    stop: &CancellationToken,
) -> Result<Vec<JoinHandle<()>>> {
    let mut serving = Vec::new();
    if let Some(folder) = &options.webhook_certs {
        let server = WebhookServer::builder()
            .certificates(folder)
            .metrics(metrics)
            .converting(conversion())
            .listen(options.webhook_addr)
            .await?;
        tracing::info!(address = %server.address(), "serving conversions");
        serving.push(tokio::spawn(server.serve(stop.clone().cancelled_owned())));
    }
    if let Some(address) = options.probe_addr {
        let controller = controller.clone();
        let mut health = Health::default().ready_with_details("caches", move || controller.check_synced());
        if let Some(elector) = elector {
            let status = elector.status();
            health = health.live("leaderElection", move || status.check(LEASE_TOLERANCE));
        }
        let server = health.listen(address).await?;
        tracing::info!(address = %server.address(), "serving probes");
        serving.push(tokio::spawn(server.serve(stop.clone().cancelled_owned())));
    }
    if let Some(address) = options.metrics_addr {
        let server = metrics.listen(address).await?;
        tracing::info!(address = %server.address(), "serving metrics");
        serving.push(tokio::spawn(server.serve(stop.clone().cancelled_owned())));
    }
    Ok(serving)
}

async fn configuration(options: &Options) -> Result<Config> {
    let context = KubeConfigOptions {
        context: options.context.clone(),
        ..KubeConfigOptions::default()
    };
    let kubeconfig = match &options.kubeconfig {
        Some(path) => {
            Kubeconfig::read_from(path).with_context(|| format!("cannot read `{}`", path.display()))?
        }
        None if options.context.is_some() => Kubeconfig::read().context("cannot read the kubeconfig")?,
        None => {
            return Config::infer()
                .await
                .context("there is no kubeconfig, and the process does not run in a pod");
        }
    };
    Config::from_custom_kubeconfig(kubeconfig, &context)
        .await
        .context("the kubeconfig is invalid")
}
