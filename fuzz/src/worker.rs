//! The child process: it runs one input after the other and tells the number of each before it starts.
//!
//! A panic, an overflow of the stack or too much memory ends the process; the parent knows the input by its number.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use crate::mutate::Mutator;
use crate::seeds;
use crate::targets::Target;

/// Returns the input of a number.
pub(crate) fn input(target: &Target, mutator: &Mutator, seed: u64, number: u64) -> String {
    // The name keeps targets apart that have the same seeds.
    let salt = target.name.bytes().fold(seed, |salt, byte| {
        salt.wrapping_mul(0x0100_0000_01b3).wrapping_add(u64::from(byte))
    });
    let state = salt ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mutator.input(&mut fastrand::Rng::with_seed(state))
}

/// Runs inputs until one ends the process.
pub(crate) fn run(target: &Target, seed: u64, first: u64, runs: u64, file: Option<&Path>) -> ExitCode {
    let mut run_input = (target.prepare)();
    let tell = |number: u64| {
        let mut out = std::io::stdout().lock();
        out.write_all(&number.to_le_bytes())
            .and_then(|()| out.flush())
            .is_ok()
    };
    if let Some(path) = file {
        let Ok(bytes) = std::fs::read(path) else {
            return ExitCode::from(2);
        };
        tell(0);
        run_input(&String::from_utf8_lossy(&bytes));
        tell(1);
        return ExitCode::SUCCESS;
    }
    let mutator = Mutator::new(seeds::of(target), target.words);
    for number in first..first.saturating_add(runs) {
        let text = input(target, &mutator, seed, number);
        if !tell(number) {
            return ExitCode::FAILURE;
        }
        run_input(&text);
    }
    // One behind the last: all are done.
    tell(first.saturating_add(runs));
    ExitCode::SUCCESS
}
