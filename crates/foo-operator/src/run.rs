//! Everything put together: connection, controller, election, events, metrics, and their end in the right order.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use kgen_runtime::election::{Elector, Outcome};
use kgen_runtime::health::Health;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::Recorder;
use kgen_runtime::shutdown::Shutdown;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::controller::{Controller, NAME};
use crate::generated::Clientset;
use crate::options::Options;

/// How long the end of the process may take. A pod has 30 s by default.
pub const GRACE: Duration = Duration::from_secs(25);

/// How much of it work may take to finish.
const GRACE_FOR_WORK: Duration = Duration::from_secs(20);

/// How much of it the last events may take to be written.
const GRACE_FOR_EVENTS: Duration = Duration::from_secs(2);

/// How long the caches may take to fill.
const SYNC_TIMEOUT: Duration = Duration::from_secs(120);

/// How long a lease may be expired before a leader that still believes in it counts as stuck.
const LEASE_TOLERANCE: Duration = Duration::from_secs(20);

/// Operates until `shutdown` is requested, or the lease is lost.
///
/// # Errors
///
/// When the cluster cannot be reached, or the operator should be started anew.
pub async fn run(options: &Options, shutdown: &Shutdown) -> Result<()> {
    let config = configuration(options).await?;
    let namespace = config.default_namespace.clone();
    let client = Client::try_from(config).context("the configuration leads to no cluster")?;
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

    // Also without the lease: the next leader should not have to wait for its caches. And before it is acquired: a replica that
    // cannot fill them must not keep the others from leading.
    controller.start();
    let result = match controller.wait_for_caches(SYNC_TIMEOUT, &shutdown.token()).await {
        Ok(()) => operate(controller, elector, usize::from(options.workers), shutdown).await,
        Err(error) => Err(error.into()),
    };

    // The last events tell how it ended, so their writer ends last.
    writer.shutdown(GRACE_FOR_EVENTS).await;
    stop_serving.cancel();
    for server in serving {
        server.await.context("a server has panicked")?;
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
        Outcome::Lost => bail!("another replica may lead by now, so this one ends"),
        Outcome::TimedOut => bail!("work did not end within {GRACE_FOR_WORK:?}"),
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

/// Returns the servers for metrics and probes, if they are wanted.
async fn serve(
    options: &Options,
    controller: &Controller,
    elector: Option<&Elector>,
    metrics: &Metrics,
    stop: &CancellationToken,
) -> Result<Vec<JoinHandle<()>>> {
    let mut serving = Vec::new();
    if let Some(address) = options.probe_addr {
        let controller = controller.clone();
        let mut health = Health::default().ready("caches", move || controller.check_synced());
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
        None => return Config::infer().await.context("there is no way to a cluster"),
    };
    Config::from_custom_kubeconfig(kubeconfig, &context)
        .await
        .context("the kubeconfig cannot be used")
}
