//! The CEL rules of a schema: reports the mistakes that `kgen-cel` finds in them, and the texts around them that the API
//! server refuses.
//!
//! Mirrors the part of `ValidateCustomResourceDefinitionOpenAPISchema` on `x-kubernetes-validations`. The semantics of CEL
//! are in `kgen-cel`; this module knows where the rules are written. An expression that any of Kubernetes 1.33 to 1.37
//! accepts is accepted.

mod budget;
mod conditions;
mod handle;
mod limits;
mod mistakes;

use std::ops::Range;

use kgen_cel::{Environment, Expression, Unlimited, token_at};
use kgen_diagnostics::{Code, Problem, Span, TextOrigin, words};
use kgen_model::{ListType, Rule, Schema};
use kgen_schema::field_path::Notation;

use super::Report;
use super::field_path;
use super::refusal::Refusal;
use super::text;
use super::walk::{Node, Step};
use budget::Cardinality;
use handle::Handle;
use mistakes::Suggestion;

pub(crate) use conditions::condition_problem;

pub(super) use budget::{Budget, finish};

/// The reasons that a failed rule can give.
const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Checks the rules of one node. Within combinations rules are refused altogether, which is reported there.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.nested || node.schema.constraints.rules.is_empty() {
        return;
    }
    let environment = if node.is_root() {
        Environment::root_rule(Handle(node.schema))
    } else {
        Environment::rule(Handle(node.schema))
    };
    for rule in &node.schema.constraints.rules {
        check_texts(node, rule, report);
        let environment = environment
            .map(|environment| environment.optional_old_self(rule.optional_old_self == Some(true)));
        check_expression(node, rule, "rule", &rule.rule, environment, report);
        if let Some(expression) = stated(rule.message_expression.as_deref()) {
            let environment = environment.map(Environment::message_expression);
            check_expression(node, rule, "message expression", expression, environment, report);
        }
    }
}

/// The most that one rule may cost by the estimate of the API server.
pub const RULE_COST_LIMIT: u64 = kgen_cel::limits::ESTIMATED_RULE_COST;

/// The estimated cost of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCost {
    /// The place of the rule.
    pub span: Span,
    /// The type of its result, in the notation of CEL.
    pub result_type: String,
    /// The cost for one object, by the estimate of the API server.
    pub cost: u64,
}

/// Returns the functions and macros that a rule can call on a value with this schema, sorted. Without a value, those that need
/// none.
#[must_use]
pub fn rule_functions(value: Option<&Schema>) -> Vec<&'static str> {
    let json_type = value.map(|schema| schema.json_type.map(super::values::convert::json_type));
    // An object with fields is not a map for rules.
    let is_map = value.is_some_and(|schema| schema.additional_properties.is_some());
    match json_type {
        Some(Some(kgen_cel::JsonType::Object)) if !is_map => Vec::new(),
        None => kgen_cel::function_names(None),
        Some(Some(json_type)) => kgen_cel::function_names(Some(json_type)),
        Some(None) => Vec::new(),
    }
}

/// Returns the costs of the rules of one node, as far as they have no mistakes.
pub(super) fn costs(node: &Node<'_>) -> Vec<RuleCost> {
    if node.nested || node.schema.constraints.rules.is_empty() {
        return Vec::new();
    }
    let environment = if node.is_root() {
        Environment::root_rule(Handle(node.schema))
    } else {
        Environment::rule(Handle(node.schema))
    };
    let Some(environment) = environment else {
        return Vec::new();
    };
    let cost = |rule: &Rule| {
        let environment = environment.optional_old_self(rule.optional_old_self == Some(true));
        let expression = Expression::parse(&rule.rule).ok()?;
        let checked = expression.check(&environment).ok()?;
        Some(RuleCost {
            span: rule.expression_span.or(rule.span)?,
            result_type: checked.result_type(),
            cost: Cardinality::of_rule(node).total(checked.cost()),
        })
    };
    let rules = &node.schema.constraints.rules;
    rules.iter().filter_map(cost).collect()
}

fn check_expression(
    node: &Node<'_>,
    rule: &Rule,
    what: &'static str,
    text: &str,
    environment: Option<Environment<Handle<'_>>>,
    report: &mut Report<'_>,
) {
    let expression = match Expression::parse(text) {
        Ok(expression) => expression,
        Err(refusal) => {
            let part = part(rule, what, token_at(text, refusal.offset));
            let message = mistakes::cannot_be_parsed(what, text, &refusal, part.is_some());
            let span = part.or_else(|| place(rule, what));
            report.problems.push(error(node, span, Code::CelSyntax, message));
            return;
        }
    };
    let Some(environment) = environment else {
        let message = format!("the {what} is on a value of any type, which CEL cannot read");
        report.problems.push(
            error(node, place(rule, what), Code::CelType, message)
                .help("move it to a field whose type the schema states"),
        );
        return;
    };
    if expression.is_too_large() {
        // The API server decides about expressions that are too large for `kgen-cel`.
        return;
    }
    let uses_old_self = expression.uses("oldSelf");
    match expression.check(&environment) {
        Err(mistake) => {
            let range = mistakes::range(text, &mistake);
            let part = range.clone().and_then(|range| part(rule, what, range));
            let exact = range.and_then(|range| origin(rule, what).exact(range));
            let found = mistakes::rule_mistake(what, text, &mistake, part.is_some());
            let span = part.or_else(|| place(rule, what));
            let problem = error(node, span, found.code, found.message);
            let suggestion = switched_off(node.schema, &mistake.name).unwrap_or(found.suggestion);
            report.problems.push(suggestion.add_to(problem, exact));
        }
        Ok(checked) => {
            let cardinality = if what == "rule" {
                Cardinality::of_rule(node)
            } else {
                Cardinality::once()
            };
            let cost = cardinality.total(checked.cost());
            let reasons: Vec<Unlimited<_>> = if budget::is_worth_naming(cost) {
                checked.unlimited()
            } else {
                Vec::new()
            };
            budget::observe(node, rule, what, cost, &cardinality, &reasons, report);
        }
    }
    if what == "rule" {
        check_old_self(node, rule, uses_old_self, report);
    }
}

/// Returns the advice for a name that is a field of the value, or of a value in it, which a `cfg` switches off.
fn switched_off(schema: &Schema, name: &str) -> Option<Suggestion> {
    let mut left = MOST_SEARCHED;
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop().filter(|_| left > 0) {
        left -= 1;
        if let Some(condition) = schema.disabled_field(name) {
            let reason = text::disabled(name, condition);
            let help = text::disabled_help(condition);
            return Some(Suggestion::Help(vec![reason, help]));
        }
        waiting.extend(schema.properties.values().map(|property| &**property));
        waiting.extend(schema.items.as_deref());
        waiting.extend(schema.additional_properties.as_deref());
    }
    None
}

/// How many schemas are searched for the reason of a mistake.
const MOST_SEARCHED: usize = 10_000;

/// Returns a text that is not empty; empty ones are not written.
fn stated(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn check_texts(node: &Node<'_>, rule: &Rule, report: &mut Report<'_>) {
    let mut refuse =
        |code: Code, message: String| report.problems.push(error(node, rule.span, code, message));
    let has_line_breaks = |text: &str| text.contains(['\n', '\r']);
    let message = stated(rule.message.as_deref());
    if message.is_some_and(|message| message.trim().is_empty()) {
        refuse(Code::MarkerValue, "the message of a rule is empty".to_owned());
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
        let hint = words::all_of(REASONS);
        refuse(
            Code::MarkerValue,
            format!("`{reason}` is not a valid reason of a rule; the reasons are {hint}"),
        );
    }
    if let Some(path) = stated(rule.field_path.as_deref())
        && let Err(refusal) = check_field_path(node, path)
    {
        let message = format!(
            "the field path `{path}` of a rule is not valid: {}",
            refusal.message
        );
        let span = rule.field_path_span.or(rule.span);
        let problem = error(node, span, Code::JsonPath, message);
        report
            .problems
            .push(refusal.add_to(problem, path, rule.field_path_span));
    }
}

fn check_field_path(node: &Node<'_>, path: &str) -> Result<(), Refusal> {
    if path.contains(['\n', '\r']) {
        return Err("a path has no line breaks".into());
    }
    field_path::follow(node.schema, node.is_root(), path, Notation::DotsAndBrackets).map(|_| ())
}

/// Checks rules with `oldSelf`. An old value exists only where old and new items can be told apart.
fn check_old_self(node: &Node<'_>, rule: &Rule, uses_old_self: bool, report: &mut Report<'_>) {
    if uses_old_self {
        if let Some(above) = node.chain().find(|above| cannot_be_correlated(above)) {
            let whole = above.parent.map_or_else(String::new, Node::path);
            report.problems.push(
                error(
                    node,
                    place(rule, "rule"),
                    Code::CelSyntax,
                    format!("`oldSelf` cannot be used within the list `{whole}`"),
                )
                .help("add `+listType=map`; the items of other lists have no old value"),
            );
        }
    } else if rule.optional_old_self.is_some() {
        let message = "`optionalOldSelf` is set, but the rule does not use `oldSelf`";
        report
            .problems
            .push(error(node, rule.span, Code::MarkerValue, message));
    }
}

/// Returns whether the step to a node loses the old value.
fn cannot_be_correlated(node: &Node<'_>) -> bool {
    let list_type = node.parent.and_then(|parent| parent.schema.list_type);
    matches!(node.step, Step::Items) && list_type != Some(ListType::Map)
}

/// Returns the place of an expression of a rule, as exactly as it is known.
fn place(rule: &Rule, what: &str) -> Option<Span> {
    let exact = if what == "rule" {
        rule.expression_span
    } else {
        let text = rule.message_expression.as_deref().unwrap_or_default();
        part(rule, what, 0..text.len())
    };
    exact.or(rule.span)
}

/// Returns the places of the parts of an expression of a rule.
fn origin<'a>(rule: &'a Rule, what: &str) -> &'a TextOrigin {
    if what == "rule" {
        &rule.origins.rule
    } else {
        &rule.origins.message_expression
    }
}

/// Returns the place of a part of an expression, if it is known.
fn part(rule: &Rule, what: &str, range: Range<usize>) -> Option<Span> {
    origin(rule, what).span(range)
}

/// Returns an error at a place of the rule, or at the node if the rule follows from something else.
fn error(node: &Node<'_>, span: Option<Span>, code: Code, message: impl Into<String>) -> Problem {
    match span {
        Some(span) => Problem::error(code, span, message),
        None => node.error(code, None, message),
    }
}
