//! How many parts a schema has when it is written out. Types that are used many times are kept once in memory, and a
//! few dozen of them that contain each other twice make more parts than any disk holds.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{KindVersion, Schema};

/// An API server takes three megabytes, and no part is shorter than ten characters.
const LIMIT: u64 = 300_000;

/// Reports a version with more parts than any API server takes; nothing else may walk over it then.
pub(super) fn is_small_enough(version: &KindVersion, problems: &mut Problems) -> bool {
    let mut left = LIMIT;
    if takes_parts(&version.schema, &mut left) {
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

/// Takes one off for each part of a schema, itself included, those that are shared in memory each time. False as soon as
/// nothing is left, so that it ends however many there are.
fn takes_parts(schema: &Schema, left: &mut u64) -> bool {
    let Some(rest) = left.checked_sub(1) else {
        return false;
    };
    *left = rest;
    let below = schema
        .properties
        .values()
        .chain(&schema.items)
        .chain(&schema.additional_properties)
        .chain(&schema.not)
        .map(AsRef::as_ref);
    let beside = schema.any_of.iter().chain(schema.one_of.iter());
    below.chain(beside).all(|part| takes_parts(part, left))
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
        let mut left = LIMIT;
        assert!(!takes_parts(&schema, &mut left));
        assert_eq!(left, 0);
    }

    #[test]
    fn every_part_counts() {
        let mut schema = Schema::of_type(JsonType::Array);
        schema.items = Some(Arc::new(Schema::int_or_string()));
        let mut left = 10;
        assert!(takes_parts(&schema, &mut left));
        assert_eq!(left, 6, "the list, its items and the two forms of these");
    }
}
