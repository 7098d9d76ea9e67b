//! CEL rules: that they can be parsed, that their types fit, that they are not too expensive, and what the API server
//! demands of the texts around them.
//!
//! Mirrors the part of `ValidateCustomResourceDefinitionOpenAPISchema` on `x-kubernetes-validations`, and the parser, the
//! checker and the cost estimator of `cel-go`. What any of Kubernetes 1.33 to 1.37 accepts is accepted.

mod budget;
mod calls;
mod checker;
mod conditions;
mod cost;
mod declarations;
mod declared;
mod defaults;
mod evaluate;
mod format_calls;
mod lexer;
mod literal;
mod literals;
mod macros;
mod mistake;
mod names;
mod parser;
mod tree;
mod types;

use kgen_diagnostics::{Code, Problem, Span};
use kgen_model::{ListType, Rule};
use kgen_threads::on_large_stack;

use super::Report;
use super::field_path;
use super::text;
use super::walk::{Node, Step};
use budget::Cardinality;
use checker::{Checked, Variables};
use cost::Open;
use declared::Declared;
use lexer::place_in;
use mistake::Mistake;
use tree::{Id, Tree};
use types::{Type, TypeId};

pub(crate) use conditions::condition_refusal;

pub(super) use budget::{Budget, finish};
pub(super) use defaults::{Broken, broken_rule};

/// The reasons that a failed rule can give.
const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Trees that are higher than this are worked on with a large stack. No rule that somebody has written is.
const HIGH: usize = 150;

/// Checks the rules of one node. Within combinations rules are refused altogether, which is reported there.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.nested || node.schema.constraints.rules.is_empty() {
        return;
    }
    let declared = Declared::of(node.schema, node.is_root());
    for rule in &node.schema.constraints.rules {
        check_texts(node, rule, report);
        check_expression(node, rule, "rule", &rule.rule, declared, report);
        if let Some(expression) = stated(rule.message_expression.as_deref()) {
            check_expression(node, rule, "message expression", expression, declared, report);
        }
    }
}

fn check_expression(
    node: &Node<'_>,
    rule: &Rule,
    what: &'static str,
    expression: &str,
    declared: Option<Declared<'_>>,
    report: &mut Report<'_>,
) {
    let tree = match parser::parse(expression) {
        Ok(tree) => tree,
        Err(refusal) => {
            let message = refusal.text(what, expression);
            report
                .problems
                .push(error(node, place(rule, what), Code::CelSyntax, message));
            return;
        }
    };
    let Some(value) = declared else {
        let message = format!("the {what} stands on a value of any type, which rules cannot read");
        report.problems.push(
            error(node, place(rule, what), Code::CelType, message)
                .help("move it to a field whose type the schema states"),
        );
        return;
    };
    let Some(root) = tree.root() else {
        // What is too large for us is left to the API server.
        return;
    };
    let is_high = tree.height(root) > HIGH;
    let variables = Variables {
        value,
        optional_old_value: rule.optional_old_self == Some(true),
    };
    let cardinality = if what == "rule" {
        Cardinality::of_rule(node, value)
    } else {
        Cardinality::once()
    };
    let work = || judge(tree, root, variables, what, &cardinality, &node.path());
    let judged = if is_high { on_large_stack(work) } else { work() };
    match judged.verdict {
        Err(mistake) => report
            .problems
            .push(mistake_problem(node, rule, what, expression, &mistake)),
        Ok((cost, reasons)) => budget::observe(node, rule, what, cost, &cardinality, &reasons, report),
    }
    if what == "rule" {
        check_old_self(node, rule, judged.uses_old_self, report);
    }
}

/// What is known of an expression after all.
struct Judged<'s> {
    uses_old_self: bool,
    /// What it costs at most and the fields that make it expensive, or what is wrong with it.
    verdict: Result<(u64, Vec<Open<'s>>), Mistake>,
}

fn judge<'s>(
    tree: Tree<'_>,
    root: Id,
    variables: Variables<'s>,
    what: &str,
    cardinality: &Cardinality<'_>,
    path: &str,
) -> Judged<'s> {
    let (checked, mistake) = checker::check(tree, root, variables);
    let mistake = mistake.or_else(|| wrong_result(&checked, what == "rule"));
    let verdict = match mistake {
        Some(mistake) => Err(mistake),
        None => {
            let cost = cardinality.total(cost::estimate(&checked, root, variables.value));
            let reasons = if budget::is_worth_naming(cost) {
                cost::reasons(&checked, root, variables.value, path)
            } else {
                Vec::new()
            };
            Ok((cost, reasons))
        }
    };
    Judged {
        uses_old_self: checked.uses_old_self,
        verdict,
    }
}

/// A rule says yes or no, and a message expression makes a text.
fn wrong_result(checked: &Checked<'_>, is_rule: bool) -> Option<Mistake> {
    let wanted = if is_rule { TypeId::BOOL } else { TypeId::TEXT };
    let help = match (checked.types.get(checked.result), is_rule) {
        (Type::Dyn, true) => "what it gives is known only when it runs: convert it with `bool(…)`",
        (_, true) => "compare the value with another one, as in `self.size > 0`",
        (_, false) => "convert the value with `string(…)`",
    };
    (checked.result != wanted).then(|| Mistake {
        sort: mistake::Sort::Type,
        offset: None,
        message: format!(
            "it gives `{}`, and must give `{}`",
            checked.types.shown(checked.result),
            checked.types.shown(wanted)
        ),
        help: Some(help.to_owned()),
    })
}

fn mistake_problem(node: &Node<'_>, rule: &Rule, what: &str, expression: &str, mistake: &Mistake) -> Problem {
    let column = mistake.offset.map_or_else(String::new, |offset| {
        format!(", at {}", place_in(expression, offset))
    });
    let (code, prefix) = match mistake.sort {
        mistake::Sort::Name => (Code::CelSyntax, format!("the {what} reads what does not exist")),
        mistake::Sort::Type => (Code::CelType, format!("the types of the {what} do not fit")),
    };
    let message = format!("{prefix}{column}: {}", mistake.message);
    let problem = error(node, place(rule, what), code, message);
    match &mistake.help {
        Some(help) => problem.help(help.clone()),
        None => problem,
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
mod comparison;
#[cfg(test)]
mod tests;
