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
/// How often in a row a change of an event may come too late because somebody else has changed it.
const COLLISIONS: u32 = 5;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The task that writes events. Dropping this leaves it running.
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

    /// Takes no more events and writes those that wait, each with one try. True if all were tried in time; the rest is lost.
    pub async fn shutdown(mut self, within: Duration) -> bool {
        self.closing.cancel();
        let ended = tokio::time::timeout(within, &mut self.task).await.is_ok();
        if !ended {
            tracing::warn!("not all events could be written in time");
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

/// Why an event was not written.
enum Failure {
    /// The API was asked and said no.
    Refused(kube::Error),
    /// The API may not have heard of it.
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
                tracing::warn!(%occurrence, why, tries, "event could not be sent");
                break;
            }
            // The first wait is random, so that not everyone comes back at once.
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
            // An earlier try arrived, and its answer did not.
            Err(Failure::Refused(error)) if has_code(&error, 409) => Ok(()),
            result => result,
        }
    }
}

async fn in_time(request: impl Future<Output = Result<Event, kube::Error>>) -> Result<(), Failure> {
    match tokio::time::timeout(REQUEST_TIMEOUT, request).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) if status_of(&error).is_some() => Err(Failure::Refused(error)),
        // The event is there; only the answer cannot be read.
        Ok(Err(kube::Error::SerdeError(_))) => Ok(()),
        Ok(Err(error @ kube::Error::BuildRequest(_))) => Err(Failure::Refused(error)),
        Ok(Err(error)) => Err(Failure::NotSent(Causes(&error).to_string())),
        Err(_) => Err(Failure::NotSent("no answer in time".to_owned())),
    }
}

fn has_code(error: &kube::Error, code: u16) -> bool {
    status_of(error).is_some_and(|status| status.code == code)
}
