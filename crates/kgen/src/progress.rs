//! A progress line on the terminal for slow work: it appears after half a second and is removed at the end.

use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use kgen_build::Stage;

use crate::terminal::Terminal;

/// The delay before the line appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// Clears the line that the cursor is in.
const CLEAR: &str = "\r\u{1b}[K";

/// Shows what a run is busy with.
pub(crate) struct Progress {
    shared: Arc<Shared>,
    painter: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    stage: Option<Stage>,
    done: bool,
}

impl Progress {
    /// Starts the timer, if there is a terminal.
    pub(crate) fn start(terminal: Terminal) -> Self {
        let shared = Arc::new(Shared::default());
        let painter = terminal.shows_progress().then(|| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || paint(&shared, terminal))
        });
        Self { shared, painter }
    }

    /// Shows that the run has reached this stage.
    pub(crate) fn stage(&self, stage: Stage) {
        if let Ok(mut state) = self.shared.state.lock() {
            state.stage = Some(stage);
        }
        self.shared.changed.notify_all();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Ok(mut state) = self.shared.state.lock() {
            state.done = true;
        }
        self.shared.changed.notify_all();
        if let Some(painter) = self.painter.take() {
            // A failed painter has not painted anything relevant.
            let _ = painter.join();
        }
    }
}

fn paint(shared: &Shared, terminal: Terminal) {
    let Ok(state) = shared.state.lock() else { return };
    let Ok((mut state, _)) = shared
        .changed
        .wait_timeout_while(state, PATIENCE, |state| !state.done)
    else {
        return;
    };
    if state.done {
        return;
    }
    while !state.done {
        let words = words(state.stage.unwrap_or(Stage::Reading));
        terminal.say(&format!("{CLEAR}{words} …"));
        match shared.changed.wait(state) {
            Ok(next) => state = next,
            Err(_) => return,
        }
    }
    terminal.say(CLEAR);
}

/// Returns what a run does in a stage.
pub(crate) fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::Reading => "reading source",
        Stage::Checking => "checking the API",
        Stage::Generating => "generating",
        Stage::Comparing => "comparing with the disk",
        Stage::Writing => "writing",
    }
}
