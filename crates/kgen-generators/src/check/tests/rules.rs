//! CEL rules and the texts around them.

use kgen_diagnostics::Code;
use kgen_model::{Api, ListType, MapType, Rule, Schema};

use super::builder::{field, number, object, require, rule, ruled, text, with};
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

/// A list of objects whose items have a rule on what was before.
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

pub(super) fn examples() -> Vec<Example> {
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
