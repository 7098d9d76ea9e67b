//! CEL rules: that they can be parsed, and what the API server demands of the texts around them.
//!
//! Of the fields that a rule reads, those that follow `self` directly are looked up. The types of expressions, and what a
//! rule costs, are not decided here. Mirrors the part of
//! `ValidateCustomResourceDefinitionOpenAPISchema` on `x-kubernetes-validations`, and the parser of `cel-go`.

mod fields;
mod lexer;
mod literal;
mod macros;
mod parser;

use kgen_diagnostics::{Code, Problem, Span};
use kgen_model::{ListType, Rule};

use super::Report;
use super::field_path;
use super::text;
use super::walk::{Node, Step};
use parser::Expression;

/// The reasons that a failed rule can give.
const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Why an expression, called `what` in the message, cannot be parsed.
pub(crate) fn refusal(what: &str, expression: &str) -> Option<String> {
    Expression::parse(expression)
        .err()
        .map(|refusal| refusal.text(what, expression))
}

/// Checks the rules of one node. Within combinations rules are refused altogether, which is reported there.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.nested {
        return;
    }
    for rule in &node.schema.constraints.rules {
        check_texts(node, rule, report);
        let message_expression = stated(rule.message_expression.as_deref());
        for (what, expression) in [
            ("rule", Some(rule.rule.as_str())),
            ("message expression", message_expression),
        ] {
            let Some(expression) = expression else { continue };
            match Expression::parse(expression) {
                Ok(parsed) => {
                    check_variables(node, rule, what, &parsed, report);
                    check_fields(node, rule, what, expression, report);
                    if what == "rule" {
                        check_old_self(node, rule, &parsed, report);
                    }
                }
                Err(refusal) => report.problems.push(error(
                    node,
                    place(rule, what),
                    Code::CelSyntax,
                    refusal.text(what, expression),
                )),
            }
        }
    }
}

/// Rules know two variables, and those that their macros declare.
fn check_variables(node: &Node<'_>, rule: &Rule, what: &str, parsed: &Expression, report: &mut Report<'_>) {
    if let Some(name) = &parsed.unknown_variable {
        let message = format!("the {what} reads what does not exist: there is no variable `{name}`");
        report.problems.push(
            error(node, place(rule, what), Code::CelSyntax, message)
                .help("the value is called `self`, and the one before a change `oldSelf`"),
        );
    }
}

/// The API server refuses a rule that reads a field which the schema does not have.
fn check_fields(node: &Node<'_>, rule: &Rule, what: &str, expression: &str, report: &mut Report<'_>) {
    // With `optionalOldSelf` the old value is wrapped, and its fields are reached in another way.
    let plain_old_self = rule.optional_old_self != Some(true);
    if let Some(reason) = fields::missing(expression, node.schema, node.is_root(), plain_old_self) {
        let message = format!("the {what} reads what does not exist: {reason}");
        report
            .problems
            .push(error(node, place(rule, what), Code::CelSyntax, message));
    }
}

/// Empty texts are not written.
fn stated(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn check_texts(node: &Node<'_>, rule: &Rule, report: &mut Report<'_>) {
    let mut refuse =
        |code: Code, message: String| report.problems.push(error(node, rule.span, code, message));
    let has_line_breaks = |text: &str| text.contains(['\n', '\r']);
    let message = stated(rule.message.as_deref());
    if message.is_some_and(|message| message.trim().is_empty()) {
        refuse(
            Code::MarkerValue,
            "the message of a rule must say something".to_owned(),
        );
    } else if message.is_some_and(|message| has_line_breaks(message.trim())) {
        refuse(
            Code::MarkerValue,
            "the message of a rule cannot have line breaks".to_owned(),
        );
    } else if message.is_none() && has_line_breaks(rule.rule.trim()) {
        refuse(
            Code::MarkerValue,
            "a rule of several lines needs a message".to_owned(),
        );
    }
    if let Some(reason) = stated(rule.reason.as_deref()).filter(|reason| !REASONS.contains(reason)) {
        let hint = text::quoted_list(REASONS);
        refuse(
            Code::MarkerValue,
            format!("`{reason}` is no reason of a rule; there is {hint}"),
        );
    }
    if let Some(path) = stated(rule.field_path.as_deref())
        && let Err(refusal) = check_field_path(node, path)
    {
        let message = format!("the field path `{path}` of a rule leads nowhere: {refusal}");
        let span = rule.field_path_span.or(rule.span);
        report.problems.push(error(node, span, Code::JsonPath, message));
    }
}

fn check_field_path(node: &Node<'_>, path: &str) -> Result<(), String> {
    if path.contains(['\n', '\r']) {
        return Err("a path has no line breaks".to_owned());
    }
    field_path::follow(
        node.schema,
        node.is_root(),
        path,
        field_path::Notation::DotsAndBrackets,
    )
    .map(|_| ())
}

/// Rules with `oldSelf` need an old value, which exists only where old and new items can be told apart.
fn check_old_self(node: &Node<'_>, rule: &Rule, parsed: &Expression, report: &mut Report<'_>) {
    if parsed.uses_old_self {
        if let Some(above) = node.chain().find(|above| cannot_be_correlated(above)) {
            let whole = above.parent.map_or_else(String::new, Node::path);
            report.problems.push(
                error(
                    node,
                    place(rule, "rule"),
                    Code::CelSyntax,
                    format!("`oldSelf` cannot be used within the list `{whole}`"),
                )
                .help("items of a list have an old value only with `+listType=map`"),
            );
        }
    } else if rule.optional_old_self.is_some() {
        let message = "`optionalOldSelf` is set, but the rule does not use `oldSelf`";
        report
            .problems
            .push(error(node, rule.span, Code::MarkerValue, message));
    }
}

/// Whether the step to a node loses the old value.
fn cannot_be_correlated(node: &Node<'_>) -> bool {
    let list_type = node.parent.and_then(|parent| parent.schema.list_type);
    matches!(node.step, Step::Items) && list_type != Some(ListType::Map)
}

/// Where an expression of a rule is written, as exactly as that is known.
fn place(rule: &Rule, what: &str) -> Option<Span> {
    let exact = rule.expression_span.filter(|_| what == "rule");
    exact.or(rule.span)
}

/// An error at a place of the rule, or at the node if the rule follows from something else.
fn error(node: &Node<'_>, span: Option<Span>, code: Code, message: impl Into<String>) -> Problem {
    match span {
        Some(span) => Problem::error(code, span, message),
        None => node.error(code, None, message),
    }
}

#[cfg(test)]
mod tests;
