//! Replays the cases in `testdata/apply/cases`, which have the answers of a real API server.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on should stop"
)]

mod case;
mod model;
mod properties;
mod random;
mod speed;

#[test]
fn answers_are_those_of_the_server() {
    let mut steps = 0;
    let mut differences = Vec::new();
    for file in case::files() {
        let case = case::read(&file);
        let mut model = model::Model::new(&case::definition(&case));
        for (index, step) in case["steps"].as_array().unwrap().iter().enumerate() {
            match model.check(step) {
                Ok(is_compared) => steps += usize::from(is_compared),
                Err(difference) => {
                    differences.push(format!("{}, step {index}:\n{difference}", case["name"]));
                }
            }
        }
    }
    assert!(steps > 0, "there are no cases");
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}
