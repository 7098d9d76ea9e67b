//! Fuzzing on stable Rust: every parser of kgen gets mutated inputs, and each input must end without a panic.
//!
//! `runner.rs` is the parent process and the watchdog, `worker.rs` the child that runs inputs, `targets/` the parsers,
//! `mutate.rs` and `seeds.rs` make the inputs. An input follows from the target, the seed of the run and its number alone.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

mod mutate;
mod runner;
mod seeds;
mod targets;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use targets::TARGETS;

/// Fuzzes the parsers of kgen.
#[derive(Parser)]
struct Options {
    /// The name of a target, or `all`.
    target: String,
    /// How many inputs each target gets.
    #[arg(long, default_value_t = 10_000)]
    runs: u64,
    /// After how many seconds a target ends early.
    #[arg(long)]
    seconds: Option<u64>,
    /// The seed of the run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The processor time in seconds after which an input hangs.
    #[arg(long, default_value_t = 2)]
    hang: u64,
    /// The folder for inputs that fail.
    #[arg(long, default_value = "fuzz/failures")]
    failures: PathBuf,
    /// Runs only the input in this file.
    #[arg(long)]
    input: Option<PathBuf>,
    /// Runs inputs in this process and tells their numbers; the parent starts it.
    #[arg(long, hide = true)]
    worker: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let chosen: Vec<_> = TARGETS
        .iter()
        .filter(|target| options.target == "all" || options.target == target.name)
        .collect();
    if chosen.is_empty() {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!(
            "there is no target `{}`; use `all` or one of {}",
            options.target,
            names.join(", ")
        );
        return ExitCode::from(2);
    }
    let mut failed = false;
    for target in chosen {
        if options.worker {
            return worker::run(
                target,
                options.seed,
                options.first,
                options.runs,
                options.input.as_deref(),
            );
        }
        let job = runner::Job {
            target,
            seed: options.seed,
            first: options.first,
            runs: options.runs,
            end: options.seconds.map(Duration::from_secs),
            hang: Duration::from_secs(options.hang),
            failures: &options.failures,
            input: options.input.as_deref(),
        };
        match job.run() {
            Ok(outcome) => {
                println!(
                    "{}: {} inputs in {:.1} s, {} failures",
                    target.name,
                    outcome.inputs,
                    outcome.elapsed.as_secs_f64(),
                    outcome.failures.len()
                );
                for failure in &outcome.failures {
                    println!("  {failure}");
                }
                failed |= !outcome.failures.is_empty();
            }
            Err(error) => {
                eprintln!("{}: {error}", target.name);
                failed = true;
            }
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
