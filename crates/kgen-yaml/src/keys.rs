//! The order of keys in a mapping: "natural", so that `url2` comes before `url10`.
//!
//! Where two keys first differ, a letter comes after anything else, letters compare by code point, and other characters
//! compare by the number that begins there. Outside ASCII, a letter is an alphabetic character of Rust (go-yaml:
//! general category L, so without letter-like marks and numbers), and only ASCII digits are digits.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Returns whether the map already has its entries in the order of the output, so that they do not have to be collected
/// and sorted. It can return `false` for a sorted map.
pub(super) fn stand_in_order(entries: &Map<String, Value>) -> bool {
    // For ASCII letters, the natural order is the order of their bytes.
    let is_letters = |key: &String| key.bytes().all(|byte| byte.is_ascii_alphabetic());
    if entries.keys().all(is_letters) {
        return entries.keys().is_sorted();
    }
    let mut previous: Option<&str> = None;
    entries.keys().all(|key| {
        let follows =
            !has_digit(key) && previous.is_none_or(|previous| natural_order(previous, key) == Ordering::Less);
        previous = Some(key);
        follows
    })
}

/// Returns the entries in the order of the output.
pub(super) fn in_order(entries: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = entries.iter().collect();
    if !entries.iter().any(|(key, _)| has_digit(key)) {
        entries.sort_unstable_by(|(left, _), (right, _)| natural_order(left, right));
        return entries;
    }
    // With digits, the comparison can be cyclic: `a10` < `a1x` < `a2` < `a10`. The sorts of the standard library may
    // panic on that; inserting one by one does not. Without a cycle the result is the same order as in go-yaml. With a
    // cycle the order of go-yaml varies; here it is always the same, because sorting starts from the order of bytes.
    entries.sort_unstable_by_key(|(key, _)| *key);
    let mut sorted: Vec<(&String, &Value)> = Vec::with_capacity(entries.len());
    for entry in entries {
        let follows_last = sorted
            .last()
            .is_none_or(|last| natural_order(last.0, entry.0) == Ordering::Less);
        let position = if follows_last {
            sorted.len()
        } else {
            sorted.partition_point(|other| natural_order(other.0, entry.0) == Ordering::Less)
        };
        sorted.insert(position, entry);
    }
    sorted
}

fn has_digit(key: &str) -> bool {
    key.bytes().any(|byte| byte.is_ascii_digit())
}

fn natural_order(left: &str, right: &str) -> Ordering {
    let mut shared = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(left, right)| left == right)
        .count();
    while !left.is_char_boundary(shared) {
        shared -= 1;
    }
    let (Some((before, left)), Some((_, right))) =
        (left.split_at_checked(shared), right.split_at_checked(shared))
    else {
        // Not reached: both start with the same whole characters.
        return left.cmp(right);
    };
    let (Some(left_first), Some(right_first)) = (left.chars().next(), right.chars().next()) else {
        return left.len().cmp(&right.len());
    };
    match (left_first.is_alphabetic(), right_first.is_alphabetic()) {
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (true, true) => left_first.cmp(&right_first),
        (false, false) => {
            // A zero counts only inside a number that starts with another digit.
            let inside_number = (left_first == '0' || right_first == '0')
                && before
                    .bytes()
                    .rev()
                    .take_while(u8::is_ascii_digit)
                    .any(|digit| digit != b'0');
            let start = i64::from(inside_number);
            number_at(left, start)
                .cmp(&number_at(right, start))
                .then_with(|| left_first.cmp(&right_first))
        }
    }
}

/// Returns the number at the start of `text`, as digits after `start`, and the number of digits. It wraps around like
/// the integers of Go, which determines the order of very long numbers.
fn number_at(text: &str, start: i64) -> (i64, usize) {
    text.bytes()
        .take_while(u8::is_ascii_digit)
        .fold((start, 0), |(number, length), digit| {
            (
                number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')),
                length + 1,
            )
        })
}
