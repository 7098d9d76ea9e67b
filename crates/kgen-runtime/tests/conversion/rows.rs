//! Every form of the vocabulary, with pairs of objects.

use kgen_runtime::conversion::{Change, Contents, Variants};
use serde_json::json;

use crate::support::{backward, conversion, forward};

fn text() -> serde_json::Value {
    json!({"type": "string"})
}

fn integer() -> serde_json::Value {
    json!({"type": "integer"})
}

#[test]
fn equal_parts_are_copied_unchanged() {
    let free = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let same = json!({"free": free, "number": {"type": "number"}});
    let conversion = conversion(same.clone(), same, Change::new());
    let spec = json!({"free": {"a": [1, {"b": null}]}, "number": 0.1});
    assert_eq!(forward(&conversion, spec.clone()), spec);
    // This number changes if it is parsed without care.
    let number = serde_json::from_str::<serde_json::Value>(r#"{"number": 2.638344616030823e-256}"#).unwrap();
    assert_eq!(
        forward(&conversion, number).to_string(),
        r#"{"number":2.638344616030823e-256}"#
    );
}

#[test]
fn fields_are_renamed_and_can_exchange_their_names() {
    let both = json!({"a": text(), "b": text(), "c": text()});
    let change = Change::new()
        .renamed("a", "b")
        .renamed("b", "c")
        .renamed("c", "a");
    let conversion = conversion(both.clone(), both, change);
    assert_eq!(
        forward(&conversion, json!({"a": "1", "b": "2", "c": "3"})),
        json!({"b": "1", "c": "2", "a": "3"})
    );
    assert_eq!(backward(&conversion, json!({"b": "1"})), json!({"a": "1"}));
    assert_eq!(forward(&conversion, json!({})), json!({}));
}

#[test]
fn structs_lists_and_maps_are_paired_recursively() {
    let items = |name: &str| json!({"type": "object", "properties": {name: text()}});
    let properties = |name: &str| {
        json!({
            "one": items(name),
            "list": {"type": "array", "items": items(name)},
            "map": {"type": "object", "additionalProperties": items(name)},
            "lists": {"type": "object", "additionalProperties": {"type": "array", "items": items(name)}},
        })
    };
    let item = || Change::new().renamed("old", "new");
    let mut newer = properties("new");
    newer["renamed"] = newer["one"].take();
    newer.as_object_mut().unwrap().remove("one");
    let change = Change::new()
        .inside(("one", "renamed"), item())
        .each("list", item())
        .each("map", item())
        .each("lists", Contents::items(item()));
    let conversion = conversion(properties("old"), newer, change);
    let older = json!({"one": {"old": "1"}, "list": [{"old": "2"}, {}], "map": {"k": {"old": "3"}}, "lists": {"k": [{"old": "4"}]}});
    let newer = json!({"renamed": {"new": "1"}, "list": [{"new": "2"}, {}], "map": {"k": {"new": "3"}}, "lists": {"k": [{"new": "4"}]}});
    assert_eq!(forward(&conversion, older.clone()), newer);
    assert_eq!(backward(&conversion, newer), older);
}

#[test]
fn fields_move_between_structs() {
    let tls = json!({"type": "object", "properties": {"secret": text(), "other": text()}});
    let change = || Change::new().moved(["tlsSecret"], ["tls", "secret"]).added("tls");
    let fresh = conversion(json!({"tlsSecret": text()}), json!({"tls": tls}), change());
    assert_eq!(
        forward(&fresh, json!({"tlsSecret": "x"})),
        json!({"tls": {"secret": "x"}})
    );
    assert_eq!(forward(&fresh, json!({})), json!({}));
    assert_eq!(
        backward(&fresh, json!({"tls": {"secret": "x", "other": "y"}})),
        json!({"tlsSecret": "x"})
    );
    assert_eq!(backward(&fresh, json!({"tls": {}})), json!({}));

    // The struct exists in both versions and has differences of its own.
    let old_tls = json!({"type": "object", "properties": {"extra": text()}});
    for is_first in [true, false] {
        let inner = Change::new().renamed("extra", "other").added("secret");
        let change = if is_first {
            Change::new()
                .inside("tls", inner)
                .moved(["tlsSecret"], ["tls", "secret"])
        } else {
            Change::new()
                .moved(["tlsSecret"], ["tls", "secret"])
                .inside("tls", inner)
        };
        let shared = conversion(
            json!({"tlsSecret": text(), "tls": old_tls}),
            json!({"tls": tls}),
            change,
        );
        let (older, newer) = (
            json!({"tlsSecret": "x", "tls": {"extra": "y"}}),
            json!({"tls": {"secret": "x", "other": "y"}}),
        );
        assert_eq!(forward(&shared, older.clone()), newer);
        assert_eq!(backward(&shared, newer), older);
    }
}

#[test]
fn unit_variants_are_paired_by_value() {
    let colors = |names: &[&str]| json!({"color": {"type": "string", "enum": names}});
    let variants = Variants::new()
        .renamed("Blue", "Teal")
        .added("Gold", "Red")
        .dropped("Gray", "White");
    let conversion = conversion(
        colors(&["Blue", "Red", "White", "Gray"]),
        colors(&["Teal", "Red", "White", "Gold"]),
        Change::new().variants("color", variants),
    );
    for (older, newer) in [("Blue", "Teal"), ("Red", "Red"), ("Gray", "White")] {
        assert_eq!(
            forward(&conversion, json!({"color": older})),
            json!({"color": newer})
        );
    }
    for (newer, older) in [("Teal", "Blue"), ("Gold", "Red"), ("White", "White")] {
        assert_eq!(
            backward(&conversion, json!({"color": newer})),
            json!({"color": older})
        );
    }
}

#[test]
fn variants_with_data_are_paired_in_every_tagging_style() {
    let wood = || Change::new().renamed("kilos", "weight");
    let object = |properties| json!({"type": "object", "properties": properties});

    let external = conversion(
        json!({"heating": object(json!({"wood": object(json!({"kilos": integer()})), "gas": integer(), "peat": object(json!({}))}))}),
        json!({"heating": object(json!({"logs": object(json!({"weight": integer()})), "gas": text(), "coal": object(json!({}))}))}),
        Change::new().variants(
            "heating",
            Variants::new()
                .inside(("wood", "logs"), wood())
                .inside(
                    "gas",
                    Contents::value(|n: i64| n.to_string(), |s: String| s.len()),
                )
                .dropped_with("peat", || json!({"logs": {"weight": 1}}))
                .added("coal", "wood"),
        ),
    );
    assert_eq!(
        forward(&external, json!({"heating": {"wood": {"kilos": 5}}})),
        json!({"heating": {"logs": {"weight": 5}}})
    );
    assert_eq!(
        forward(&external, json!({"heating": {"gas": 7}})),
        json!({"heating": {"gas": "7"}})
    );
    assert_eq!(
        forward(&external, json!({"heating": {"peat": {}}})),
        json!({"heating": {"logs": {"weight": 1}}})
    );
    assert_eq!(
        backward(&external, json!({"heating": {"coal": {}}})),
        json!({"heating": {"wood": {}}})
    );

    let kind = |names: &[&str]| json!({"type": "string", "enum": names});
    let internal = conversion(
        json!({"heating": object(json!({"type": kind(&["wood", "gas"]), "kilos": integer(), "maker": text()}))}),
        json!({"heating": object(json!({"type": kind(&["logs", "gas", "off"]), "weight": integer(), "maker": text()}))}),
        Change::new().variants(
            "heating",
            Variants::internal("type")
                .inside(("wood", "logs"), wood())
                .added("off", "gas"),
        ),
    );
    assert_eq!(
        forward(
            &internal,
            json!({"heating": {"type": "wood", "kilos": 5, "maker": "x"}})
        ),
        json!({"heating": {"type": "logs", "weight": 5, "maker": "x"}})
    );
    assert_eq!(
        backward(&internal, json!({"heating": {"type": "off", "maker": "x"}})),
        json!({"heating": {"type": "gas"}})
    );

    let adjacent = conversion(
        json!({"heating": object(json!({"type": kind(&["wood"]), "with": object(json!({"kilos": integer()}))}))}),
        json!({"heating": object(json!({"type": kind(&["logs"]), "with": object(json!({"weight": integer()}))}))}),
        Change::new().variants(
            "heating",
            Variants::adjacent("type", "with").inside(("wood", "logs"), wood()),
        ),
    );
    assert_eq!(
        forward(
            &adjacent,
            json!({"heating": {"type": "wood", "with": {"kilos": 5}}})
        ),
        json!({"heating": {"type": "logs", "with": {"weight": 5}}})
    );

    let untagged = conversion(
        json!({"heating": object(json!({"kilos": integer(), "liters": integer()}))}),
        json!({"heating": object(json!({"weight": integer(), "liters": integer()}))}),
        Change::new().variants(
            "heating",
            Variants::untagged().shaped(["kilos"], ["weight"], wood()),
        ),
    );
    assert_eq!(
        forward(&untagged, json!({"heating": {"kilos": 5}})),
        json!({"heating": {"weight": 5}})
    );
    assert_eq!(
        forward(&untagged, json!({"heating": {"liters": 5}})),
        json!({"heating": {"liters": 5}})
    );
    assert_eq!(
        backward(&untagged, json!({"heating": {"weight": 5}})),
        json!({"heating": {"kilos": 5}})
    );
}

#[test]
fn lists_can_contain_enums_and_translated_values() {
    let conversion = conversion(
        json!({"colors": {"type": "array", "items": text()}, "times": {"type": "array", "items": integer()}}),
        json!({"colors": {"type": "array", "items": text()}, "times": {"type": "array", "items": integer()}}),
        Change::new()
            .each("colors", Variants::new().renamed("Blue", "Teal"))
            .each("times", Contents::value(|s: i64| s * 1000, |ms: i64| ms / 1000)),
    );
    assert_eq!(
        forward(&conversion, json!({"colors": ["Blue", "Red"], "times": [1, 2]})),
        json!({"colors": ["Teal", "Red"], "times": [1000, 2000]})
    );
    assert_eq!(
        backward(&conversion, json!({"times": [1500]})),
        json!({"times": [1]})
    );
}

#[test]
fn new_fields_are_absent_or_have_their_default_or_a_value_of_a_method() {
    let conversion = conversion(
        json!({}),
        json!({"plain": text(), "priority": {"type": "integer", "default": 5}, "needed": text()}),
        Change::new()
            .added("plain")
            .added("priority")
            .added_with("needed", || "filled"),
    );
    assert_eq!(
        forward(&conversion, json!({})),
        json!({"priority": 5, "needed": "filled"})
    );
    assert_eq!(
        backward(&conversion, json!({"plain": "x", "priority": 6, "needed": "y"})),
        json!({})
    );
    // Without the enclosing object nothing is filled in.
    let object = json!({"apiVersion": "example.com/v1", "kind": "Widget"});
    let converted = conversion.convert_json(object, "v2").unwrap();
    assert_eq!(
        converted,
        json!({"apiVersion": "example.com/v2", "kind": "Widget", "metadata": {}})
    );
}

#[test]
fn optional_values_become_required_and_back() {
    let conversion = conversion(
        json!({"a": text(), "b": text()}),
        json!({"a": text(), "c": text(), "d": {"type": "string", "default": "default"}}),
        Change::new()
            .filled("a", || "newer")
            .renamed("b", "c")
            .filled_before("b", || "older")
            .filled("d", || "not used"),
    );
    assert_eq!(
        forward(&conversion, json!({"b": "x"})),
        json!({"a": "newer", "c": "x", "d": "default"})
    );
    assert_eq!(
        forward(&conversion, json!({"a": "x", "b": "y"})),
        json!({"a": "x", "c": "y", "d": "default"})
    );
    assert_eq!(
        backward(&conversion, json!({"a": "x", "d": "default"})),
        json!({"a": "x", "b": "older"})
    );
}

#[test]
fn numbers_are_copied_to_the_wider_type_and_translated_to_the_narrower_one() {
    let clamp = |wide: i64| i32::try_from(wide).unwrap_or(i32::MAX);
    let conversion = conversion(
        json!({"size": integer(), "most": integer()}),
        json!({"size": integer(), "most": integer()}),
        Change::new().widened("size", clamp).narrowed("most", clamp),
    );
    let large = 1_i64 << 40;
    assert_eq!(
        forward(&conversion, json!({"size": 5, "most": large})),
        json!({"size": 5, "most": i32::MAX})
    );
    assert_eq!(
        backward(&conversion, json!({"size": large, "most": 5})),
        json!({"size": i32::MAX, "most": 5})
    );
}

#[test]
fn several_values_are_translated_together() {
    let split = |(address,): (String,)| {
        let (host, port) = address.split_once(':').unwrap_or((&address, "80"));
        (host.to_owned(), port.parse::<u16>().ok())
    };
    let join = |(host, port): (String, Option<u16>)| (format!("{host}:{}", port.unwrap_or(80)),);
    let conversion = conversion(
        json!({"address": text()}),
        json!({"host": text(), "port": integer()}),
        Change::new().translated(["address"], ["host", "port"], split, join),
    );
    assert_eq!(
        forward(&conversion, json!({"address": "a:1"})),
        json!({"host": "a", "port": 1})
    );
    // `None` stays absent.
    assert_eq!(
        forward(&conversion, json!({"address": "a:x"})),
        json!({"host": "a"})
    );
    assert_eq!(
        backward(&conversion, json!({"host": "a"})),
        json!({"address": "a:80"})
    );
    // Without all sources no method is called; without a source that the type needs nothing is written.
    assert_eq!(forward(&conversion, json!({})), json!({}));
    assert_eq!(backward(&conversion, json!({"port": 1})), json!({}));
}

#[test]
fn a_required_target_of_optional_sources_is_always_written() {
    let schemas = json!({
        "v1": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": text(), "b": text()}}}},
        "v2": {"type": "object", "properties": {"spec": {
            "type": "object", "required": ["c"], "properties": {"c": text()},
        }}},
    });
    let spec = Change::new().translated(
        ["a", "b"],
        ["c"],
        |(a, b): (Option<String>, Option<String>)| (a.or(b).unwrap_or_else(|| "none".to_owned()),),
        |(c,): (String,)| (Some(c), None::<String>),
    );
    let conversion = kgen_runtime::conversion::Conversion::new("example.com", "Widget", &schemas.to_string())
        .step("v1", "v2", Change::new().inside("spec", spec));
    assert_eq!(forward(&conversion, json!({})), json!({"c": "none"}));
    assert_eq!(forward(&conversion, json!({"b": "x"})), json!({"c": "x"}));
}

#[test]
fn undeclared_fields_never_reach_the_target() {
    let conversion = conversion(
        json!({"size": integer(), "forgotten": text()}),
        json!({"replicas": integer()}),
        Change::new().renamed("size", "replicas"),
    );
    assert_eq!(
        forward(&conversion, json!({"size": 1, "forgotten": "x"})),
        json!({"replicas": 1})
    );
    let stray = crate::support::widget("v1", json!({"size": 1, "replicas": 2, "stray": 3}));
    let converted = conversion.convert_json(stray, "v2").unwrap();
    assert_eq!(converted["spec"], json!({"replicas": 1}));
}
