//! Compares the output with go-yaml: one difficult document, each rule, and the values that parsers read from the
//! output. `testdata/README.md` explains how the golden files were created.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::resolve::reads_as_other;
use super::{plain_scalar, to_string};

const HARD_JSON: &str = include_str!("../testdata/hard.json");
const HARD_YAML: &str = include_str!("../testdata/hard.yaml");
const HARD_READ_BACK: &str = include_str!("../testdata/hard.yaml1.1.json");
const RULES: &str = include_str!("../testdata/rules.txt");
const SCALARS: &str = include_str!("../testdata/scalars.tsv");

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn hard_document_is_written_as_go_yaml_writes_it() {
    let text = to_string(&json(HARD_JSON));
    for (number, (ours, theirs)) in text.lines().zip(HARD_YAML.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {}", number + 1);
    }
    assert_eq!(text, HARD_YAML);
}

#[test]
fn hard_document_is_read_back_by_kubernetes() {
    assert_same(&json(HARD_READ_BACK), &json(HARD_JSON), "");
}

#[test]
fn hard_document_is_read_back_by_yaml_1_2() {
    let mut document = json(HARD_JSON);
    agree_on_texts(&mut document);
    assert_reads_back(&document);
}

#[test]
fn each_rule() {
    for case in RULES.split("## ").skip(1) {
        let (rule, case) = case.split_once('\n').unwrap();
        let (value, expected) = case.split_once('\n').unwrap();
        assert_eq!(to_string(&json(value)), expected, "{rule}");
    }
}

#[test]
fn plain_scalars_have_the_values_of_go_yaml() {
    for line in SCALARS.lines() {
        let (scalar, expected) = line.split_once('\t').unwrap();
        // The API server reads `-0` as the integer.
        let expected = if expected == "-0" {
            json!(0)
        } else {
            json(expected)
        };
        assert_eq!(plain_scalar(scalar), expected, "{scalar}");
    }
}

#[test]
fn floats_halfway_between_two_texts_end_in_the_even_digit() {
    // Not among the rules: serde_json parses these numbers with a rounding error.
    assert_eq!(
        to_string(&json!(254.0 + 10234.0 / 65536.0)),
        "254.15615844726562\n"
    );
    assert_eq!(
        to_string(&json!(1645433538137690.0 + 0.25)),
        "1.6454335381376902e+15\n"
    );
}

#[test]
fn merge_key_is_quoted() {
    // The only difference from go-yaml, which reads its own output back as `{"a": "<<"}`.
    assert_eq!(to_string(&json!({"<<": {"a": "<<"}})), "\"<<\":\n  a: <<\n");
}

#[test]
fn keys_that_compare_in_a_circle_have_one_order() {
    // a10 < a1x < a2 < a10
    let expected = "a10: 1\na1x: 2\na2: 3\n";
    assert_eq!(to_string(&json!({"a10": 1, "a1x": 2, "a2": 3})), expected);
    assert_eq!(to_string(&json!({"a2": 3, "a10": 1, "a1x": 2})), expected);
}

#[test]
fn documents_are_appended() {
    let mut text = "---\n".to_owned();
    super::write(&json!({"a": 1}), &mut text);
    text.push_str("---\n");
    super::write(&json!(["b"]), &mut text);
    assert_eq!(text, "---\na: 1\n---\n- b\n");
}

proptest! {
    // A failure shows the smallest value, so regressions are not kept in a file.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plain_texts_are_read_as_themselves(scalar in "[-+._0-9a-fxoenyEB~]{0,6}") {
        if !reads_as_other(&scalar) {
            prop_assert_eq!(plain_scalar(&scalar), Value::from(scalar));
        }
    }

    #[test]
    fn any_value_reads_back(mut value in value()) {
        agree_on_texts(&mut value);
        assert_reads_back(&value);
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        2 => any::<f64>().prop_map(Value::from),
        8 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Creates texts that are difficult for YAML: fragments with a meaning, arbitrary characters, and long lines.
fn text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 48] = [
        " ",
        " ",
        " ",
        "  ",
        "\n",
        "\n",
        "\n\n",
        "\t",
        "\r\n",
        "\u{85}",
        "\u{FEFF}",
        "'",
        "\"",
        "\\",
        ": ",
        ":",
        " #",
        "#",
        "-",
        "- ",
        "? ",
        "{",
        "[",
        "&",
        "*",
        "!",
        "|",
        ">",
        "%",
        "@",
        "`",
        "---",
        "...",
        "a",
        "word",
        "yes",
        "NO",
        "null",
        "~",
        "0",
        "1",
        "0x",
        ".",
        "e",
        "_",
        "2024-01-15",
        "12:30",
        "\u{1F600}",
    ];
    prop_oneof![
        prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..8).prop_map(|pieces| pieces.concat()),
        any::<String>(),
        prop::collection::vec(any::<char>(), 0..8).prop_map(|characters| characters.into_iter().collect()),
        prop::collection::vec("[a-z'\"]{1,12} {0,2}[.:]?", 0..40).prop_map(|words| words.join(" ")),
    ]
}

/// Keeps only strings on which the parser of the tests and that of Kubernetes agree. `serde-saphyr` reads words and
/// infinities in any case as other values, and numbers that are too large for go-yaml. In YAML 1.2 the characters
/// U+2028 and U+2029 are not line breaks.
fn agree_on_texts(value: &mut Value) {
    match value {
        Value::String(text) => agree_on_text(text),
        Value::Array(items) => items.iter_mut().for_each(agree_on_texts),
        Value::Object(entries) => {
            *entries = std::mem::take(entries)
                .into_iter()
                .map(|(mut key, mut value)| {
                    agree_on_text(&mut key);
                    agree_on_texts(&mut value);
                    (key, value)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn agree_on_text(text: &mut String) {
    const WORDS: [&str; 13] = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", ".inf", ".nan", "inf", "nan",
    ];
    let lower = text.to_lowercase();
    let unsigned = lower.trim_start_matches(['+', '-']);
    let is_word = WORDS.contains(&unsigned);
    let is_too_large = text.parse().is_ok_and(f64::is_infinite)
        || ["0b", "0o", "0x"]
            .iter()
            .any(|prefix| unsigned.starts_with(prefix));
    if !reads_as_other(text) && (is_word || is_too_large) {
        text.insert(0, 'x');
    }
    if text.contains(['\u{2028}', '\u{2029}']) {
        *text = text.replace(['\u{2028}', '\u{2029}'], "");
    }
}

fn assert_reads_back(value: &Value) {
    let text = to_string(value);
    let read: Value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_same(&read, value, "");
}

/// Compares values and reports where they differ. `1` and `1.0` are the same number in YAML.
fn assert_same(left: &Value, right: &Value, path: &str) {
    match (left, right) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            assert_eq!(one.as_f64(), other.as_f64(), "{path}");
        }
        (Value::Array(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len(), "{path}");
            for (position, (one, other)) in one.iter().zip(other).enumerate() {
                assert_same(one, other, &format!("{path}[{position}]"));
            }
        }
        (Value::Object(one), Value::Object(other)) => {
            let keys = |map: &Map<String, Value>| map.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(keys(one), keys(other), "{path}");
            for (key, value) in one {
                assert_same(value, &other[key], &format!("{path}[{key:?}]"));
            }
        }
        _ => assert_eq!(left, right, "{path}"),
    }
}
