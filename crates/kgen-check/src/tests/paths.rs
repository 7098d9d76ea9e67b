//! Columns, selectable fields, scale.

use kgen_diagnostics::Code;
use kgen_model::{Api, Column, JsonType, KindVersion, Scale, Schema};

use super::builder::{at, column, number, object, of_version, text, version};
use super::{Example, bad, good, stricter};

fn horse() -> KindVersion {
    let meal = object([("name", text()), ("grams", number())]);
    let condition = object([("type", text()), ("status", text())]);
    let spec = object([
        ("replicas", number()),
        ("tame", Schema::of_type(JsonType::Boolean)),
        ("born", Schema::string_format("date-time")),
        ("day", Schema::string_format("date")),
        ("meals", Schema::array_of(meal)),
        ("contacts", Schema::map_of(text())),
        ("port", Schema::int_or_string()),
        ("open", Schema::anything()),
        ("name", text()),
    ]);
    let status = object([
        ("replicas", number()),
        ("selector", text()),
        ("conditions", Schema::array_of(condition)),
    ]);
    version("v1", [("spec", spec), ("status", status)])
}

fn shown(column_type: &str, path: &str) -> Api {
    with_column(column(column_type, path))
}

fn with_column(column: Column) -> Api {
    of_version(KindVersion {
        columns: vec![at(column)],
        ..horse()
    })
}

fn selectable(paths: &[&str]) -> Api {
    of_version(KindVersion {
        selectable_fields: paths.iter().map(|path| at((*path).to_owned())).collect(),
        ..horse()
    })
}

fn scaled(spec: &str, status: &str, selector: Option<&str>) -> Api {
    let scale = Scale {
        spec_path: at(spec.to_owned()),
        status_path: at(status.to_owned()),
        selector_path: selector.map(|path| at(path.to_owned())),
    };
    of_version(KindVersion {
        scale: Some(at(scale)),
        ..horse()
    })
}

pub(super) fn examples() -> Vec<Example> {
    [columns(), others()].into_iter().flatten().collect()
}

fn columns() -> Vec<Example> {
    let path = Code::JsonPath;
    vec![
        good("column-integer", shown("integer", ".spec.replicas")),
        good("column-number", shown("number", ".spec.replicas")),
        good("column-boolean", shown("boolean", ".spec.tame")),
        good("column-date", shown("date", ".spec.born")),
        good("column-date-of-plain-text", shown("date", ".spec.name")),
        good("column-age", shown("date", ".metadata.creationTimestamp")),
        good("column-text-of-anything", shown("string", ".spec.meals")),
        good("column-index", shown("string", ".spec.meals[0].name")),
        good("column-all", shown("string", ".spec.meals[*].name")),
        good(
            "column-filter",
            shown("string", r#".status.conditions[?(@.type=="Ready")].status"#),
        ),
        good("column-map", shown("string", ".spec.contacts.farrier")),
        good(
            "column-label",
            shown("string", r".metadata.labels.stable\.example\.org/owner"),
        ),
        good(
            "column-annotation",
            shown("string", ".metadata.annotations['owner']"),
        ),
        good(
            "column-owner",
            shown("string", ".metadata.ownerReferences[0].name"),
        ),
        good("column-kind", shown("string", ".kind")),
        good("column-descent", shown("string", "..name")),
        good("column-descent-below", shown("string", ".spec..name")),
        good("column-open", shown("integer", ".spec.open.anything[0].goes")),
        good("column-int-or-string", shown("integer", ".spec.port")),
        good("column-wildcard", shown("string", ".spec.contacts.*")),
        good("column-union", shown("string", ".spec['name','replicas']")),
        bad("column-without-dot", path, shown("string", "spec.name")),
        bad("column-empty", path, shown("string", "")),
        stricter("column-unknown", path, shown("string", ".spec.nmae")),
        stricter(
            "column-unknown-in-list",
            path,
            shown("string", ".spec.meals[*].nam"),
        ),
        stricter(
            "column-unknown-in-filter",
            path,
            shown("string", r#".status.conditions[?(@.typ=="Ready")].status"#),
        ),
        stricter(
            "column-unknown-metadata",
            path,
            shown("date", ".metadata.creationTime"),
        ),
        stricter(
            "column-list-without-index",
            path,
            shown("string", ".spec.meals.name"),
        ),
        stricter("column-index-of-object", path, shown("string", ".spec[0]")),
        stricter("column-field-of-text", path, shown("string", ".spec.name.first")),
        stricter("column-unclosed", path, shown("string", ".spec.meals[0")),
        stricter("column-integer-of-text", path, shown("integer", ".spec.name")),
        stricter(
            "column-boolean-of-integer",
            path,
            shown("boolean", ".spec.replicas"),
        ),
        stricter("column-date-of-integer", path, shown("date", ".spec.replicas")),
        stricter("column-date-of-day", path, shown("date", ".spec.day")),
        bad("column-type", Code::MarkerValue, shown("int", ".spec.replicas")),
        bad(
            "column-type-empty",
            Code::MarkerValue,
            shown("", ".spec.replicas"),
        ),
        good(
            "column-format",
            with_column(Column {
                format: Some("int32".to_owned()),
                ..column("integer", ".spec.replicas")
            }),
        ),
        bad(
            "column-format-unknown",
            Code::MarkerValue,
            with_column(Column {
                format: Some("i32".to_owned()),
                ..column("integer", ".spec.replicas")
            }),
        ),
        bad(
            "column-without-name",
            Code::MarkerValue,
            with_column(Column {
                name: String::new(),
                ..column("integer", ".spec.replicas")
            }),
        ),
        bad(
            "column-priority",
            Code::MarkerValue,
            with_column(Column {
                priority: Some(1 << 40),
                ..column("integer", ".spec.replicas")
            }),
        ),
    ]
}

fn others() -> Vec<Example> {
    let path = Code::JsonPath;
    let nine = [
        ".spec.name",
        ".spec.replicas",
        ".spec.tame",
        ".spec.born",
        ".spec.day",
        ".status.replicas",
        ".status.selector",
        ".kind",
        ".apiVersion",
    ];
    vec![
        good(
            "selectable",
            selectable(&[".spec.name", ".spec.replicas", ".spec.tame", ".spec.born"]),
        ),
        good("selectable-map", selectable(&[".spec.contacts.farrier"])),
        bad("selectable-empty", path, selectable(&[""])),
        bad("selectable-without-dot", path, selectable(&["spec.name"])),
        bad("selectable-unknown", path, selectable(&[".spec.nmae"])),
        bad("selectable-list", path, selectable(&[".spec.meals[0].name"])),
        bad("selectable-object", path, selectable(&[".spec.meals"])),
        bad("selectable-metadata", path, selectable(&[".metadata.name"])),
        bad("selectable-int-or-string", path, selectable(&[".spec.port"])),
        bad("selectable-open", path, selectable(&[".spec.open.x"])),
        bad(
            "selectable-twice",
            path,
            selectable(&[".spec.name", ".spec.name"]),
        ),
        good("selectable-eight", selectable(&nine[..8])),
        bad("selectable-nine", path, selectable(&nine)),
        good(
            "scale",
            scaled(".spec.replicas", ".status.replicas", Some(".status.selector")),
        ),
        good(
            "scale-without-selector",
            scaled(".spec.replicas", ".status.replicas", None),
        ),
        good("scale-open", scaled(".spec.open.x", ".status.replicas", None)),
        bad(
            "scale-outside-spec",
            path,
            scaled(".status.replicas", ".status.replicas", None),
        ),
        bad(
            "scale-outside-status",
            path,
            scaled(".spec.replicas", ".spec.replicas", None),
        ),
        bad(
            "scale-selector-outside",
            path,
            scaled(".spec.replicas", ".status.replicas", Some(".metadata.name")),
        ),
        bad("scale-empty", path, scaled("", ".status.replicas", None)),
        stricter(
            "scale-unknown",
            path,
            scaled(".spec.replcas", ".status.replicas", None),
        ),
        stricter(
            "scale-of-text",
            path,
            scaled(".spec.name", ".status.replicas", None),
        ),
        stricter(
            "scale-of-list",
            path,
            scaled(".spec.meals[0].grams", ".status.replicas", None),
        ),
        stricter(
            "scale-selector-of-integer",
            path,
            scaled(".spec.replicas", ".status.replicas", Some(".status.replicas")),
        ),
    ]
}

fn message(api: &Api) -> String {
    crate::tests::check(api)
        .into_iter()
        .map(|problem| problem.message)
        .collect()
}

#[test]
fn messages_show_the_way_and_a_near_miss() {
    insta::assert_snapshot!(message(&shown("string", ".spec.meals[*].nam")), @"the path `.spec.meals[*].nam` of the column `Column` is not valid: `.spec.meals[*]` has no field `nam`");
    insta::assert_snapshot!(message(&shown("string", ".spec.meals.name")), @"the path `.spec.meals.name` of the column `Column` is not valid: `.spec.meals` is a list, so `[*]` or an index must come before `.name`");
    insta::assert_snapshot!(message(&shown("boolean", ".spec.replicas")), @"the column `Column` has type `boolean`, but `.spec.replicas` is of type `integer` and format `int32`");
    insta::assert_snapshot!(message(&scaled(".spec.replcas", ".status.replicas", None)), @"the spec path `.spec.replcas` of the scale subresource is not valid: there is no field `replcas`");
}
