//! Defaults against the rules of their schema, which the API server evaluates when it accepts a CRD.
//!
//! It evaluates the rules of the field that has the default, and those of everything within it. A field of the default that
//! has its own default keeps its value: nothing is filled in before.

use kgen_cel::go_regex::Patterns;
use kgen_cel::{Budget, Environment, EvaluateError, Expression, Value};
use kgen_model::{Rule, Schema};
use serde_json::Value as Json;

use super::handle::Handle;

/// A rule that a value breaks.
pub(crate) struct Broken<'s> {
    pub(crate) rule: &'s Rule,
    /// Where in the value, such as `.size`; empty for the value itself.
    pub(crate) path: String,
    /// What went wrong when the rule was worked out; nothing if it just says no.
    pub(crate) failure: Option<String>,
}

/// Returns the first rule that a value breaks. The value must match its schema otherwise.
pub(crate) fn broken_rule<'s>(schema: &'s Schema, value: &Json, patterns: &Patterns) -> Option<Broken<'s>> {
    first_broken(schema, value, patterns, &mut Budget::default())
}

fn first_broken<'s>(
    schema: &'s Schema,
    value: &Json,
    patterns: &Patterns,
    budget: &mut Budget,
) -> Option<Broken<'s>> {
    if value.is_null() {
        return None;
    }
    for rule in &schema.constraints.rules {
        let failure = match judge(schema, rule, value, patterns, budget) {
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
        let mut broken = first_broken(schema?, value, patterns, budget)?;
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

/// The verdict of a rule on a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Kept,
    Broken,
    /// The evaluation fails, which counts as broken.
    Failed(String),
    /// Only the API server can tell, or the rule itself has a mistake, which is reported elsewhere.
    Unknown,
}

fn judge(schema: &Schema, rule: &Rule, value: &Json, patterns: &Patterns, budget: &mut Budget) -> Verdict {
    let environment = Environment::rule(Handle(schema));
    let Some((environment, expression)) = environment.zip(Expression::parse(&rule.rule).ok()) else {
        return Verdict::Unknown;
    };
    let environment = environment.optional_old_self(rule.optional_old_self == Some(true));
    let Ok(checked) = expression.check(&environment) else {
        return Verdict::Unknown;
    };
    // The API server takes the default for the old value, too.
    let bindings = environment.bind([("self", value), ("oldSelf", value)]);
    match checked.evaluate_within(&bindings.with_patterns(patterns), budget) {
        Ok(Value::Bool(true)) => Verdict::Kept,
        Ok(Value::Bool(false)) => Verdict::Broken,
        Err(EvaluateError::Failed(failure)) => Verdict::Failed(failure.to_string()),
        Err(EvaluateError::CostExceeded) => {
            Verdict::Failed("it exceeds the cost limit of the API server".to_owned())
        }
        _ => Verdict::Unknown,
    }
}
