//! CEL rules and the texts around them.

use kgen_diagnostics::Code;
use kgen_model::{Api, ListType, MapType, Rule, Schema};

use super::builder::{defaulted, field, number, object, require, rule, ruled, text, with};
use super::{Example, bad, good};

fn on_object(rule: Rule) -> Api {
    let schema = object([
        ("a", short_text()),
        ("b", number()),
        (
            "labels",
            with(Schema::map_of(short_text()), |map| {
                map.constraints.max_properties = Some(4)
            }),
        ),
    ]);
    field(ruled(schema, rule))
}

fn short_text() -> Schema {
    with(text(), |schema| schema.constraints.max_length = Some(10))
}

fn parsed(text: &str) -> Api {
    on_object(rule(text))
}

/// Returns a list of objects whose items have a rule on what was before.
fn old_items(list_type: Option<ListType>, keys: &[&str]) -> Api {
    let item = ruled(
        require(["a"], object([("a", short_text())])),
        rule("self.a == oldSelf.a"),
    );
    field(with(Schema::array_of(item), |list| {
        list.list_type = list_type;
        list.list_map_keys = keys.iter().map(|key| (*key).to_owned()).collect();
        list.constraints.max_items = Some(4);
    }))
}

fn old_field(map_type: Option<MapType>) -> Api {
    field(Schema {
        map_type,
        ..object([("a", ruled(short_text(), rule("self == oldSelf")))])
    })
}

/// Returns a list of strings in which no two may be equal.
fn distinct(most_items: Option<i64>, item: Schema) -> Api {
    let list = with(Schema::array_of(item), |list| {
        list.constraints.max_items = most_items
    });
    field(ruled(list, rule("self.all(a, self.exists_one(b, a == b))")))
}

/// Returns a list of objects whose items have a rule that costs a little.
fn ruled_items(most_items: Option<i64>) -> Api {
    let item = ruled(
        object([("a", text())]),
        rule("['x', 'y', 'z'].exists(known, known == self.a)"),
    );
    field(with(Schema::array_of(item), |list| {
        list.constraints.max_items = most_items
    }))
}

/// Returns many lists, each with a rule that costs nearly what one rule may cost. No two cost the same, because the API
/// server names those that cost most.
fn expensive_rules(count: i64) -> Api {
    field(with(object([]), |schema| {
        for index in 0..count {
            let list = with(Schema::array_of(number()), |list| {
                list.constraints.max_items = Some(1_900_000 - index)
            });
            let property = ruled(list, rule("self.all(x, x > 0)"));
            schema.properties.insert(format!("a{index}"), property.into());
        }
    }))
}

fn type_examples() -> Vec<Example> {
    let with_message = |text: &str| {
        on_object(Rule {
            message_expression: Some(text.to_owned()),
            ..rule("self.b > 1")
        })
    };
    let mistakes = [
        ("rule-compares-text-and-number", "self.a == 1"),
        ("rule-orders-text-and-number", "self.a > self.b"),
        ("rule-adds-text-and-number", "self.a + self.b == 'x'"),
        ("rule-joins-text", "self.a && self.b > 1"),
        ("rule-gives-number", "self.b + 1"),
        ("rule-gives-anything", "dyn(self.b > 1)"),
        ("rule-mixes-items", "self.b in [1, 'a']"),
        ("rule-mixes-items-with-anything", "self.b in [dyn(1), 2]"),
        ("rule-goes-through-number", "self.b.all(x, x > 1)"),
        ("rule-argument-type", "self.a.startsWith(1)"),
        ("rule-argument-count", "size(self.a, 1) > 1"),
        ("rule-index-type", "self.labels[1] == ''"),
        ("rule-choice-of-types", "(self.b > 1 ? 'x' : 2) == 'x'"),
        ("rule-pattern-in-text", "self.a.matches('(')"),
        ("rule-find-pattern-in-text", "self.a.find('(') == ''"),
        ("rule-duration-in-text", "duration(self.a) > duration('1x')"),
        ("rule-time-in-text", "timestamp(self.a) > timestamp('today')"),
        ("rule-number-in-text", "int('x') > self.b"),
        ("rule-number-in-text-through-dyn", "int(dyn('x')) > self.b"),
        ("rule-fraction-in-text", "double('x') > 1.0"),
        ("rule-number-without-sign-in-text", "uint('-1') > 1u"),
        ("rule-truth-in-text", "bool('yes')"),
        ("rule-text-in-bytes", "string(b'\\xff') == self.a"),
        ("rule-old-self-optional-without-need", "oldSelf.hasValue()"),
    ];
    let names = [
        ("rule-unknown-function", "self.a.beginsWith('x')"),
        ("rule-unknown-function-of-package", "cel.bind(x, self.b, x > 1)"),
        ("rule-unknown-field-in-macro", "self.labels.all(k, k.size > 1)"),
        ("rule-unknown-field-of-number", "self.b.value > 1"),
        ("rule-unknown-type", "Other{a: 1} == null"),
        ("rule-type-without-package", "type(self.a) == duration"),
        ("rule-back-quotes", "self.`x-y` == 1"),
    ];
    let fine = [
        ("rule-numbers-of-two-types", "self.b > 1.5 && self.b < 7u"),
        ("rule-null", "self != null && dyn(self.a) != null"),
        (
            "rule-macros",
            "self.labels.transformList(k, v, k + v).exists_one(x, x == '') || ['a'].map(x, x + self.a) == []",
        ),
        (
            "rule-optional-values",
            "self.?a.optMap(x, x.size() > 1).orValue(true) && self.labels[?'x'].hasValue()",
        ),
        (
            "rule-libraries",
            "isQuantity(self.a) && quantity(self.a).isGreaterThan(quantity('1')) && isIP(self.a) && ip(self.a).family() == 4",
        ),
        (
            "rule-more-libraries",
            "self.a.find('[0-9]+') != '' && sets.contains(['a'], [self.a]) && url('https://a/' + self.a).getHost() == 'a'",
        ),
        (
            "rule-types-by-name",
            "type(self.a) == string && type(timestamp('2024-01-02T03:04:05Z')) != google.protobuf.Duration",
        ),
        ("rule-has-of-has", "has(has(self.a))"),
        (
            "rule-constants-that-convert",
            "int('-7') < 1 && uint('7') > 1u && double('1e3') > 1.0 && bool('t') && string(b'\\xc3\\xa9') != self.a",
        ),
    ];
    let mut examples = Vec::new();
    examples.extend(mistakes.map(|(name, text)| bad(name, Code::CelType, parsed(text))));
    examples.extend(names.map(|(name, text)| bad(name, Code::CelSyntax, parsed(text))));
    examples.extend(fine.map(|(name, text)| good(name, parsed(text))));
    examples.extend([
        bad(
            "rule-message-expression-number",
            Code::CelType,
            with_message("self.b"),
        ),
        bad(
            "rule-message-expression-clause",
            Code::CelType,
            with_message("'%d'.format([self.a])"),
        ),
        bad(
            "rule-message-expression-clauses",
            Code::CelType,
            with_message("'%s %s'.format([self.a])"),
        ),
        good(
            "rule-message-expression-clauses-fit",
            with_message("'%s %d%% %s'.format([self.a, self.b, [1, 2]])"),
        ),
        bad(
            "rule-on-anything",
            Code::CelType,
            field(ruled(Schema::anything(), rule("self == 1"))),
        ),
        good(
            "rule-field-with-word-as-name",
            field(ruled(
                object([("namespace", short_text()), ("a-b", short_text())]),
                rule("self.namespace == self.__namespace__ && self.a__dash__b != ''"),
            )),
        ),
        bad(
            "rule-objects-of-two-fields",
            Code::CelType,
            field(ruled(
                object([("a", object([("x", number())])), ("b", object([("x", number())]))]),
                rule("self.a == self.b"),
            )),
        ),
    ]);
    examples
}

fn cost_examples() -> Vec<Example> {
    vec![
        bad("rule-cost", Code::CelCost, distinct(None, text())),
        bad("rule-cost-of-items", Code::CelCost, distinct(Some(100), text())),
        good("rule-cost-limited", distinct(Some(100), short_text())),
        bad("rule-cost-in-list", Code::CelCost, ruled_items(None)),
        good("rule-cost-in-limited-list", ruled_items(Some(100))),
        bad(
            "rule-cost-of-message",
            Code::CelCost,
            field(ruled(
                object([("a", text()), ("b", text())]),
                Rule {
                    message_expression: Some("self.a.replace('', self.b) + 'x'".to_owned()),
                    ..rule("self.a != self.b")
                },
            )),
        ),
        bad("rule-cost-in-total", Code::CelCost, expensive_rules(12)),
        good("rule-cost-in-total-below", expensive_rules(10)),
    ]
}

pub(super) fn examples() -> Vec<Example> {
    [rule_examples(), type_examples(), cost_examples()].concat()
}

fn rule_examples() -> Vec<Example> {
    let base = || rule("self.b > 1");
    let some = |text: &str| Some(text.to_owned());
    vec![
        good(
            "rule",
            parsed("has(self.a) && self.a.startsWith('x') || self.b > 1"),
        ),
        good("rule-optional-syntax", parsed("self.?a.orValue('x') == 'x'")),
        good("rule-two-variables", parsed("self.labels.all(k, v, k != v)")),
        bad("rule-empty", Code::CelSyntax, parsed("")),
        bad("rule-blank", Code::CelSyntax, parsed("  ")),
        bad("rule-unfinished", Code::CelSyntax, parsed("self.b >")),
        bad("rule-assignment", Code::CelSyntax, parsed("self.b = 1")),
        bad("rule-reserved-word", Code::CelSyntax, parsed("package == 1")),
        bad("rule-has-of-no-field", Code::CelSyntax, parsed("has(self)")),
        good(
            "rule-with-texts",
            on_object(Rule {
                message: some("too small"),
                reason: some("FieldValueInvalid"),
                field_path: some(".b"),
                ..base()
            }),
        ),
        good(
            "rule-message-with-blank-lines",
            on_object(Rule {
                message: some("\ntoo small\n"),
                ..base()
            }),
        ),
        bad(
            "rule-message-blank",
            Code::MarkerValue,
            on_object(Rule {
                message: some(" "),
                ..base()
            }),
        ),
        bad(
            "rule-message-of-two-lines",
            Code::MarkerValue,
            on_object(Rule {
                message: some("too\nsmall"),
                ..base()
            }),
        ),
        bad(
            "rule-of-two-lines-without-message",
            Code::MarkerValue,
            parsed("self.b >\n1"),
        ),
        good(
            "rule-of-two-lines",
            on_object(Rule {
                message: some("too small"),
                ..rule("self.b >\n1")
            }),
        ),
        bad(
            "rule-reason",
            Code::MarkerValue,
            on_object(Rule {
                reason: some("BadValue"),
                ..base()
            }),
        ),
        good(
            "rule-message-expression",
            on_object(Rule {
                message_expression: some("'b is ' + self.a"),
                ..base()
            }),
        ),
        bad(
            "rule-message-expression-blank",
            Code::CelSyntax,
            on_object(Rule {
                message_expression: some(" "),
                ..base()
            }),
        ),
        bad(
            "rule-message-expression-unfinished",
            Code::CelSyntax,
            on_object(Rule {
                message_expression: some("'b is ' +"),
                ..base()
            }),
        ),
        good(
            "rule-field-path-in-brackets",
            on_object(Rule {
                field_path: some("['a']"),
                ..base()
            }),
        ),
        good(
            "rule-field-path-in-map",
            on_object(Rule {
                field_path: some(".labels['x.y']"),
                ..base()
            }),
        ),
        bad(
            "rule-field-path-unknown",
            Code::JsonPath,
            on_object(Rule {
                field_path: some(".c"),
                ..base()
            }),
        ),
        bad(
            "rule-field-path-without-dot",
            Code::JsonPath,
            on_object(Rule {
                field_path: some("a"),
                ..base()
            }),
        ),
        bad(
            "rule-field-path-blank",
            Code::JsonPath,
            on_object(Rule {
                field_path: some(" "),
                ..base()
            }),
        ),
        bad(
            "rule-field-path-index",
            Code::JsonPath,
            on_object(Rule {
                field_path: some(".a[0]"),
                ..base()
            }),
        ),
        good("rule-old-self", parsed("self.b >= oldSelf.b")),
        good(
            "rule-optional-old-self",
            on_object(Rule {
                optional_old_self: Some(true),
                ..rule("!oldSelf.hasValue() || self.b >= oldSelf.value().b")
            }),
        ),
        bad(
            "rule-optional-old-self-unused",
            Code::MarkerValue,
            on_object(Rule {
                optional_old_self: Some(true),
                ..base()
            }),
        ),
        good(
            "rule-old-self-in-list-map",
            old_items(Some(ListType::Map), &["a"]),
        ),
        bad("rule-old-self-in-list", Code::CelSyntax, old_items(None, &[])),
        bad(
            "rule-old-self-in-atomic-list",
            Code::CelSyntax,
            old_items(Some(ListType::Atomic), &[]),
        ),
        good("rule-old-self-in-object", old_field(None)),
        good(
            "rule-old-self-in-granular-object",
            old_field(Some(MapType::Granular)),
        ),
        good("rule-old-self-in-atomic-object", old_field(Some(MapType::Atomic))),
    ]
}

#[test]
fn rules_that_cost_too_much_together_name_those_that_cost_most() {
    let problems: Vec<_> = crate::tests::check(&expensive_rules(12)).into_iter().collect();
    assert_eq!(problems.len(), 1);
    insta::assert_snapshot!(problems[0].message, @"the estimated total cost of the rules of `Foo` in version `v1` is 1.2 times the limit of the API server");
    let shares: Vec<_> = problems[0]
        .related
        .iter()
        .map(|related| related.label.as_str())
        .collect();
    assert_eq!(shares, ["8% of the total"; 4]);
}

#[test]
fn fields_without_a_limit_are_named_the_worst_first() {
    let list = Schema::array_of(object([("a", text()), ("b", short_text())]));
    let api = field(ruled(
        object([("list", list), ("other", text())]),
        rule("self.other != '' && self.list.all(x, self.list.exists(y, x.a == y.b))"),
    ));
    let problems: Vec<_> = crate::tests::check(&api).into_iter().collect();
    assert_eq!(
        problems[0].help,
        ["set `maxItems` of `.spec.field.list` with `+kubebuilder:validation:MaxItems=…`"]
    );
}

/// Returns the messages about a default that a rule is evaluated for.
fn default_messages(schema: Schema, text: &str, default: &str) -> Vec<(Code, String)> {
    let schema = ruled(defaulted(schema, default.into()), rule(text));
    let problems = crate::tests::check(&field(schema)).into_iter();
    problems.map(|problem| (problem.code, problem.message)).collect()
}

/// The API server accepts this rule, but stops its evaluation for the default.
#[test]
fn a_default_whose_rule_costs_too_much_at_run_time_is_refused() {
    let long = with(text(), |schema| schema.constraints.max_length = Some(10_000));
    let expression = vec![format!("!self.matches('{}')", "b".repeat(1_000)); 5].join(" && ");
    assert_eq!(
        default_messages(long.clone(), &expression, &"a".repeat(1_000)),
        []
    );
    let found = default_messages(long, &expression, &"a".repeat(10_000));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, Code::InvalidDefault);
    let reason = "cannot be evaluated: it exceeds the cost limit of the API server";
    assert!(found[0].1.contains(reason));
}

/// Each call makes the text six times as long: together they would produce two billion characters.
#[test]
fn a_rule_whose_text_grows_with_every_call_takes_little_memory() {
    let calls = ".replace('a', 'aaaaaa')".repeat(12);
    let found = default_messages(text(), &format!("self{calls}.size() > 0"), "a");
    let codes: Vec<_> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, [Code::InvalidDefault, Code::CelCost]);
    // Whether this one is refused, only the API server can tell: the last text alone would take a gigabyte.
    let calls = format!(".replace('a', '{}')", "a".repeat(1_000)).repeat(3);
    let found = default_messages(text(), &format!("self{calls}.size() > 0"), "a");
    let codes: Vec<_> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, [Code::CelCost]);
}
