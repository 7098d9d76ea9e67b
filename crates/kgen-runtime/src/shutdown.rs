//! Graceful shutdown: the first signal requests the end, the second one forces it.
//!
//! This module never ends the process. `main` does so with the exit code of [`Ended::exit_code`].

use std::future::Future;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// Signals the end of the process. Clones share the signal.
///
/// ```
/// use kgen_runtime::queue::WorkQueue;
/// use kgen_runtime::shutdown::{Ended, Shutdown};
/// use std::time::Duration;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # let ended = runtime.block_on(async {
/// // In `main`: `let shutdown = Shutdown::on_signals()?;`
/// let shutdown = Shutdown::default();
/// # shutdown.signal();
/// let queue: WorkQueue<String> = WorkQueue::default();
/// let work = async {
///     shutdown.requested().await;
///     queue.shutdown_with_drain().await;
/// };
/// let ended = shutdown.run(Duration::from_secs(30), work).await;
/// assert_eq!(ended, Ended::Finished(()));
/// # ended
/// # });
/// // `main` returns `ended.exit_code()`.
/// # ended.exit_code();
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    requested: CancellationToken,
    forced: CancellationToken,
}

impl Shutdown {
    /// Listens for SIGINT and SIGTERM, or for Ctrl-C on platforms without signals. Needs a tokio runtime.
    ///
    /// The first signal requests the end, the second one forces it. These signals no longer end the process by themselves, so
    /// the caller has to wait for [`Self::forced`], as [`Self::run`] does.
    pub fn on_signals() -> io::Result<Self> {
        let shutdown = Self::default();
        let mut signals = Signals::listen()?;
        let told = shutdown.clone();
        tokio::spawn(async move {
            while !told.is_forced() {
                signals.next().await;
                told.signal();
            }
        });
        Ok(shutdown)
    }

    /// Acts like a signal: the first call requests the end, the second one forces it.
    pub fn signal(&self) {
        if self.requested.is_cancelled() {
            tracing::warn!("second signal: not waiting any longer");
            self.forced.cancel();
        } else {
            tracing::info!("finishing");
            self.requested.cancel();
        }
    }

    /// Waits until the end is requested.
    pub async fn requested(&self) {
        self.requested.cancelled().await;
    }

    /// Returns whether the end is requested.
    pub fn is_requested(&self) -> bool {
        self.requested.is_cancelled()
    }

    /// Returns a token that is canceled when the end is requested. Cancelling it requests the end.
    pub fn token(&self) -> CancellationToken {
        self.requested.clone()
    }

    /// Waits until the end is forced.
    pub async fn forced(&self) {
        self.forced.cancelled().await;
    }

    /// Returns whether the end is forced.
    pub fn is_forced(&self) -> bool {
        self.forced.is_cancelled()
    }

    /// Runs `work`, which should end by itself after [`Self::requested`]. Drops it if it takes longer than `grace` after that,
    /// or when the end is forced.
    pub async fn run<T>(&self, grace: Duration, work: impl Future<Output = T>) -> Ended<T> {
        let patience = async {
            self.requested().await;
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            biased;
            () = self.forced() => Ended::Forced,
            result = work => Ended::Finished(result),
            () = patience => {
                tracing::error!("work did not end within {grace:?}");
                Ended::TimedOut
            }
        }
    }
}

/// How work ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended<T> {
    /// The work ended by itself.
    Finished(T),
    /// The work was dropped because the end was forced.
    Forced,
    /// The work was dropped because it took too long.
    TimedOut,
}

impl<T> Ended<T> {
    /// Returns the result of the work, if it ended by itself.
    pub fn finished(self) -> Option<T> {
        match self {
            Self::Finished(result) => Some(result),
            Self::Forced | Self::TimedOut => None,
        }
    }
}

impl<T: ExitStatus> Ended<T> {
    /// Returns the exit code for `main`: that of the result if the work ended by itself, otherwise a failure.
    ///
    /// ```
    /// use kgen_runtime::shutdown::Ended;
    /// use std::process::ExitCode;
    ///
    /// let ended: Ended<Result<(), &str>> = Ended::Finished(Err("the lease was lost"));
    /// assert_eq!(ended.exit_code(), ExitCode::FAILURE);
    /// ```
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Finished(result) => result.exit_code(),
            Self::Forced | Self::TimedOut => ExitCode::FAILURE,
        }
    }
}

/// A result of work with an exit code. Unlike [`std::process::Termination`], it does not print anything.
pub trait ExitStatus {
    /// Returns the exit code.
    fn exit_code(&self) -> ExitCode;
}

impl ExitStatus for () {
    fn exit_code(&self) -> ExitCode {
        ExitCode::SUCCESS
    }
}

impl ExitStatus for ExitCode {
    fn exit_code(&self) -> ExitCode {
        *self
    }
}

impl<T: ExitStatus, E> ExitStatus for Result<T, E> {
    fn exit_code(&self) -> ExitCode {
        match self {
            Ok(result) => result.exit_code(),
            Err(_) => ExitCode::FAILURE,
        }
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            // There is no signal on this platform.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    const GRACE: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn work_that_finishes_is_waited_for() {
        let shutdown = Shutdown::default();
        shutdown.signal();
        let work = async {
            shutdown.requested().await;
            tokio::time::sleep(GRACE / 2).await;
            7
        };
        assert_eq!(shutdown.run(GRACE, work).await, Ended::Finished(7));
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_does_not_finish_is_dropped_after_the_grace() {
        let shutdown = Shutdown::default();
        let started = tokio::time::Instant::now();
        let told = shutdown.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(5)).await;
            told.signal();
        });
        assert_eq!(shutdown.run(GRACE, pending::<()>()).await, Ended::TimedOut);
        assert_eq!(started.elapsed(), GRACE + Duration::from_secs(5));
    }

    #[tokio::test(start_paused = true)]
    async fn the_second_signal_forces() {
        let shutdown = Shutdown::default();
        shutdown.signal();
        assert!(shutdown.is_requested() && !shutdown.is_forced());
        shutdown.signal();
        assert!(shutdown.is_forced());
        assert_eq!(shutdown.run(GRACE, pending::<()>()).await, Ended::Forced);
        assert_eq!(shutdown.run(GRACE, pending::<()>()).await.finished(), None);
    }

    #[test]
    fn the_exit_code_is_that_of_the_result() {
        let of = |ended: Ended<Result<ExitCode, &str>>| ended.exit_code();
        assert_eq!(Ended::Finished(()).exit_code(), ExitCode::SUCCESS);
        assert_eq!(of(Ended::Finished(Ok(ExitCode::SUCCESS))), ExitCode::SUCCESS);
        assert_eq!(of(Ended::Finished(Ok(ExitCode::from(3)))), ExitCode::from(3));
        assert_eq!(of(Ended::Finished(Err("lost"))), ExitCode::FAILURE);
        assert_eq!(of(Ended::Forced), ExitCode::FAILURE);
        assert_eq!(of(Ended::TimedOut), ExitCode::FAILURE);
    }

    #[tokio::test(start_paused = true)]
    async fn cancelling_the_token_requests_the_end() {
        let shutdown = Shutdown::default();
        shutdown.token().cancel();
        assert!(shutdown.is_requested());
    }
}
