//! Rules and what the API server says of them, as data (`testdata/cel`): the checks here must say the same.

use std::fmt::Write as _;

use serde_json::Value;

use super::checker::{Variables, check};
use super::declared::Declared;
use super::{cost, parser, wrong_result};
use crate::check::tests::openapi;

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

/// Writes what we say of the rules in the file `RULES` to the file `VERDICTS`.
#[test]
#[ignore = "only to compare with the API server"]
fn judge_rules() {
    let rules = std::fs::read_to_string(std::env::var("RULES").expect("RULES names a file")).unwrap();
    let mut output = String::new();
    for line in rules.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        for rule in line["rules"].as_array().unwrap() {
            let own = verdict(&line["schema"], rule, "rule");
            let message = verdict(&line["schema"], rule, "messageExpression");
            match (own, message) {
                (Some(Err(reason)), _) => writeln!(output, "E {reason}"),
                (Some(Ok(_)), Some(Err(reason))) => writeln!(output, "M {reason}"),
                (Some(Ok(cost)), Some(Ok(message))) => writeln!(output, "C {cost} {message}"),
                (Some(Ok(cost)), None) => writeln!(output, "C {cost} 0"),
                (None, _) => writeln!(output, "N"),
            }
            .unwrap();
        }
    }
    std::fs::write(std::env::var("VERDICTS").expect("VERDICTS names a file"), output).unwrap();
}
