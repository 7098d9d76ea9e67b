//! A test harness for tests that need a control plane, where "skipped" is counted as ignored.
//!
//! For a test target with `harness = false`. Each test is an async function and gets a Tokio runtime of its own; a failed
//! one says why. The command line is that of Rust's own harness (filters, `--list`, `--test-threads` and so on).
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

use std::future::Future;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::builder::ControlPlaneBuilder;
use crate::error::{Error, with_causes};
use crate::notice::notice;

/// What a test returns: any error fails it. A panic does as well.
pub type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Tests that need the same binaries.
#[must_use = "tests run only by `run`"]
pub struct Suite {
    needs: ControlPlaneBuilder,
    trials: Vec<Trial>,
}

impl Suite {
    /// A suite whose tests need the components of `needs`. It starts nothing: each test starts what it wants.
    pub fn new(needs: ControlPlaneBuilder) -> Self {
        Self {
            needs,
            trials: Vec::new(),
        }
    }

    /// Adds a test.
    pub fn test<Run, Running>(mut self, name: &str, run: Run) -> Self
    where
        Run: FnOnce() -> Running + Send + 'static,
        Running: Future<Output = Outcome>,
    {
        self.trials.push(Trial::test(name, move || {
            let runtime = runtime().map_err(|error| Failed::from(with_causes(&error)))?;
            runtime
                .block_on(run())
                .map_err(|error| Failed::from(with_causes(error.as_ref())))
        }));
        self
    }

    /// Runs the tests that the command line selects; meant to be all that `main` does.
    pub fn run(self) -> ExitCode {
        let arguments = Arguments::from_args();
        // A mere list must not build anything.
        let reason = if arguments.list {
            Ok(None)
        } else {
            self.reason_to_skip()
        };
        let trials = match reason {
            Ok(None) => self.trials,
            Ok(Some(reason)) => {
                notice(&format!("SKIPPED, counted as ignored: {reason}"));
                self.trials
                    .into_iter()
                    .map(|trial| trial.with_ignored_flag(true))
                    .collect()
            }
            Err(error) => {
                let reason = with_causes(&error);
                notice(&reason);
                vec![Trial::test("a control plane can be had", move || {
                    Err(Failed::from(reason))
                })]
            }
        };
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    fn reason_to_skip(&self) -> Result<Option<String>, Error> {
        let runtime = runtime().map_err(|source| Error::Io {
            doing: "start",
            path: "the Tokio runtime".into(),
            source,
        })?;
        runtime.block_on(self.needs.reason_to_skip())
    }
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}
