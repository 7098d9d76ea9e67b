//! Runs kube's controller with kgen's manager.

use anyhow::Result;
use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;

use crate::admission::MemcachedWebhook;
use crate::controller::{Controller, NAME, RESYNC};
use crate::options::Options;

/// Runs until `shutdown` is requested, or the lease is lost.
///
/// # Errors
///
/// Returns an error if there is no configuration for a cluster, or if the operator should be restarted.
// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,namespace=memcached-system,verbs=get;create;update
pub async fn run(options: &Options, shutdown: &Shutdown) -> Result<()> {
    let mut manager = Manager::builder(NAME)
        .kubeconfig(options.kubeconfig.clone())
        .context(options.context.clone())
        .namespaces(&options.namespaces)
        .resync(RESYNC)
        .leader_election(options.leader_elect)
        .serve_metrics_insecurely(options.metrics_addr)
        .serve_probes(options.probe_addr)
        .webhooks(options.webhook_addr, options.webhook_certs.clone())
        .connect()
        .await?;
    let controller = Controller::new(
        manager.connection().client().clone(),
        manager.informers().clone(),
        &options.image,
        manager.recorder().clone(),
        manager.metrics(),
    )?;
    let workers = options.workers;
    manager.add_task(NAME, move |ending| async move {
        controller.run(workers, ending).await?;
        Ok(())
    });
    if options.webhook_certs.is_some() {
        manager.webhooks(|server| server.defaulting(MemcachedWebhook).validating(MemcachedWebhook));
    }
    manager.run(shutdown).await?;
    Ok(())
}
