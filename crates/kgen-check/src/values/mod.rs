//! Defaults, examples and enumerations: every value that a schema states must satisfy that schema.

mod broken;
pub(super) mod convert;
mod embedded;
mod unknown;
mod validate;

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Problem};
use kgen_model::{Keyword, Schema};
use serde_json::Value;

use super::text::shown;
use super::walk::Node;
use super::{Report, text};
use validate::{Failure, validate};

pub(super) use convert::Converter;

/// Checks the values that one node states.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    check_enumeration(node, report);
    if node.nested {
        return;
    }
    if let Some(default) = stated(node.schema.default.as_ref()) {
        check_value(node, default, Code::InvalidDefault, Keyword::Default, report);
    }
    if let Some(example) = stated(node.schema.example.as_deref()) {
        check_value(node, example, Code::InvalidExample, Keyword::Example, report);
    }
}

/// Returns a value that is not `null`: for the API server, that means that there is no value.
fn stated(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

fn check_value(node: &Node<'_>, value: &Value, code: Code, keyword: Keyword, report: &mut Report<'_>) {
    let what = if code == Code::InvalidDefault {
        "default"
    } else {
        "example"
    };
    let schema = node.schema;
    let converted = report.converter.convert(schema);
    let failure = validate(schema, &converted, value, report.patterns)
        .and_then(|()| unknown::check(schema, &converted, value))
        .and_then(|()| {
            if code == Code::InvalidDefault {
                embedded::check(&converted, value)
            } else {
                Ok(())
            }
        });
    if let Err(failure) = failure {
        let message = format!(
            "the {what} `{}` does not match its schema: {}",
            shown(value),
            failure.text()
        );
        let problem = explain(node, node.error(code, Some(keyword), message), &failure);
        // The API server does not look at examples.
        let is_tolerated = code == Code::InvalidExample;
        report.problems.push(if is_tolerated {
            problem.tolerated()
        } else {
            problem
        });
        return;
    }
    // The API server does not evaluate rules for examples.
    if code == Code::InvalidDefault {
        let broken = broken::check(schema, &converted, value, report.patterns);
        report
            .problems
            .extend(broken.map(|broken| broken.problem(node, value)));
    }
}

/// Points at the marker that the value breaks, if there is one, and says what may help.
fn explain(node: &Node<'_>, mut problem: Problem, failure: &Failure) -> Problem {
    if let Some(hint) = &failure.hint {
        problem = problem.help(hint.clone());
    }
    let place = failure
        .keyword
        .filter(|_| failure.path.is_empty())
        .and_then(|keyword| node.schema.places.stated(keyword));
    match place {
        Some(span) if problem.span != Some(span) => problem.related(span, "the value breaks this"),
        _ => problem,
    }
}

fn check_enumeration(node: &Node<'_>, report: &mut Report<'_>) {
    let Some(values) = &node.schema.constraints.enumeration else {
        return;
    };
    let error = |message: String| node.error(Code::InvalidEnumValue, Some(Keyword::Enum), message);
    // Returns the rest of the schema, without the list itself.
    let mut rest = Schema {
        default: None,
        example: None,
        ..node.schema.clone()
    };
    rest.constraints.enumeration = None;
    if let (true, Some(outside)) = (node.nested, node.counterpart) {
        rest.json_type = outside.json_type;
        rest.nullable = outside.nullable;
    }
    let converted = report.converter.convert(&rest);
    let mut seen = BTreeSet::new();
    for value in values {
        if !seen.insert(value.to_string()) {
            report
                .problems
                .push(error(format!("`{}` is listed twice", shown(value))).tolerated());
        } else if let Err(failure) = validate(&rest, &converted, value, report.patterns) {
            let message = format!("`{}` does not match its schema: {}", shown(value), failure.text());
            report
                .problems
                .push(explain(node, error(message), &failure).tolerated());
        }
    }
}

/// Returns the advice about a property that does not exist.
fn hint_for_name(schema: &Schema, name: &str) -> Option<String> {
    text::suggestion(name, schema.properties.keys().map(String::as_str))
}
