//! The events of a fake recorder.

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

    /// Returns the events since the last call, each as `Type Reason message`.
    pub fn take(&mut self) -> Vec<String> {
        self.take_occurrences().iter().map(ToString::to_string).collect()
    }

    /// Returns the events since the last call, with their objects.
    pub fn take_occurrences(&mut self) -> Vec<Occurrence> {
        std::iter::from_fn(|| self.queue.try_recv().ok()).collect()
    }

    /// Waits for the next event. Returns `None` when every clone of the recorder was dropped.
    pub async fn next(&mut self) -> Option<Occurrence> {
        self.queue.recv().await
    }
}
