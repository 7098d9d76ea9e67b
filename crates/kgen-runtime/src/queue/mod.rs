//! A work queue for keys, in which only one worker at a time has a key.
//!
//! It behaves like client-go's `workqueue`:
//!
//! - A key that is already queued is not queued again. Within a level, the order is first in, first out.
//! - A key that is added while a worker has it is queued once when that worker is done.
//! - [`WorkQueue::add_after`] adds a key after a delay. If a key has several delays, the earliest one counts.
//! - [`WorkQueue::add_rate_limited`] is for retries: a [`RateLimiter`] chooses the delay. The default is the longer of two
//!   delays: exponential backoff per key from 5 ms to 1000 s, and a bucket of 100 tokens with 10 new tokens per second.
//! - [`WorkQueue::shutdown`] rejects new keys and lets the workers finish the queued ones.
//!   [`WorkQueue::shutdown_with_drain`] also waits for them. [`WorkQueue::shutdown_now`] drops the queued keys.
//!
//! As in controller-runtime, a key has a [`Priority`], and higher levels go first:
//!
//! - [`WorkQueue::add`] adds a key at level 0, and [`WorkQueue::at`] at any level. A key that is added again keeps the
//!   higher level and the earlier time.
//! - Delays and retries of a key that a worker has keep its level.
//! - Every 20th key is the oldest of all, so no level waits forever.
//!
//! It differs from client-go in four improvements:
//!
//! - A failure counts only if no rate-limited retry of the key is waiting. In client-go, every failure counts, even if an
//!   unrelated event caused the attempt, so the delay can quickly reach 1000 s.
//! - A drain waits for queued keys and for keys that workers have. client-go waits only for the latter.
//! - A worker gets an [`Item`]. Dropping it marks the key as done, so an early return or a panic cannot block the key.
//! - There is no background task or thread: a worker that waits for a key also waits for the next delay. Metrics that
//!   depend on the time are computed when they are read.
//!
//! The queue uses tokio's clock, so tests can control it with `tokio::time::pause` and `advance`.

mod levels;
mod limiter;
mod priority;
mod state;
mod work_queue;

pub use self::limiter::{
    Exponential, FastSlow, MaxOf, RateLimiter, TokenBucket, WithMaxWait, default_item_limiter,
    default_limiter,
};
pub use self::priority::Priority;
pub use self::work_queue::{AtPriority, Builder, Item, Key, WorkQueue};
