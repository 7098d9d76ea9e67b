//! Events: what an operator tells people about an object, shown by `kubectl describe`.
//!
//! [`Recorder::event`] never waits and never fails: it puts the event into a queue of 1000 and drops it, counted, if that is full.
//! A task writes the events, as client-go's `record` does:
//!
//! 1. *Aggregate*: from the tenth different message on, with the same object, type and reason and at most 600 s after the one
//!    before, events become one whose message begins with "(combined from similar events): ".
//! 2. *Count*: an event that was there before, message included, is patched with a higher count and the time of its last
//!    occurrence. If it has expired meanwhile, it is created again.
//! 3. *Limit*: an object may have 25 events of a type, and one more every 300 s. The rest is dropped and counted.
//!
//! What cannot be sent is tried 12 times, 10 s apart; what the API refuses is not tried again.
//!
//! The events are those of the core API (`v1`, not `events.k8s.io/v1`), because only these have all of the above, and
//! operators written in Go with the same habits use them. The role needs `create` and `patch` on `events` of the API group `""`.
//!
//! Better than client-go: a request that hangs is given up after 30 s instead of stopping all events; two events of one object
//! in the same tick of the clock get two names; an event whose creation was answered by a broken connection is not reported as a
//! failure when it turns out to exist; dropped events are counted in metrics; and [`EventWriter::shutdown`] writes what is queued.

mod correlator;
mod event;
mod fake;
mod handle;
mod writer;

pub use self::event::{EventType, Occurrence};
pub use self::fake::FakeEvents;
pub use self::handle::{Builder, Recorder};
pub use self::writer::EventWriter;
