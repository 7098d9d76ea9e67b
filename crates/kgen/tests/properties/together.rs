//! Generators that run together report the same problems as each alone: `crd client` reports the problems of `crd`.
//!
//! Checks belong to the source, not to a generator. Otherwise a location would be a warning in one run and an error in
//! the next.

use std::collections::BTreeSet;

use libtest_mimic::Failed;
use serde_json::Value;

use crate::support::case::{Case, Order, in_copy};

/// Compares the problems of `crd` with those of `crd client`, both with the options that the case has for `crd`.
pub(crate) fn client_changes_no_problem(case: &Case) -> Result<(), Failed> {
    let (alone, together) = (problems(case, &[]), problems(case, &["client"]));
    if alone == together {
        return Ok(());
    }
    let only = |left: &BTreeSet<String>, right| {
        left.difference(right)
            .map(|problem| format!("  {problem}\n"))
            .collect::<String>()
    };
    let (alone, together) = (only(&alone, &together), only(&together, &alone));
    Err(format!("only with `crd`:\n{alone}only with `crd client`:\n{together}").into())
}

/// Returns code, severity, location and message of each problem of a case, from a run that writes nothing.
fn problems(case: &Case, generators: &[&str]) -> BTreeSet<String> {
    let folder = case.copy(Order::Forward);
    let given = &case.arguments;
    let is_crd = |argument: &&String| argument.split(':').next() == Some("crd");
    let crd = given.iter().find(is_crd).map_or("crd", String::as_str);
    let rest = given
        .iter()
        .filter(|argument| argument.starts_with("paths=") || argument.starts_with("--"));
    let output = in_copy(folder.path())
        .arg(crd)
        .args(generators)
        .args(rest)
        .args(["output:none", "--message-format=json"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .filter(is_about_source)
        .map(|problem| {
            let parts = [
                "code",
                "severity",
                "file",
                "line",
                "column",
                "end_line",
                "end_column",
                "message",
            ];
            parts.map(|part| problem[part].to_string()).join(" ")
        })
        .collect()
}

/// Returns whether a problem is about the source. That a generator found nothing is about the generator.
fn is_about_source(problem: &Value) -> bool {
    problem["code"] != "nothing-found"
}
