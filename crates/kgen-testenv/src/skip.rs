//! Tests on machines that cannot have a control plane: skipped, but never silently.
//!
//! The variable `KGEN_E2E` decides. Unset, a test that needs a control plane is skipped where the binaries cannot be had
//! (no Go, no assets), with a line on the standard error stream that no harness captures. `required` makes that a failure:
//! set it in CI, where a skipped test is a test that nobody runs. `only` is `required` for a run that is about the control
//! plane alone: tests of a suite that need none are left out. `off` skips without looking, for a quick local run.
//!
//! Rust's own harness has no way to mark a running test as skipped, so it counts as passed there; the `suite` feature has
//! a harness that counts it as ignored.

use crate::builder::ControlPlaneBuilder;
use crate::control_plane::ControlPlane;
use crate::error::Result;
use crate::notice::notice;

/// The variable that says what happens to tests without a control plane: unset, `required`, `only` or `off`.
pub const KGEN_E2E: &str = "KGEN_E2E";

/// What `KGEN_E2E` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// Unset: skipped where the binaries cannot be had.
    WhereAvailable,
    /// `required`: failed where the binaries cannot be had.
    Required,
    /// `only`: as `required`, without the tests of a suite that need no control plane.
    Only,
    /// `off`: always skipped.
    Off,
}

impl Policy {
    /// Reads the variable. A value that is not known counts as `required`: whoever set it wanted something, and a failure
    /// is noticed.
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
    /// Like [`ControlPlane::start`], for tests: `None` means skip.
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
    /// As [`ControlPlaneBuilder::start_or_skip`].
    pub async fn start_or_skip() -> Result<Option<Self>> {
        Self::builder().start_or_skip().await
    }
}

impl ControlPlaneBuilder {
    /// Like [`ControlPlaneBuilder::start`], for tests: `None` means that the binaries cannot be had and the test is to be
    /// skipped; that is said on the standard error stream. See [`crate::skip`].
    ///
    /// # Errors
    ///
    /// A component does not come up; or the binaries cannot be had, with `KGEN_E2E=required`.
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

    /// Why tests with this control plane are to be skipped, if they are. Builds the binaries if that is possible.
    ///
    /// # Errors
    ///
    /// The binaries cannot be had, with `KGEN_E2E=required`; or something else is wrong with them.
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
