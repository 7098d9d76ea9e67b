//! Work that nests deeply, on a stack that holds it.
//!
//! The parser calls itself for every bracket, and describing a type calls itself for every type in it. What people write
//! in declarations fits on any stack; what nests deeper goes to threads of its own, so that no input ends the process.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// More than the deepest nesting that is let through takes, also in a build without optimisation. Only what is used of
/// it becomes memory.
const STACK_SIZE: usize = 256 * 1024 * 1024;

thread_local! {
    static STACKS: Cell<Stacks> = const { Cell::new(Stacks::Usual) };
}

/// The stacks of the threads that a thread starts.
#[derive(Clone, Copy)]
pub(crate) enum Stacks {
    Usual,
    Large,
}

impl Stacks {
    pub(crate) fn of_this_thread() -> Self {
        STACKS.get()
    }

    /// Makes this thread start its threads with such stacks.
    pub(crate) fn inherit(self) {
        STACKS.set(self);
    }

    /// Returns how to start a thread with such a stack.
    pub(crate) fn builder(self) -> Builder {
        match self {
            Self::Usual => Builder::new(),
            Self::Large => Builder::new().stack_size(STACK_SIZE),
        }
    }
}

/// Does the work on a thread with a large stack.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut run = || work.take().map(|work| work());
    let found = scope(|scope| {
        let started = Stacks::Large.builder().spawn_scoped(scope, &mut run).ok()?;
        started.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    // Without a thread to spare, this one has to do.
    found
        .or_else(run)
        .unwrap_or_else(|| unreachable!("the work runs on one of the two threads"))
}

/// Does the work on as many threads as usual, all with large stacks.
pub fn on_large_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    on_large_stack(|| {
        Stacks::Large.inherit();
        work()
    })
}
