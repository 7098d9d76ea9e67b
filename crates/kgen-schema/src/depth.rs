//! The deepest values that are handled, so that no value overflows the stack.

use serde_json::Value;

/// The most levels of lists and objects. Kubernetes' own types have fewer than twenty.
pub const MAX_OBJECT_DEPTH: usize = 512;

/// Fails if a value is nested too deeply.
pub(crate) fn check(value: &Value) -> Result<(), String> {
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        if depth > MAX_OBJECT_DEPTH {
            return Err(format!(
                "the object is nested more than {MAX_OBJECT_DEPTH} levels deep"
            ));
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(entries) => waiting.extend(entries.values().map(|entry| (entry, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}
