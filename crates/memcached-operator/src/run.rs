//! Everything put together by kgen's manager, which has no say in the controller: that one is kube's.

use anyhow::Result;
use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;

use crate::admission::MemcachedWebhook;
use crate::controller::{Controller, NAME, RESYNC};
use crate::options::Options;

/// Operates until `shutdown` is requested, or the lease is lost.
///
/// # Errors
///
/// When the cluster cannot be reached, or the operator should be started anew.
// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,namespace=memcached-system,verbs=get;create;update
pub async fn run(options: &Options, shutdown: &Shutdown) -> Result<()> {
    let mut manager = Manager::builder(NAME)
        .kubeconfig(options.kubeconfig.clone())
        .context(options.context.clone())
        .namespaces(&options.namespaces)
        .resync(RESYNC)
        .leader_election(options.leader_elect)
        .serve_metrics(options.metrics_addr)
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
