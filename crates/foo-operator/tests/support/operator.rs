//! The controller on a cluster that is the fake or a real one.

use foo_operator::controller::{Controller, ControllerError, Key};
use foo_operator::generated::Clientset;
use futures::FutureExt;
use kgen_fake::both::AnyCluster;
use kgen_runtime::Registration;
use kgen_runtime::clock::ManualClock;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::{FakeEvents, Occurrence, Recorder};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::objects::noon;

pub struct Operator {
    cluster: AnyCluster,
    pub controller: Controller,
    pub events: FakeEvents,
    pub ending: CancellationToken,
    /// Of an operator without workers.
    _handlers: Option<[Registration; 2]>,
}

impl Operator {
    /// Returns a controller of the Foos in the namespace of the test that does nothing yet.
    pub fn new(cluster: &AnyCluster) -> Self {
        let (recorder, events) = Recorder::fake();
        let controller = Controller::new(
            Clientset::new(cluster.client()),
            &[cluster.namespace().to_owned()],
            recorder,
            &Metrics::default(),
        );
        Self {
            cluster: cluster.clone(),
            controller: controller.with_clock(ManualClock::at(noon())),
            events,
            ending: CancellationToken::new(),
            _handlers: None,
        }
    }

    /// Fills caches and queue, without any worker.
    pub async fn watching(cluster: &AnyCluster) -> Self {
        let mut operator = Self::new(cluster);
        operator.controller.start();
        cluster
            .until("the caches are filled", async || {
                operator.controller.check_synced().is_ok()
            })
            .await;
        assert_eq!(operator.controller.queue().len(), 0, "a standby queues nothing");
        operator._handlers = Some(operator.controller.watch());
        cluster.settled().await;
        operator
    }

    /// Works, with one worker.
    pub fn running(cluster: &AnyCluster) -> (Self, JoinHandle<Result<(), ControllerError>>) {
        let operator = Self::new(cluster);
        let running = operator.run(1);
        (operator, running)
    }

    pub fn run(&self, workers: usize) -> JoinHandle<Result<(), ControllerError>> {
        let (controller, ending) = (self.controller.clone(), self.ending.clone());
        tokio::spawn(async move { controller.run(workers, ending).await })
    }

    /// Reconciles the Foo of this name.
    pub async fn sync(&self, name: &str) -> Result<(), foo_operator::controller::SyncError> {
        self.controller.sync(&self.key(name)).await
    }

    pub fn key(&self, name: &str) -> Key {
        Key {
            namespace: self.cluster.namespace().to_owned(),
            name: name.to_owned(),
        }
    }

    /// Waits for the next event.
    pub async fn told(&mut self) -> Occurrence {
        let next = self.cluster.ready("an event", self.events.next()).await;
        next.expect("the recorder lives")
    }

    /// Waits until something is queued, and takes the names of all that is.
    pub async fn queued(&self) -> Vec<String> {
        let queue = self.controller.queue();
        self.cluster
            .until("something is queued", async || !queue.is_empty())
            .await;
        self.cluster.settled().await;
        self.take_queued()
    }

    /// Lets the program come to rest, and requires that nothing is queued.
    pub async fn nothing_queued(&self, reason: &str) {
        self.cluster.settled().await;
        assert_eq!(self.take_queued(), <[String; 0]>::default(), "{reason}");
    }

    fn take_queued(&self) -> Vec<String> {
        let mut names = Vec::new();
        while let Some(Some(key)) = self.controller.queue().get().now_or_never() {
            names.push(key.name.clone());
        }
        names
    }
}
