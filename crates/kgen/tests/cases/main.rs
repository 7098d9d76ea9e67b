//! Runs the command on every case folder: the project's own sessions in `testdata/cli`, and the shared conformance
//! cases where they are present. A new folder is a new test.

mod conformance;
mod session;
mod workspace;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// What a case comes to: nothing, or what is wrong.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for found in [session::trials(), conformance::trials()] {
        match found {
            Ok(found) => trials.extend(found),
            Err(error) => {
                let message = format!("the cases cannot be listed: {error}");
                trials.push(Trial::test("cases", move || Err(message.into())));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
