//! The limits that make a rule affordable, as a fix: one marker above each list, map or text that has none.

use std::collections::BTreeMap;
use std::sync::Arc;

use kgen_cel::limits::ESTIMATED_RULE_COST;
use kgen_cel::{Environment, Expression, Unlimited, evaluations};
use kgen_diagnostics::{Fix, Span};
use kgen_model::{Rule, Schema};

use super::super::walk::Node;
use super::handle::Handle;

/// The limits that are tried, the most generous first. Nobody knows which one is meant, so a person decides about it.
const TRIED: &[i64] = &[1_000, 100, 10];

/// How many markers a fix writes at most.
const MOST_MARKERS: usize = 8;

/// Returns the name of the marker for a keyword, as it is written for a path.
pub(super) fn marker(keyword: &str, path: &str) -> String {
    let marker = match keyword {
        "maxItems" => "MaxItems",
        "maxProperties" => "MaxProperties",
        _ => "MaxLength",
    };
    // The items of a list cannot have their own markers.
    let items = if path.ends_with("[*]") { "items:" } else { "" };
    format!("kubebuilder:validation:{items}{marker}")
}

/// Returns the fix that gives all these schemas the same limit, so that the rule of a node becomes cheap enough.
pub(super) fn fix(node: &Node<'_>, rule: &Rule, open: &[&Unlimited<Handle<'_>>]) -> Option<Fix> {
    if open.is_empty() || open.len() > MOST_MARKERS {
        return None;
    }
    let limit = TRIED.iter().find(|limit| is_cheap(node, rule, open, **limit))?;
    let mut lines: BTreeMap<Span, Vec<String>> = BTreeMap::new();
    for one in open {
        let line = format!("// +{}={limit}", marker(one.keyword, &one.path));
        let lines = lines.entry(one.schema.0.places.node?).or_default();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let mut lines = lines.into_iter();
    let (span, first) = lines.next()?;
    let fix = Fix::line_above(span, first.join("\n"));
    Some(lines.fold(fix, |fix, (span, more)| fix.and_line_above(span, more.join("\n"))))
}

/// Returns whether a rule costs at most half of what is allowed, so that there is not even a warning.
fn is_cheap(node: &Node<'_>, rule: &Rule, open: &[&Unlimited<Handle<'_>>], limit: i64) -> bool {
    let schema = limited(node.schema, open, limit);
    let around: Vec<Schema> = node
        .chain()
        .filter_map(|below| below.parent)
        .map(|above| {
            let mut schema = above.schema.clone();
            set_limit(&mut schema, above.schema, open, limit);
            schema
        })
        .collect();
    let environment = if node.is_root() {
        Environment::root_rule(Handle(&schema))
    } else {
        Environment::rule(Handle(&schema))
    };
    let environment =
        environment.map(|environment| environment.optional_old_self(rule.optional_old_self == Some(true)));
    let cost = environment.and_then(|environment| {
        let checked = Expression::parse(&rule.rule).ok()?.check(&environment).ok()?;
        let times = evaluations(Handle(&schema), around.iter().map(Handle));
        Some(checked.cost().saturating_mul(times))
    });
    cost.is_some_and(|cost| cost <= ESTIMATED_RULE_COST / 2)
}

/// Returns a schema in which these schemas have a limit.
fn limited(schema: &Schema, open: &[&Unlimited<Handle<'_>>], limit: i64) -> Schema {
    let mut changed = schema.clone();
    set_limit(&mut changed, schema, open, limit);
    let below = |inner: &Arc<Schema>| Arc::new(limited(inner, open, limit));
    for inner in changed.properties.values_mut() {
        *inner = below(inner);
    }
    changed.items = changed.items.as_ref().map(below);
    changed.additional_properties = changed.additional_properties.as_ref().map(below);
    changed
}

fn set_limit(changed: &mut Schema, schema: &Schema, open: &[&Unlimited<Handle<'_>>], limit: i64) {
    if let Some(one) = open.iter().find(|one| std::ptr::eq(one.schema.0, schema)) {
        let constraints = &mut changed.constraints;
        match one.keyword {
            "maxItems" => constraints.max_items = Some(limit),
            "maxProperties" => constraints.max_properties = Some(limit),
            _ => constraints.max_length = Some(limit),
        }
    }
}
