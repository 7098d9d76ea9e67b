//! How many parts a schema has when it is written out. Types that are used many times are kept once in memory, and a
//! few dozen of them that contain each other twice make more parts than any disk holds.

use std::collections::HashMap;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{KindVersion, Schema};

/// An API server takes three megabytes, and no part is shorter than ten characters.
const LIMIT: u64 = 300_000;

/// Reports a version with more parts than any API server takes; nothing else may walk over it then.
pub(super) fn is_small_enough(version: &KindVersion, problems: &mut Problems) -> bool {
    let parts = count(&version.schema, &mut HashMap::new());
    if parts <= LIMIT {
        return true;
    }
    let message = format!(
        "the schema of `{}` has more than {LIMIT} parts, and no API server takes so many",
        version.kind
    );
    problems.push(
        Problem::error(Code::DocumentSize, version.span, message)
            .help("types that contain each other several times are written out each time")
            .help("leave a part open with `+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields`"),
    );
    false
}

/// The parts of a schema, itself included; those that are shared in memory are counted once and added each time.
fn count(schema: &Schema, known: &mut HashMap<*const Schema, u64>) -> u64 {
    let address = std::ptr::from_ref(schema);
    if let Some(parts) = known.get(&address) {
        return *parts;
    }
    let below = schema
        .properties
        .values()
        .chain(&schema.items)
        .chain(&schema.additional_properties)
        .chain(&schema.not)
        .map(AsRef::as_ref);
    let beside = schema.any_of.iter().chain(schema.one_of.iter());
    let parts = below
        .chain(beside)
        .fold(1, |parts: u64, part| parts.saturating_add(count(part, known)));
    known.insert(address, parts);
    parts
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kgen_model::JsonType;

    use super::*;

    #[test]
    fn shared_parts_count_each_time() {
        let mut schema = Arc::new(Schema::of_type(JsonType::Integer));
        for _ in 0..80 {
            let mut outer = Schema::of_type(JsonType::Object);
            outer.properties.insert("left".to_owned(), Arc::clone(&schema));
            outer.properties.insert("right".to_owned(), schema);
            schema = Arc::new(outer);
        }
        assert_eq!(count(&schema, &mut HashMap::new()), u64::MAX);
        let inner = schema.properties.get("left");
        assert!(inner.is_some_and(|inner| !inner.properties.is_empty()));
    }
}
