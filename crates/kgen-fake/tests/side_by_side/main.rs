//! Sends random sequences of requests to the fake and to a real control plane at the same time, and compares the answers.
//!
//! Answers are normalized as in the recordings. A sequence with a difference is shrunk and written as a case, with the
//! answers of the real server, to `target/tmp/side-by-side`.
//!
//! ```sh
//! cargo xtask e2e fake
//! KGEN_FAKE_SEED=12,34 cargo test -p kgen-fake --test side_by_side
//! KGEN_FAKE_REQUESTS=100000 KGEN_FAKE_SEED=7 KGEN_FAKE_KIND=custom cargo test -p kgen-fake --test side_by_side
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

mod compare;
#[path = "../replay/normal.rs"]
mod normal;
mod plan;
mod random;
mod sequence;
mod shrink;
#[path = "../replay/steps.rs"]
mod steps;
mod subjects;
mod tables;
mod values;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use futures::StreamExt as _;
use kgen_testenv::suite::{Outcome, Suite};
use kgen_testenv::{ControlPlane, ControlPlaneBuilder};

use compare::Servers;

/// How many requests are sent unless `KGEN_FAKE_REQUESTS` says otherwise.
const REQUESTS: usize = 10_000;
/// How many sequences run at the same time: most of their time, they wait for the end of a watch.
const AT_ONCE: usize = 32;
/// How many sequences with a difference are repeated. More than these are not due to a busy machine.
const MOST_REPEATED: usize = 24;
/// How many differences are shrunk.
const MOST_SHRUNK: usize = 12;

fn needs() -> ControlPlaneBuilder {
    ControlPlane::builder()
}

fn main() -> ExitCode {
    Suite::new(needs())
        .test("random_requests_are_answered_alike", compare_answers)
        .test("tables_are_those_of_the_server", compare_tables)
        .run()
}

fn variable(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    value.map_or(default, |value| value.parse().unwrap())
}

async fn compare_tables() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let client = control_plane.client().await?;
    let is_recording = std::env::var("KGEN_RECORD").is_ok_and(|wanted| wanted == "tables");
    let different = tables::differences(&client, is_recording).await;
    control_plane.stop().await?;
    assert!(
        different.is_empty(),
        "KGEN_RECORD=tables writes them anew: {different:?}"
    );
    Ok(())
}

async fn compare_answers() -> Outcome {
    let requests = usize::try_from(variable("KGEN_FAKE_REQUESTS", REQUESTS as u64))?;
    let seeds = std::env::var("KGEN_FAKE_SEED").unwrap_or_default();
    let mut seeds: Vec<u64> = seeds.split(',').filter_map(|seed| seed.parse().ok()).collect();
    let requests = if seeds.len() > 1 { usize::MAX } else { requests };
    let first = seeds.first().copied().unwrap_or(1);
    if seeds.len() < 2 {
        seeds = (first..first + 1_000_000).collect();
    }
    let control_plane = needs().start().await?;
    let servers = Servers::new(&control_plane).await?;
    let begin = Instant::now();
    let (mut count, mut sequences, mut custom) = (0, 0, 0);
    let mut found_differences = Vec::new();
    let mut results = futures::stream::iter(seeds)
        .map(|seed| {
            let servers = &servers;
            async move {
                let case = plan::case(seed);
                let found = servers.compare(&case, &format!("r{seed}")).await;
                (seed, case, found)
            }
        })
        .buffered(AT_ONCE);
    while let Some((seed, case, found)) = results.next().await {
        count += case["steps"].as_array().unwrap().len();
        sequences += 1;
        custom += usize::from(case["tier"] != 3);
        if let Some(difference) = found {
            found_differences.push((seed, difference));
        }
        if count >= requests {
            break;
        }
    }
    drop(results);
    let differences = repeated(&servers, found_differences).await;
    let different: usize = differences.values().map(Vec::len).sum();
    println!(
        "fake: {count} requests in {sequences} sequences (seeds {first}..{}), {different} sequences differ, {:.0} s",
        first + sequences,
        begin.elapsed().as_secs_f64()
    );
    let mut by_count: Vec<_> = differences.iter().collect();
    by_count.sort_by_key(|(_, found)| (found[0].case["tier"] == 3, std::cmp::Reverse(found.len())));
    let mut report = String::new();
    let mut custom_differences = 0;
    for (number, (signature, found)) in by_count.iter().enumerate() {
        let is_shrunk = number < MOST_SHRUNK && std::env::var_os("KGEN_FAKE_VERBOSE").is_none();
        let shown = if is_shrunk {
            shrink::shortest(&servers, &found[0]).await
        } else {
            found[0].describe()
        };
        let is_custom = |difference: &&compare::Difference| difference.case["tier"] != 3;
        custom_differences += found.iter().filter(is_custom).count();
        report.push_str(&format!("\n{} times: {signature}\n{shown}\n", found.len()));
    }
    control_plane.stop().await?;
    println!("{report}");
    println!("fake: {custom_differences} of {custom} sequences about custom kinds differ");
    // Built-in kinds are tier 3, which is only counted.
    assert_eq!(custom_differences, 0, "answers about custom kinds differ");
    Ok(())
}

/// Returns the differences by their signatures, without those that do not come again.
///
/// A sequence about a custom kind is repeated alone, under new names: a busy machine is late with the events of a watch.
async fn repeated(
    servers: &Servers,
    found: Vec<(u64, compare::Difference)>,
) -> BTreeMap<String, Vec<compare::Difference>> {
    let mut differences: BTreeMap<String, Vec<compare::Difference>> = BTreeMap::new();
    let mut count = 0;
    for (seed, first) in found {
        let mut difference = first;
        if difference.case["tier"] != 3 && count < MOST_REPEATED {
            count += 1;
            let case = plan::patient(&plan::case(seed));
            println!("fake: seed {seed} differs:\n{}", difference.describe());
            match servers.compare(&case, &format!("r{seed}-again")).await {
                Some(again) => difference = again,
                None => {
                    println!("fake: seed {seed} does not differ when it is repeated alone");
                    continue;
                }
            }
        }
        differences
            .entry(difference.signature())
            .or_default()
            .push(difference);
    }
    differences
}
