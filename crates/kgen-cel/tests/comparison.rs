//! Rules and the verdicts of the API server on them, as data (`testdata`): this crate must agree.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "these are tests"
)]

use std::fmt::Write as _;

use kgen_cel::go_regex::Patterns;
use kgen_cel::{
    Bindings, Budget, Environment, EvaluateError, Expression, OpenApi, Value as CelValue, limits,
};
use serde_json::Value;

fn environment<'s>(schema: &'s Value, rule: &Value) -> Option<Environment<OpenApi<'s>>> {
    let optional = rule.get("optionalOldSelf").and_then(Value::as_bool) == Some(true);
    Some(Environment::rule(OpenApi::new(schema))?.optional_old_self(optional))
}

/// Returns our verdict on an expression: its cost, or the mistake in it. `None` if the expression is too large.
fn verdict(schema: &Value, rule: &Value, key: &str) -> Option<Result<u64, String>> {
    let text = rule.get(key)?.as_str()?;
    let Some(environment) = environment(schema, rule) else {
        return Some(Err("no type".to_owned()));
    };
    let environment = match key {
        "rule" => environment,
        _ => environment.message_expression(),
    };
    let expression = match Expression::parse(text) {
        Ok(expression) => expression,
        Err(error) => return Some(Err(error.message)),
    };
    if expression.is_too_large() {
        return None;
    }
    let checked = expression.check(&environment);
    Some(
        checked
            .map(|checked| checked.cost())
            .map_err(|mistake| mistake.message),
    )
}

/// Returns the verdict on a rule and its message expression: the cost of both, or why the rule is refused. `None` if
/// the rule is too large.
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
    let lines = include_str!("../testdata/rules.jsonl").lines();
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

/// Writes our verdicts on the rules in the file `RULES` to the file `VERDICTS`.
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

/// Returns our verdict on a default with one rule.
fn judge_default(schema: &Value, rule: &Value, default: &Value) -> &'static str {
    let expression = rule["rule"]
        .as_str()
        .and_then(|text| Expression::parse(text).ok());
    let Some((environment, expression)) = environment(schema, rule).zip(expression) else {
        return "unknown";
    };
    let Ok(checked) = expression.check(&environment) else {
        return "unknown";
    };
    match checked.evaluate(&environment.bind([("self", default), ("oldSelf", default)])) {
        Ok(CelValue::Bool(true)) => "accepted",
        Ok(CelValue::Bool(false)) | Err(EvaluateError::Failed(_) | EvaluateError::CostExceeded) => "refused",
        _ => "unknown",
    }
}

/// Returns our verdicts on defaults with one rule each, for lines as in `testdata/defaults`.
fn judge_all_defaults(lines: &str) -> Vec<(Value, &'static str)> {
    let mut schema = Value::Null;
    let mut verdicts = Vec::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["schema"].is_object() {
            schema = line["schema"].clone();
        }
        for rule in line["rules"].as_array().into_iter().flatten() {
            verdicts.push((rule.clone(), judge_default(&schema, rule, &line["default"])));
        }
    }
    verdicts
}

#[test]
fn the_api_server_says_the_same_of_defaults() {
    let verdicts = judge_all_defaults(include_str!("../testdata/defaults/verdicts.jsonl"));
    assert!(verdicts.len() > 500, "only {} rules were found", verdicts.len());
    for (rule, verdict) in verdicts {
        let expected = if rule["refused"] == true {
            "refused"
        } else {
            "accepted"
        };
        assert_eq!(verdict, expected, "{rule}");
    }
}

/// Evaluating costs at most what the API server counts, so an evaluation that is stopped here is stopped there, too.
#[test]
fn evaluations_cost_at_most_what_the_api_server_counts() {
    let (mut ours, mut theirs) = (0, 0);
    let mut schema = Value::Null;
    let files = [
        include_str!("../testdata/defaults/verdicts.jsonl"),
        include_str!("../testdata/defaults/costs.jsonl"),
    ];
    for line in files.into_iter().flat_map(str::lines) {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["schema"].is_object() {
            schema = line["schema"].clone();
        }
        for rule in line["rules"].as_array().into_iter().flatten() {
            let environment = environment(&schema, rule).unwrap();
            let expression = Expression::parse(rule["rule"].as_str().unwrap()).unwrap();
            let checked = expression.check(&environment).unwrap();
            let bindings = environment.bind([("self", &line["default"]), ("oldSelf", &line["default"])]);
            let mut budget = Budget::default();
            let outcome = checked.evaluate_within(&bindings, &mut budget);
            let cost = limits::OBJECT_COST - budget.remaining();
            let counted = rule["cost"].as_u64().unwrap();
            if outcome != Err(EvaluateError::NotKnown) {
                assert!(cost <= counted, "{cost} of {rule} for {}", line["default"]);
                (ours, theirs) = (ours + cost, theirs + counted);
            }
        }
    }
    assert!(ours * 10 >= theirs * 7, "{ours} of {theirs} were counted");
}

/// Writes our verdicts on the defaults in the file `RULES` to the file `VERDICTS`.
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

/// Every second line is the verdict of `k8s.io/apiserver` v0.37.2 on the condition above it.
#[test]
fn the_api_server_says_the_same_of_conditions() {
    let mut lines = include_str!("../testdata/conditions.txt").lines();
    let mut count = 0;
    while let (Some(condition), Some(verdict)) = (lines.next(), lines.next()) {
        let found = match Expression::parse(condition) {
            Err(error) => Some(error.message),
            Ok(expression) => {
                let checked = expression.check(&Environment::match_condition());
                checked.err().map(|mistake| mistake.message)
            }
        };
        assert_eq!(
            found.is_none(),
            verdict.trim_start() == "accepted",
            "{condition}: {verdict}, and here {found:?}"
        );
        count += 1;
    }
    assert!(count > 50, "only {count} conditions were found");
}

/// Returns a value in the notation of `testdata/libraries/main.go`.
fn shown(value: &CelValue) -> String {
    let list = |parts: Vec<String>, open: &str, close: &str| format!("{open}{}{close}", parts.join(", "));
    let text = |text: &str| serde_json::to_string(text).unwrap();
    match value {
        CelValue::Null => "null".to_owned(),
        CelValue::Bool(value) => value.to_string(),
        CelValue::Int(value) => value.to_string(),
        CelValue::Uint(value) => format!("{value}u"),
        CelValue::Double(value) if value.is_nan() => "double NaN".to_owned(),
        CelValue::Double(value) if value.is_infinite() => {
            format!("double {}Inf", if *value > 0.0 { "+" } else { "-" })
        }
        CelValue::Double(value) => format!("double {value}"),
        CelValue::String(value) => text(value),
        CelValue::Bytes(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("b{digits}")
        }
        CelValue::List(items) => list(items.items().iter().map(shown).collect(), "[", "]"),
        CelValue::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", shown(key), shown(value)));
            let mut entries: Vec<_> = entries.collect();
            entries.sort();
            list(entries, "{", "}")
        }
        CelValue::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| !name.starts_with('#'));
            let fields = fields.map(|(name, value)| format!("{}: {}", text(name), shown(value)));
            list(fields.collect(), "{", "}")
        }
        CelValue::Optional(None) => "optional()".to_owned(),
        CelValue::Optional(Some(value)) => format!("optional({})", shown(value)),
        CelValue::Type(name) => format!("type {name}"),
        CelValue::Timestamp(timestamp) => format!("timestamp {timestamp}"),
        CelValue::Duration(nanoseconds) => format!("duration {nanoseconds}"),
        CelValue::Extension(extension) => extension.to_string(),
        _ => "unknown".to_owned(),
    }
}

/// Returns our answer for an expression, in the notation of `testdata/libraries`, and its cost.
fn answer(text: &str, environment: &Environment<OpenApi<'_>>, bindings: &Bindings<'_>) -> (String, u64) {
    let checked = match Expression::parse(text) {
        Ok(expression) => expression.check(environment).ok(),
        Err(_) => None,
    };
    let Some(checked) = checked else {
        return ("refused".to_owned(), 0);
    };
    let mut budget = Budget::default();
    let answer = match checked.evaluate_within(bindings, &mut budget) {
        Ok(value) => shown(&value),
        Err(EvaluateError::Failed(failure)) => {
            format!(
                "error {}",
                serde_json::to_string(failure.server_message()).unwrap()
            )
        }
        Err(EvaluateError::CostExceeded) => "cost exceeded".to_owned(),
        Err(_) => "unknown".to_owned(),
    };
    (answer, limits::OBJECT_COST - budget.remaining())
}

/// Every second line of the file is the verdict of Kubernetes 1.37 on the expression above it: the cost and the value.
#[test]
fn the_api_server_computes_the_same_values() {
    let file: Value = serde_json::from_str(include_str!("../testdata/libraries/object.json")).unwrap();
    let schema = OpenApi::new(&file["schema"]);
    let environment = Environment::rule(schema)
        .unwrap()
        .any_result()
        .optional_old_self(true);
    let object = &file["self"];
    let patterns = Patterns::default();
    let bindings = environment.bind([("self", object), ("oldSelf", object)]);
    let bindings = bindings.with_patterns(&patterns);
    let mut lines = include_str!("../testdata/libraries/verdicts.txt").lines();
    let (mut count, mut unknown) = (0, 0);
    let (mut ours, mut theirs) = (0, 0);
    let mut differences = String::new();
    while let (Some(expression), Some(verdict)) = (lines.next(), lines.next()) {
        let verdict = verdict.trim_start();
        let (counted, expected) = match verdict.split_once(' ') {
            Some((cost, value)) => (cost.parse().unwrap(), value),
            None => (0, verdict),
        };
        let (found, cost) = answer(expression, &environment, &bindings);
        count += 1;
        if found == "unknown" {
            unknown += 1;
            continue;
        }
        if found != expected {
            writeln!(differences, "{expression}\n    {expected}\n    {found}").unwrap();
        } else if cost > counted {
            writeln!(differences, "{expression}\n    costs {counted}, not {cost}").unwrap();
        }
        (ours, theirs) = (ours + cost, theirs + counted);
    }
    assert!(count > 500, "only {count} expressions were found");
    assert!(differences.is_empty(), "{differences}");
    // Strings of Go that are not UTF-8, an unstable order, and the origin of a map in a comparison of types.
    assert!(unknown <= 10, "{unknown} of {count} expressions are not known");
    assert!(ours * 100 >= theirs * 98, "{ours} of {theirs} were counted");
}
