//! The Foo operator on kube's own `Controller`: the same decisions and the same writes, with kube's watches, stores and
//! scheduler in place of kgen's informers and queue. `cargo xtask bench --load` runs it beside the operator.
//!
//! ```text
//! KUBECONFIG=… cargo run -p foo-operator --example kube_controller -- --metrics-addr=127.0.0.1:0
//! ```

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use foo_operator::api::v1::Foo;
use foo_operator::controller::{NAME, SyncError, carry_out};
use foo_operator::generated::Clientset;
use foo_operator::reconcile::{Observed, reconcile};
use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::metrics::Metrics;
use kgen_runtime::metrics::prometheus_client::metrics::counter::Counter;
use kgen_runtime::queue::{Exponential, RateLimiter};
use kgen_runtime::recorder::Recorder;
use kube::runtime::controller::{Action, Config};
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::{Controller, WatchStreamExt, watcher};
use kube::{Api, Client, ResourceExt};

#[derive(Parser)]
struct Options {
    /// Serve /metrics there
    #[arg(long)]
    metrics_addr: SocketAddr,
    /// How many Foos to work on at once
    #[arg(long, default_value_t = 2)]
    workers: u16,
}

struct Context {
    clients: Clientset,
    deployments: Store<Deployment>,
    recorder: Recorder,
    limiter: Mutex<Exponential<ObjectRef<Foo>>>,
    reconciles: Counter,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    tracing_subscriber::fmt()
        .json()
        .with_writer(std::io::stderr)
        .init();
    let client = Client::try_default().await?;
    let metrics = Metrics::default();
    let (recorder, writer) = Recorder::builder(client.clone(), NAME).metrics(&metrics).start();
    let reconciles = Counter::default();
    metrics.register(|registry| {
        registry.register("foo_reconciles", "Calls of the reconciler", reconciles.clone());
    });
    let server = metrics.listen(options.metrics_addr).await?;
    tracing::info!(address = %server.address(), "serving metrics");
    tokio::spawn(server.serve(std::future::pending()));

    let (deployments, store) = reflector::store();
    let changes = watcher(Api::<Deployment>::all(client.clone()), watcher::Config::default())
        .default_backoff()
        .reflect(store)
        .touched_objects();
    let context = Context {
        clients: Clientset::new(client.clone()).with_field_manager(NAME),
        deployments,
        recorder,
        limiter: Mutex::new(Exponential::new(
            Duration::from_millis(5),
            Duration::from_secs(1000),
        )),
        reconciles,
    };
    Controller::new(Api::<Foo>::all(client), watcher::Config::default())
        .owns_stream(changes)
        .with_config(Config::default().concurrency(options.workers))
        .shutdown_on_signal()
        .run(sync, retry, Arc::new(context))
        .for_each(|_| std::future::ready(()))
        .await;
    writer.shutdown(Duration::from_secs(2)).await;
    Ok(())
}

async fn sync(foo: Arc<Foo>, context: Arc<Context>) -> Result<Action, SyncError> {
    context.reconciles.inc();
    let store = &context.deployments;
    if store.wait_until_ready().await.is_err() {
        return Ok(Action::await_change());
    }
    let namespace = foo.namespace().unwrap_or_default();
    let named = store.get(&ObjectRef::new(&foo.spec.deployment_name).within(&namespace));
    // kube's store does not have an index, so the owned objects are searched for.
    let uid = foo.uid();
    let owned: Vec<_> = store
        .state()
        .into_iter()
        .filter(|deployment| {
            let mut owners = deployment.owner_references().iter();
            owners.any(|owner| Some(&owner.uid) == uid.as_ref())
        })
        .collect();
    let actions = reconcile(Observed {
        foo: &foo,
        deployment: named.as_deref(),
        owned: &owned,
        now: SystemClock.now(),
    });
    carry_out(&context.clients, &context.recorder, &foo, actions).await?;
    lock(&context).forget(&ObjectRef::from_obj(&foo));
    Ok(Action::await_change())
}

fn retry(foo: Arc<Foo>, _error: &SyncError, context: Arc<Context>) -> Action {
    Action::requeue(lock(&context).when(&ObjectRef::from_obj(&foo)))
}

fn lock(context: &Context) -> std::sync::MutexGuard<'_, Exponential<ObjectRef<Foo>>> {
    context.limiter.lock().unwrap_or_else(PoisonError::into_inner)
}
