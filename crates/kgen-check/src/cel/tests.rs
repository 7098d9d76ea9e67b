use kgen_model::Schema;

use super::checker::{Checked, Variables, check};
use super::declared::Declared;
use super::mistake::Mistake;
use super::parser::parse;

fn refusal(source: &str) -> Option<String> {
    parse(source).err().map(|refusal| refusal.text("rule", source))
}

/// The types of an expression in which `self` can be anything.
fn checked(source: &str) -> (Checked<'_>, Option<Mistake>) {
    let anything = Schema::int_or_string();
    let tree = parse(source).unwrap();
    let root = tree.root().unwrap();
    let variables = Variables {
        value: Declared::of(&anything, false).unwrap(),
        optional_old_value: false,
    };
    check(tree, root, variables)
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
    assert_eq!(
        text("self.a &&"),
        "the rule cannot be parsed: an expression is missing before the end at column 10"
    );
    assert_eq!(
        text("self.a = 1"),
        "the rule cannot be parsed: `=` means nothing here; comparing is written `==` at column 8"
    );
    assert_eq!(
        text("true &&\n  é"),
        "the rule cannot be parsed: `é` means nothing here at line 2, column 3"
    );
    assert_eq!(
        text("has(self)"),
        "the rule cannot be parsed: `has` needs a field, as in `has(self.field)` at column 5"
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
    assert!(checked("self == oldSelf").0.uses_old_self);
    assert!(!checked("self.oldSelf == 'oldSelf'").0.uses_old_self);
}

#[test]
fn variables_that_nobody_declares_are_noticed() {
    let unknown = |text: &str| checked(text).1.map(|mistake| mistake.message);
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
    assert!(parse(&nested).unwrap().root().is_none());
    assert!(parse("self.?a.optMap(x, x)").unwrap().root().is_some());
}
