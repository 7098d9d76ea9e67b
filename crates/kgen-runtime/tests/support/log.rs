//! The log of a test.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, Once};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber};

/// Everything that this thread logs, at every level and from every crate, one line per event.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    /// Collects until the guard is dropped.
    pub fn collect() -> (Self, DefaultGuard) {
        keep_lines_on();
        let log = Self::default();
        let guard = tracing::subscriber::set_default(log.clone());
        (log, guard)
    }

    /// Forgets all lines.
    #[allow(dead_code, reason = "each test program uses a part of this")]
    pub fn clear(&self) {
        self.0.lock().unwrap().clear();
    }

    /// Returns the lines that contain `part`.
    pub fn lines_with(&self, part: &str) -> Vec<String> {
        let lines = self.0.lock().unwrap();
        lines.iter().filter(|line| line.contains(part)).cloned().collect()
    }
}

/// Gives the process a subscriber. Without one, a line that another thread logs first is switched off for all threads, and
/// the switch can race with a subscriber that is just being set. Tests call this before they log anything.
pub fn keep_lines_on() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = tracing::subscriber::set_global_default(Log::default());
    });
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
