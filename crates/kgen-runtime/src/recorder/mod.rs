//! Records Kubernetes events about objects. `kubectl describe` shows them.
//!
//! [`Recorder::event`] never waits and never fails. It adds the event to a queue of 1000 events; if the queue is full, it
//! counts and drops the event. A task writes the events, as client-go's `record` does:
//!
//! 1. *Aggregate*: from the tenth different message on, events with the same object, type and reason become one event, if
//!    they are at most 600 s apart. Its message starts with "(combined from similar events): ".
//! 2. *Count*: a repeated event with the same message is patched with a higher count and the time of its last occurrence.
//!    If it has expired, it is created again.
//! 3. *Limit*: an object can have 25 events of a type, and one more every 300 s. Further events are dropped and counted.
//!
//! A failed request is retried up to 12 times, 10 s apart. A request that the API server rejects is not retried.
//!
//! The events are those of the core API (`v1`, not `events.k8s.io/v1`), because only these support all of the above, and
//! most operators in Go use them. The role needs `create` and `patch` on `events` of the API group `""`.
//!
//! It differs from client-go in five improvements:
//!
//! - A request that hangs is canceled after 30 s and does not block all events.
//! - Two events of one object in the same tick of the clock get two names.
//! - An event that exists after its creation failed with a connection error is not reported as a failure.
//! - Metrics count dropped events.
//! - [`EventWriter::shutdown`] writes the queued events.

mod correlator;
mod event;
mod fake;
mod handle;
mod writer;

pub use self::event::{EventType, Occurrence};
pub use self::fake::FakeEvents;
pub use self::handle::{Builder, Recorder};
pub use self::writer::EventWriter;
