//! Finds out why a rule is expensive: the fields without a limit, for which the API server assumes the largest request.

use crate::checker::Typed;
use crate::declared::{Declared, Shape};
use crate::schema::Schema;
use crate::tree::Id;
use crate::types::Type;

use super::paths::Step;
use super::{Estimator, estimator};

/// A list, map or string without a limit that makes an expression expensive.
#[derive(Clone, Debug)]
pub struct Unlimited<S> {
    /// The schema that lacks the limit.
    pub schema: S,
    /// The path from `self`, such as `.items[*].name`; empty for `self` itself.
    pub path: String,
    /// The keyword that would limit it, such as `maxItems`.
    pub keyword: &'static str,
}

/// Returns the keyword that would limit the values of a schema; `None` if they have a limit or do not need one.
///
/// ```
/// use kgen_cel::{OpenApi, limiting_keyword};
/// use serde_json::json;
///
/// assert_eq!(limiting_keyword(OpenApi::new(&json!({"type": "string"}))), Some("maxLength"));
/// assert_eq!(limiting_keyword(OpenApi::new(&json!({"type": "string", "maxLength": 5}))), None);
/// assert_eq!(limiting_keyword(OpenApi::new(&json!({"type": "boolean"}))), None);
/// ```
pub fn limiting_keyword<S: Schema>(schema: S) -> Option<&'static str> {
    match Declared::of(schema, false)?.shape() {
        Shape::List(_) if schema.max_items().is_none() => Some("maxItems"),
        Shape::Map(_) if schema.max_properties().is_none() => Some("maxProperties"),
        Shape::Simple(Type::Text | Type::Bytes | Type::Dyn) if schema.max_length().is_none() => {
            Some("maxLength")
        }
        _ => None,
    }
}

/// Returns the fields without a limit that make an expression expensive, the most expensive first.
pub(crate) fn reasons<S: Schema>(
    checked: &Typed<'_>,
    root: Id,
    value: Option<Declared<S>>,
) -> Vec<Unlimited<S>> {
    let mut watching = estimator(checked, value);
    watching.is_watching = true;
    let cost = watching.cost(root).most;
    let mut found: Vec<(u64, Unlimited<S>)> = Vec::new();
    for unlimited in watching.unlimited.into_inner() {
        let mut limited = estimator(checked, value);
        limited.small = Some(unlimited.schema);
        let better = limited.cost(root).most;
        if better < cost {
            found.push((better, unlimited));
        }
    }
    found.sort_by_key(|(better, _)| *better);
    // A field that changes little is named only if no field changes much.
    let helps = |(better, _): &(u64, Unlimited<S>)| *better <= cost / 2;
    if found.iter().any(helps) {
        found.retain(helps);
    }
    found.into_iter().map(|(_, unlimited)| unlimited).collect()
}

impl<'a, S: Schema> Estimator<'_, 'a, S> {
    /// Records that the estimate used the size of a schema without a limit.
    pub(super) fn watch(&self, schema: S, steps: &[Step<'a>]) {
        if !self.is_watching {
            return;
        }
        let mut unlimited = self.unlimited.borrow_mut();
        let is_known = unlimited.iter().any(|known| known.schema.is_same(&schema));
        let Some(keyword) = limiting_keyword(schema).filter(|_| !is_known) else {
            return;
        };
        let mut path = String::new();
        for step in steps.iter().skip(1) {
            match step {
                Step::Name(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Items => path.push_str("[*]"),
                Step::Values => path.push_str(".*"),
                Step::Keys | Step::Indices => {}
            }
        }
        unlimited.push(Unlimited {
            schema,
            path,
            keyword,
        });
    }

    /// Returns whether a schema counts as limited, to see what a limit would change.
    pub(super) fn is_small(&self, schema: S) -> bool {
        self.small.is_some_and(|small| small.is_same(&schema))
    }
}
