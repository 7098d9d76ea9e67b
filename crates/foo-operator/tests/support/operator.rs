//! A controller with an in-memory server. Time advances only when every task waits.

use std::time::Duration;

use foo_operator::controller::{Controller, ControllerError};
use foo_operator::generated::Clientset;
use futures::FutureExt;
use kgen_runtime::Registration;
use kgen_runtime::clock::ManualClock;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::{FakeEvents, Recorder};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::objects::noon;
use super::server::Server;

pub struct Operator {
    pub controller: Controller,
    pub events: FakeEvents,
    pub ending: CancellationToken,
    /// Of an operator without workers.
    _handlers: Option<[Registration; 2]>,
}

impl Operator {
    /// A controller that does nothing yet.
    pub fn new(server: &Server) -> Self {
        let (recorder, events) = Recorder::fake();
        let controller = Controller::new(
            Clientset::new(server.client()),
            &[],
            recorder,
            &Metrics::default(),
        );
        Self {
            controller: controller.with_clock(ManualClock::at(noon())),
            events,
            ending: CancellationToken::new(),
            _handlers: None,
        }
    }

    /// Fills caches and queue, without any worker.
    pub async fn watching(server: &Server) -> Self {
        let mut operator = Self::new(server);
        operator.controller.start();
        settle().await;
        assert_eq!(operator.controller.check_synced(), Ok(()));
        assert_eq!(operator.controller.queue().len(), 0, "a standby queues nothing");
        operator._handlers = Some(operator.controller.watch());
        settle().await;
        operator
    }

    /// Works, with one worker.
    pub fn running(server: &Server) -> (Self, JoinHandle<Result<(), ControllerError>>) {
        let operator = Self::new(server);
        let running = operator.run(1);
        (operator, running)
    }

    pub fn run(&self, workers: usize) -> JoinHandle<Result<(), ControllerError>> {
        let (controller, ending) = (self.controller.clone(), self.ending.clone());
        tokio::spawn(async move { controller.run(workers, ending).await })
    }

    /// Takes what is queued by now.
    pub async fn queued(&self) -> Vec<String> {
        settle().await;
        let mut keys = Vec::new();
        while let Some(Some(key)) = self.controller.queue().get().now_or_never() {
            keys.push(key.to_string());
        }
        keys
    }
}

/// Lets every task run until it has nothing left to do, or only waits for a time to come.
pub async fn settle() {
    // The clock of these tests advances only when every task waits, so the shortest sleep ends exactly then.
    tokio::time::sleep(Duration::from_millis(1)).await;
}
