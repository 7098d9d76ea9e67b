//! Properties that hold for every folder in `testdata/cases`, whatever it expects.
//!
//! - `deterministic`: two runs, in different folders, with files created in a different order and a different number of threads,
//!   give the same bytes.
//! - `together`: several generators report the problems of one.
//! - `fixes`: `kgen fix` helps or changes nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod fixes;
#[path = "../support/mod.rs"]
mod support;
mod together;

use libtest_mimic::{Arguments, Failed, Trial};

use support::case::{self, Case, Order};
use support::name;

/// Checks one property of a case.
type Check = fn(&Case) -> Result<(), Failed>;

fn main() {
    let properties: [(&str, Check); 3] = [
        ("deterministic", output_is_the_same_twice),
        ("together", together::client_changes_no_problem),
        ("fixes", fixes::fixes_help),
    ];
    let cases = case::all();
    assert!(!cases.is_empty(), "no case was found");
    let trials = cases.iter().flat_map(|case| {
        properties.map(|(property, check)| {
            let (name, case) = (name(&case.folder), case.clone());
            Trial::test(format!("{name}::{property}"), move || check(&case))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn output_is_the_same_twice(case: &Case) -> Result<(), Failed> {
    let first = case.run(Order::Forward, "2");
    let second = case.run(Order::Backward, "1");
    if first == second {
        Ok(())
    } else {
        Err(format!("{first:#?}\n differs from\n{second:#?}").into())
    }
}
