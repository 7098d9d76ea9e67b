//! Measures how long a control plane takes to start and to stop: `cargo run --example start_up_time -- 5`.

use std::io::Write as _;
use std::time::{Duration, Instant};

use kgen_testenv::{ControlPlane, ControlPlaneBuilder, Error};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let runs = std::env::args()
        .nth(1)
        .and_then(|runs| runs.parse().ok())
        .unwrap_or(5);
    // Once without measuring: the binaries may have to be built, and the system has to read them from the disk.
    ControlPlane::start().await?.stop().await?;
    measure("etcd and API server", runs, ControlPlane::builder).await?;
    measure("all components, one node", runs, || {
        ControlPlane::builder().with_nodes(1)
    })
    .await
}

async fn measure(what: &str, runs: usize, builder: impl Fn() -> ControlPlaneBuilder) -> Result<(), Error> {
    let mut starts = Vec::new();
    let mut stops = Vec::new();
    for _ in 0..runs {
        let begin = Instant::now();
        let control_plane = builder().start().await?;
        starts.push(begin.elapsed());
        let begin = Instant::now();
        control_plane.stop().await?;
        stops.push(begin.elapsed());
    }
    let text = format!(
        "{what}, {runs} runs: start {}; stop {}",
        described(starts),
        described(stops)
    );
    let _ = writeln!(std::io::stdout(), "{text}");
    Ok(())
}

/// Returns median and range.
fn described(mut times: Vec<Duration>) -> String {
    times.sort();
    let seconds = |index: usize| times.get(index).copied().unwrap_or_default().as_secs_f64();
    let last = times.len().saturating_sub(1);
    format!(
        "{:.2} s ({:.2} to {:.2})",
        seconds(times.len() / 2),
        seconds(0),
        seconds(last)
    )
}
