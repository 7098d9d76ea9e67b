//! The task that writes events to the API.

use std::time::Duration;

use k8s_openapi::api::core::v1::Event;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::correlator::{Correlated, Correlator};
use super::event::{Occurrence, Source, event, namespace_of};
use crate::Causes;
use crate::metrics::RecorderMetrics;
use crate::random::scaled;
use crate::retry::status_of;

const TRIES: u32 = 12;
const BETWEEN_TRIES: Duration = Duration::from_secs(10);
/// The maximum number of conflicts in a row when an event is patched.
const COLLISIONS: u32 = 5;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The task that writes events. It keeps running when this is dropped.
#[derive(Debug)]
#[must_use = "shut the writer down at the end, or the last events are lost"]
pub struct EventWriter {
    closing: CancellationToken,
    task: JoinHandle<()>,
}

impl EventWriter {
    pub(super) fn start(
        client: Client,
        source: Source,
        queue: mpsc::Receiver<Occurrence>,
        metrics: RecorderMetrics,
    ) -> Self {
        let closing = CancellationToken::new();
        let writer = Writer {
            client,
            source,
            correlator: Correlator::new(),
            metrics,
            closing: closing.clone(),
        };
        Self {
            closing,
            task: tokio::spawn(writer.run(queue)),
        }
    }

    /// Rejects new events and writes the queued ones, with one attempt each. Returns `false` if there was not enough
    /// time, so that some are lost.
    pub async fn shutdown(mut self, within: Duration) -> bool {
        self.closing.cancel();
        let ended = tokio::time::timeout(within, &mut self.task).await.is_ok();
        if !ended {
            tracing::warn!("could not write all events in time");
            self.task.abort();
        }
        ended
    }
}

struct Writer {
    client: Client,
    source: Source,
    correlator: Correlator,
    metrics: RecorderMetrics,
    closing: CancellationToken,
}

/// The reason why an event was not written.
enum Failure {
    /// The API server rejected the event.
    Refused(kube::Error),
    /// The API server may not have received the event.
    NotSent(String),
}

impl Writer {
    async fn run(mut self, mut queue: mpsc::Receiver<Occurrence>) {
        loop {
            tokio::select! {
                biased;
                () = self.closing.cancelled(), if !queue.is_closed() => queue.close(),
                occurrence = queue.recv() => match occurrence {
                    Some(occurrence) => self.write(occurrence).await,
                    None => return,
                },
            }
        }
    }

    async fn write(&mut self, occurrence: Occurrence) {
        let Some(mut correlated) = self.correlator.correlate(&occurrence) else {
            self.metrics.filtered.inc();
            return;
        };
        let events = Api::<Event>::namespaced(self.client.clone(), namespace_of(&occurrence.regarding));
        for tries in 1..=TRIES {
            let why = match self.send(&events, &occurrence, &mut correlated).await {
                Ok(()) => {
                    self.metrics.written.inc();
                    return;
                }
                Err(Failure::Refused(error)) => {
                    tracing::warn!(%occurrence, error = %Causes(&error), "event refused");
                    break;
                }
                Err(Failure::NotSent(why)) => why,
            };
            if tries == TRIES || self.closing.is_cancelled() {
                tracing::warn!(%occurrence, why, tries, "cannot write an event");
                break;
            }
            // The first delay is random, so that not all replicas retry at the same time.
            let wait = if tries == 1 {
                scaled(BETWEEN_TRIES, fastrand::f64())
            } else {
                BETWEEN_TRIES
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.closing.cancelled() => {}
            }
        }
        self.metrics.failed.inc();
    }

    /// Creates the event or counts it up, and creates it again if it has expired.
    async fn send(
        &self,
        events: &Api<Event>,
        occurrence: &Occurrence,
        correlated: &mut Correlated,
    ) -> Result<(), Failure> {
        let Correlated {
            message,
            written,
            again,
        } = correlated;
        if *again {
            let patch = json!({
                "count": written.count,
                "lastTimestamp": Time(occurrence.time),
                "message": message,
            });
            let (params, patch) = (PatchParams::default(), Patch::Strategic(patch));
            let mut collisions = 0;
            while *again {
                match in_time(events.patch(&written.name, &params, &patch)).await {
                    Err(Failure::Refused(error)) if has_code(&error, 404) => *again = false,
                    Err(Failure::Refused(error)) if has_code(&error, 409) && collisions < COLLISIONS => {
                        collisions += 1;
                    }
                    result => return result,
                }
            }
        }
        let event = event(occurrence, message, written, &self.source);
        match in_time(events.create(&PostParams::default(), &event)).await {
            // An earlier attempt succeeded, but its response did not arrive.
            Err(Failure::Refused(error)) if has_code(&error, 409) => Ok(()),
            result => result,
        }
    }
}

async fn in_time(request: impl Future<Output = Result<Event, kube::Error>>) -> Result<(), Failure> {
    match tokio::time::timeout(REQUEST_TIMEOUT, request).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) if status_of(&error).is_some() => Err(Failure::Refused(error)),
        // The event exists; only the response could not be parsed.
        Ok(Err(kube::Error::SerdeError(_))) => Ok(()),
        Ok(Err(error @ kube::Error::BuildRequest(_))) => Err(Failure::Refused(error)),
        Ok(Err(error)) => Err(Failure::NotSent(Causes(&error).to_string())),
        Err(_) => Err(Failure::NotSent("timeout".to_owned())),
    }
}

fn has_code(error: &kube::Error, code: u16) -> bool {
    status_of(error).is_some_and(|status| status.code == code)
}
