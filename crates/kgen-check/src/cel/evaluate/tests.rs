//! Expressions and what they give, each for one value. `testdata/apiserver` has more, with what the API server says.

use kgen_model::Schema;
use serde_json::{Value as Json, json};

use super::{Meter, Outcome, Stop, Value, evaluate};
use crate::cel::checker::{Variables, check};
use crate::cel::declared::Declared;
use crate::cel::parser;
use crate::patterns::Patterns;
use crate::tests::openapi;

fn schema() -> Schema {
    openapi::schema(&json!({
        "type": "object",
        "properties": {
            "size": {"type": "integer"},
            "share": {"type": "number"},
            "name": {"type": "string"},
            "on": {"type": "boolean"},
            "since": {"type": "string", "format": "date-time"},
            "if": {"type": "string"},
            "with-dash": {"type": "string"},
            "absent": {"type": "string"},
            "port": {"x-kubernetes-int-or-string": true},
            "list": {"type": "array", "items": {"type": "integer"}},
            "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "inner": {"type": "object", "properties": {"size": {"type": "integer"}}},
            "other": {"type": "object", "properties": {"size": {"type": "integer"}}},
        },
    }))
}

fn value() -> Json {
    json!({
        "size": 3,
        "share": 0.5,
        "name": "häfen",
        "on": true,
        "since": "2024-01-01T00:00:00Z",
        "if": "x",
        "with-dash": "y",
        "port": "http",
        "list": [1, 2, 3],
        "set": ["a", "b"],
        "labels": {"app": "web"},
        "inner": {"size": 3},
        "other": {},
    })
}

fn result(expression: &str) -> Outcome {
    let schema = schema();
    let declared = Declared::of(&schema, false).unwrap();
    let tree =
        parser::parse(expression).unwrap_or_else(|refusal| panic!("{expression}: {}", refusal.message));
    let root = tree.root().unwrap();
    let variables = Variables {
        value: declared,
        optional_old_value: false,
    };
    let (checked, mistake) = check(tree, root, variables);
    assert!(mistake.is_none(), "{expression}: {mistake:?}");
    let own = Value::of(&value(), declared);
    evaluate(
        &checked,
        root,
        &own,
        false,
        &Patterns::default(),
        &mut Meter::default(),
    )
}

#[test]
fn true_rules() {
    for rule in [
        "self.size == 3 && self.size != 4 && self.size >= 3 && !(self.size > 3)",
        "self.size + 1 == 4 && self.size - 1 == 2 && self.size * 2 == 6 && self.size / 2 == 1 && self.size % 2 == 1",
        "-self.size == -3 && self.share * 2.0 == 1.0 && double(self.size) > self.share && self.share < 1",
        "self.name.size() == 5 && size(self.name) == 5 && self.name.startsWith('h') && self.name.endsWith('n')",
        "self.name.contains('fen') && self.name.matches('^h.f') && self.name.indexOf('f') == 2",
        "self.name.charAt(1) == 'ä' && self.name.charAt(5) == '' && self.name.substring(1, 3) == 'äf'",
        "self.name.substring(3) == 'en' && self.name.upperAscii() == 'HäFEN' && ' x '.trim() == 'x'",
        "self.name.replace('h', 'H') == 'Häfen' && 'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b'",
        "has(self.name) && !has(self.absent) && (has(self.absent) ? self.absent == '' : true)",
        "self.?absent.orValue('none') == 'none' && self.?name.hasValue() && !self.?absent.hasValue()",
        "self.?name.orValue(self.absent) == self.name && self.?name.or(optional.of(self.absent)).hasValue()",
        "self.?absent.or(self.?name).orValue('') == self.name",
        "self.__if__ == 'x' && self.with__dash__dash == 'y'",
        "self.port == 'http' && type(self.port) == string || self.port == 'http'",
        "self.list.all(item, item > 0) && self.list.exists(item, item == 2) && self.list.exists_one(item, item == 2)",
        "self.list.map(item, item * 2) == [2, 4, 6] && self.list.filter(item, item > 1) == [2, 3]",
        "self.list.map(item, item > 1, item * 2) == [4, 6] && self.list.all(index, item, item == index + 1)",
        "2 in self.list && !(7 in self.list) && self.list[0] == 1 && self.list.size() == 3",
        "self.list.isSorted() && self.list.sum() == 6 && self.list.min() == 1 && self.list.max() == 3",
        "self.list.indexOf(2) == 1 && self.list.lastIndexOf(9) == -1 && self.list + [4] == [1, 2, 3, 4]",
        "'a' in self.set && self.set.all(item, item != 'c') && sets.contains(self.set, ['b'])",
        "sets.equivalent(self.list, [3, 2, 1]) && sets.intersects(self.list, [3, 9]) && !sets.intersects(self.list, [9])",
        "self.labels.all(key, key == 'app') && self.labels['app'] == 'web' && self.labels.app == 'web'",
        "'app' in self.labels && has(self.labels.app) && !has(self.labels.tier) && {'a': 1}.size() == 1",
        "self.inner.size == self.size && !has(self.other.size)",
        "self.on == true && (self.on ? 1 : 2) == 1 && string(self.size) == '3' && int('12') == 12 && bool('true')",
        "self == oldSelf || true",
        "dyn(1) == dyn(1.0) && dyn(1) == dyn(1u) && !(dyn(1) == dyn('1'))",
        // One side decides, whatever is the matter with the other one.
        "true || self.absent == 'x'",
        "self.absent == 'x' || true",
        "self.list.exists(item, item / (item - 1) > 0)",
        "true || self.since == timestamp('2024-01-01T00:00:00Z')",
    ] {
        assert_eq!(result(rule), Ok(Value::Bool(true)), "{rule}");
    }
}

#[test]
fn false_rules() {
    for rule in [
        "self.size > 3",
        "false && self.absent == 'x'",
        "self.absent == 'x' && false",
        "self.list.all(item, item < 3)",
        "self.name.matches('^x')",
        "self.inner.size == 4",
        "self.list == [1, 2]",
    ] {
        assert_eq!(result(rule), Ok(Value::Bool(false)), "{rule}");
    }
}

#[test]
fn failures() {
    for rule in [
        "self.absent == 'x'",
        "self.other.size == 1",
        "self.labels['tier'] == 'x'",
        "self.list[3] == 1",
        "self.size / 0 == 1",
        "9223372036854775807 + self.size > 0",
        "int(self.name) == 1",
        "self.name.charAt(9) == 'x'",
        "self.?absent.value() == 'x'",
        "self.list.all(item, item / (item - 1) > 0)",
        "[1].filter(item, item > 1).max() == 1",
        "true && self.absent == 'x'",
    ] {
        assert!(
            matches!(result(rule), Err(Stop::Failure(_))),
            "{rule}: {:?}",
            result(rule)
        );
    }
}

#[test]
fn what_only_the_api_server_knows() {
    for rule in [
        "self.since < timestamp('2025-01-01T00:00:00Z')",
        "self.set == ['b', 'a']",
        "isURL(self.name)",
        "true && self.since == self.since",
        "self.list.map(item, self.list.map(other, self.list.map(more, item + other + more))).size() == 3 && duration('1h') > duration('1m')",
    ] {
        assert_eq!(result(rule), Err(Stop::Unknown), "{rule}");
    }
}

#[test]
fn long_work_is_left_to_the_api_server() {
    let many = vec!["1"; 40].join(", ");
    let rule =
        format!("[{many}].all(a, [{many}].all(b, [{many}].all(c, [{many}].all(d, a + b + c + d == 4))))");
    assert_eq!(result(&rule), Err(Stop::Unknown));
}

/// Rules that small texts make expensive: each ends at a limit of the API server, or of kgen.
#[test]
fn endless_rules_end() {
    let ten = "a".repeat(10);
    let replaces = |new: &str, count: usize| {
        let call = format!(".replace('a', '{new}')");
        format!("'a'{}.size() > 0", call.repeat(count))
    };
    for rule in [
        replaces(&ten, 12),
        replaces(&"a".repeat(1000), 4),
        format!("'{}'.matches('{}')", "a".repeat(20_000), "(a*)*".repeat(400)),
    ] {
        let Err(Stop::Failure(message)) = result(&rule) else {
            panic!("{}", &rule[..60]);
        };
        assert!(
            message.starts_with("it costs more than 1000000") || message.ends_with("64 MB"),
            "{message}"
        );
    }
    let digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let loops = format!(
        "{digits}.all(a, {digits}.all(b, {digits}.all(c, {digits}.all(d, {digits}.all(e, {digits}.all(f, a + b + c + d + e + f >= 0))))))"
    );
    assert!(result(&loops).is_err(), "too many rounds");
    let doubled = |count: usize| {
        let maps: String = (0..count)
            .map(|level| format!(".map(x{level}, [x{level}, x{level}])"))
            .collect();
        format!("[self.size]{maps}")
    };
    let shared = format!("{} == {}", doubled(40), doubled(40));
    assert_eq!(
        result(&shared),
        Err(Stop::Unknown),
        "equal lists that share their items"
    );
}
