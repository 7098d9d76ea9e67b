//! Compares metrics with those of controller-runtime, as `testdata/controller-runtime` records them.

use std::collections::BTreeSet;

const RECORDED: &str = include_str!("../../testdata/controller-runtime/metrics.txt");

/// Metrics of controller-runtime that do not exist here.
const OTHERS: [&str; 1] = [
    // Its client can wait until the cache has its own writes.
    "controller_runtime_client_consistency_wait_duration_seconds",
];

/// Expects all recorded metrics whose names begin with one of `families`, with their labels and the ends of their buckets. More
/// labels and more buckets are allowed. Returns the number of compared metrics.
pub fn compare(text: &str, families: &[&str]) -> usize {
    let mut compared = 0;
    for line in RECORDED.lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap();
        if OTHERS.contains(&name) || !families.iter().any(|family| name.starts_with(family)) {
            continue;
        }
        let labels = words.next().unwrap_or_default().split(',');
        let ends: Vec<&str> = words
            .next()
            .map(|ends| ends.split(',').collect())
            .unwrap_or_default();
        let sample = match ends.is_empty() {
            true => name.to_owned(),
            false => format!("{name}_bucket"),
        };
        let found: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(&sample))
            .filter(|rest| rest.starts_with(['{', ' ']))
            .collect();
        assert!(!found.is_empty(), "there is no {sample} in\n{text}");
        for label in labels.filter(|label| !label.is_empty()) {
            let has = |rest: &&str| {
                rest.contains(&format!("{{{label}=\"")) || rest.contains(&format!(",{label}=\""))
            };
            assert!(found.iter().all(has), "{name} lacks the label {label}: {found:?}");
        }
        let own: BTreeSet<&str> = found
            .iter()
            .filter_map(|rest| rest.split_once("le=\"")?.1.split_once('"'))
            .map(|(end, _)| end)
            .collect();
        let lacking: Vec<&&str> = ends.iter().filter(|end| !own.contains(**end)).collect();
        assert!(
            lacking.is_empty(),
            "{name} lacks the buckets {lacking:?}: {own:?}"
        );
        compared += 1;
    }
    compared
}
