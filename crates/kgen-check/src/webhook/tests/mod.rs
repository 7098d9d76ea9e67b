//! Tests of the configurations as a whole. The case folders show complete problems.

mod any_input;
mod problems;

use kgen_diagnostics::{Policy, Problems};
use kgen_model::Api;

use crate::Part;

/// Checks the webhooks of `api`, and returns their problems.
///
/// Webhooks are either refused or part of a configuration.
fn check(api: &Api) -> Problems {
    let mut problems = Problems::new();
    let checked = crate::check(api, &[Part::Webhooks], Policy::STRICT, &mut problems);
    let count = checked.map(|checked| {
        let configurations = checked.webhook_configurations();
        configurations
            .iter()
            .map(|configuration| configuration.webhooks.len())
            .sum()
    });
    let expected = (!problems.has_errors()).then_some(api.webhooks.len());
    assert_eq!(count, expected, "{problems:?}");
    problems
}

#[test]
fn no_webhook_means_no_configuration_and_no_problem() {
    assert!(check(&Api::default()).is_empty());
}
