//! How long a key has to wait before it is tried again.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use tokio::time::Instant;

use super::Key;

/// Chooses the delay before the next try of a key.
///
/// The queue calls it under its lock, so it should not take long and must not call the queue.
pub trait RateLimiter<K>: Send + 'static {
    /// The delay before the next try of `key`. Asking counts as a failure.
    fn when(&mut self, key: &K) -> Duration;

    /// Forgets the failures of `key`.
    fn forget(&mut self, key: &K);

    /// How many failures of `key` are remembered.
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

/// The default of controllers: the longer of [`Exponential`] from 5 ms to 1000 s for the key and a [`TokenBucket`] of 10 a
/// second and 100 at once for all keys together.
pub fn default_limiter<K: Key>() -> MaxOf<K> {
    MaxOf::new()
        .and(Exponential::new(
            Duration::from_millis(5),
            Duration::from_secs(1000),
        ))
        .and(TokenBucket::new(10.0, 100))
}

/// The default where keys do not share a limit: [`Exponential`] from 1 ms to 1000 s.
pub fn default_item_limiter<K: Key>() -> Exponential<K> {
    Exponential::new(Duration::from_millis(1), Duration::from_secs(1000))
}

/// A delay that doubles with each failure of the key, from a base up to a bound.
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
    /// Delays from `base` to `longest`.
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
        // A base of nothing stays nothing, however often it is doubled.
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

/// A number of quick tries for each key, then slow ones.
#[derive(Clone, Debug)]
pub struct FastSlow<K> {
    fast: Duration,
    slow: Duration,
    fast_tries: usize,
    failures: Failures<K>,
}

impl<K: Key> FastSlow<K> {
    /// `fast_tries` times the delay `fast`, from then on `slow`.
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

/// A limit for all keys together: a bucket of tokens that is refilled steadily. Each try takes a token; who finds none has
/// to wait until theirs has come.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    per_second: f64,
    burst: u32,
    /// Less than nothing when tokens are promised that have not come yet.
    tokens: f64,
    filled: Option<Instant>,
}

impl TokenBucket {
    /// `burst` tokens at once and `per_second` of them after that.
    pub fn new(per_second: f64, burst: u32) -> Self {
        Self {
            per_second,
            burst,
            tokens: f64::from(burst),
            filled: None,
        }
    }

    /// Takes a token: how long to wait for it.
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

    /// Takes a token if there is one now.
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
        // A rate of nothing or less makes a number of seconds that no duration can hold.
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

/// The longest of several delays. Every limiter is asked, so a token is taken also where another delay is longer.
pub struct MaxOf<K> {
    limiters: Vec<Box<dyn RateLimiter<K>>>,
}

impl<K: 'static> MaxOf<K> {
    /// No limit yet.
    pub fn new() -> Self {
        Self { limiters: Vec::new() }
    }

    /// One limiter more.
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

/// A limiter whose delays are cut at a bound.
#[derive(Clone, Debug)]
pub struct WithMaxWait<L> {
    limiter: L,
    longest: Duration,
}

impl<L> WithMaxWait<L> {
    /// The delays of `limiter`, but none longer than `longest`.
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

/// Failures of each key.
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
    /// Counts one more failure and says how many there were before.
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
        // 50 promised tokens and one more come in 5.1 seconds.
        tokio::time::advance(Duration::from_millis(5100)).await;
        assert_eq!(bucket.reserve(), Duration::ZERO);
        assert!(!bucket.reserve().is_zero());
        // However long nobody asks, there are never more than 100.
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
