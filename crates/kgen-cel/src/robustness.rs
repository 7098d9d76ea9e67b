//! No text makes a parser panic or overflow the stack.

use proptest::prelude::*;
use serde_json::json;

use crate::{Environment, Expression, OpenApi, go_regex};

/// Creates texts of pieces that mean something to one of the parsers.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        ".",
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
        ".all(x, ",
        ".map(x, ",
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
        "oldSelf",
        "in",
        "size(",
        ".?",
        ".replace('a', 'aa')",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Parses, checks, estimates and evaluates a text.
fn handle(text: &str) {
    let schema = json!({"type": "string"});
    let environment = Environment::rule(OpenApi::new(&schema)).unwrap().any_result();
    let Ok(expression) = Expression::parse(text) else {
        return;
    };
    if let Ok(checked) = expression.check(&environment) {
        let _ = (checked.cost(), checked.unlimited(), checked.result_type());
        let _ = checked.evaluate(&environment.bind([("self", &json!("aé"))]));
    }
}

proptest! {
    #[test]
    fn patterns_do_not_panic(odd in prop_oneof![pieces(), any::<String>()]) {
        let _ = go_regex::translate(&odd).map(|translated| translated.map(|text| regex::Regex::new(&text).is_ok()));
    }

    #[test]
    fn expressions_do_not_panic(odd in prop_oneof![pieces(), any::<String>()]) {
        handle(&odd);
    }
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
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
        handle(&rule);
    }
}
