//! How often a rule is evaluated for one object.

use crate::declared::Declared;
use crate::limits::REQUEST_BYTES;
use crate::schema::{JsonType, Schema};

/// Returns how often a rule on `schema` can be evaluated for one object.
///
/// `ancestors` are all schemas around it. If one of them is a list or map without a limit, the largest request decides.
///
/// ```
/// use kgen_cel::{OpenApi, evaluations};
/// use serde_json::json;
///
/// let item = json!({"type": "boolean"});
/// let (limited, unlimited) = (json!({"type": "array", "maxItems": 10}), json!({"type": "array"}));
/// assert_eq!(evaluations(OpenApi::new(&item), [OpenApi::new(&limited)]), 10);
/// assert_eq!(evaluations(OpenApi::new(&item), [OpenApi::new(&unlimited)]), 629_145);
/// ```
pub fn evaluations<S: Schema>(schema: S, ancestors: impl IntoIterator<Item = S>) -> u64 {
    let times = ancestors.into_iter().try_fold(1_u64, |times, ancestor| {
        max_parts(ancestor).map(|most| times.saturating_mul(most))
    });
    let by_size = || REQUEST_BYTES / Declared::Value(schema).least_bytes().saturating_add(1);
    times.unwrap_or_else(|| by_size().cast_unsigned())
}

/// Returns how many values each of the schemas below a schema can describe; `None` if there is no limit.
///
/// It is `maxItems` for a list, `maxProperties` for a map, and 1 for everything else.
///
/// ```
/// use kgen_cel::{OpenApi, max_parts};
/// use serde_json::json;
///
/// assert_eq!(max_parts(OpenApi::new(&json!({"type": "array", "maxItems": 3}))), Some(3));
/// assert_eq!(max_parts(OpenApi::new(&json!({"type": "array"}))), None);
/// assert_eq!(max_parts(OpenApi::new(&json!({"type": "object"}))), Some(1));
/// ```
pub fn max_parts<S: Schema>(schema: S) -> Option<u64> {
    let most = match schema.json_type() {
        Some(JsonType::Object) if schema.additional_properties().is_some() => schema.max_properties()?,
        Some(JsonType::Array) => schema.max_items()?,
        _ => 1,
    };
    Some(most.max(0).cast_unsigned())
}
