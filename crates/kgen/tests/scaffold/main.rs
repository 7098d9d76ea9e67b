//! New projects as their authors meet them: the commands are run, and cargo has nothing to say against the result. On a real
//! control plane the operator then runs as it is deployed, with its webhooks.

mod deployed;
mod project;

use std::error::Error;

use kgen_testenv::Suite;
use libtest_mimic::{Arguments, Trial};

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome {
    let arguments = Arguments::from_args();
    let trials = vec![
        Trial::test("builds/kgen", || done(project::check("kgen"))),
        Trial::test("builds/kube", || done(project::check("kube"))),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}
