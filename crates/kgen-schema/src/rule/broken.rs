//! The rules that a default does not satisfy, for programs that check a CRD before they create it.

use kgen_cel::EvaluateError;
use kgen_cel::go_regex::Patterns;
use serde_json::Value;

use super::{Evaluation, Ratchet, RuleTree};
use crate::path::Segment;
use crate::schema::Schema;

/// A rule that a value does not satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRule {
    /// The path from the value to the part that the rule is on.
    pub segments: Vec<Segment>,
    /// The position of the rule in [`Schema::rules`] of that part.
    pub index: usize,
    /// Why the rule could not be evaluated; `None` if its result is `false`.
    pub failure: Option<EvaluateError>,
}

/// Returns the rules that a default does not satisfy, in the order of the API server.
///
/// The value must satisfy everything else in its schema. As in the API server, it is also the old value, so transition rules
/// are evaluated. Rules that `kgen-cel` cannot evaluate are left out.
///
/// ```
/// use kgen_schema::{Patterns, Schema, broken_rules};
/// use serde_json::json;
///
/// let schema = Schema::read(&json!({
///     "type": "integer",
///     "x-kubernetes-validations": [{"rule": "self >= 0"}, {"rule": "self != 5"}],
/// }))?;
/// let broken = broken_rules(&schema, &json!(5), &Patterns::default());
/// assert_eq!(broken[0].index, 1);
/// # Ok::<(), kgen_schema::ReadError>(())
/// ```
pub fn broken_rules(schema: &Schema, value: &Value, patterns: &Patterns) -> Vec<BrokenRule> {
    let Some(tree) = RuleTree::of(schema) else {
        return Vec::new();
    };
    let mut evaluation = Evaluation::new(patterns);
    evaluation.is_object = false;
    evaluation.run(&tree, schema, value, Some(value), Ratchet::default());
    evaluation.broken
}
