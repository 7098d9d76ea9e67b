//! Rules and what the API server says of them, as data (`testdata/cel`): the checks here must say the same.

use std::fmt::Write as _;

use kgen_model::KindVersion;
use serde_json::Value;

use super::checker::{Variables, check};
use super::declared::Declared;
use super::defaults::{Verdict, judge as judge_default};
use super::evaluate::Meter;
use super::{cost, parser, wrong_result};
use crate::patterns::Patterns;
use crate::tests::{builder, openapi};

/// What we say of an expression: its cost, or what is wrong with it.
fn verdict(schema: &Value, rule: &Value, key: &str) -> Option<Result<u64, String>> {
    let expression = rule.get(key)?.as_str()?;
    let schema = openapi::schema(schema);
    let Some(value) = Declared::of(&schema, false) else {
        return Some(Err("no type".to_owned()));
    };
    let tree = match parser::parse(expression) {
        Ok(tree) => tree,
        Err(refusal) => return Some(Err(refusal.message)),
    };
    let root = tree.root()?;
    let variables = Variables {
        value,
        optional_old_value: rule.get("optionalOldSelf").and_then(Value::as_bool) == Some(true),
    };
    let (checked, mistake) = check(tree, root, variables);
    let mistake = mistake.or_else(|| wrong_result(&checked, key == "rule"));
    Some(match mistake {
        Some(mistake) => Err(mistake.message),
        None => Ok(cost::estimate(&checked, root, value)),
    })
}

/// The verdict on a rule and its message expression: what both cost, or why the rule is refused. Nothing if we leave that to the
/// API server.
fn judge(schema: &Value, rule: &Value) -> Option<Result<(u64, u64), String>> {
    let own = verdict(schema, rule, "rule")?;
    let message = match rule.get("messageExpression") {
        Some(_) => verdict(schema, rule, "messageExpression")?,
        None => Ok(0),
    };
    Some(own.and_then(|own| Ok((own, message?))))
}

#[test]
fn the_api_server_says_the_same_of_rules() {
    let lines = include_str!("../../testdata/cel/rules.jsonl").lines();
    let mut count = 0;
    for line in lines {
        let line: Value = serde_json::from_str(line).unwrap();
        for rule in line["rules"].as_array().unwrap() {
            let number = |key: &str| rule[key].as_u64().unwrap_or_default();
            let expected = (rule["refused"] != true).then(|| (number("cost"), number("messageCost")));
            let found = judge(&line["schema"], rule).unwrap();
            assert_eq!(
                found.as_ref().ok(),
                expected.as_ref(),
                "{found:?} of {rule} on {}",
                line["schema"]
            );
            count += 1;
        }
    }
    assert!(count > 500, "only {count} rules were found");
}

/// Writes what we say of the rules in the file `RULES` to the file `VERDICTS`.
#[test]
#[ignore = "only to compare with the API server"]
fn judge_rules() {
    let rules = std::fs::read_to_string(std::env::var("RULES").expect("RULES names a file")).unwrap();
    let mut output = String::new();
    for line in rules.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        for rule in line["rules"].as_array().unwrap() {
            match judge(&line["schema"], rule) {
                Some(Ok((cost, message))) => writeln!(output, "cost {cost} {message}"),
                Some(Err(reason)) => writeln!(output, "refused {reason}"),
                None => writeln!(output, "unknown"),
            }
            .unwrap();
        }
    }
    std::fs::write(std::env::var("VERDICTS").expect("VERDICTS names a file"), output).unwrap();
}

/// Writes what we say of the rules in whole definitions to the file `VERDICTS`. The file `DEFINITIONS` has one a line, as JSON.
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
            let problems = crate::tests::check(&builder::of_version(read));
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

/// What we say of defaults with one rule each: lines as in `testdata/cel/defaults`, and for every rule what is known of it.
fn judge_all_defaults(lines: &str) -> Vec<(Value, &'static str)> {
    let mut schema = Value::Null;
    let mut verdicts = Vec::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["schema"].is_object() {
            schema = line["schema"].clone();
        }
        for rule in line["rules"].as_array().into_iter().flatten() {
            let mut with_rule = schema.clone();
            with_rule["x-kubernetes-validations"] = serde_json::json!([rule]);
            let with_rule = openapi::schema(&with_rule);
            let read = with_rule.constraints.rules.first().unwrap();
            let verdict = match judge_default(
                &with_rule,
                read,
                &line["default"],
                &Patterns::default(),
                &mut Meter::default(),
            ) {
                Verdict::Kept => "accepted",
                Verdict::Broken | Verdict::Failed(_) => "refused",
                Verdict::Unknown => "unknown",
            };
            verdicts.push((rule.clone(), verdict));
        }
    }
    verdicts
}

#[test]
fn the_api_server_says_the_same_of_defaults() {
    let verdicts = judge_all_defaults(include_str!("../../testdata/cel/defaults/verdicts.jsonl"));
    assert!(verdicts.len() > 500, "only {} rules were found", verdicts.len());
    for (rule, verdict) in verdicts {
        let expected = match (rule["unknown"] == true, rule["refused"] == true) {
            (true, _) => "unknown",
            (false, true) => "refused",
            (false, false) => "accepted",
        };
        assert_eq!(verdict, expected, "{rule}");
    }
}

/// Writes what we say of the defaults in the file `RULES` to the file `VERDICTS`.
#[test]
#[ignore = "only to compare with the API server"]
fn judge_defaults() {
    let rules = std::fs::read_to_string(std::env::var("RULES").expect("RULES names a file")).unwrap();
    let mut output = String::new();
    for (_, verdict) in judge_all_defaults(&rules) {
        writeln!(output, "{verdict}").unwrap();
    }
    std::fs::write(std::env::var("VERDICTS").expect("VERDICTS names a file"), output).unwrap();
}
