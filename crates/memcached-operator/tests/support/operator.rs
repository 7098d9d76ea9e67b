//! A controller with an in-memory server. Time advances only when every task waits.

use std::time::Duration;

use kgen_runtime::clock::ManualClock;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::{FakeEvents, Recorder};
use kgen_runtime::{Connection, InformerFactory};
use memcached_operator::controller::{Controller, ControllerError, RESYNC};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::objects::{IMAGE, noon};
use super::server::Server;

pub struct Operator {
    pub controller: Controller,
    pub events: FakeEvents,
    pub metrics: Metrics,
    pub ending: CancellationToken,
    pub running: JoinHandle<Result<(), ControllerError>>,
}

impl Operator {
    /// Works, with so many workers.
    pub fn running(server: &Server, workers: u16) -> Self {
        let (recorder, events) = Recorder::fake();
        let metrics = Metrics::default();
        let informers = InformerFactory::builder(&Connection::new(server.client()))
            .resync(RESYNC)
            .drop_managed_fields()
            .build();
        let controller = Controller::new(server.client(), informers, IMAGE, recorder, &metrics)
            .unwrap()
            .with_clock(ManualClock::at(noon()));
        let ending = CancellationToken::new();
        let (working, until) = (controller.clone(), ending.clone());
        let running = tokio::spawn(async move { working.run(workers, until).await });
        Self {
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
            told.push(self.events.next().await.unwrap().to_string());
        }
        told
    }
}

/// Lets every task run until it waits.
pub async fn settle() {
    // The clock of these tests advances only when every task waits, so the shortest sleep ends exactly then.
    tokio::time::sleep(Duration::from_millis(1)).await;
}
