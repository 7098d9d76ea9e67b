//! Laws that hold for all sets and objects: set algebra, the JSON of sets, and apply twice is apply once.

use std::collections::BTreeSet;

use kgen_fake::apply::{Element, FieldManager, Managed, Path, Set};
use kgen_schema::Definition;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{case, random};

const TIME: &str = "2026-01-01T00:00:00Z";

/// Some elements of all kinds. `1` and `1.0` are equal.
fn element() -> impl Strategy<Value = Element> {
    let names = [r#""a""#, r#""b""#, "1", "1.0", "true"];
    let values = prop::sample::select(names.to_vec()).prop_map(|text| {
        let set = Set::from_json(&json!({format!("v:{text}"): {}})).unwrap();
        set.paths()[0].0[0].clone()
    });
    prop_oneof![
        prop::sample::select(vec!["a", "b", "c"]).prop_map(Element::field),
        values,
        (0..3_i64).prop_map(Element::Index),
    ]
}

fn path() -> impl Strategy<Value = Path> {
    prop::collection::vec(element(), 1..4).prop_map(Path)
}

fn paths() -> impl Strategy<Value = BTreeSet<Path>> {
    prop::collection::btree_set(path(), 0..12)
}

fn set(paths: &BTreeSet<Path>) -> Set {
    Set::of(paths.iter().cloned())
}

fn members(set: &Set) -> BTreeSet<Path> {
    set.paths().into_iter().collect()
}

/// Returns an object to apply.
fn applied(random: &mut random::Random) -> Value {
    let percent = random.numbers.u32(5..60);
    let mut object = json!({
        "apiVersion": "example.org/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": random.spec(percent),
    });
    random.add_metadata(&mut object);
    object
}

proptest! {
    #[test]
    fn sets_are_sets_of_paths(left in paths(), right in paths()) {
        let (a, b) = (set(&left), set(&right));
        prop_assert_eq!(members(&a), left.clone());
        prop_assert_eq!(members(&a.union(&b)), left.union(&right).cloned().collect());
        prop_assert_eq!(members(&a.intersection(&b)), left.intersection(&right).cloned().collect());
        prop_assert_eq!(members(&a.difference(&b)), left.difference(&right).cloned().collect());
        prop_assert_eq!(a.is_subset(&b), left.is_subset(&right));
        prop_assert_eq!(a == b, left == right);
        prop_assert_eq!(a.is_empty(), left.is_empty());
        for path in &right {
            prop_assert_eq!(a.contains(&path.0), left.contains(path));
        }
    }

    #[test]
    fn a_recursive_difference_has_no_path_below_the_other_set(left in paths(), right in paths()) {
        let kept = left.iter().filter(|path| {
            let mut prefixes = (1..=path.0.len()).map(|length| Path(path.0[..length].to_vec()));
            !prefixes.any(|prefix| right.contains(&prefix))
        });
        let difference = set(&left).recursive_difference(&set(&right));
        prop_assert_eq!(members(&difference), kept.cloned().collect());
    }

    #[test]
    fn results_of_operations_are_as_if_they_were_built(left in paths(), right in paths()) {
        let (a, b) = (set(&left), set(&right));
        for result in [a.union(&b), a.intersection(&b), a.difference(&b), a.recursive_difference(&b)] {
            prop_assert_eq!(&result, &set(&members(&result)));
        }
    }

    #[test]
    fn json_is_read_as_it_was_written(paths in paths()) {
        let set = set(&paths);
        prop_assert_eq!(Set::from_json(&set.to_json()), Ok(set));
    }

    #[test]
    fn anything_can_be_read(json in r#"(f|k|v|i|z|):[{}"a1:]{0,6}"#) {
        let _ = Set::from_json(&json!({json: {}}));
    }

    #[test]
    fn random_writes_keep_the_laws(seed in any::<u64>()) {
        let mut random = random::Random::new(seed);
        let definition = case::read(&case::folder().join("definitions/things.json"));
        let kind = case::versions(&definition);
        let fields = FieldManager::new(&kind, "example.org/v1", "Thing", "");
        let definition = Definition::from_json(&definition).unwrap();
        let version = definition.version("v1").unwrap();
        let mut live = None;
        for manager in ["m1", "m2", "m1", "m3", "m1"] {
            let applied = applied(&mut random);
            let once = fields.apply(live.as_ref(), &applied, manager, true, TIME).unwrap();
            if !version.validate(&once).is_valid() {
                // A map that loses its last entry is null, and the server refuses that.
                continue;
            }
            let twice = fields.apply(Some(&once), &applied, manager, false, "2027-01-01T00:00:00Z").unwrap();
            prop_assert_eq!(&twice, &once);

            let mut updated = once.clone();
            fields.update(Some(&once), &mut updated, "m9", "2027-01-01T00:00:00Z");
            prop_assert_eq!(&updated, &once);

            let managed = Managed::of_object(&once).unwrap();
            prop_assert_eq!(Value::from(managed.into_json()), once["metadata"]["managedFields"].clone());
            live = Some(once);
        }
    }
}
