//! A test harness for tests that need a control plane. It counts skipped tests as ignored.
//!
//! Use it in a test target with `harness = false`. Each test is an async function with its own Tokio runtime. The command
//! line is that of Rust's own harness (filters, `--list`, `--test-threads` and so on).
//!
//! ```no_run
//! use kgen_testenv::suite::{Outcome, Suite};
//! use kgen_testenv::ControlPlane;
//!
//! async fn starts() -> Outcome {
//!     let control_plane = ControlPlane::start().await?;
//!     control_plane.stop().await?;
//!     Ok(())
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     Suite::new(ControlPlane::builder()).test("starts", starts).run()
//! }
//! ```
//!
//! Tests that need other components, or no control plane, can be in the same suite: see [`Suite::needing`].

use std::future::Future;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::builder::ControlPlaneBuilder;
use crate::error::{Error, with_causes};
use crate::notice::notice;
use crate::skip::Policy;

/// The result of a test. An error or a panic fails it.
pub type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Waits until `holds` returns true, for conditions that cannot be watched.
///
/// An error, for example of `kubectl`, says nothing about the condition, so it is tried again as well.
///
/// ```no_run
/// # use std::time::Duration;
/// # async fn example(control_plane: kgen_testenv::ControlPlane) -> kgen_testenv::suite::Outcome {
/// use kgen_testenv::suite::poll;
///
/// poll("the pod is gone", Duration::from_secs(60), || {
///     let pods = control_plane.kubectl().args(["get", "pods", "--output=name"]).output()?;
///     Ok(pods.status.success() && pods.stdout.is_empty())
/// })
/// .await
/// # }
/// ```
///
/// # Errors
/// Returns an error with `what` and the last error of `holds` if it has not returned true within `patience`.
pub async fn poll(
    what: &str,
    patience: Duration,
    mut holds: impl FnMut() -> Result<bool, Box<dyn std::error::Error + Send + Sync>>,
) -> Outcome {
    let deadline = Instant::now() + patience;
    loop {
        let last = match holds() {
            Ok(true) => return Ok(()),
            Ok(false) => String::new(),
            Err(error) => format!(", because of {}", with_causes(error.as_ref())),
        };
        if Instant::now() > deadline {
            return Err(format!("not within {patience:?}: {what}{last}").into());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Tests, each with the binaries that it needs.
#[must_use = "tests run only by `run`"]
pub struct Suite {
    groups: Vec<Group>,
}

/// Tests that need the same binaries.
struct Group {
    /// `None` for tests that do not need a control plane.
    needs: Option<ControlPlaneBuilder>,
    tests: Vec<Test>,
}

/// A test that has not run yet.
struct Test {
    name: String,
    run: Box<dyn FnOnce() -> Result<(), Failed> + Send>,
}

impl Suite {
    /// Creates a suite whose tests need the components of `needs`. Each test starts its own control plane.
    pub fn new(needs: ControlPlaneBuilder) -> Self {
        Self { groups: Vec::new() }.needing(needs)
    }

    /// Sets the components that later tests need to those of `needs`.
    ///
    /// A folder of binaries without controllers, like that of envtest, is enough for the earlier tests.
    ///
    /// ```no_run
    /// # use kgen_testenv::suite::{Outcome, Suite};
    /// # use kgen_testenv::ControlPlane;
    /// # async fn is_accepted() -> Outcome { Ok(()) }
    /// # async fn rolls_out() -> Outcome { Ok(()) }
    /// # async fn is_well_formed() -> Outcome { Ok(()) }
    /// # fn main() -> std::process::ExitCode {
    /// Suite::new(ControlPlane::builder())
    ///     .test("is_accepted", is_accepted)
    ///     .needing(ControlPlane::builder().with_nodes(1))
    ///     .test("rolls_out", rolls_out)
    ///     .needing_nothing()
    ///     .test("is_well_formed", is_well_formed)
    ///     .run()
    /// # }
    /// ```
    pub fn needing(self, needs: ControlPlaneBuilder) -> Self {
        self.group(Some(needs))
    }

    /// Marks later tests as tests that do not need a control plane. They are never skipped, but `KGEN_E2E=only` leaves them
    /// out.
    pub fn needing_nothing(self) -> Self {
        self.group(None)
    }

    fn group(mut self, needs: Option<ControlPlaneBuilder>) -> Self {
        let tests = Vec::new();
        self.groups.push(Group { needs, tests });
        self
    }

    /// Adds a test.
    pub fn test<Run, Running>(mut self, name: &str, run: Run) -> Self
    where
        Run: FnOnce() -> Running + Send + 'static,
        Running: Future<Output = Outcome>,
    {
        let run = move || {
            let runtime = runtime().map_err(|error| Failed::from(with_causes(&error)))?;
            let outcome = runtime.block_on(run());
            outcome.map_err(|error| Failed::from(with_causes(error.as_ref())))
        };
        let (name, run) = (name.to_owned(), Box::new(run));
        if let Some(group) = self.groups.last_mut() {
            group.tests.push(Test { name, run });
        }
        self
    }

    /// Runs the tests that the command line selects. `main` should only call this.
    pub fn run(self) -> ExitCode {
        let arguments = Arguments::from_args();
        let mut trials = Vec::new();
        let mut said = Vec::new();
        let only = Policy::from_environment() == Policy::Only;
        let groups = self.groups.into_iter();
        for group in groups.filter(|group| !only || group.needs.is_some()) {
            // Listing tests must not build anything.
            let reason = if arguments.list {
                Ok(None)
            } else {
                group.reason_to_skip()
            };
            if let Ok(Some(reason)) = &reason
                && !said.contains(reason)
            {
                notice(&format!("SKIPPED, counted as ignored: {reason}"));
                said.push(reason.clone());
            }
            trials.extend(group.trials(reason));
        }
        libtest_mimic::run(&arguments, trials).exit_code()
    }
}

impl Group {
    fn reason_to_skip(&self) -> Result<Option<String>, Error> {
        let Some(needs) = self.needs.as_ref().filter(|_| !self.tests.is_empty()) else {
            return Ok(None);
        };
        let runtime = runtime().map_err(|source| Error::Io {
            doing: "start",
            path: "the Tokio runtime".into(),
            source,
        })?;
        runtime.block_on(needs.reason_to_skip())
    }

    fn trials(self, reason: Result<Option<String>, Error>) -> Vec<Trial> {
        let tests = self.tests.into_iter();
        match reason {
            Ok(None) => tests.map(|test| Trial::test(test.name, test.run)).collect(),
            Ok(Some(_)) => tests
                .map(|test| Trial::test(test.name, test.run).with_ignored_flag(true))
                .collect(),
            // Each test fails under its own name, so that a filter cannot hide the failure.
            Err(error) => {
                let reason = with_causes(&error);
                let failing = |reason: String| move || Err(Failed::from(reason));
                tests
                    .map(|test| Trial::test(test.name, failing(reason.clone())))
                    .collect()
            }
        }
    }
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn polling_survives_errors_and_reports_the_last_one() {
        let mut answers = vec![Ok(true), Err("no connection".into()), Ok(false)];
        let patience = Duration::from_secs(600);
        poll("it is there", patience, || answers.pop().unwrap())
            .await
            .unwrap();
        assert!(answers.is_empty());

        let failed = poll("it is there", Duration::ZERO, || Err("no connection".into())).await;
        assert_eq!(
            failed.unwrap_err().to_string(),
            "not within 0ns: it is there, because of no connection"
        );
    }
}
