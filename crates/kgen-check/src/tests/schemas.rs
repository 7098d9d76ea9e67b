//! Structural schemas and combinations.

use kgen_diagnostics::Code;
use kgen_model::{Api, JsonType, ListType, MapType, Schema};

use super::builder::{
    defaulted, field, number, object, of_version, pattern, place, require, text, version, with,
};
use super::{Example, bad, good, stricter};

fn root(change: impl FnOnce(&mut Schema), status: bool) -> Api {
    let mut version = version("v1", [("spec", object([])), ("status", object([]))]);
    version.status_subresource = status.then(|| place(3));
    change(&mut version.schema);
    of_version(version)
}

/// Returns an object of two fields with these parts in its `oneOf`.
fn choice(parts: Vec<Schema>) -> Schema {
    with(object([("a", text()), ("b", number())]), |schema| {
        *schema.one_of = parts
    })
}

fn required_only(name: &str) -> Schema {
    require([name], Schema::default())
}

fn embedded(change: impl FnOnce(&mut Schema)) -> Schema {
    let mut schema = Schema {
        embedded_resource: true,
        preserve_unknown_fields: true,
        ..object([])
    };
    change(&mut schema);
    schema
}

pub(super) fn examples() -> Vec<Example> {
    [types(), combinations()].into_iter().flatten().collect()
}

fn types() -> Vec<Example> {
    let structural = Code::StructuralSchema;
    vec![
        good(
            "type-all",
            field(object([
                ("a", text()),
                ("b", Schema::array_of(number())),
                ("c", Schema::map_of(text())),
            ])),
        ),
        good("type-int-or-string", field(Schema::int_or_string())),
        good("type-anything", field(Schema::anything())),
        good(
            "type-bare-int-or-string",
            field(Schema {
                int_or_string: true,
                ..Schema::default()
            }),
        ),
        bad("type-none", structural, field(Schema::default())),
        bad(
            "type-none-in-items",
            structural,
            field(Schema::array_of(Schema::default())),
        ),
        bad(
            "type-none-in-map",
            structural,
            field(Schema::map_of(Schema::default())),
        ),
        bad(
            "type-array-without-items",
            structural,
            field(Schema::of_type(JsonType::Array)),
        ),
        bad(
            "type-unique-items",
            structural,
            field(with(Schema::array_of(text()), |schema| {
                schema.constraints.unique_items = true
            })),
        ),
        bad(
            "type-properties-and-map",
            structural,
            field(Schema {
                properties: [("a".to_owned(), text().into())].into(),
                ..Schema::map_of(text())
            }),
        ),
        bad(
            "type-map-type-on-text",
            structural,
            field(Schema {
                map_type: Some(MapType::Atomic),
                ..text()
            }),
        ),
        good(
            "type-map-type",
            field(Schema {
                map_type: Some(MapType::Atomic),
                ..object([("a", text())])
            }),
        ),
        bad(
            "type-int-or-string-preserving",
            structural,
            field(Schema {
                preserve_unknown_fields: true,
                ..Schema::int_or_string()
            }),
        ),
        bad(
            "type-int-or-string-embedded",
            structural,
            field(Schema {
                embedded_resource: true,
                ..Schema::int_or_string()
            }),
        )
        .twice()
        .twice(),
        good(
            "type-preserving-text",
            field(Schema {
                preserve_unknown_fields: true,
                ..text()
            }),
        ),
        stricter(
            "type-required-but-missing",
            structural,
            field(require(["b"], object([("a", text())]))),
        ),
        good(
            "type-required-in-map",
            field(require(["b"], Schema::map_of(text()))),
        ),
        good("embedded", field(embedded(|_| {}))),
        good(
            "embedded-with-fields",
            field(embedded(|schema| {
                *schema = Schema {
                    embedded_resource: true,
                    ..object([("spec", text()), ("metadata", object([])), ("kind", text())])
                };
            })),
        ),
        bad(
            "embedded-without-fields",
            structural,
            field(embedded(|schema| schema.preserve_unknown_fields = false)),
        ),
        bad(
            "embedded-untyped",
            structural,
            field(embedded(|schema| schema.json_type = None)),
        ),
        bad(
            "embedded-text",
            structural,
            field(embedded(|schema| schema.json_type = Some(JsonType::String))),
        ),
        bad(
            "embedded-map",
            structural,
            field(embedded(|schema| {
                schema.additional_properties = Some(text().into())
            })),
        ),
        bad(
            "embedded-kind-number",
            structural,
            field(embedded(|schema| {
                schema.properties.insert("kind".to_owned(), number().into());
            })),
        ),
        bad(
            "embedded-metadata-text",
            structural,
            field(embedded(|schema| {
                schema.properties.insert("metadata".to_owned(), text().into());
            })),
        ),
        bad(
            "embedded-default-in-labels",
            structural,
            field(embedded(|schema| {
                let labels = Schema::map_of(defaulted(text(), "x".into()));
                schema
                    .properties
                    .insert("metadata".to_owned(), object([("labels", labels)]).into());
            })),
        ),
        bad(
            "embedded-in-metadata",
            structural,
            field(embedded(|schema| {
                schema
                    .properties
                    .insert("metadata".to_owned(), object([("x", embedded(|_| {}))]).into());
            })),
        ),
        good("root-plain", root(|_| {}, true)),
        bad(
            "root-array",
            structural,
            root(|schema| *schema = Schema::array_of(text()), false),
        ),
        bad(
            "root-map",
            structural,
            root(|schema| *schema = Schema::map_of(text()), false),
        ),
        bad(
            "root-nullable",
            structural,
            root(|schema| schema.nullable = true, false),
        ),
        bad(
            "root-default",
            structural,
            root(|schema| schema.default = Some(serde_json::json!({})), false),
        ),
        bad(
            "root-choice-beside-status",
            structural,
            root(
                |schema| *schema.one_of = vec![required_only("spec"), required_only("status")],
                true,
            ),
        ),
        good(
            "root-choice-without-status",
            root(
                |schema| *schema.one_of = vec![required_only("spec"), required_only("status")],
                false,
            ),
        ),
        bad(
            "root-max-properties-beside-status",
            structural,
            root(|schema| schema.constraints.max_properties = Some(5), true),
        ),
        bad(
            "root-map-type-beside-status",
            structural,
            root(|schema| schema.map_type = Some(MapType::Atomic), true),
        ),
        good(
            "root-preserving-beside-status",
            root(|schema| schema.preserve_unknown_fields = true, true),
        ),
        good(
            "root-required-metadata",
            root(
                |schema| *schema = require(["metadata", "spec"], schema.clone()),
                true,
            ),
        ),
    ]
}

fn combinations() -> Vec<Example> {
    let structural = Code::StructuralSchema;
    let part = |change: fn(&mut Schema)| field(choice(vec![with(Schema::default(), change)]));
    vec![
        good(
            "choice-of-required",
            field(choice(vec![required_only("a"), required_only("b")])),
        ),
        good(
            "choice-of-properties",
            field(choice(vec![Schema {
                properties: [("a".to_owned(), Schema::default().into())].into(),
                ..required_only("b")
            }])),
        ),
        good(
            "choice-not",
            field(Schema {
                not: Some(required_only("a").into()),
                ..object([("a", text())])
            }),
        ),
        good(
            "choice-all-of-patterns",
            field(with(text(), |schema| {
                schema.constraints.all_of = vec![
                    Schema {
                        json_type: None,
                        ..pattern("^a")
                    },
                    Schema {
                        json_type: None,
                        ..pattern("b$")
                    },
                ]
            })),
        ),
        bad(
            "choice-with-type",
            structural,
            part(|schema| schema.json_type = Some(JsonType::Object)),
        ),
        bad(
            "choice-with-default",
            structural,
            part(|schema| schema.default = Some("x".into())),
        ),
        bad(
            "choice-with-description",
            structural,
            part(|schema| schema.description = Some("x".to_owned())),
        ),
        bad(
            "choice-with-title",
            structural,
            part(|schema| schema.title = Some("x".into())),
        ),
        bad(
            "choice-with-nullable",
            structural,
            part(|schema| schema.nullable = true),
        ),
        bad(
            "choice-with-map",
            structural,
            part(|schema| schema.additional_properties = Some(Schema::default().into())),
        ),
        bad(
            "choice-with-preserving",
            structural,
            part(|schema| schema.preserve_unknown_fields = true),
        ),
        bad(
            "choice-with-embedded",
            structural,
            part(|schema| schema.embedded_resource = true),
        ),
        bad(
            "choice-with-int-or-string",
            structural,
            part(|schema| schema.int_or_string = true),
        ),
        bad(
            "choice-with-list-type",
            structural,
            part(|schema| schema.list_type = Some(ListType::Atomic)),
        ),
        bad(
            "choice-with-map-type",
            structural,
            part(|schema| schema.map_type = Some(MapType::Atomic)),
        )
        .twice(),
        bad(
            "choice-with-rule",
            structural,
            part(|schema| schema.constraints.rules.push(super::builder::rule("true"))),
        ),
        good(
            "choice-with-example",
            part(|schema| schema.example = Some(Box::new("x".into()))),
        ),
        bad(
            "choice-with-nested-type",
            structural,
            field(choice(vec![
                object([]),
                Schema {
                    properties: [("a".to_owned(), text().into())].into(),
                    ..Schema::default()
                },
            ])),
        )
        .twice(),
        bad(
            "choice-with-unique-items",
            structural,
            part(|schema| schema.constraints.unique_items = true),
        ),
        bad(
            "choice-with-metadata",
            structural,
            field(with(object([("metadata", object([]))]), |schema| {
                *schema.one_of = vec![Schema {
                    properties: [("metadata".to_owned(), Schema::default().into())].into(),
                    ..Schema::default()
                }];
            })),
        ),
        stricter(
            "choice-of-unknown-property",
            structural,
            field(choice(vec![Schema {
                properties: [("c".to_owned(), Schema::default().into())].into(),
                ..Schema::default()
            }])),
        ),
        stricter(
            "choice-of-unknown-requirement",
            structural,
            field(choice(vec![required_only("c")])),
        ),
        bad(
            "choice-of-unknown-property-at-the-root",
            structural,
            root(
                |schema| {
                    *schema.one_of = vec![Schema {
                        properties: [("c".to_owned(), Schema::default().into())].into(),
                        ..Schema::default()
                    }];
                },
                false,
            ),
        ),
        good(
            "int-or-string-with-pattern",
            field(with(Schema::int_or_string(), |schema| {
                schema.constraints.pattern = Some("^[0-9]+%?$".to_owned())
            })),
        ),
        good(
            "int-or-string-in-all-of",
            field(with(
                Schema {
                    int_or_string: true,
                    ..Schema::default()
                },
                |schema| {
                    schema.constraints.all_of = vec![Schema {
                        any_of: Schema::int_or_string().any_of,
                        ..Schema::default()
                    }];
                },
            )),
        ),
        bad(
            "int-or-string-in-second-all-of",
            structural,
            field(with(
                Schema {
                    int_or_string: true,
                    ..Schema::default()
                },
                |schema| {
                    schema.constraints.all_of = vec![
                        Schema {
                            json_type: None,
                            ..pattern("a")
                        },
                        Schema {
                            any_of: Schema::int_or_string().any_of,
                            ..Schema::default()
                        },
                    ];
                },
            )),
        )
        .twice(),
        bad(
            "int-or-string-the-other-way-round",
            structural,
            field(with(Schema::int_or_string(), |schema| schema.any_of.reverse())),
        )
        .twice(),
    ]
}

impl Example {
    /// Expects the first code twice.
    fn twice(mut self) -> Self {
        self.codes.extend(self.codes.first().copied());
        self
    }
}
