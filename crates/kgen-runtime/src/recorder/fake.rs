//! What a fake recorder has recorded.

use tokio::sync::mpsc;

use super::event::Occurrence;

/// The events of [`Recorder::fake`](super::Recorder::fake), oldest first.
#[derive(Debug)]
pub struct FakeEvents {
    queue: mpsc::Receiver<Occurrence>,
}

impl FakeEvents {
    pub(super) fn new(queue: mpsc::Receiver<Occurrence>) -> Self {
        Self { queue }
    }

    /// Everything recorded since the last call, each as `Type Reason message`.
    pub fn take(&mut self) -> Vec<String> {
        self.take_occurrences().iter().map(ToString::to_string).collect()
    }

    /// Everything recorded since the last call, with the objects.
    pub fn take_occurrences(&mut self) -> Vec<Occurrence> {
        std::iter::from_fn(|| self.queue.try_recv().ok()).collect()
    }

    /// The next event, as soon as there is one; `None` when every clone of the recorder is gone.
    pub async fn next(&mut self) -> Option<Occurrence> {
        self.queue.recv().await
    }
}
