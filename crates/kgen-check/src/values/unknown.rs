//! Fields of a value that the schema does not know: the API server would prune them, so it refuses them in defaults.

use kgen_model::Schema;
use kgen_schema::{Segment, unknown_fields};
use serde_json::Value;

use super::validate::{Failure, follow, unknown_property};

/// Finds the first field that would be pruned.
pub(super) fn check(schema: &Schema, converted: &kgen_schema::Schema, value: &Value) -> Result<(), Failure> {
    let unknown = unknown_fields(converted, value);
    match unknown.first().map(Vec::as_slice) {
        Some([around @ .., Segment::Name(name)]) => {
            let (schema, _) = follow(schema, value, around);
            Err(unknown_property(schema, name).at(around))
        }
        _ => Ok(()),
    }
}
