//! Compares the verdicts on whole CRDs with those of the API server.

use std::fmt::Write as _;

use kgen_model::KindVersion;
use serde_json::Value;

use super::{builder, openapi};

/// Writes our verdicts on the rules in whole CRDs to the file `VERDICTS`. The file `DEFINITIONS` has one CRD per line, as JSON.
#[test]
#[ignore = "only to compare with the API server"]
fn judge_definitions() {
    let definitions = std::env::var("DEFINITIONS").expect("DEFINITIONS names a file");
    let mut output = String::new();
    for line in std::fs::read_to_string(definitions).unwrap().lines() {
        let definition: Value = serde_json::from_str(line).unwrap();
        let name = &definition["metadata"]["name"];
        for version in definition["spec"]["versions"].as_array().unwrap() {
            let read = KindVersion {
                schema: openapi::schema(&version["schema"]["openAPIV3Schema"]),
                ..builder::version("v1", [])
            };
            let problems = super::check(&builder::of_version(read));
            for problem in problems
                .iter()
                .filter(|problem| problem.code.name().starts_with("cel-"))
            {
                writeln!(
                    output,
                    "{name} {}: {} {:?}",
                    version["name"], problem.message, problem.help
                )
                .unwrap();
            }
        }
    }
    std::fs::write(std::env::var("VERDICTS").expect("VERDICTS names a file"), output).unwrap();
}
