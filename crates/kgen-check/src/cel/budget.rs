//! The budget of the API server for rules: one limit for each of them, and one for all rules of a version together.
//!
//! A rule runs for every value of its schema, so its cost counts as often as the lists and maps around it can have items.

use kgen_diagnostics::{Code, Problem, Span};
use kgen_model::{JsonType, KindVersion, Rule, Schema};

use super::super::Report;
use super::super::text;
use super::super::walk::{Node, Step};
use super::cost::Open;
use super::declared::Declared;
use super::{error, place};

/// The most that a rule may cost, and all rules of a version together.
const MOST_OF_A_RULE: u64 = 10_000_000;
const MOST_OF_A_VERSION: u64 = 100_000_000;
/// What is worth naming when all rules together cost too much.
const WORTH_NAMING: u64 = MOST_OF_A_VERSION / 100;
/// How many fields or rules a problem names.
const MOST_NAMED: usize = 4;
/// The largest request that an API server takes, in bytes.
const MOST_BYTES: i64 = 3 * 1024 * 1024;

/// What the rules of a version cost so far.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    total: u64,
    /// Whether a rule alone costs too much; then the sum is no news.
    passed: bool,
    /// The rules that cost most, with their places.
    expensive: Vec<(u64, Span)>,
}

/// How often a rule at a node can run for one object.
#[derive(Debug)]
pub(super) struct Cardinality<'a> {
    times: u64,
    /// The lists and maps around it that say no limit.
    open: Vec<Open<'a>>,
}

impl<'a> Cardinality<'a> {
    /// Of a rule on `value` at a node.
    pub(super) fn of_rule(node: &Node<'a>, value: Declared<'_>) -> Self {
        let mut times = Some(1_u64);
        let mut open = Vec::new();
        for above in node.chain().filter_map(|below| below.parent) {
            match most_elements(above.schema) {
                Some(most) => times = times.map(|times| times.saturating_mul(most)),
                None => {
                    times = None;
                    open.push(Open::new(above.schema, above.path(), is_item(above)));
                }
            }
        }
        let by_size = MOST_BYTES / value.least_bytes().saturating_add(1);
        Self {
            times: times.unwrap_or_else(|| by_size.cast_unsigned()),
            open,
        }
    }

    /// Of a message expression, which is run for one failure.
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

fn is_item(node: &Node<'_>) -> bool {
    matches!(node.step, Step::Items)
}

/// How many values the parts of a value describe; nothing if there is no limit.
fn most_elements(schema: &Schema) -> Option<u64> {
    let limits = &schema.constraints;
    let most = match schema.json_type {
        Some(JsonType::Object) if schema.additional_properties.is_some() => limits.max_properties?,
        Some(JsonType::Array) => limits.max_items?,
        _ => 1,
    };
    Some(most.max(0).cast_unsigned())
}

/// Whether a cost matters so much that its reasons are worth finding.
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
    reasons: &[Open<'_>],
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
    if cost <= MOST_OF_A_RULE {
        return;
    }
    budget.passed = true;
    let message = format!(
        "the {what} can cost {} what the API server allows",
        factor(cost, MOST_OF_A_RULE)
    );
    let mut problem = error(node, place(rule, what), Code::CelCost, message);
    let around = cardinality.open.iter().rev();
    let named: Vec<_> = around.chain(reasons).take(MOST_NAMED).collect();
    for open in &named {
        problem = problem.help(open.help());
        if let Some(span) = open.schema.places.node {
            problem = problem.related(span, format!("has no `{}`", open.keyword()));
        }
    }
    if named.is_empty() {
        problem = problem.help(if joins_conversions(rule, what) {
            "how long the text of `string(…)` can be is not known before, so joining it with `+` counts as endless; \
             write `'… %s'.format([…])`"
        } else {
            "lower the limits of what it goes through, or make it simpler"
        });
    }
    report.problems.push(problem);
}

/// Whether an expression seems to join texts that it makes of other values.
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
    if budget.total <= MOST_OF_A_VERSION || budget.passed {
        return;
    }
    let message = format!(
        "the rules of `{}` in version `{}` together can cost {} what the API server allows",
        version.kind,
        version.version,
        factor(budget.total, MOST_OF_A_VERSION)
    );
    let mut problem = Problem::error(Code::CelCost, version.span, message).help(format!(
        "limit lists, maps and texts with {}",
        text::quoted_list(["maxItems", "maxProperties", "maxLength"])
    ));
    for (cost, span) in budget.expensive {
        let share = cost.saturating_mul(100) / budget.total.max(1);
        problem = problem.related(span, format!("{share} % of it"));
    }
    report.problems.push(problem);
}

/// By how much a limit is passed.
fn factor(cost: u64, limit: u64) -> String {
    if cost / limit >= 100 {
        return "more than 100 times".to_owned();
    }
    // In tenths, rounded up: what passes the limit is more than one time.
    let tenths = cost.saturating_mul(10).div_ceil(limit);
    format!("{}.{} times", tenths / 10, tenths % 10)
}
