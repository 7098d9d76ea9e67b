//! Which expressions the parser accepts, and which names the checker knows.

use serde_json::json;

use crate::{Environment, Expression, Mistake, OpenApi};

fn refusal(source: &str) -> Option<String> {
    Expression::parse(source)
        .err()
        .map(|error| format!("{} at {}", error.message, error.offset))
}

/// Returns the mistake in an expression in which `self` can be anything.
fn mistake(source: &str) -> Option<Mistake> {
    let anything = json!({"x-kubernetes-int-or-string": true});
    let environment = Environment::rule(OpenApi::new(&anything)).unwrap().any_result();
    Expression::parse(source).unwrap().check(&environment).err()
}

#[test]
fn what_kubernetes_parses() {
    for source in [
        "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
        "!has(oldSelf.value) || has(self.value)",
        "(has(self.a)?1:0)+(has(self.b)?1:0) <= 1",
        "self.items.all(x, x.name.size() < 10 && x.ports.exists_one(p, p.port == 80))",
        "self.list.map(x, x.y > 3, x.z).sum() < 10u",
        "self.?foo.orValue(1) == 1",
        "self[?'x'].hasValue()",
        "[?self.x, 1,].size() == 1 && {?'a': self.?x, 'b': 2,} == {} && [,] == [] && {,} == {}",
        "b'abc' == bytes('abc') && br'\\d' != b\"\\xff\"",
        "r'\\d+' == '''x\ny''' && \"\"\"a\"b\"\"\" == ''",
        "0x1F == 31 && 1e3 == 1000.0 && -5 < .5 && 1.5e-3 > 0u && !-1",
        "-9223372036854775808 < 9223372036854775807 && 18446744073709551615u > 0u && 007 == 7",
        "self.`foo-bar` == 1",
        "self.map.all(k, v, v > 1) && self.transformList(i, v, i > 0, v) == []",
        "// comment\ntrue // another",
        ".self.x",
        "a.b.Message{field: 1, ?`other`: 2,} == null",
        "true ? 1 : false ? 3 : 4",
        "self.package == self.if",
        "!!a && --b == 1 && - - 1 == 1",
        "x in [1, 2]",
        "a < b < c",
        "size(self) == 0",
        "'\\u00e9\\U0001F600\\x41\\101\\a\\?\\`'",
        "all(x)",
        "self.a.all(x)",
    ] {
        assert_eq!(refusal(source), None, "{source}");
    }
}

#[test]
fn what_kubernetes_does_not_parse() {
    for source in [
        "",
        "  ",
        "self.a &&",
        "self.a = 1",
        "self.a & self.b",
        "self.a.all(1, true)",
        "has(self)",
        "has(self[1])",
        "has(self.?a)",
        "'unterminated",
        "\"a\nb\"",
        "package == 1",
        "self.in",
        "self.true",
        "1 +",
        "((((",
        "(1",
        "9223372036854775808",
        "18446744073709551616u",
        "1e999",
        "'\\q'",
        "'\\u12'",
        "'\\ud800'",
        "b'\\u0041'",
        "a b",
        "\0",
        "self.x == 'é' ☃",
        "self.5",
        "a ? b ? c : d : e",
        "-!a",
        "!-a",
        "{'a'}",
        "{a: }",
        "f(,)",
        "f(a,)",
        "self.``",
        "`a`",
        "x.all(a, a, true)",
        "x.all(__result__, true)",
        "a..b",
        "[1 2]",
        "@",
        "x.map(y.z, 1)",
        "self.items.filter('x', true)",
        "x.optMap(1, 2)",
        "--9223372036854775808",
    ] {
        assert!(refusal(source).is_some(), "{source}");
    }
}

#[test]
fn refusals_name_the_place() {
    let text = |source| refusal(source).unwrap();
    assert_eq!(text("self.a &&"), "an expression is missing before the end at 9");
    assert_eq!(
        text("self.a = 1"),
        "`=` is not allowed here; use `==` to compare at 7"
    );
    assert_eq!(text("true &&\n  é"), "`é` is not allowed here at 10");
    assert_eq!(
        text("has(self)"),
        "`has` needs a field, as in `has(self.field)` at 4"
    );
}

#[test]
fn depth_is_limited() {
    let parentheses = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(refusal(&parentheses(249)), None);
    assert!(refusal(&parentheses(250)).is_some());
    let fields = |count: usize| format!("a{}", ".b".repeat(count));
    assert_eq!(refusal(&fields(250)), None);
    assert!(refusal(&fields(251)).is_some());
    assert!(refusal(&fields(40_000)).is_some());
    assert!(refusal(&"[".repeat(100_000)).is_some());
    assert!(refusal(&"!".repeat(100_000)).is_some());
    assert_eq!(refusal(&format!("a{}", " && a".repeat(5_000))), None);
}

#[test]
fn old_self_is_noticed() {
    assert!(Expression::parse("self == oldSelf").unwrap().uses("oldSelf"));
    assert!(Expression::parse("self == .oldSelf").unwrap().uses("oldSelf"));
    assert!(
        !Expression::parse("self.oldSelf == 'oldSelf'")
            .unwrap()
            .uses("oldSelf")
    );
}

#[test]
fn variables_that_nobody_declares_are_noticed() {
    let unknown = |text: &str| mistake(text).map(|mistake| mistake.message);
    for fine in [
        "self.all(a, self.exists(b, a == b)) && oldSelf == self",
        "self.transformMap(k, v, k != '', v + 1).size() > 0",
        "type(self) == string || type(self) == google.protobuf.Timestamp",
        "sets.contains(self, ['a']) && format.dns1123Label().validate(self).hasValue()",
        "google.protobuf.Int64Value{value: 1} == 1",
        "self.?name.optMap(name, name + 'x').orValue('') == optional.of('y').value()",
        "has(self.other) && {'other': 1}['other'] == 1",
    ] {
        assert_eq!(unknown(fine), None, "{fine}");
    }
    for (text, name) in [
        ("other.ropes > 1", "other"),
        ("self.all(a, a > b)", "b"),
        ("self.all(a, a > 1) && a > 2", "a"),
        ("[1, 2].map(x, y, x)[0] == z", "y"),
        ("size(ropes) > 1", "ropes"),
    ] {
        let message = format!("there is no variable `{name}`");
        assert_eq!(unknown(text), Some(message), "{text}");
    }
}

#[test]
fn trees_that_grow_by_copies_are_left_to_the_server() {
    let nested = format!("self.?a{}", ".optMap(x, x)".repeat(40));
    let large = Expression::parse(&nested).unwrap();
    assert!(large.is_too_large());
    assert_eq!(mistake(&nested).unwrap().kind, crate::MistakeKind::TooLarge);
    assert!(!Expression::parse("self.?a.optMap(x, x)").unwrap().is_too_large());
}

/// Each map has the one before it as its key and its value, so that the last type would have 2^40 parts.
#[test]
fn types_that_double_at_every_level_are_checked_quickly() {
    let nested = |map: &str, end: &str| {
        let begin: String = (1..=40)
            .map(|number| {
                map.replace("old", &format!("a{}", number - 1))
                    .replace("new", &format!("a{number}"))
            })
            .collect();
        format!("[self].all(a0, {begin}{end}{}", ")".repeat(41))
    };
    for map in [
        "[{old: old}].all(new, ",
        "[[{old: old}]].all(new, ",
        "[optional.of({old: old})].all(new, ",
    ] {
        assert_eq!(mistake(&nested(map, "true")), None);
        assert_eq!(mistake(&nested(map, "a40 == a40")), None);
        assert_eq!(mistake(&nested(map, "[] == [a40]")), None);
        assert!(mistake(&nested(map, "a40 == missing")).is_some());
    }
}
