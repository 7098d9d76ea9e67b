//! Defaults.

use kgen_diagnostics::Code;
use kgen_model::{Api, JsonType, Keyword, Number, Schema};
use serde_json::{Value, json};

use super::builder::{
    crew, defaulted, enumeration, field, limited, number, object, place, require, text, with,
};
use super::{Example, bad, good};

fn default(schema: Schema, value: Value) -> Api {
    field(defaulted(schema, value))
}

fn number_with(change: impl FnOnce(&mut kgen_model::Constraints)) -> Schema {
    with(number(), |schema| change(&mut schema.constraints))
}

fn embedded() -> Schema {
    Schema {
        embedded_resource: true,
        preserve_unknown_fields: true,
        ..object([])
    }
}

pub(super) fn examples() -> Vec<Example> {
    [types(), structures(), narrowed()]
        .into_iter()
        .flatten()
        .collect()
}

fn types() -> Vec<Example> {
    let invalid = Code::InvalidDefault;
    let boolean = || Schema::of_type(JsonType::Boolean);
    let float = || Schema::of_type(JsonType::Number);
    vec![
        good("default-text", default(text(), json!("a"))),
        good("default-whole-float", default(number(), json!(5.0))),
        good("default-number", default(float(), json!(0.5))),
        good("default-integer-number", default(float(), json!(2))),
        good("default-boolean", default(boolean(), json!(false))),
        good("default-null", default(text(), Value::Null)),
        bad("default-number-for-text", invalid, default(text(), json!(1))),
        bad("default-text-for-number", invalid, default(number(), json!("1"))),
        bad(
            "default-fraction-for-integer",
            invalid,
            default(number(), json!(1.5)),
        ),
        bad(
            "default-text-for-boolean",
            invalid,
            default(boolean(), json!("true")),
        ),
        bad(
            "default-object-for-list",
            invalid,
            default(Schema::array_of(text()), json!({})),
        ),
        bad("default-list-for-object", invalid, default(object([]), json!([]))),
        bad(
            "default-beyond-int32",
            invalid,
            default(number(), json!(3_000_000_000_i64)),
        ),
        good(
            "default-int64",
            default(Schema::integer("int64"), json!(i64::MAX)),
        ),
        bad(
            "default-beyond-int64",
            invalid,
            default(Schema::integer("int64"), json!(u64::MAX)),
        ),
        good(
            "default-int-or-string",
            default(Schema::int_or_string(), json!("50%")),
        ),
        good(
            "default-int-or-string-integer",
            default(Schema::int_or_string(), json!(50)),
        ),
        bad(
            "default-int-or-string-boolean",
            invalid,
            default(Schema::int_or_string(), json!(true)),
        ),
        good(
            "default-anything",
            default(Schema::anything(), json!({"a": [1, null]})),
        ),
        good(
            "default-inner-null",
            default(
                Schema::array_of(Schema {
                    nullable: true,
                    ..text()
                }),
                json!([null]),
            ),
        ),
        bad(
            "default-inner-null-refused",
            invalid,
            default(Schema::array_of(text()), json!([null])),
        ),
    ]
}

fn structures() -> Vec<Example> {
    let invalid = Code::InvalidDefault;
    vec![
        good(
            "default-object",
            default(crew(), json!({"captain": "Ada", "mates": ["Bo"]})),
        ),
        bad(
            "default-lacks-required",
            invalid,
            default(crew(), json!({"mates": []})),
        ),
        bad(
            "default-unknown-field",
            invalid,
            default(crew(), json!({"captain": "Ada", "captian": "Bo"})),
        ),
        bad(
            "default-wrong-item",
            invalid,
            default(crew(), json!({"captain": "Ada", "mates": [1]})),
        ),
        bad(
            "default-unknown-field-in-list",
            invalid,
            default(Schema::array_of(crew()), json!([{"captain": "A", "x": 1}])),
        ),
        good(
            "default-map",
            default(Schema::map_of(number()), json!({"adult": 12})),
        ),
        bad(
            "default-wrong-map-value",
            invalid,
            default(Schema::map_of(number()), json!({"adult": "12"})),
        ),
        good(
            "default-preserving",
            default(
                Schema {
                    preserve_unknown_fields: true,
                    ..crew()
                },
                json!({"captain": "A", "x": 1}),
            ),
        ),
        bad(
            "default-inner-default-does-not-help",
            invalid,
            default(
                require(["a"], object([("a", defaulted(text(), json!("x")))])),
                json!({}),
            ),
        ),
        good(
            "default-in-map-values",
            field(Schema::map_of(object([("a", defaulted(text(), json!("x")))]))),
        ),
        good(
            "default-embedded",
            default(embedded(), json!({"apiVersion": "v1", "kind": "Pod", "spec": {}})),
        ),
        bad(
            "default-embedded-without-kind",
            invalid,
            default(embedded(), json!({"apiVersion": "v1"})),
        ),
        bad(
            "default-embedded-with-odd-kind",
            invalid,
            default(embedded(), json!({"apiVersion": "v1", "kind": "a b"})),
        ),
        bad(
            "default-embedded-with-odd-metadata",
            invalid,
            default(
                embedded(),
                json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": 1}}}),
            ),
        ),
        good(
            "default-choice",
            default(
                with(object([("a", text()), ("b", text())]), |schema| {
                    *schema.one_of = vec![
                        require(["a"], Schema::default()),
                        require(["b"], Schema::default()),
                    ]
                }),
                json!({"a": "x"}),
            ),
        ),
        bad(
            "default-choice-of-both",
            invalid,
            default(
                with(object([("a", text()), ("b", text())]), |schema| {
                    *schema.one_of = vec![
                        require(["a"], Schema::default()),
                        require(["b"], Schema::default()),
                    ]
                }),
                json!({"a": "x", "b": "y"}),
            ),
        ),
        bad(
            "default-choice-of-none",
            invalid,
            default(
                with(object([("a", text())]), |schema| {
                    *schema.any_of = vec![require(["a"], Schema::default())]
                }),
                json!({}),
            ),
        ),
        bad(
            "default-not",
            invalid,
            default(
                Schema {
                    not: Some(require(["a"], Schema::default()).into()),
                    ..object([("a", text())])
                },
                json!({"a": "x"}),
            ),
        ),
    ]
}

fn narrowed() -> Vec<Example> {
    let invalid = Code::InvalidDefault;
    vec![
        good(
            "default-at-maximum",
            default(
                number_with(|bounds| bounds.maximum = Some(Number::Integer(10))),
                json!(10),
            ),
        ),
        bad(
            "default-above-maximum",
            invalid,
            default(
                number_with(|bounds| bounds.maximum = Some(Number::Integer(10))),
                json!(20),
            ),
        ),
        bad(
            "default-below-minimum",
            invalid,
            default(
                number_with(|bounds| bounds.minimum = Some(Number::Integer(10))),
                json!(9),
            ),
        ),
        bad(
            "default-at-exclusive-minimum",
            invalid,
            default(
                number_with(|bounds| {
                    bounds.minimum = Some(Number::Integer(10));
                    bounds.exclusive_minimum = true;
                }),
                json!(10),
            ),
        ),
        bad(
            "default-at-exclusive-maximum",
            invalid,
            default(
                number_with(|bounds| {
                    bounds.maximum = Some(Number::Integer(10));
                    bounds.exclusive_maximum = true;
                }),
                json!(10),
            ),
        ),
        bad(
            "default-no-multiple",
            invalid,
            default(
                number_with(|bounds| bounds.multiple_of = Some(Number::Integer(5))),
                json!(12),
            ),
        ),
        good(
            "default-multiple",
            default(
                number_with(|bounds| bounds.multiple_of = Some(Number::Integer(5))),
                json!(15),
            ),
        ),
        bad(
            "default-integer-multiple-of-fraction",
            invalid,
            default(
                with(Schema::of_type(JsonType::Number), |schema| {
                    schema.constraints.multiple_of = Some(Number::Float(0.5))
                }),
                json!(2),
            ),
        ),
        good(
            "default-longest",
            default(limited(|bounds| bounds.max_length = Some(2)), json!("éé")),
        ),
        bad(
            "default-too-long",
            invalid,
            default(limited(|bounds| bounds.max_length = Some(2)), json!("abc")),
        ),
        bad(
            "default-too-short",
            invalid,
            default(limited(|bounds| bounds.min_length = Some(1)), json!("")),
        ),
        good(
            "default-matches",
            default(
                limited(|bounds| bounds.pattern = Some("^a+$".to_owned())),
                json!("aaa"),
            ),
        ),
        bad(
            "default-does-not-match",
            invalid,
            default(
                limited(|bounds| bounds.pattern = Some("^a+$".to_owned())),
                json!("b"),
            ),
        ),
        bad(
            "default-digits-are-ascii",
            invalid,
            default(
                limited(|bounds| bounds.pattern = Some(r"^\d$".to_owned())),
                json!("٤"),
            ),
        ),
        bad(
            "default-breaks-all-of",
            invalid,
            default(
                limited(|bounds| {
                    bounds.all_of = vec![Schema {
                        json_type: None,
                        ..limited(|part| part.pattern = Some("^a".to_owned()))
                    }]
                }),
                json!("b"),
            ),
        ),
        bad(
            "default-too-many-items",
            invalid,
            default(
                with(Schema::array_of(text()), |schema| {
                    schema.constraints.max_items = Some(1)
                }),
                json!(["a", "b"]),
            ),
        ),
        bad(
            "default-too-few-items",
            invalid,
            default(
                with(Schema::array_of(text()), |schema| {
                    schema.constraints.min_items = Some(1)
                }),
                json!([]),
            ),
        ),
        bad(
            "default-too-many-properties",
            invalid,
            default(
                with(Schema::map_of(text()), |schema| {
                    schema.constraints.max_properties = Some(1)
                }),
                json!({"a": "", "b": ""}),
            ),
        ),
        good(
            "default-in-enumeration",
            default(enumeration(text(), json!(["a", "b"])), json!("b")),
        ),
        bad(
            "default-not-in-enumeration",
            invalid,
            default(enumeration(text(), json!(["a", "b"])), json!("c")),
        ),
    ]
}

fn messages(api: &Api) -> Vec<String> {
    crate::tests::check(api)
        .into_iter()
        .map(|problem| problem.message)
        .collect()
}

#[test]
fn messages_say_what_is_wrong_and_where() {
    let limited = number_with(|bounds| bounds.maximum = Some(Number::Integer(10)));
    let at_place = |schema: Schema| with(schema, |schema| schema.places.set(Keyword::Default, place(4)));
    assert_eq!(
        messages(&field(at_place(defaulted(limited, json!(20))))),
        ["the default `20` does not match its schema: 20 is larger than the maximum 10"]
    );
    assert_eq!(
        messages(&field(at_place(defaulted(
            crew(),
            json!({"captain": "Ada", "mates": ["Bo", 1]})
        )))),
        [
            "the default `{\"captain\":\"Ada\",\"mates\":[\"Bo\",1]}` does not match its schema: `.mates[1]`: it has type `integer`, not `string`"
        ]
    );
    assert_eq!(
        messages(&field(at_place(defaulted(
            enumeration(text(), json!(["a", "b"])),
            json!("c")
        )))),
        ["the default `\"c\"` does not match its schema: it is not one of `\"a\"` and `\"b\"`"]
    );
}

#[test]
fn a_default_points_at_the_marker_that_it_breaks() {
    let schema = with(
        defaulted(
            number_with(|bounds| bounds.maximum = Some(Number::Integer(10))),
            json!(20),
        ),
        |schema| {
            schema.places.node = Some(place(2));
            schema.places.set(Keyword::Default, place(4));
            schema.places.set(Keyword::Maximum, place(5));
        },
    );
    let problems: Vec<_> = crate::tests::check(&field(schema)).into_iter().collect();
    assert_eq!(problems[0].span, Some(place(4)));
    assert_eq!(problems[0].related[0].span, place(5));
}

#[test]
fn an_unknown_field_gets_a_suggestion() {
    let problems: Vec<_> = crate::tests::check(&default(crew(), json!({"captain": "A", "mate": []})))
        .into_iter()
        .collect();
    assert_eq!(problems[0].help, ["did you mean `mates`?"]);
}
