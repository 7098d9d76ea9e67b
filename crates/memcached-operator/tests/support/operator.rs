//! The controller on a cluster that is the fake or a real one.

use kgen_fake::both::AnyCluster;
use kgen_runtime::clock::ManualClock;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::{FakeEvents, Recorder};
use kgen_runtime::{Connection, InformerFactory};
use memcached_operator::controller::{Controller, ControllerError, RESYNC};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::objects::{IMAGE, noon};

pub struct Operator {
    cluster: AnyCluster,
    pub controller: Controller,
    pub events: FakeEvents,
    pub metrics: Metrics,
    pub ending: CancellationToken,
    pub running: JoinHandle<Result<(), ControllerError>>,
}

impl Operator {
    /// Works, with so many workers.
    pub fn running(cluster: &AnyCluster, workers: u16) -> Self {
        let (recorder, events) = Recorder::fake();
        let metrics = Metrics::default();
        let informers = InformerFactory::builder(&Connection::new(cluster.client()))
            .namespaces([cluster.namespace()])
            .resync(RESYNC)
            .drop_managed_fields()
            .build();
        let controller = Controller::new(cluster.client(), informers, IMAGE, recorder, &metrics)
            .unwrap()
            .with_clock(ManualClock::at(noon()));
        let ending = CancellationToken::new();
        let (working, until) = (controller.clone(), ending.clone());
        let running = tokio::spawn(async move { working.run(workers, until).await });
        Self {
            cluster: cluster.clone(),
            controller,
            events,
            metrics,
            ending,
            running,
        }
    }

    /// Returns the next events.
    pub async fn told(&mut self, count: usize) -> Vec<String> {
        let mut told = Vec::new();
        while told.len() < count {
            let next = self.cluster.ready("an event", self.events.next()).await;
            told.push(next.unwrap().to_string());
        }
        told
    }
}
