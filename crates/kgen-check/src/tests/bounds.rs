//! Bounds, lengths and patterns.

use kgen_diagnostics::Code;
use kgen_model::{Constraints, JsonType, Number, Schema};

use super::builder::{defaulted, field, number, pattern, text, with};
use super::{Example, bad, good, stricter};

pub(super) fn examples() -> Vec<Example> {
    [numbers(), patterns()].into_iter().flatten().collect()
}

fn constrained(json_type: JsonType, constraints: Constraints) -> Schema {
    let schema = Schema {
        constraints: constraints.into(),
        ..Schema::of_type(json_type)
    };
    let array = json_type == JsonType::Array;
    with(schema, |schema| schema.items = array.then(|| text().into()))
}

fn bounds(schema: Schema, least: Option<Number>, most: Option<Number>) -> Schema {
    with(schema, |schema| {
        schema.constraints.minimum = least;
        schema.constraints.maximum = most;
    })
}

fn whole(value: i64) -> Option<Number> {
    Some(Number::Integer(value))
}

fn numbers() -> Vec<Example> {
    let contradiction = Code::ContradictingBounds;
    let int64 = || Schema::integer("int64");
    let lengths = |json_type, constraints| field(constrained(json_type, constraints));
    vec![
        good("bounds-plain", field(bounds(number(), whole(0), whole(10)))),
        good("bounds-equal", field(bounds(number(), whole(3), whole(3)))),
        stricter(
            "bounds-crossed",
            contradiction,
            field(bounds(number(), whole(10), whole(0))),
        ),
        stricter(
            "bounds-equal-exclusive",
            contradiction,
            field(with(bounds(number(), whole(3), whole(3)), |schema| {
                schema.constraints.exclusive_maximum = true
            })),
        ),
        stricter(
            "bounds-no-integer-between",
            contradiction,
            field(with(bounds(number(), whole(3), whole(4)), |schema| {
                schema.constraints.exclusive_minimum = true;
                schema.constraints.exclusive_maximum = true;
            })),
        ),
        stricter(
            "bounds-beyond-int32",
            contradiction,
            field(bounds(number(), None, whole(1 << 40))),
        ),
        bad(
            "bounds-that-refuse-every-value",
            contradiction,
            field(defaulted(bounds(int64(), None, whole(i64::MAX)), 1.into())),
        ),
        bad(
            "bounds-beyond-int32-refuse-every-value",
            contradiction,
            field(defaulted(bounds(number(), None, whole(1 << 40)), 1.into())),
        ),
        bad(
            "bounds-of-fractions-refuse-every-value",
            contradiction,
            field(defaulted(
                bounds(number(), Some(Number::Float(0.5)), None),
                1.into(),
            )),
        ),
        good(
            "bounds-int64",
            field(bounds(int64(), whole(i64::MIN), whole(9_007_199_254_740_991))),
        ),
        stricter(
            "bounds-beyond-int64-as-float",
            contradiction,
            field(bounds(int64(), None, whole(i64::MAX))),
        ),
        stricter(
            "bounds-fraction-of-integer",
            contradiction,
            field(bounds(int64(), Some(Number::Float(0.5)), None)),
        ),
        good(
            "bounds-fraction-of-number",
            field(bounds(
                Schema::of_type(JsonType::Number),
                Some(Number::Float(0.5)),
                whole(1),
            )),
        ),
        stricter(
            "bounds-multiple-of-zero",
            contradiction,
            field(with(number(), |schema| schema.constraints.multiple_of = whole(0))),
        ),
        good(
            "lengths-plain",
            lengths(
                JsonType::String,
                Constraints {
                    min_length: Some(1),
                    max_length: Some(1),
                    ..Constraints::default()
                },
            ),
        ),
        stricter(
            "lengths-crossed",
            contradiction,
            lengths(
                JsonType::String,
                Constraints {
                    min_length: Some(2),
                    max_length: Some(1),
                    ..Constraints::default()
                },
            ),
        ),
        stricter(
            "lengths-negative",
            contradiction,
            lengths(
                JsonType::String,
                Constraints {
                    max_length: Some(-1),
                    ..Constraints::default()
                },
            ),
        ),
        stricter(
            "items-crossed",
            contradiction,
            lengths(
                JsonType::Array,
                Constraints {
                    min_items: Some(2),
                    max_items: Some(1),
                    ..Constraints::default()
                },
            ),
        ),
        stricter(
            "properties-crossed",
            contradiction,
            lengths(
                JsonType::Object,
                Constraints {
                    min_properties: Some(2),
                    max_properties: Some(1),
                    ..Constraints::default()
                },
            ),
        ),
    ]
}

fn patterns() -> Vec<Example> {
    let expression = Code::RegularExpression;
    vec![
        good("pattern-plain", field(pattern("^[a-z]([-a-z0-9]*[a-z0-9])?$"))),
        good("pattern-of-go", field(pattern(r"^\Qa.b\E[a&&b]\pN\z"))),
        bad("pattern-lookahead", expression, field(pattern("^(?!x).*$"))),
        bad("pattern-backreference", expression, field(pattern(r"(a)\1"))),
        bad("pattern-unclosed", expression, field(pattern("[a-z"))),
        bad("pattern-repeats-too-often", expression, field(pattern("a{1001}"))),
        bad(
            "pattern-nested-repeats",
            expression,
            field(pattern("(a{100}){100}")),
        ),
        bad(
            "pattern-in-all-of",
            expression,
            field(with(text(), |schema| {
                schema.constraints.all_of = vec![Schema {
                    json_type: None,
                    ..pattern("(")
                }]
            })),
        ),
    ]
}
