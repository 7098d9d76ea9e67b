//! Expressions and their values, each for the same object. `testdata/defaults` has more, with the API server's verdicts.

use serde_json::{Value as Json, json};

use super::{Budget, EvaluateError, Outcome, Value};
use crate::{Environment, Expression, OpenApi};

fn schema() -> Json {
    json!({
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
    })
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

fn result(text: &str) -> Outcome {
    result_within(text, Budget::default())
}

fn result_within(text: &str, mut budget: Budget) -> Outcome {
    let schema = schema();
    let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
    let expression = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let checked = expression
        .check(&environment)
        .unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
    let value = value();
    let bindings = environment.bind([("self", &value), ("oldSelf", &value)]);
    checked.evaluate_within(&bindings, &mut budget)
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
        // One side decides, even if the other one fails.
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
            matches!(result(rule), Err(EvaluateError::Failed(_))),
            "{rule}: {:?}",
            result(rule)
        );
    }
}

#[test]
fn some_answers_are_not_known() {
    for rule in [
        // Go's sorting is not stable.
        "lists.range(20).sortBy(item, item % 3).size() == 20",
        // The zone of the server.
        "self.since.getHours('Local') == 1",
        // A string that is not UTF-8.
        "url('http://%E4/').getHost() == 'x'",
        // A regular expression that Go rejects only at run time.
        "self.name.matches(self.name + '(')",
    ] {
        assert_eq!(result(rule), Err(EvaluateError::NotKnown), "{rule}");
    }
}

#[test]
fn expensive_rules_are_stopped() {
    let stopped = |rule: &str| result_within(rule, Budget::new(2_000));
    let many = vec!["1"; 40].join(", ");
    let rule = format!("[{many}].all(a, [{many}].all(b, a + b == 2))");
    assert_eq!(result(&rule), Ok(Value::Bool(true)));
    assert_eq!(stopped(&rule), Err(EvaluateError::CostExceeded));
    // The other side of an operator, or a later item, does not make up for it.
    let either = format!("{rule} || true");
    assert_eq!(stopped(&either), Err(EvaluateError::CostExceeded));
    let nested = format!("[1].all(x, {rule})");
    assert_eq!(stopped(&nested), Err(EvaluateError::CostExceeded));
    // After something that is not known, the API server may have stopped earlier.
    let unknown = format!("self.since.getHours('Local') == 1 && {rule}");
    assert_eq!(stopped(&unknown), Err(EvaluateError::NotKnown));
}

/// Each list has the one before it twice, so that the last one has 2^60 items in all.
#[test]
fn comparing_lists_that_share_their_items_ends() {
    let begin: String = (1..=60)
        .map(|number| format!("[[a{0}, a{0}]].all(a{number}, ", number - 1))
        .collect();
    let rule = format!("[[self.size]].all(a0, {begin}a60 == a60{}", ")".repeat(61));
    assert_eq!(result(&rule), Err(EvaluateError::NotKnown));
}

/// Formatting and flattening such a list ends, too.
#[test]
fn writing_lists_that_share_their_items_ends() {
    for (inner, last) in [
        ("'a'", "'%s'.format([a60]) == ''"),
        ("[]", "a60.flatten(99) == []"),
    ] {
        let begin: String = (1..=60)
            .map(|number| format!("[[dyn(a{0}), dyn(a{0})]].all(a{number}, ", number - 1))
            .collect();
        let rule = format!("[{inner}].all(a0, {begin}{last}{}", ")".repeat(61));
        assert_eq!(result(&rule), Err(EvaluateError::NotKnown), "{last}");
    }
}

#[test]
fn numbers_with_absurd_sizes_are_refused() {
    for rule in [
        "(self.name + '%.70000f').format([0.1]) == ''",
        "(self.name + '%.70000e').format([0.1]) == ''",
        "quantity('123456789012345678901e20000').isInteger()",
    ] {
        assert_eq!(result(rule), Err(EvaluateError::NotKnown), "{rule}");
    }
    assert_eq!(
        result("quantity('1e1000').isGreaterThan(quantity('1'))"),
        Ok(Value::Bool(true))
    );
}

/// The target of each `or` is evaluated once, so that a long chain takes as many steps as it has parts.
#[test]
fn long_chains_of_alternatives_end() {
    let chain = format!(
        "self.?absent{}.orValue('x') == 'x'",
        ".or(self.?absent)".repeat(100)
    );
    assert_eq!(result(&chain), Ok(Value::Bool(true)));
}

/// `has` costs nothing, also if its operand is expensive.
#[test]
fn work_that_costs_nothing_is_bounded() {
    let many = vec!["1"; 60].join(", ");
    let large = "'a'.replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa')";
    let free = format!("has({{'a': {large}.contains({large})}}.a)");
    let rule = format!("[{many}].all(a, [{many}].all(b, {free}))");
    assert_eq!(result(&rule), Err(EvaluateError::NotKnown));
}

#[test]
fn strings_that_grow_take_little_memory() {
    let grown = |new: &str, times: usize| {
        let calls = format!(".replace('a', '{new}')").repeat(times);
        format!("'a'{calls}")
    };
    let sized = |new: &str, times: usize| format!("{}.size() > 0", grown(new, times));
    assert_eq!(result(&sized("aa", 10)), Ok(Value::Bool(true)));
    let budget = Budget::new(10_000);
    assert_eq!(
        result_within(&sized("aaaaaa", 12), budget),
        Err(EvaluateError::CostExceeded)
    );
    // The last call would make a string of a gigabyte from one that costs little to read.
    assert_eq!(
        result(&sized(&"a".repeat(1_000), 3)),
        Err(EvaluateError::NotKnown)
    );
    // A string of one megabyte has a million parts, which are far larger.
    let parts = format!("{}.split('a').size() > 0", grown(&"a".repeat(1_000), 2));
    assert_eq!(result(&parts), Err(EvaluateError::NotKnown));
    // Adding to a list copies it.
    let doubled = "[[1]].map(a, a + a).map(a, a + a + a + a).size() == 1";
    assert_eq!(result(doubled), Ok(Value::Bool(true)));
}

#[test]
fn types_can_be_compared() {
    assert_eq!(result("type(self.port) == string"), Ok(Value::Bool(true)));
    assert_eq!(result("type(self.port) == int"), Ok(Value::Bool(false)));
    assert_eq!(result("type(self.size) == type(1)"), Ok(Value::Bool(true)));
}

#[test]
fn values_of_different_types_have_no_order() {
    let Err(EvaluateError::Failed(failure)) = result("self.port > 3") else {
        panic!("the comparison must fail");
    };
    assert_eq!(failure.server_message(), "no such overload");
}

#[test]
fn failures_have_the_words_of_the_server() {
    for (rule, message) in [
        ("self.list[7] > 0", "index out of bounds: 7"),
        ("self.labels['x'] == ''", "no such key: x"),
        ("self.absent == ''", "no such key: absent"),
        ("1 / (self.size - 3) == 0", "division by zero"),
        ("1 % (self.size - 3) == 0", "modulus by zero"),
        ("self.size * 9223372036854775807 > 0", "integer overflow"),
        (
            "int(self.name) > 0",
            "type conversion error from 'string' to 'int'",
        ),
        ("self.name.substring(9) == ''", "index out of range: 9"),
        (
            "self.name.substring(3, 2) == ''",
            "invalid substring range. start: 3, end: 2",
        ),
        ("self.list.filter(x, x > 9).max() > 0", "max called on empty list"),
    ] {
        let Err(EvaluateError::Failed(failure)) = result(rule) else {
            panic!("`{rule}` must fail");
        };
        assert_eq!(failure.server_message(), message, "{rule}");
    }
}

#[test]
fn rules_see_whole_objects_without_null_fields() {
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"size": {"type": "integer", "nullable": true}}},
    }});
    let object = json!({"kind": "Foo", "metadata": {"name": "a", "labels": {}}, "spec": {"size": null}});
    let environment = Environment::root_rule(OpenApi::new(&schema)).unwrap();
    let bindings = environment.bind([("self", &object)]);
    for (rule, expected) in [
        ("self.metadata.name == 'a' && self.kind == 'Foo'", true),
        ("has(self.metadata.generateName)", false),
        ("has(self.spec.size)", false),
    ] {
        let program = Expression::parse(rule)
            .unwrap()
            .check(&environment)
            .unwrap()
            .into_program();
        let found = program.evaluate_within(&bindings, &mut Budget::default());
        assert_eq!(found, Ok(Value::Bool(expected)), "{rule}");
    }
}
