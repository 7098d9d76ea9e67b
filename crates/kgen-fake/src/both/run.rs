//! Runs a test on one of the two clusters.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};

use kgen_testenv::ControlPlane;
use kgen_testenv::skip::Policy;
use tokio::sync::OnceCell;

use super::AnyCluster;

/// Runs a test on the fake, with paused time. Use it for tests that let time pass.
///
/// # Panics
///
/// Panics if the test does.
pub fn on_fake<Test, Running>(test: Test)
where
    Test: FnOnce(AnyCluster) -> Running,
    Running: Future<Output = ()>,
{
    if Policy::from_environment() == Policy::Only {
        return;
    }
    let runtime = runtime(true);
    runtime.block_on(async { test(AnyCluster::fake()).await });
}

/// Runs a test on the control plane that all tests of this program share, or reports that it is skipped.
///
/// # Panics
///
/// Panics if the test does, or if the control plane does not start.
#[allow(clippy::panic, reason = "it is a test")]
pub fn on_control_plane<Test, Running>(test: Test)
where
    Test: FnOnce(AnyCluster) -> Running,
    Running: Future<Output = ()>,
{
    static SHARED: OnceCell<Option<ControlPlane>> = OnceCell::const_new();
    static TESTS: AtomicUsize = AtomicUsize::new(0);
    let runtime = runtime(false);
    runtime.block_on(async {
        let started = SHARED.get_or_try_init(ControlPlane::start_or_skip).await;
        match started {
            Ok(Some(control_plane)) => {
                let number = TESTS.fetch_add(1, Ordering::Relaxed);
                test(AnyCluster::real(control_plane, number).await).await;
            }
            // The first test has reported the reason.
            Ok(None) => {}
            Err(error) => panic!("the control plane does not start: {error:?}"),
        }
    });
}

#[allow(clippy::panic, reason = "it is a test")]
fn runtime(is_paused: bool) -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().start_paused(is_paused).build();
    runtime.unwrap_or_else(|error| panic!("tokio does not start: {error}"))
}
