//! Defaults against the rules of their schema: the API server works them out when it takes a definition.
//!
//! It asks the rules of the field that has the default, and those of everything within it. A field of the default that has a
//! default of its own is taken as it stands: nothing is filled in before.

use kgen_model::{Rule, Schema};
use kgen_threads::on_large_stack;
use serde_json::Value as Json;

use super::super::patterns::Patterns;
use super::checker::{self, Variables};
use super::declared::Declared;
use super::evaluate::{Meter, Stop, Value, evaluate};
use super::{HIGH, parser, wrong_result};

/// A rule that a value breaks.
pub(in super::super) struct Broken<'s> {
    pub(in super::super) rule: &'s Rule,
    /// Where in the value, such as `.size`; empty for the value itself.
    pub(in super::super) path: String,
    /// What went wrong when the rule was worked out; nothing if it just says no.
    pub(in super::super) failure: Option<String>,
}

/// The first rule that a value breaks which fits its schema otherwise.
pub(in super::super) fn broken_rule<'s>(
    schema: &'s Schema,
    value: &Json,
    patterns: &Patterns,
) -> Option<Broken<'s>> {
    first_broken(schema, value, patterns, &mut Meter::default())
}

fn first_broken<'s>(
    schema: &'s Schema,
    value: &Json,
    patterns: &Patterns,
    meter: &mut Meter,
) -> Option<Broken<'s>> {
    if value.is_null() {
        return None;
    }
    for rule in &schema.constraints.rules {
        let failure = match judge(schema, rule, value, patterns, meter) {
            Verdict::Kept | Verdict::Unknown => continue,
            Verdict::Broken => None,
            Verdict::Failed(message) => Some(message),
        };
        return Some(Broken {
            rule,
            path: String::new(),
            failure,
        });
    }
    let mut within = |schema: Option<&'s Schema>, value: &Json, step: &dyn Fn() -> String| {
        let mut broken = first_broken(schema?, value, patterns, meter)?;
        broken.path.insert_str(0, &step());
        Some(broken)
    };
    match value {
        Json::Object(entries) => entries.iter().find_map(|(name, value)| {
            let property = schema.properties.get(name).map(AsRef::as_ref);
            let schema = property.or(schema.additional_properties.as_deref());
            within(schema, value, &|| format!(".{name}"))
        }),
        Json::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, value)| within(schema.items.as_deref(), value, &|| format!("[{index}]"))),
        _ => None,
    }
}

/// What a rule says of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Kept,
    Broken,
    /// The rule cannot be worked out, which counts as broken.
    Failed(String),
    /// Only the API server can tell, or something is wrong with the rule itself, which is told elsewhere.
    Unknown,
}

pub(super) fn judge(
    schema: &Schema,
    rule: &Rule,
    value: &Json,
    patterns: &Patterns,
    meter: &mut Meter,
) -> Verdict {
    let parts = Declared::of(schema, false).zip(parser::parse(&rule.rule).ok());
    let Some((declared, tree)) = parts else {
        return Verdict::Unknown;
    };
    let Some(root) = tree.root() else {
        return Verdict::Unknown;
    };
    let variables = Variables {
        value: declared,
        optional_old_value: rule.optional_old_self == Some(true),
    };
    let is_high = tree.height(root) > HIGH;
    let work = || {
        let (checked, mistake) = checker::check(tree, root, variables);
        if mistake.is_some() || wrong_result(&checked, true).is_some() {
            return Verdict::Unknown;
        }
        let own = Value::of(value, declared);
        match evaluate(
            &checked,
            root,
            &own,
            variables.optional_old_value,
            patterns,
            meter,
        ) {
            Ok(Value::Bool(true)) => Verdict::Kept,
            Ok(Value::Bool(false)) => Verdict::Broken,
            Err(Stop::Failure(message)) => Verdict::Failed(message),
            _ => Verdict::Unknown,
        }
    };
    if is_high { on_large_stack(work) } else { work() }
}
