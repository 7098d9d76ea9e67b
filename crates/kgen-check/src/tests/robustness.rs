//! No text makes a parser panic or run out of stack, however odd it is.

use proptest::prelude::*;

use super::builder::{field, object, text, with};
use crate::{field_path, json_path};
use kgen_schema::field_path::Notation;

/// Creates texts of pieces that mean something to one of the parsers.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        ".",
        "..",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "?",
        "*",
        "+",
        "-",
        "|",
        "&&",
        "||",
        "!",
        "'",
        "\"",
        "'''",
        "`",
        "\\",
        "\\Q",
        "\\E",
        "\\p{",
        "\\x{",
        "\\d",
        "(?",
        "(?i)",
        "(?P<",
        "[^",
        "[:alpha:]",
        "{2}",
        "{1000}",
        "0x",
        "1e",
        "1.5",
        "9999999999999999999",
        "b'",
        "r\"",
        "has(",
        ".all(",
        "[?(",
        "@",
        "==",
        ",",
        ":",
        " ",
        "\n",
        "//",
        "é",
        "\u{1F600}",
        "\0",
        "self",
        "in",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn parsers_do_not_panic(odd in prop_oneof![pieces(), any::<String>()]) {
        let _ = json_path::parse(&odd);
        let _ = json_path::parse(&format!(".{odd}"));
        let schema = object([("a", text())]);
        for notation in [Notation::Dots, Notation::DotsAndBrackets] {
            let _ = field_path::follow(&schema, true, &odd, notation);
        }
    }

    #[test]
    fn checks_do_not_panic(odd in prop_oneof![pieces(), any::<String>()]) {
        let schema = with(text(), |schema| {
            schema.default = Some(odd.as_str().into());
            schema.constraints.pattern = Some(odd.clone());
            schema.constraints.format = Some("date-time".to_owned());
            schema.constraints.rules = vec![super::builder::rule(&odd)];
        });
        for format in ["byte", "cidr", "date", "date-time", "duration", "email", "hostname", "ipv4", "mac", "rgbcolor", "uri", "uuid"] {
            let schema = with(schema.clone(), |schema| schema.constraints.format = Some(format.to_owned()));
            let _ = crate::tests::check(&field(schema));
        }
    }
}

#[test]
fn refusals_of_rules_have_a_place_in_any_text() {
    let api = field(super::builder::ruled(
        text(),
        super::builder::rule("'é' +\r\n\u{1F600}"),
    ));
    let messages: Vec<_> = crate::tests::check(&api)
        .into_iter()
        .map(|problem| problem.message)
        .collect();
    assert!(
        messages
            .iter()
            .any(|message| message.contains("line 2, column 1")),
        "{messages:?}"
    );
}

#[test]
fn rules_that_nest_deeply_need_no_deep_stack() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    for rule in [
        nested("[", "self", "]", 240),
        nested("!(", "self == ''", ")", 240),
        nested("(self + ", "self", ")", 120),
        nested("[self].map(x, ", "self", ")", 80),
        nested("[self].all(x, true && ", "self == x", ")", 80),
        nested("(true ? [self] : ", "[]", ")", 100),
        format!("self{}", " + self".repeat(240)),
        format!("self.?a{}", ".optMap(x, x)".repeat(60)),
        format!("size({}) > 0 && self == ''", nested("[", "self", "]", 200)),
        vec!["self == 'x'"; 5_000].join(" && "),
    ] {
        let api = field(super::builder::ruled(text(), super::builder::rule(&rule)));
        let _ = crate::tests::check(&api);
    }
}
