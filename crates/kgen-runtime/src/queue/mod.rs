//! A work queue for keys: what has changed goes in, workers take it out, and no key is ever with two workers.
//!
//! It behaves as client-go's `workqueue` does:
//!
//! - A key that waits already is not queued again. Keys come out in the order in which they went in.
//! - A key that is added while a worker has it is queued once more when that worker is done, however often it was added.
//! - [`WorkQueue::add_after`] adds a key later; of several delays for one key the earliest wins.
//! - [`WorkQueue::add_rate_limited`] is for retries: a [`RateLimiter`] chooses the delay. The default is the longer of
//!   5 ms doubled with each failure of the key, up to 1000 s, and a bucket of 100 tokens refilled with 10 a second.
//! - [`WorkQueue::shutdown`] refuses new keys and lets the workers finish what is queued;
//!   [`WorkQueue::shutdown_with_drain`] also waits for them. [`WorkQueue::shutdown_now`] drops what is queued.
//!
//! In four points it is better:
//!
//! - In client-go every failure counts, also those of runs that an unrelated event caused while a retry was waiting, and the
//!   delay can reach 1000 s in moments. Here a failure counts only if no rate-limited retry of the key is waiting.
//! - client-go's drain waits for keys in work, and can return before a queued key was taken. This one waits for both.
//! - A worker holds an [`Item`]. Dropping it says that the work is done, so an early return or a panic cannot lock the key.
//! - There is no task or thread in the background: who waits for a key also waits for the next delay to end. Metrics that
//!   change with time alone are computed when they are read.
//!
//! Time is tokio's, so tests turn it with `tokio::time::pause` and `advance`.

mod limiter;
mod state;
mod work_queue;

pub use self::limiter::{
    Exponential, FastSlow, MaxOf, RateLimiter, TokenBucket, WithMaxWait, default_item_limiter,
    default_limiter,
};
pub use self::work_queue::{Builder, Item, Key, WorkQueue};
