//! Work that nests deeply, on a stack that holds it.
//!
//! The parser calls itself for every bracket, and describing a type calls itself for every type in it. What people write
//! in declarations fits on any stack; what nests deeper goes to threads of its own, so that no input ends the process.

use rayon::ThreadPoolBuilder;

/// More than the deepest nesting that is let through takes, also in a build without optimisation. Only what is used of
/// it becomes memory.
const STACK_SIZE: usize = 256 * 1024 * 1024;

/// Does the work on a thread with a large stack.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    in_pool(ThreadPoolBuilder::new().num_threads(1), work)
}

/// Does the work on as many threads as usual, all with large stacks.
pub fn on_large_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    in_pool(ThreadPoolBuilder::new(), work)
}

fn in_pool<T: Send>(pool: ThreadPoolBuilder, work: impl FnOnce() -> T + Send) -> T {
    match pool.stack_size(STACK_SIZE).build() {
        Ok(pool) => pool.install(work),
        // Without a thread to spare, this one has to do.
        Err(_) => work(),
    }
}
