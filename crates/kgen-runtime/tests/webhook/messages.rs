//! The text of errors of fields. The expected texts were printed by Kubernetes' own package
//! (`k8s.io/apimachinery/pkg/util/validation/field`).

use std::collections::BTreeMap;

use kgen_runtime::webhook::{FieldErrorKind, Verdict, field};
use proptest::prelude::*;
use serde::Serialize;

fn only(verdict: &Verdict) -> String {
    let [error] = verdict.errors() else {
        panic!("{verdict:?}");
    };
    error.to_string()
}

fn invalid(value: impl Serialize) -> String {
    let mut verdict = Verdict::default();
    verdict.invalid(field("f"), value, "");
    only(&verdict)
        .strip_prefix("f: Invalid value: ")
        .unwrap()
        .to_owned()
}

#[test]
fn every_kind_has_its_words() {
    let say = |say: fn(&mut Verdict)| {
        let mut verdict = Verdict::default();
        say(&mut verdict);
        assert!(!verdict.is_allowed());
        only(&verdict)
    };
    let none: [&str; 0] = [];
    assert_eq!(
        say(|v| v.invalid(field("spec").child("size"), 0, "must be at least 1")),
        "spec.size: Invalid value: 0: must be at least 1"
    );
    assert_eq!(
        say(|v| v.invalid(field("f"), "x", "")),
        r#"f: Invalid value: "x""#
    );
    assert_eq!(
        say(|v| v.type_invalid(field("f"), "x", "must be a number")),
        r#"f: Invalid value: "x": must be a number"#
    );
    assert_eq!(say(|v| v.required(field("f"), "")), "f: Required value");
    assert_eq!(say(|v| v.required(field("f"), "why")), "f: Required value: why");
    assert_eq!(say(|v| v.forbidden(field("f"), "why")), "f: Forbidden: why");
    assert_eq!(
        say(|v| v.not_supported(field("f"), "c", &["a", "b"])),
        r#"f: Unsupported value: "c": supported values: "a", "b""#
    );
    assert_eq!(
        say(|v| v.duplicate(field("f"), "a")),
        r#"f: Duplicate value: "a""#
    );
    assert_eq!(say(|v| v.not_found(field("f"), 5)), "f: Not found: 5");
    assert_eq!(
        say(|v| v.too_long(field("f"), 63)),
        "f: Too long: may not be more than 63 bytes"
    );
    assert_eq!(
        say(|v| v.too_long(field("f"), 1)),
        "f: Too long: may not be more than 1 byte"
    );
    assert_eq!(
        say(|v| v.too_long_characters(field("f"), 2)),
        "f: Too long: may not be more than 2 characters"
    );
    assert_eq!(
        say(|v| v.too_short(field("f"), 1)),
        "f: Too short: must be at least 1 character"
    );
    assert_eq!(
        say(|v| v.too_many(field("f"), 3, 2)),
        "f: Too many: 3: must have at most 2 items"
    );
    assert_eq!(
        say(|v| v.too_few(field("f"), 0, 1)),
        "f: Too few: 0: must have at least 1 item"
    );
    assert_eq!(
        say(|v| v.internal_error(field("f"), "no answer")),
        "f: Internal error: no answer"
    );
    let mut verdict = Verdict::default();
    verdict.not_supported(field("f"), "c", &none);
    assert_eq!(only(&verdict), r#"f: Unsupported value: "c""#);
    assert_eq!(FieldErrorKind::TooMany.reason(), "FieldValueTooMany");
    assert_eq!(FieldErrorKind::Internal.reason(), "InternalError");
}

#[test]
fn paths_read_as_in_kubernetes() {
    let containers = field("spec").child("containers");
    assert_eq!(
        containers.index(0).child("ports").key("http").to_string(),
        "spec.containers[0].ports[http]"
    );
    let annotations = field("metadata").child("annotations");
    assert_eq!(
        annotations.key("example.com/a").as_str(),
        "metadata.annotations[example.com/a]"
    );
    assert_eq!(field("list").index(3).index(4).to_string(), "list[3][4]");
}

#[test]
fn numbers_are_printed_as_go_does() {
    assert_eq!(invalid(0), "0");
    assert_eq!(invalid(-7_i64), "-7");
    assert_eq!(invalid(u64::MAX), "18446744073709551615");
    assert_eq!(invalid(true), "true");
    for (value, printed, in_json) in [
        (0.0, "0", "0"),
        (1.0, "1", "1"),
        (1.5, "1.5", "1.5"),
        (-2.25, "-2.25", "-2.25"),
        (100_000.0, "100000", "100000"),
        (999_999.0, "999999", "999999"),
        (1_000_000.0, "1e+06", "1000000"),
        (123_456_789.0, "1.23456789e+08", "123456789"),
        (1e20, "1e+20", "100000000000000000000"),
        (1e21, "1e+21", "1e+21"),
        (1.5e300, "1.5e+300", "1.5e+300"),
        (0.0001, "0.0001", "0.0001"),
        (0.000_01, "1e-05", "0.00001"),
        (0.000_001_234, "1.234e-06", "0.000001234"),
        (1e-7, "1e-07", "1e-7"),
        (0.1, "0.1", "0.1"),
    ] {
        assert_eq!(invalid(value), printed);
        assert_eq!(invalid([value]), format!("[{in_json}]"));
    }
    assert_eq!(invalid(0.1_f32), "0.1");
    assert_eq!(invalid(16_777_216_f32), "1.6777216e+07");
}

#[test]
fn strings_are_quoted_as_go_does() {
    for (value, quoted) in [
        ("a", r#""a""#),
        ("", r#""""#),
        ("a\"b\\c", r#""a\"b\\c""#),
        (
            "tab\tnew\nline\r\u{7}\u{8}\u{c}\u{b}",
            r#""tab\tnew\nline\r\a\b\f\v""#,
        ),
        ("\0\u{1f}\u{7f}", r#""\x00\x1f\x7f""#),
        ("é日本🚀", r#""é日本🚀""#),
        ("\u{a0}\u{200b}\u{feff}\u{2028}", r#""\u00a0\u200b\ufeff\u2028""#),
        ("e\u{301}", "\"e\u{301}\""),
        ("\u{301}x", "\"\u{301}x\""),
        ("\u{ad}", r#""\u00ad""#),
        ("\u{e0001}", r#""\U000e0001""#),
        ("a<b>&c", r#""a<b>&c""#),
        ("\u{fffd}\u{85}", "\"\u{fffd}\\u0085\""),
    ] {
        assert_eq!(invalid(value), quoted);
    }
}

#[test]
fn all_else_is_json_as_go_writes_it() {
    #[derive(Serialize)]
    struct Odd {
        zeta: &'static str,
        alpha: f64,
        list: Option<Vec<i32>>,
    }
    let odd = Odd {
        zeta: "a<b>&\u{2028}\u{8}\u{c}\u{7f}\u{1}",
        alpha: 1.0,
        list: None,
    };
    assert_eq!(
        invalid(odd),
        "{\"zeta\":\"a\\u003cb\\u003e\\u0026\\u2028\\b\\f\u{7f}\\u0001\",\"alpha\":1,\"list\":null}"
    );
    assert_eq!(
        invalid(BTreeMap::from([("b", vec![1e21, 1e-7, 0.5]), ("a", vec![])])),
        r#"{"a":[],"b":[1e+21,1e-7,0.5]}"#
    );
    assert_eq!(invalid(None::<i32>), "null");
    assert_eq!(invalid(["a\u{a0}"]), "[\"a\u{a0}\"]");
}

proptest! {
    /// A program can parse strings in the common subset of Go's and Rust's quoting.
    #[test]
    fn quoted_text_is_on_one_line_and_can_be_read_back(text in "[ -~\n\t\r]{0,40}") {
        let quoted = invalid(&text);
        prop_assert_eq!(quoted.lines().count(), 1);
        prop_assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
    }

    #[test]
    fn no_text_breaks_the_line_or_hides_characters(text in any::<String>()) {
        let quoted = invalid(&text);
        prop_assert!(quoted.starts_with('"') && quoted.ends_with('"'));
        prop_assert!(!quoted.chars().any(char::is_control));
        let hidden = ['\u{200b}', '\u{202e}', '\u{2028}', '\u{feff}'];
        prop_assert!(!quoted.contains(hidden));
    }

    /// Numbers have the same value after they were printed, in both forms.
    #[test]
    fn printed_numbers_mean_the_same(number in any::<f64>().prop_filter("no number", |number| number.is_finite())) {
        prop_assert_eq!(invalid(number).parse::<f64>().unwrap(), number);
        let json = invalid([number]);
        prop_assert_eq!(json.trim_matches(['[', ']']).parse::<f64>().unwrap(), number);
    }

    #[test]
    fn json_means_the_same(strings in proptest::collection::vec(any::<String>(), 0..4)) {
        prop_assert_eq!(serde_json::from_str::<Vec<String>>(&invalid(&strings)).unwrap(), strings);
    }
}
