//! Three replicas of the operator, thousands of Foos, and a fault every few seconds, for ten minutes: `cargo xtask e2e --soak`.
//!
//! At the end every Foo must be correct, no replica may have written without the lease, and memory and queues must be
//! flat. It is not part of `cargo test`, because it takes too long.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod audit;
mod chaos;
#[path = "../e2e/cluster.rs"]
#[allow(dead_code, reason = "the other suite uses all of it")]
mod cluster;
#[path = "../e2e/collisions.rs"]
#[allow(dead_code, reason = "`cluster` refers to it")]
mod collisions;
mod load;
#[path = "../e2e/lost.rs"]
#[allow(dead_code, reason = "the other suite uses all of it")]
mod lost;
mod proxy;
mod replica;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};
use tokio_util::sync::CancellationToken;

use crate::audit::Audit;
use crate::chaos::Chaos;
use crate::cluster::{Cluster, note};
use crate::load::{Load, create_unreadable_foo};
use crate::lost::{Goal, nothing_is_lost};
use crate::replica::{Replicas, check_samples};

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder()).test("soak", soak).run()
}

/// Returns a number from the environment, which `cargo xtask e2e --soak` sets.
fn setting(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.and_then(|value| value.parse().ok()).unwrap_or(default)
}

async fn soak() -> Outcome {
    let length = Duration::from_secs(setting("KGEN_SOAK_SECONDS", 600));
    let foos = usize::try_from(setting("KGEN_SOAK_FOOS", 2000))?;
    let folder = tempfile::tempdir()?;
    let audit = Audit::in_folder(folder.path())?;
    let mut builder = ControlPlane::builder();
    for flag in audit.flags() {
        builder = builder.api_server_flag(flag);
    }
    let cluster = Cluster::start(builder).await?;
    create_unreadable_foo(&cluster).await?;
    let load = Load::create(&cluster, foos).await?;
    let mut replicas = Replicas::start(&cluster, 3).await?;
    nothing_is_lost(&cluster, "before the first fault", &load.wanted(), Goal::Status).await?;
    note(&format!(
        "soak: {foos} Foos are correct, faults begin, {length:?} to go"
    ));

    let stop = CancellationToken::new();
    let writing = tokio::spawn(load.clone().write(cluster.client.clone(), stop.clone()));
    let end = Instant::now() + length;
    let mut chaos = Chaos::default();
    while Instant::now() < end {
        chaos.step(&cluster, &mut replicas).await?;
        replicas.tend()?;
    }
    replicas.heal()?;
    stop.cancel();
    writing.await?;
    note(&format!(
        "soak: {}, {} changes by users",
        chaos.summary(),
        load.changes()
    ));

    nothing_is_lost(&cluster, "soak", &load.wanted(), Goal::Status).await?;
    replicas.until_idle().await?;
    let samples = replicas.finish();
    cluster.control_plane.stop().await?;
    let verdict = audit.verdict(chaos.awakenings())?;
    note(&format!("soak: {verdict}"));
    verdict.check()?;
    check_samples(&samples)?;
    Ok(())
}
