//! Runs deeply nested work on a large stack.
//!
//! The parser recurses for every bracket, and the description of a type recurses for every type in it. Declarations
//! that people write fit on any stack; deeper ones are handled on separate threads, so that no input overflows the
//! stack.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// More than the deepest accepted nesting needs, even in a build without optimization. The system allocates memory only
/// for the part that is used.
const STACK_SIZE: usize = 256 * 1024 * 1024;

thread_local! {
    static STACKS: Cell<Stacks> = const { Cell::new(Stacks::Usual) };
}

/// The stack size of the threads that a thread starts.
#[derive(Clone, Copy)]
pub(crate) enum Stacks {
    Usual,
    Large,
}

impl Stacks {
    pub(crate) fn of_this_thread() -> Self {
        STACKS.get()
    }

    /// Makes this thread start its threads with large stacks.
    pub(crate) fn inherit(self) {
        STACKS.set(self);
    }

    /// Returns a builder for a thread with a large stack.
    pub(crate) fn builder(self) -> Builder {
        match self {
            Self::Usual => Builder::new(),
            Self::Large => Builder::new().stack_size(STACK_SIZE),
        }
    }
}

/// Runs the work on a thread with a large stack.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut run = || work.take().map(|work| work());
    let found = scope(|scope| {
        let started = Stacks::Large.builder().spawn_scoped(scope, &mut run).ok()?;
        started.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    // If a thread cannot be started, the work runs on this one.
    found
        .or_else(run)
        .unwrap_or_else(|| unreachable!("the work runs on one of the two threads"))
}

/// Runs the work on the usual number of threads, all with large stacks.
pub fn on_large_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    on_large_stack(|| {
        Stacks::Large.inherit();
        work()
    })
}
