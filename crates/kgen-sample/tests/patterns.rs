//! Inclusion of patterns, compared with brute force over all short strings of a small alphabet.

use kgen_cel::go_regex::Patterns;
use kgen_sample::{Lengths, Search, shortest};

const PAIRS: usize = 10_000;
const LONGEST: usize = 6;

/// Returns a random pattern over the letters `a` and `b`.
fn pattern(random: &mut fastrand::Rng, depth: usize) -> String {
    let leaf = |random: &mut fastrand::Rng| {
        ["a", "b", "ab", "[ab]", ".", "a?", "b*", "a+", ""][random.usize(..9)].to_owned()
    };
    if depth == 0 {
        return leaf(random);
    }
    match random.usize(..6) {
        0 => format!("{}{}", pattern(random, depth - 1), pattern(random, depth - 1)),
        1 => format!("({}|{})", pattern(random, depth - 1), pattern(random, depth - 1)),
        2 => format!("({})*", pattern(random, depth - 1)),
        3 => format!("({}){{1,2}}", pattern(random, depth - 1)),
        _ => leaf(random),
    }
}

fn anchored(random: &mut fastrand::Rng) -> String {
    let inner = pattern(random, 3);
    match random.usize(..8) {
        0 => inner,
        1 => format!("^({inner})"),
        2 => format!("({inner})$"),
        3 => format!(r"\b({inner})\b"),
        _ => format!("^({inner})$"),
    }
}

fn strings() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..LONGEST {
        last = last
            .iter()
            .flat_map(|text| [format!("{text}a"), format!("{text}b")])
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

#[test]
fn inclusion_agrees_with_brute_force() {
    let mut random = fastrand::Rng::with_seed(23);
    let strings = strings();
    let (mut known, mut differ) = (0, 0);
    for _ in 0..PAIRS {
        let (old, new) = (anchored(&mut random), anchored(&mut random));
        let patterns = Patterns::default();
        let matches = |pattern: &str, text: &str| patterns.is_match(pattern, text) == Some(true);
        let example = strings
            .iter()
            .find(|text| matches(&old, text) && !matches(&new, text));
        match shortest(&[&old], &[&new], Lengths::default()) {
            Search::Found(text) => {
                known += 1;
                differ += 1;
                assert!(
                    matches(&old, &text) && !matches(&new, &text),
                    "{old} and {new}: {text:?}"
                );
                let shorter = example.filter(|example| example.chars().count() < text.chars().count());
                assert_eq!(shorter, None, "{old} and {new}: {text:?} is not the shortest");
            }
            Search::None => {
                known += 1;
                assert_eq!(example, None, "{old} and {new}");
            }
            Search::NotKnown => {}
        }
    }
    assert!(known > PAIRS * 99 / 100, "only {known} pairs were decided");
    assert!(
        differ > PAIRS / 10 && differ < PAIRS * 9 / 10,
        "{differ} pairs differ"
    );
}
