//! Formats of defaults, enumerations and examples.

use kgen_diagnostics::Code;
use kgen_model::{Api, Schema};
use serde_json::{Value, json};

use super::builder::{crew, defaulted, enumeration, field, limited, number, text, with};
use super::{Example, bad, good, stricter};

pub(super) fn examples() -> Vec<Example> {
    [formats(), enumerations()].into_iter().flatten().collect()
}

fn default(schema: Schema, value: Value) -> Api {
    field(defaulted(schema, value))
}

fn formats() -> Vec<Example> {
    let invalid = Code::InvalidDefault;
    vec![
        good("format-date-time", format("date-time", "2030-01-02T03:04:05Z")),
        bad(
            "format-date-time-without-zone",
            invalid,
            format("date-time", "2030-01-02T03:04:05"),
        ),
        bad(
            "format-date-that-does-not-exist",
            invalid,
            format("date", "2023-02-29"),
        ),
        good("format-duration", format("duration", "1h30m")),
        good("format-duration-in-words", format("duration", "5 minutes")),
        bad(
            "format-duration-of-nothing",
            invalid,
            format("duration", "5 parsecs"),
        ),
        good("format-ipv4", format("ipv4", "010.0.0.1")),
        bad("format-ipv4-too-large", invalid, format("ipv4", "10.0.0.256")),
        bad("format-ipv6", invalid, format("ipv6", "10.0.0.1")),
        bad("format-cidr", invalid, format("cidr", "10.0.0.0/33")),
        bad("format-mac", invalid, format("mac", "01:23:45")),
        good("format-uuid", format("uuid", "123E4567E89B12D3A456426614174000")),
        bad(
            "format-uuid4",
            invalid,
            format("uuid4", "123e4567-e89b-12d3-a456-426614174000"),
        ),
        bad("format-byte-empty", invalid, format("byte", "")),
        good("format-byte", format("byte", "aGVsbG8=")),
        bad("format-byte-unpadded", invalid, format("byte", "aGVsbG8")),
        bad("format-hostname", invalid, format("hostname", "my-host-name")),
        good(
            "format-hostname-with-domain",
            format("hostname", "my-host-name.example"),
        ),
        bad("format-email", invalid, format("email", "nobody")),
        bad("format-uri", invalid, format("uri", "example.com/x")),
        good("format-uri-of-mail", format("uri", "mailto:x")),
        bad("format-hexcolor", invalid, format("hexcolor", "green")),
        bad("format-rgbcolor", invalid, format("rgbcolor", "rgb(1,2,256)")),
        bad("format-ssn", invalid, format("ssn", "111223333")),
        bad("format-k8s-short-name", invalid, format("k8s-short-name", "A")),
        good("format-unknown", format("phone", "anything")),
        good("format-on-integer", default(Schema::integer("int64"), json!(1))),
    ]
}

fn enumerations() -> Vec<Example> {
    let invalid = Code::InvalidEnumValue;
    vec![
        good("enum-texts", field(enumeration(text(), json!(["a", "b"])))),
        good("enum-numbers", field(enumeration(number(), json!([1, 2])))),
        good(
            "enum-nullable",
            field(Schema {
                nullable: true,
                ..enumeration(text(), json!(["a", null]))
            }),
        ),
        stricter(
            "enum-of-other-type",
            invalid,
            field(enumeration(text(), json!(["a", 1]))),
        ),
        stricter(
            "enum-twice",
            invalid,
            field(enumeration(text(), json!(["a", "a"]))),
        ),
        stricter(
            "enum-null",
            invalid,
            field(enumeration(text(), json!(["a", null]))),
        ),
        stricter(
            "enum-too-long",
            invalid,
            field(enumeration(
                limited(|bounds| bounds.max_length = Some(1)),
                json!(["a", "bb"]),
            )),
        ),
        stricter(
            "enum-of-other-type-in-all-of",
            invalid,
            field(with(text(), |schema| {
                schema.constraints.all_of = vec![enumeration(Schema::default(), json!([1]))]
            })),
        ),
        good("example-fits", example(crew(), json!({"captain": "Ada"}))),
        stricter(
            "example-of-other-type",
            Code::InvalidExample,
            example(text(), json!(1)),
        ),
        stricter(
            "example-unknown-field",
            Code::InvalidExample,
            example(crew(), json!({"captain": "Ada", "x": 1})),
        ),
    ]
}

fn format(format: &str, value: &str) -> Api {
    default(Schema::string_format(format), value.into())
}

fn example(schema: Schema, value: Value) -> Api {
    field(Schema {
        example: Some(Box::new(value)),
        ..schema
    })
}
