//! Retries after a conflict, or after any error that a predicate accepts.
//!
//! A conflict means that the object has changed since it was read, so the closure has to read it again each time.

use std::error::Error;
use std::future::Future;
use std::time::Duration;

use kube::core::Status;

use crate::random::{jittered, scaled};

/// The number of attempts and the delays between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// The number of attempts, including the first one. Zero means one.
    pub steps: u32,
    /// The delay after the first attempt.
    pub wait: Duration,
    /// The factor of the delay after each attempt.
    pub factor: f64,
    /// The maximum jitter, as a share of each delay.
    pub jitter: f64,
    /// The maximum delay, without jitter.
    pub cap: Duration,
}

impl Backoff {
    /// For conflicts with other writers of the same object: 5 attempts, 10 ms apart, jitter 0.1.
    pub const CONFLICT: Self = Self {
        steps: 5,
        wait: Duration::from_millis(10),
        factor: 1.0,
        jitter: 0.1,
        cap: Duration::MAX,
    };

    /// For conflicts with a busy writer: 4 attempts, delays from 10 ms with the factor 5, jitter 0.1.
    pub const BUSY: Self = Self {
        steps: 4,
        factor: 5.0,
        ..Self::CONFLICT
    };

    /// Returns the delays between the attempts.
    pub(crate) fn waits(self) -> impl Iterator<Item = Duration> {
        let mut wait = self.wait;
        (1..self.steps).map(move |_| {
            let this = wait.min(self.cap);
            wait = scaled(this, self.factor);
            jittered(this, self.jitter)
        })
    }
}

/// Calls `attempt` until it succeeds or fails with an error other than a conflict. Returns the last conflict after the
/// last attempt.
///
/// An error counts as a conflict if it or one of its sources is a conflict (see [`is_conflict`]).
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_runtime::manager::{Next, ObjectKey, Reconciler};
/// use kgen_runtime::retry::{Backoff, retry_on_conflict};
/// use kgen_runtime::{Error, Handle};
///
/// struct Freezer {
///     maps: Handle<ConfigMap>,
/// }
///
/// impl Reconciler for Freezer {
///     type Error = Error;
///
///     async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Error> {
///         retry_on_conflict(Backoff::CONFLICT, || async {
///             // Read the object, change it, write it.
///             let mut map = self.maps.get(&key.name).await?;
///             map.immutable = Some(true);
///             self.maps.update(&map).await
///         })
///         .await?;
///         Ok(Next::AwaitChange)
///     }
/// }
/// ```
pub async fn retry_on_conflict<T, E, F>(backoff: Backoff, attempt: impl FnMut() -> F) -> Result<T, E>
where
    E: Error + 'static,
    F: Future<Output = Result<T, E>>,
{
    retry_on(backoff, |error: &E| is_conflict(error), attempt).await
}

/// Calls `attempt` until it succeeds or fails with an error that `retriable` rejects. Returns the last error after the last
/// attempt.
///
/// For error types that do not implement [`Error`], such as `anyhow::Error`, and for errors other than conflicts:
///
/// ```
/// use kgen_runtime::manager::{Next, ObjectKey, Reconciler};
/// use kgen_runtime::retry::{Backoff, retry_on};
/// # use std::sync::atomic::{AtomicU32, Ordering};
///
/// struct Caller {
///     # tries: AtomicU32,
/// }
///
/// impl Caller {
///     async fn call(&self, name: &str) -> Result<(), String> {
///         # self.tries.fetch_add(1, Ordering::Relaxed);
///         Err(format!("{name} is busy"))
///     }
/// }
///
/// impl Reconciler for Caller {
///     type Error = String;
///
///     async fn reconcile(&self, key: &ObjectKey) -> Result<Next, String> {
///         retry_on(
///             Backoff::BUSY,
///             |error: &String| error.ends_with("busy"),
///             || async { self.call(&key.name).await },
///         )
///         .await?;
///         Ok(Next::AwaitChange)
///     }
/// }
/// # let rt = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
/// # let caller = Caller { tries: AtomicU32::new(0) };
/// # let key = ObjectKey { namespace: None, name: "line".to_owned() };
/// # assert_eq!(rt.block_on(caller.reconcile(&key)).unwrap_err(), "line is busy");
/// # assert_eq!(caller.tries.into_inner(), 4);
/// # Ok::<(), std::io::Error>(())
/// ```
pub async fn retry_on<T, E, F>(
    backoff: Backoff,
    mut retriable: impl FnMut(&E) -> bool,
    mut attempt: impl FnMut() -> F,
) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    for wait in backoff.waits() {
        match attempt().await {
            Err(error) if retriable(&error) => tokio::time::sleep(wait).await,
            result => return result,
        }
    }
    attempt().await
}

/// Returns whether the error or one of its sources is a conflict: a response with status 409 and reason `Conflict`.
/// `AlreadyExists` has the same status, but is not a conflict.
pub fn is_conflict(error: &(dyn Error + 'static)) -> bool {
    status_of(error).is_some_and(Status::is_conflict)
}

/// Returns the response of the API server that is, or caused, this error.
pub(crate) fn status_of<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Status> {
    let mut next = Some(error);
    while let Some(error) = next {
        // The status can be in the chain by itself, boxed, or inside another error: `source` of a transparent wrapper skips
        // the wrapped error.
        if let Some(status) = error.downcast_ref::<Status>() {
            return Some(status);
        }
        if let Some(status) = error.downcast_ref::<Box<Status>>() {
            return Some(status);
        }
        if let Some(kube::Error::Api(status)) = error.downcast_ref::<kube::Error>() {
            return Some(status);
        }
        if let Some(status) = error
            .downcast_ref::<crate::Error>()
            .and_then(crate::Error::status)
        {
            return Some(status);
        }
        next = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Wrapped {
        #[error("while syncing")]
        Source(#[source] kube::Error),
        #[error(transparent)]
        Transparent(kube::Error),
    }

    fn conflict() -> kube::Error {
        kube::Error::Api(Status::failure("modified", "Conflict").with_code(409).boxed())
    }

    fn exists() -> kube::Error {
        kube::Error::Api(Status::failure("exists", "AlreadyExists").with_code(409).boxed())
    }

    #[test]
    fn conflicts_are_found_below_other_errors() {
        assert!(is_conflict(&conflict()));
        assert!(is_conflict(&Wrapped::Source(conflict())));
        assert!(is_conflict(&Wrapped::Transparent(conflict())));
        assert!(is_conflict(&crate::Error::from(conflict())));
        assert!(is_conflict(
            &Status::failure("modified", "Conflict").with_code(409)
        ));
        assert!(!is_conflict(&Wrapped::Source(exists())));
        assert!(!is_conflict(&std::fmt::Error));
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_conflict_is_returned_after_five_tries() {
        let started = Instant::now();
        let mut tries = 0;
        let result: Result<(), _> = retry_on_conflict(Backoff::CONFLICT, || {
            tries += 1;
            let status = Status::failure(&format!("try {tries}"), "Conflict").with_code(409);
            async { Err(kube::Error::Api(status.boxed())) }
        })
        .await;
        assert!(result.unwrap_err().to_string().contains("try 5"));
        assert_eq!(tries, 5);
        // Four waits of 10 ms, each up to a tenth longer; tokio's timers count whole milliseconds.
        let waited = started.elapsed();
        assert!(
            (Duration::from_millis(40)..=Duration::from_millis(48)).contains(&waited),
            "{waited:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn other_errors_are_not_tried_again() {
        let mut tries = 0;
        let result: Result<(), _> = retry_on_conflict(Backoff::CONFLICT, || {
            tries += 1;
            async { Err(exists()) }
        })
        .await;
        assert!(result.is_err());
        assert_eq!(tries, 1);
    }

    #[test]
    fn waits_grow_by_the_factor_and_stop_at_the_cap() {
        let exact = Backoff {
            jitter: 0.0,
            ..Backoff::BUSY
        };
        let waits: Vec<_> = exact.waits().map(|wait| wait.as_millis()).collect();
        assert_eq!(waits, [10, 50, 250]);

        let capped = Backoff {
            cap: Duration::from_millis(60),
            steps: 6,
            ..exact
        };
        let waits: Vec<_> = capped.waits().map(|wait| wait.as_millis()).collect();
        assert_eq!(waits, [10, 50, 60, 60, 60]);
    }

    #[tokio::test]
    async fn no_steps_still_mean_one_try() {
        let none = Backoff {
            steps: 0,
            ..Backoff::CONFLICT
        };
        assert_eq!(retry_on(none, |_: &()| true, || async { Ok(7) }).await, Ok(7));
    }
}
