//! Rate limiters, which choose the delay before a key is retried.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use tokio::time::Instant;

use super::Key;

/// Chooses the delay before a key is retried.
///
/// The queue calls it while it holds its lock, so it should be fast and must not call the queue.
pub trait RateLimiter<K>: Send + 'static {
    /// Returns the delay before `key` is retried. Each call counts as a failure.
    fn when(&mut self, key: &K) -> Duration;

    /// Forgets the failures of `key`.
    fn forget(&mut self, key: &K);

    /// Returns the number of remembered failures of `key`.
    fn num_requeues(&self, key: &K) -> usize;
}

impl<K: 'static> RateLimiter<K> for Box<dyn RateLimiter<K>> {
    fn when(&mut self, key: &K) -> Duration {
        (**self).when(key)
    }

    fn forget(&mut self, key: &K) {
        (**self).forget(key);
    }

    fn num_requeues(&self, key: &K) -> usize {
        (**self).num_requeues(key)
    }
}

/// Returns the default limiter of controllers: the longer delay of [`Exponential`] from 5 ms to 1000 s per key, and of a
/// [`TokenBucket`] with 10 tokens per second and a burst of 100 for all keys.
pub fn default_limiter<K: Key>() -> MaxOf<K> {
    MaxOf::new()
        .and(Exponential::new(
            Duration::from_millis(5),
            Duration::from_secs(1000),
        ))
        .and(TokenBucket::new(10.0, 100))
}

/// Returns the default limiter for keys without a common limit: [`Exponential`] from 1 ms to 1000 s.
pub fn default_item_limiter<K: Key>() -> Exponential<K> {
    Exponential::new(Duration::from_millis(1), Duration::from_secs(1000))
}

/// Exponential backoff: the delay doubles with each failure of the key, up to a maximum.
///
/// ```
/// use kgen_runtime::queue::{Exponential, RateLimiter};
/// use std::time::Duration;
///
/// let mut limiter = Exponential::new(Duration::from_millis(5), Duration::from_secs(1000));
/// assert_eq!(limiter.when(&"a"), Duration::from_millis(5));
/// assert_eq!(limiter.when(&"a"), Duration::from_millis(10));
/// assert_eq!(limiter.when(&"b"), Duration::from_millis(5));
/// limiter.forget(&"a");
/// assert_eq!(limiter.when(&"a"), Duration::from_millis(5));
/// ```
#[derive(Clone, Debug)]
pub struct Exponential<K> {
    base: Duration,
    longest: Duration,
    failures: Failures<K>,
}

impl<K: Key> Exponential<K> {
    /// Creates a limiter with delays from `base` to `longest`.
    pub fn new(base: Duration, longest: Duration) -> Self {
        Self {
            base,
            longest,
            failures: Failures::default(),
        }
    }
}

impl<K: Key> RateLimiter<K> for Exponential<K> {
    fn when(&mut self, key: &K) -> Duration {
        let earlier = self.failures.count(key);
        let factor = u32::try_from(earlier)
            .ok()
            .and_then(|earlier| 2_u32.checked_pow(earlier));
        let delay = factor
            .and_then(|factor| self.base.checked_mul(factor))
            .unwrap_or(Duration::MAX);
        // A base of zero stays zero.
        if self.base.is_zero() {
            Duration::ZERO
        } else {
            delay.min(self.longest)
        }
    }

    fn forget(&mut self, key: &K) {
        self.failures.forget(key);
    }

    fn num_requeues(&self, key: &K) -> usize {
        self.failures.of(key)
    }
}

/// A fast delay for the first failures of each key, then a slow delay.
#[derive(Clone, Debug)]
pub struct FastSlow<K> {
    fast: Duration,
    slow: Duration,
    fast_tries: usize,
    failures: Failures<K>,
}

impl<K: Key> FastSlow<K> {
    /// Creates a limiter that returns `fast` for the first `fast_tries` failures, and then `slow`.
    pub fn new(fast: Duration, slow: Duration, fast_tries: usize) -> Self {
        Self {
            fast,
            slow,
            fast_tries,
            failures: Failures::default(),
        }
    }
}

impl<K: Key> RateLimiter<K> for FastSlow<K> {
    fn when(&mut self, key: &K) -> Duration {
        if self.failures.count(key) < self.fast_tries {
            self.fast
        } else {
            self.slow
        }
    }

    fn forget(&mut self, key: &K) {
        self.failures.forget(key);
    }

    fn num_requeues(&self, key: &K) -> usize {
        self.failures.of(key)
    }
}

/// A token bucket for all keys together. Each retry takes a token. If the bucket is empty, the delay is the time until the
/// next token.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    per_second: f64,
    burst: u32,
    /// Negative if future tokens are already taken.
    tokens: f64,
    filled: Option<Instant>,
}

impl TokenBucket {
    /// Creates a bucket with `burst` tokens that gains `per_second` tokens per second.
    pub fn new(per_second: f64, burst: u32) -> Self {
        Self {
            per_second,
            burst,
            tokens: f64::from(burst),
            filled: None,
        }
    }

    /// Takes a token, and returns the time until it is available.
    pub fn reserve(&mut self) -> Duration {
        if self.burst == 0 {
            return Duration::MAX;
        }
        self.fill();
        self.tokens -= 1.0;
        if self.tokens >= 0.0 {
            Duration::ZERO
        } else {
            self.time_for(-self.tokens)
        }
    }

    /// Takes a token if one is available now.
    pub fn try_take(&mut self) -> bool {
        self.fill();
        let there_is_one = self.tokens >= 1.0;
        if there_is_one {
            self.tokens -= 1.0;
        }
        there_is_one
    }

    fn fill(&mut self) {
        let now = Instant::now();
        if let Some(filled) = self.filled {
            let came = now.saturating_duration_since(filled).as_secs_f64() * self.per_second;
            self.tokens = (self.tokens + came).min(f64::from(self.burst));
        }
        self.filled = Some(now);
    }

    fn time_for(&self, tokens: f64) -> Duration {
        // With a rate of zero or less, the number of seconds overflows.
        Duration::try_from_secs_f64(tokens / self.per_second).unwrap_or(Duration::MAX)
    }
}

impl<K> RateLimiter<K> for TokenBucket {
    fn when(&mut self, _key: &K) -> Duration {
        self.reserve()
    }

    fn forget(&mut self, _key: &K) {}

    fn num_requeues(&self, _key: &K) -> usize {
        0
    }
}

/// The longest delay of several limiters. Every limiter counts the failure, even if another delay is longer.
pub struct MaxOf<K> {
    limiters: Vec<Box<dyn RateLimiter<K>>>,
}

impl<K: 'static> MaxOf<K> {
    /// Creates a limiter without limits.
    pub fn new() -> Self {
        Self { limiters: Vec::new() }
    }

    /// Adds a limiter.
    #[must_use]
    pub fn and(mut self, limiter: impl RateLimiter<K>) -> Self {
        self.limiters.push(Box::new(limiter));
        self
    }
}

impl<K: 'static> Default for MaxOf<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> fmt::Debug for MaxOf<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MaxOf")
            .field("limiters", &self.limiters.len())
            .finish()
    }
}

impl<K: 'static> RateLimiter<K> for MaxOf<K> {
    fn when(&mut self, key: &K) -> Duration {
        self.limiters
            .iter_mut()
            .map(|limiter| limiter.when(key))
            .max()
            .unwrap_or_default()
    }

    fn forget(&mut self, key: &K) {
        for limiter in &mut self.limiters {
            limiter.forget(key);
        }
    }

    fn num_requeues(&self, key: &K) -> usize {
        self.limiters
            .iter()
            .map(|limiter| limiter.num_requeues(key))
            .max()
            .unwrap_or_default()
    }
}

/// A limiter with a maximum delay.
#[derive(Clone, Debug)]
pub struct WithMaxWait<L> {
    limiter: L,
    longest: Duration,
}

impl<L> WithMaxWait<L> {
    /// Limits the delays of `limiter` to `longest`.
    pub fn new(limiter: L, longest: Duration) -> Self {
        Self { limiter, longest }
    }
}

impl<K, L: RateLimiter<K>> RateLimiter<K> for WithMaxWait<L> {
    fn when(&mut self, key: &K) -> Duration {
        self.limiter.when(key).min(self.longest)
    }

    fn forget(&mut self, key: &K) {
        self.limiter.forget(key);
    }

    fn num_requeues(&self, key: &K) -> usize {
        self.limiter.num_requeues(key)
    }
}

/// The failures of each key.
#[derive(Clone, Debug)]
struct Failures<K> {
    by_key: HashMap<K, usize>,
}

impl<K> Default for Failures<K> {
    fn default() -> Self {
        Self {
            by_key: HashMap::new(),
        }
    }
}

impl<K: Clone + Eq + Hash> Failures<K> {
    /// Counts a failure, and returns the number of earlier failures.
    fn count(&mut self, key: &K) -> usize {
        match self.by_key.get_mut(key) {
            Some(failures) => {
                *failures = failures.saturating_add(1);
                *failures - 1
            }
            None => {
                self.by_key.insert(key.clone(), 1);
                0
            }
        }
    }

    fn of(&self, key: &K) -> usize {
        self.by_key.get(key).copied().unwrap_or_default()
    }

    fn forget(&mut self, key: &K) {
        self.by_key.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_doubles_from_5_ms_to_1000_s() {
        let mut limiter = Exponential::new(Duration::from_millis(5), Duration::from_secs(1000));
        let delays: Vec<u128> = (0..20).map(|_| limiter.when(&"a").as_millis()).collect();
        let expected: Vec<u128> = (0..20).map(|n| (5_u128 << n).min(1_000_000)).collect();
        assert_eq!(delays, expected);
        assert_eq!(&delays[16..], [327_680, 655_360, 1_000_000, 1_000_000]);
        assert_eq!(limiter.num_requeues(&"a"), 20);
        for _ in 0..100 {
            assert_eq!(limiter.when(&"a"), Duration::from_secs(1000));
        }
    }

    #[test]
    fn exponential_of_nothing_stays_nothing() {
        let mut limiter = Exponential::new(Duration::ZERO, Duration::from_secs(1));
        assert!((0..100).all(|_| limiter.when(&1) == Duration::ZERO));
    }

    #[tokio::test(start_paused = true)]
    async fn a_bucket_gives_100_at_once_and_then_10_a_second() {
        let mut bucket = TokenBucket::new(10.0, 100);
        assert!((0..100).all(|_| bucket.reserve().is_zero()));
        for n in 1..=50 {
            assert_eq!(
                bucket.reserve().as_millis().div_ceil(100),
                n,
                "token {n} after the burst"
            );
        }
        // 50 reserved tokens and one more arrive in 5.1 seconds.
        tokio::time::advance(Duration::from_millis(5100)).await;
        assert_eq!(bucket.reserve(), Duration::ZERO);
        assert!(!bucket.reserve().is_zero());
        // However long the bucket is not used, it never has more than 100 tokens.
        tokio::time::advance(Duration::from_secs(100_000)).await;
        assert!((0..100).all(|_| bucket.try_take()));
        assert!(!bucket.try_take());
    }

    #[test]
    fn buckets_that_never_fill_wait_for_ever() {
        assert_eq!(TokenBucket::new(10.0, 0).reserve(), Duration::MAX);
        let mut dry = TokenBucket::new(0.0, 1);
        assert_eq!((dry.reserve(), dry.reserve()), (Duration::ZERO, Duration::MAX));
    }

    #[test]
    fn fast_then_slow() {
        let (fast, slow) = (Duration::from_millis(1), Duration::from_secs(10));
        let mut limiter = FastSlow::new(fast, slow, 2);
        let delays: Vec<_> = (0..4).map(|_| limiter.when(&"a")).collect();
        assert_eq!(delays, [fast, fast, slow, slow]);
        limiter.forget(&"a");
        assert_eq!(limiter.when(&"a"), fast);
    }

    #[tokio::test(start_paused = true)]
    async fn the_default_takes_a_token_even_where_the_key_waits_longer() {
        let mut limiter = default_limiter();
        // One key fails 100 times: its own delay dominates, yet the bucket is empty afterwards.
        for _ in 0..100 {
            limiter.when(&"bad");
        }
        assert_eq!(limiter.when(&"good"), Duration::from_millis(100));
        assert_eq!(limiter.num_requeues(&"bad"), 100);
        limiter.forget(&"bad");
        assert_eq!(limiter.num_requeues(&"bad"), 0);
    }

    #[test]
    fn a_longest_wait_cuts() {
        let inner = Exponential::new(Duration::from_secs(1), Duration::from_secs(1000));
        let mut limiter = WithMaxWait::new(inner, Duration::from_secs(3));
        let delays: Vec<_> = (0..4).map(|_| limiter.when(&"a").as_secs()).collect();
        assert_eq!(delays, [1, 2, 3, 3]);
        assert_eq!(limiter.num_requeues(&"a"), 4);
    }
}
