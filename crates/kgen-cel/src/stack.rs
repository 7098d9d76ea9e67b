//! Work on deep trees, on a stack that holds them.
//!
//! The parser limits how deep an expression nests, but macros make trees several times as high. The rare high tree is
//! handled on a separate thread, so that no expression can overflow the stack of the caller.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

/// Trees that are higher than this need a large stack. Rules that people write do not reach this height.
const HIGH: usize = 150;

/// More than the highest tree takes, also without optimization. The system backs only the used part with memory.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// Calls `work` once for a tree of this height, on a separate thread if the tree is high.
pub(crate) fn for_height<T: Send>(height: usize, mut work: impl FnMut() -> T + Send) -> T {
    if height <= HIGH {
        return work();
    }
    let answer = thread::scope(|scope| {
        let builder = Builder::new().stack_size(STACK_BYTES);
        let worker = builder.spawn_scoped(scope, &mut work).ok()?;
        Some(worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    // If the system refuses another thread, this one must do.
    answer.unwrap_or_else(work)
}
