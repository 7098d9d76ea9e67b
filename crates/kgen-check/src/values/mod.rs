//! Defaults, examples and enumerations: every value that a schema states must satisfy that schema.

pub(super) mod convert;
pub(super) mod embedded;
mod unknown;
mod validate;

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Problem};
use kgen_model::{Keyword, Schema};
use serde_json::Value;

use super::text::shown;
use super::walk::Node;
use super::{Report, rules, text};
use validate::Failure;
pub(super) use validate::Validator;

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

/// `null` is written nowhere: for the API server it means that there is no value.
fn stated(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

fn check_value(node: &Node<'_>, value: &Value, code: Code, keyword: Keyword, report: &mut Report<'_>) {
    let what = if code == Code::InvalidDefault {
        "default"
    } else {
        "example"
    };
    let validator = Validator {
        patterns: report.patterns,
    };
    let failure = validator
        .validate(node.schema, value)
        .and_then(|()| unknown::check(node.schema, value))
        .and_then(|()| {
            if code == Code::InvalidDefault {
                embedded::check(node.schema, value)
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
        report
            .problems
            .push(explain(node, node.error(code, Some(keyword), message), &failure));
        return;
    }
    // Nobody looks at examples.
    if code == Code::InvalidDefault
        && let Some(broken) = rules::broken_rule(node.schema, value, report.patterns)
    {
        let message = format!("the default `{}` breaks a rule: {}", shown(value), told(&broken));
        let mut problem = node.error(code, Some(keyword), message);
        if let Some(span) = broken.rule.expression_span.or(broken.rule.span) {
            problem = problem.related(span, "the rule");
        }
        report.problems.push(
            problem
                .help("change the default: the API server evaluates rules for defaults and refuses the CRD"),
        );
    }
}

/// What a rule says to a value that breaks it.
fn told(broken: &rules::Broken<'_>) -> String {
    let place = match broken.path.trim_start_matches('.') {
        "" => String::new(),
        path => format!("`{path}` breaks "),
    };
    let rule = format!("{place}`{}`", broken.rule.rule);
    match (&broken.failure, &broken.rule.message) {
        (Some(failure), _) => format!("{rule} cannot be evaluated: {failure}"),
        (None, Some(message)) if !message.is_empty() => format!("{rule} ({message})"),
        (None, _) => rule,
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
    // What else the schema says, without the list itself.
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
    let validator = Validator {
        patterns: report.patterns,
    };
    let mut seen = BTreeSet::new();
    for value in values {
        if !seen.insert(value.to_string()) {
            report
                .problems
                .push(error(format!("`{}` is listed twice", shown(value))));
        } else if let Err(failure) = validator.validate(&rest, value) {
            let message = format!("`{}` does not match its schema: {}", shown(value), failure.text());
            report.problems.push(explain(node, error(message), &failure));
        }
    }
}

/// What to say about a property that does not exist.
fn hint_for_name(schema: &Schema, name: &str) -> Option<String> {
    text::suggestion(name, schema.properties.keys().map(String::as_str))
}
