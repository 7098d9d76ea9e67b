//! The API server's cost budget for rules: one limit for each rule, and one for all rules of a version together.
//!
//! A rule runs for every value of its schema, so its cost counts as often as the lists and maps around it can have items.

use kgen_cel::limits::{ESTIMATED_CRD_COST, ESTIMATED_RULE_COST};
use kgen_cel::{Unlimited, evaluations, limiting_keyword, max_parts};
use kgen_diagnostics::{Code, Problem, Span, words};
use kgen_model::{KindVersion, Rule};

use super::super::Report;
use super::super::walk::Node;
use super::handle::Handle;
use super::{error, limits, place};

/// The cost from which on a rule is named when all rules together cost too much.
const WORTH_NAMING: u64 = ESTIMATED_CRD_COST / 100;
/// How many fields or rules a problem names.
const MOST_NAMED: usize = 4;

/// The cost of the rules of a version so far.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    total: u64,
    /// Whether a single rule exceeds its limit; in that case, the sum is not reported.
    passed: bool,
    /// The rules that cost most, with their places.
    expensive: Vec<(u64, Span)>,
}

/// How often a rule at a node can run for one object.
#[derive(Debug)]
pub(super) struct Cardinality<'a> {
    times: u64,
    /// The lists and maps around it without a limit, with full paths.
    open: Vec<Unlimited<Handle<'a>>>,
}

impl<'a> Cardinality<'a> {
    /// Returns the cardinality of a rule at a node.
    pub(super) fn of_rule(node: &Node<'a>) -> Self {
        let ancestors = || node.chain().filter_map(|below| below.parent);
        let open = ancestors().filter(|above| max_parts(Handle(above.schema)).is_none());
        Self {
            times: evaluations(Handle(node.schema), ancestors().map(|above| Handle(above.schema))),
            open: open.map(unlimited_node).collect(),
        }
    }

    /// Returns the budget of a message expression, which is run for one failure.
    pub(super) fn once() -> Self {
        Self {
            times: 1,
            open: Vec::new(),
        }
    }

    pub(super) fn total(&self, cost: u64) -> u64 {
        cost.saturating_mul(self.times)
    }
}

/// Returns a list or map without a limit at a node.
fn unlimited_node<'a>(node: &Node<'a>) -> Unlimited<Handle<'a>> {
    let schema = Handle(node.schema);
    Unlimited {
        schema,
        path: node.path(),
        keyword: limiting_keyword(schema).unwrap_or("maxLength"),
    }
}

/// Returns whether a cost is high enough to look for its reasons.
pub(super) fn is_worth_naming(cost: u64) -> bool {
    cost >= WORTH_NAMING
}

/// Counts an expression, and reports it if it costs too much alone.
pub(super) fn observe(
    node: &Node<'_>,
    rule: &Rule,
    what: &str,
    cost: u64,
    cardinality: &Cardinality<'_>,
    reasons: &[Unlimited<Handle<'_>>],
    report: &mut Report<'_>,
) {
    let budget = &mut report.budget;
    budget.total = budget.total.saturating_add(cost);
    if is_worth_naming(cost)
        && let Some(span) = rule.span
    {
        budget.expensive.push((cost, span));
        budget.expensive.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        budget.expensive.truncate(MOST_NAMED);
    }
    if cost <= ESTIMATED_RULE_COST / 2 {
        return;
    }
    let is_too_much = cost > ESTIMATED_RULE_COST;
    budget.passed |= is_too_much;
    let (code, message) = if is_too_much {
        let factor = factor(cost, ESTIMATED_RULE_COST);
        let message = format!("the estimated cost of the {what} is {factor} the limit of the API server");
        (Code::CelCost, message)
    } else {
        let share = cost.saturating_mul(100) / ESTIMATED_RULE_COST;
        (
            Code::RuleCost,
            format!("the {what} uses {share}% of the cost that the API server allows"),
        )
    };
    let mut problem = error(node, place(rule, what), code, message);
    let root = node.path();
    let root = if root == "." { "" } else { root.as_str() };
    let around = cardinality.open.iter().rev().map(|open| ("", open));
    let within = reasons.iter().map(|open| (root, open));
    let all: Vec<_> = around.chain(within).collect();
    if what == "rule" {
        let open: Vec<_> = all.iter().map(|(_, open)| *open).collect();
        if let Some(fix) = limits::fix(node, rule, &open) {
            problem = problem.with_fix(fix);
        }
    }
    let named: Vec<_> = all.into_iter().take(MOST_NAMED).collect();
    for (root, open) in &named {
        problem = problem.help(limit_help(root, open));
        if let Some(span) = open.schema.0.places.node {
            problem = problem.related(span, format!("has no `{}`", open.keyword));
        }
    }
    if named.is_empty() {
        problem = problem.help(if joins_conversions(rule, what) {
            "write `'… %s'.format([…])`; the API server assumes that `string(…)` has no maximum length, so joining it with `+` is expensive"
        } else {
            "lower the limits of the lists, maps and strings that it reads, or simplify it"
        });
    }
    if is_too_much {
        report.problems.push(problem);
    } else {
        report.expensive.push(problem);
    }
}

/// Explains how to limit a list, map or string whose path continues `root`.
fn limit_help(root: &str, open: &Unlimited<Handle<'_>>) -> String {
    let Unlimited { path, keyword, .. } = open;
    let marker = limits::marker(keyword, path);
    format!("set `{keyword}` of `{root}{path}` with `+{marker}=…`")
}

/// Returns whether an expression seems to join texts that it makes of other values.
fn joins_conversions(rule: &Rule, what: &str) -> bool {
    let expression = match what {
        "rule" => &rule.rule,
        _ => rule.message_expression.as_deref().unwrap_or_default(),
    };
    expression.contains("string(") && expression.contains('+')
}

/// Reports a version whose rules cost too much together, and begins a new one.
pub(crate) fn finish(version: &KindVersion, report: &mut Report<'_>) {
    let budget = std::mem::take(&mut report.budget);
    if budget.total <= ESTIMATED_CRD_COST || budget.passed {
        return;
    }
    let message = format!(
        "the estimated total cost of the rules of `{}` in version `{}` is {} the limit of the API server",
        version.kind,
        version.version,
        factor(budget.total, ESTIMATED_CRD_COST)
    );
    let mut problem = Problem::error(Code::CelCost, version.span, message).help(format!(
        "limit lists, maps and strings with {}",
        words::all_of(["maxItems", "maxProperties", "maxLength"])
    ));
    for (cost, span) in budget.expensive {
        let share = cost.saturating_mul(100) / budget.total.max(1);
        problem = problem.related(span, format!("{share}% of the total"));
    }
    report.problems.push(problem);
}

/// Returns the factor by which a limit is exceeded.
fn factor(cost: u64, limit: u64) -> String {
    if cost / limit >= 100 {
        return "more than 100 times".to_owned();
    }
    // In tenths, rounded up: what passes the limit is more than one time.
    let tenths = cost.saturating_mul(10).div_ceil(limit);
    format!("{}.{} times", tenths / 10, tenths % 10)
}
