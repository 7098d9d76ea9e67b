//! List types and the keys of list maps.

use kgen_diagnostics::Code;
use kgen_model::{Api, JsonType, ListType, MapType, Schema};

use super::builder::{defaulted, field, number, object, require, text, with};
use super::{Example, bad, good};

fn list(items: Schema, list_type: ListType, keys: &[&str]) -> Schema {
    Schema {
        list_type: Some(list_type),
        list_map_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        ..Schema::array_of(items)
    }
}

fn map(items: Schema, keys: &[&str]) -> Api {
    field(list(items, ListType::Map, keys))
}

fn set(items: Schema) -> Api {
    field(list(items, ListType::Set, &[]))
}

fn port() -> Schema {
    require(
        ["port"],
        object([
            ("port", number()),
            ("protocol", defaulted(text(), "TCP".into())),
            ("name", text()),
        ]),
    )
}

pub(super) fn examples() -> Vec<Example> {
    vec![
        good("list-atomic", field(list(port(), ListType::Atomic, &[]))),
        good("list-set-of-texts", set(text())),
        good("list-set-of-lists", set(Schema::array_of(text()))),
        bad(
            "list-set-of-sets",
            Code::ListType,
            set(list(text(), ListType::Set, &[])),
        ),
        bad(
            "list-set-of-objects",
            Code::ListType,
            set(object([("a", text())])),
        ),
        good(
            "list-set-of-atomic-objects",
            set(Schema {
                map_type: Some(MapType::Atomic),
                ..object([("a", text())])
            }),
        ),
        bad(
            "list-set-of-nullable",
            Code::ListType,
            set(Schema {
                nullable: true,
                ..text()
            }),
        ),
        bad(
            "list-type-on-text",
            Code::ListType,
            field(Schema {
                list_type: Some(ListType::Atomic),
                ..text()
            }),
        ),
        bad(
            "list-type-on-nothing",
            Code::ListType,
            field(Schema {
                list_type: Some(ListType::Atomic),
                ..Schema::anything()
            }),
        ),
        good("list-map", map(port(), &["port", "protocol"])),
        bad("list-map-without-keys", Code::ListType, map(port(), &[])),
        bad("list-map-of-texts", Code::ListType, map(text(), &["a"])),
        bad(
            "list-map-of-nullable",
            Code::ListType,
            map(
                Schema {
                    nullable: true,
                    ..port()
                },
                &["port"],
            ),
        ),
        bad(
            "list-keys-without-map",
            Code::ListType,
            field(list(port(), ListType::Set, &["port"])),
        )
        .also_list_type(),
        bad(
            "list-keys-without-type",
            Code::ListType,
            field(Schema {
                list_map_keys: vec!["port".to_owned()].into(),
                ..Schema::array_of(port())
            }),
        ),
        bad("list-key-unknown", Code::ListMapKey, map(port(), &["prot"])),
        bad("list-key-twice", Code::ListMapKey, map(port(), &["port", "port"])),
        bad("list-key-optional", Code::ListMapKey, map(port(), &["name"])),
        bad(
            "list-key-nullable",
            Code::ListMapKey,
            map(
                require(
                    ["a"],
                    object([(
                        "a",
                        Schema {
                            nullable: true,
                            ..text()
                        },
                    )]),
                ),
                &["a"],
            ),
        ),
        bad(
            "list-key-object",
            Code::ListMapKey,
            map(require(["a"], object([("a", object([]))])), &["a"]),
        ),
        bad(
            "list-key-list",
            Code::ListMapKey,
            map(require(["a"], object([("a", Schema::array_of(text()))])), &["a"]),
        ),
        good(
            "list-key-int-or-string",
            map(require(["a"], object([("a", Schema::int_or_string())])), &["a"]),
        ),
        good(
            "list-key-boolean",
            map(
                require(["a"], object([("a", Schema::of_type(JsonType::Boolean))])),
                &["a"],
            ),
        ),
    ]
}

impl Example {
    /// Expects that the items are not a set either.
    fn also_list_type(mut self) -> Self {
        self.codes.push(Code::ListType);
        self
    }
}

#[test]
fn an_unknown_key_gets_a_suggestion() {
    let problems: Vec<_> = crate::tests::check(&map(port(), &["prot"])).into_iter().collect();
    assert_eq!(
        problems[0].message,
        "the items have no field `prot` (at `.spec.field`)"
    );
    assert_eq!(problems[0].beside(), "did you mean `port`?");
}

#[test]
fn a_key_without_default_says_what_to_do() {
    let optional = with(port(), |schema| schema.required.clear());
    let problems: Vec<_> = crate::tests::check(&map(optional, &["port"]))
        .into_iter()
        .collect();
    assert_eq!(
        problems[0].help,
        ["make the field required, or give it a default, so that every item has a key"]
    );
}
