//! Schemas and types agree: a type can read every object that its schema accepts, and the schema accepts every object that
//! the type writes.
//!
//! The types are random; kgen refuses some of them, which is fine if it says so. `KGEN_PROMISE_SEEDS` is the number of
//! seeds for types and `KGEN_PROMISE_VALUES` the number of values of each type, for longer runs. The feature `rc` adds types
//! behind `Arc` and `Rc`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on should stop"
)]

mod disagreement;
#[path = "../schemas/mod.rs"]
mod schemas;

use std::collections::BTreeMap;

use disagreement::Comparison;
use promise_types::kinds::KINDS;

fn values_per_kind() -> usize {
    std::env::var("KGEN_PROMISE_VALUES").map_or(200, |values| values.parse().unwrap())
}

#[test]
fn types_and_schemas_agree() {
    let read = schemas::of_all();
    let mut comparison = Comparison::new(&read.admission);
    for kind in KINDS {
        if let Some(schema) = read.accepted.get(kind.name) {
            comparison.compare(kind, schema, values_per_kind());
        }
    }
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for code in read.refused.values() {
        *codes.entry(code).or_default() += 1;
    }
    eprintln!(
        "{} types, of which kgen refuses {} {codes:?}; {} values written, {} of {} objects accepted and read",
        KINDS.len(),
        read.refused.len(),
        comparison.written,
        comparison.accepted,
        comparison.offered,
    );
    assert!(
        comparison.disagreements.is_empty(),
        "{} types disagree with their schemas\n\n{}",
        comparison.disagreements.len(),
        comparison.report()
    );
}
