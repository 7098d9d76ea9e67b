//! Code that would never end, or that would need too much stack or memory, does not have a value, which is reported.

use super::{fields, outcome};

const HEAD: &str = "
use kube::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize)]
#[kube(group = \"scales.example.org\", version = \"v1\", kind = \"Scale\")]
pub struct ScaleSpec {
    #[serde(default = \"start\")]
    pub value: serde_json::Value,
}
";

/// Checks that the default of the field is reported, and returns the reason.
fn reason(code: &str) -> String {
    let outcome = outcome(&format!("{HEAD}{code}"));
    assert!(!outcome.problems.has_errors(), "{:#?}", outcome.problems);
    assert_eq!(fields(&outcome)["value"].default, None);
    let problem = outcome.problems.iter().next().expect("the default is reported");
    let related = problem.related.first().expect("the place is told");
    let file = outcome.files.get(related.span.file).unwrap();
    assert!(related.span.end as usize <= file.text().len());
    related.label.clone()
}

#[test]
fn functions_that_call_each_other() {
    let found = reason(
        "fn start() -> i64 { ping(0) }\nfn ping(x: i64) -> i64 { pong(x + 1) }\nfn pong(x: i64) -> i64 { ping(x) + 1 }\n",
    );
    insta::assert_snapshot!(found, @"code is nested too deeply here");
}

#[test]
fn functions_that_call_themselves_twice() {
    let found = reason(
        "fn start() -> i64 { fibonacci(60) }\nfn fibonacci(x: i64) -> i64 { if x < 2 { x } else { fibonacci(x - 1) + fibonacci(x - 2) } }\n",
    );
    insta::assert_snapshot!(found, @"this takes too many steps to evaluate");
}

#[test]
fn constants_in_a_circle() {
    let found = reason("fn start() -> i64 { A }\nconst A: i64 = B + 1;\nconst B: i64 = A + 1;\n");
    insta::assert_snapshot!(found, @"code is nested too deeply here");
}

#[test]
fn discriminants_in_a_circle() {
    let found = reason("enum Loop { A = Loop::A as isize }\nfn start() -> i64 { Loop::A as i64 }\n");
    insta::assert_snapshot!(found, @"code is nested too deeply here");
}

#[test]
fn huge_loops_and_lists() {
    let long =
        "fn start() -> i64 { let mut sum = 0; for x in 0..4000 { for y in 0..4000 { sum += y; } } sum }\n";
    insta::assert_snapshot!(reason(long), @"this takes too many steps to evaluate");
    insta::assert_snapshot!(reason("fn start() -> Vec<i64> { (0..1_000_000_000).collect() }\n"), @"this range is too long to evaluate");
    insta::assert_snapshot!(reason("fn start() -> Vec<i64> { vec![0; 1_000_000_000] }\n"), @"this list is too long to evaluate");
    insta::assert_snapshot!(reason("fn start() -> i64 { loop {} }\n"), @"kgen does not evaluate this expression");
}

#[test]
fn values_that_double() {
    let text = "fn start() -> String { let mut text = \"x\".to_owned(); for _ in 0..64 { text = format!(\"{text}{text}\"); } text }\n";
    insta::assert_snapshot!(reason(text), @"this takes too many steps to evaluate");
    let list = "fn start() -> Vec<i64> { let mut list = vec![1]; for _ in 0..64 { list = list.iter().chain(list.iter()).collect::<Vec<_>>(); } list }\n";
    insta::assert_snapshot!(reason(list), @"this takes too many steps to evaluate");
    let grown = "fn start() -> String { let mut text = \"x\".to_owned(); for _ in 0..64 { let more = text.clone(); text.push_str(&more); } text }\n";
    insta::assert_snapshot!(reason(grown), @"this takes too many steps to evaluate");
}

#[test]
fn types_whose_default_contains_itself() {
    let found = reason(
        "#[derive(Default)]\nstruct Nest { inner: Box<Nest> }\nfn start() -> Nest { Nest::default() }\n",
    );
    insta::assert_snapshot!(found, @"code is nested too deeply here");
}

#[test]
fn expressions_that_nest_deeply_in_a_file_that_is_read_late() {
    let found = reason("fn start() -> &'static str { crate::deep::text() }\n");
    insta::assert_snapshot!(found, @"code is nested too deeply here");
}
