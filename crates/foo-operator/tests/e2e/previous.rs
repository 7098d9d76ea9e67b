//! The operator as it was before `v1`, as far as a cluster can tell: it reads and writes Foos as `v1alpha1`, and does not serve
//! conversions. It is a process of its own: the test program with [`ARGUMENT`].
//!
//! The decisions are those of the operator. Foos are converted to `v1` for them, without the values that only `v1` can
//! represent, and owner references name `v1alpha1`.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use foo_operator::api::{v1, v1alpha1};
use foo_operator::controller::{Key, NAME, carry_out};
use foo_operator::conversion::conversion;
use foo_operator::generated::apply::api_v1alpha1::FooStatusApply;
use foo_operator::generated::example_v1alpha1::FooInformer;
use foo_operator::generated::{Clientset, Informers};
use foo_operator::reconcile::{Action, Observed, reconcile};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::conversion::Conversion;
use kgen_runtime::election::{Elector, Outcome};
use kgen_runtime::owner::controller_of;
use kgen_runtime::queue::WorkQueue;
use kgen_runtime::recorder::Recorder;
use kgen_runtime::shutdown::Shutdown;
use kgen_runtime::{Event, Informer, WriteOptions};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config, Resource, ResourceExt};
use tokio_util::sync::CancellationToken;

/// The argument that makes the test program this operator.
pub const ARGUMENT: &str = "previous-release";

/// Runs until a signal, with the kubeconfig in the last argument.
#[tokio::main]
pub async fn run() -> Result<()> {
    tracing_subscriber::fmt()
        .json()
        .with_writer(std::io::stderr)
        .init();
    let file = std::env::args_os().next_back().context("no kubeconfig")?;
    let shutdown = Shutdown::on_signals()?;
    let kubeconfig = Kubeconfig::read_from(file)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let namespace = config.default_namespace.clone();
    let client = Client::try_from(config)?;
    let (recorder, writer) = Recorder::builder(client.clone(), NAME).start();
    let elector = Elector::builder(client.clone(), namespace, NAME)
        .recorder(&recorder)
        .build()?;
    let controller = Controller::new(client, recorder);
    let work = async |ending| controller.run(ending).await;
    let outcome = elector.lead(shutdown.requested(), work).await;
    writer.shutdown(Duration::from_secs(2)).await;
    match outcome {
        Outcome::Finished(result) => result,
        Outcome::NeverLed => Ok(()),
        Outcome::Lost | Outcome::TimedOut => bail!("another replica can be the leader"),
    }
}

struct Controller {
    clients: Clientset,
    informers: Informers,
    foos: FooInformer,
    deployments: Informer<Deployment>,
    queue: WorkQueue<Key>,
    recorder: Recorder,
    conversion: Conversion,
}

impl Controller {
    fn new(client: Client, recorder: Recorder) -> Self {
        let clients = Clientset::new(client).with_field_manager(NAME);
        let informers = Informers::new(&clients);
        Self {
            foos: informers.example_v1alpha1().foos(),
            deployments: informers.factory().informer(),
            queue: WorkQueue::builder().name("Foos").build(),
            conversion: conversion(),
            clients,
            informers,
            recorder,
        }
    }

    async fn run(&self, ending: CancellationToken) -> Result<()> {
        self.informers.start();
        self.informers.wait_for_sync().await.into_result()?;
        let queue = self.queue.clone();
        let foos = self.foos.informer().add_handler(move |event| {
            queue.add(key(event.object()));
            ready(())
        });
        let queue = self.queue.clone();
        let deployments = self.deployments.add_handler(move |event: Event<Deployment>| {
            let deployment: &Deployment = event.object();
            if let Some(owner) = controller_of(deployment) {
                queue.add(Key {
                    namespace: deployment.namespace().unwrap_or_default(),
                    name: owner.name.clone(),
                });
            }
            ready(())
        });
        tracing::info!("starting workers");
        while let Some(Some(key)) = ending.run_until_cancelled(self.queue.get()).await {
            match self.sync(&key).await {
                Ok(()) => self.queue.forget(&key),
                Err(error) => {
                    tracing::warn!(foo = %*key, "{error:#}");
                    self.queue.add_rate_limited(Key::clone(&key));
                }
            }
        }
        drop((foos, deployments));
        self.informers.shutdown().await;
        Ok(())
    }

    async fn sync(&self, key: &Key) -> Result<()> {
        let foo = match self.foos.lister().namespace(&key.namespace).get(&key.name) {
            Ok(foo) => foo,
            Err(error) if error.is_not_found() => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let foo = self.as_v1(&foo)?;
        let deployments = self.deployments.lister();
        let named = match deployments.get(Some(&key.namespace), &foo.spec.deployment_name) {
            Ok(deployment) => Some(owned_by_v1(&deployment)),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(error.into()),
        };
        let owned = deployments.by_owner(&foo.uid().unwrap_or_default());
        let owned: Vec<_> = owned
            .iter()
            .map(|deployment| Arc::new(owned_by_v1(deployment)))
            .collect();
        let actions = reconcile(Observed {
            foo: &foo,
            deployment: named.as_ref(),
            owned: &owned,
            now: SystemClock.now(),
        });
        for action in actions {
            match action {
                Action::WriteStatus(status) => self.write_status(&foo, status).await?,
                action => {
                    carry_out(
                        &self.clients,
                        &self.recorder,
                        &foo,
                        vec![owned_by_v1alpha1(action)],
                    )
                    .await?;
                }
            }
        }
        Ok(())
    }

    /// Returns what an operator that knows only `v1alpha1` sees: kept values of `v1` are not restored.
    fn as_v1(&self, foo: &v1alpha1::Foo) -> Result<v1::Foo> {
        let mut foo = foo.clone();
        foo.metadata.annotations = None;
        Ok(self.conversion.convert(&foo)?)
    }

    async fn write_status(&self, foo: &v1::Foo, status: v1::FooStatus) -> Result<()> {
        let namespace = foo.namespace().unwrap_or_default();
        let mut wanted = FooStatusApply::default()
            .available_replicas(status.available_replicas)
            .conditions(status.conditions);
        wanted.observed_generation = status.observed_generation;
        let mut configuration = v1alpha1::Foo::apply(foo.name_any(), &namespace).status(wanted);
        configuration.metadata.uid = foo.uid();
        let foos = self.clients.example_v1alpha1().foos(&namespace);
        let foos = foos.with_options(WriteOptions::new().force());
        foos.apply_status(&configuration).await?;
        Ok(())
    }
}

fn key(foo: &v1alpha1::Foo) -> Key {
    Key {
        namespace: foo.namespace().unwrap_or_default(),
        name: foo.name_any(),
    }
}

/// Lets owner references name `v1`, which the decisions expect.
fn owned_by_v1(deployment: &Deployment) -> Deployment {
    let mut deployment = deployment.clone();
    name_version::<v1::Foo>(deployment.metadata.owner_references.iter_mut().flatten());
    deployment
}

/// Lets owner references name `v1alpha1`, the only version that this operator knows.
fn owned_by_v1alpha1(mut action: Action) -> Action {
    match &mut action {
        Action::Create(deployment) => {
            name_version::<v1alpha1::Foo>(deployment.metadata.owner_references.iter_mut().flatten());
        }
        Action::Apply(configuration) => {
            name_version::<v1alpha1::Foo>(configuration.metadata.owner_references.iter_mut().flatten());
        }
        _ => {}
    }
    action
}

fn name_version<'a, K: Resource<DynamicType = ()>>(owners: impl Iterator<Item = &'a mut OwnerReference>) {
    for owner in owners.filter(|owner| owner.kind == K::kind(&())) {
        owner.api_version = K::api_version(&()).into_owned();
    }
}
