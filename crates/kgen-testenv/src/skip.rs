//! Skips tests on machines without a control plane, but never silently.
//!
//! The variable `KGEN_E2E` decides. If it is not set, a test that needs a control plane is skipped if the binaries are not
//! available (no Go, no assets), with a line on stderr that no harness captures. `required` makes this a failure; set it in
//! CI. `only` is like `required`, but leaves out the tests of a suite that do not need a control plane. `off` always skips,
//! for a quick local run.
//!
//! Rust's own harness cannot mark a running test as skipped, so the test counts as passed there; the `suite` feature
//! has a harness that counts it as ignored.

use crate::builder::ControlPlaneBuilder;
use crate::control_plane::ControlPlane;
use crate::error::Result;
use crate::notice::notice;

/// The variable that decides what happens to tests without a control plane: unset, `required`, `only` or `off`.
pub const KGEN_E2E: &str = "KGEN_E2E";

/// The value of `KGEN_E2E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// Unset: tests are skipped if the binaries are not available.
    WhereAvailable,
    /// `required`: tests fail if the binaries are not available.
    Required,
    /// `only`: like `required`, without the tests of a suite that do not need a control plane.
    Only,
    /// `off`: tests are always skipped.
    Off,
}

impl Policy {
    /// Reads the variable. An unknown value counts as `required`, so that typos are noticed.
    #[must_use]
    pub fn from_environment() -> Self {
        Self::of(std::env::var(KGEN_E2E).unwrap_or_default().as_str())
    }

    fn of(value: &str) -> Self {
        match value {
            "" | "auto" => Policy::WhereAvailable,
            "off" => Policy::Off,
            "only" => Policy::Only,
            _ => Policy::Required,
        }
    }
}

impl ControlPlane {
    /// Like [`ControlPlane::start`], but returns `None` if the test should be skipped.
    ///
    /// ```no_run
    /// # use kgen_testenv::{ControlPlane, Result};
    /// #[tokio::test]
    /// async fn a_foo_becomes_ready() -> Result<()> {
    ///     let Some(control_plane) = ControlPlane::start_or_skip().await? else { return Ok(()) };
    ///     // …
    ///     control_plane.stop().await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// See [`ControlPlaneBuilder::start_or_skip`].
    pub async fn start_or_skip() -> Result<Option<Self>> {
        Self::builder().start_or_skip().await
    }
}

impl ControlPlaneBuilder {
    /// Like [`ControlPlaneBuilder::start`], but returns `None` and prints a line to stderr if the binaries are not available and
    /// the test should be skipped. See [`crate::skip`].
    ///
    /// # Errors
    ///
    /// Returns an error if a component does not start, or, with `KGEN_E2E=required`, if the binaries are not available.
    pub async fn start_or_skip(self) -> Result<Option<ControlPlane>> {
        match self.reason_to_skip().await? {
            None => self.start().await.map(Some),
            Some(reason) => {
                // The harness names its threads after the tests.
                let thread = std::thread::current();
                notice(&format!(
                    "SKIPPED {}: {reason}",
                    thread.name().unwrap_or("a test")
                ));
                Ok(None)
            }
        }
    }

    /// Returns the reason why tests with this control plane should be skipped, if any. Builds the binaries if possible.
    ///
    /// # Errors
    ///
    /// Returns an error if the binaries are not available with `KGEN_E2E=required`, or if they cannot be used.
    pub async fn reason_to_skip(&self) -> Result<Option<String>> {
        let policy = Policy::from_environment();
        if policy == Policy::Off {
            return Ok(Some(format!("{KGEN_E2E}=off")));
        }
        match self.find_or_build_assets().await {
            Ok(_) => Ok(None),
            Err(error) if error.is_unavailable() && policy == Policy::WhereAvailable => {
                Ok(Some(error.to_string()))
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_required() {
        assert_eq!(Policy::of(""), Policy::WhereAvailable);
        assert_eq!(Policy::of("off"), Policy::Off);
        assert_eq!(Policy::of("required"), Policy::Required);
        assert_eq!(Policy::of("only"), Policy::Only);
        assert_eq!(Policy::of("requierd"), Policy::Required);
    }
}
