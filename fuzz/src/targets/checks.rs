//! Targets inside the checks: the input is one expression in an API that is correct otherwise.

use std::collections::BTreeMap;

use kgen_check::Part;
use kgen_diagnostics::{Files, Policy, Problems, SourceFile, Span, Spanned};
use kgen_model::{
    Api, Column, JsonType, KindStyle, KindVersion, Resource, ResourceNames, Rule, Schema, Scope,
};
use serde_json::json;

use super::Run;

fn place() -> Span {
    let mut files = Files::default();
    Span::new(files.add(SourceFile::new("api.rs", " ")), 0, 1)
}

/// Returns an object with a property of each sort.
fn object() -> Schema {
    let mut schema = Schema::of_type(JsonType::Object);
    let text = || Schema::of_type(JsonType::String);
    for (name, property) in [
        ("text", text()),
        ("number", Schema::integer("int64")),
        ("share", Schema::of_type(JsonType::Number)),
        ("on", Schema::of_type(JsonType::Boolean)),
        ("list", Schema::array_of(Schema::integer("int64"))),
        ("texts", Schema::array_of(text())),
        ("map", Schema::map_of(text())),
        ("port", Schema::int_or_string()),
        ("time", Schema::string_format("date-time")),
    ] {
        schema.properties.insert(name.to_owned(), property.into());
    }
    schema
}

/// Checks an API whose specification and columns a target chooses.
fn check(specification: Schema, columns: Vec<Spanned<Column>>) {
    let mut version = KindVersion::new(
        "pottery.example.org".to_owned(),
        "v1".to_owned(),
        "Kiln".to_owned(),
        KindStyle::WholeStruct,
        place(),
        "crate::Kiln".to_owned(),
    );
    version.schema = Schema::of_type(JsonType::Object);
    version
        .schema
        .properties
        .insert("spec".to_owned(), specification.into());
    version.columns = columns;
    let api = Api {
        resources: vec![Resource {
            group: version.group.clone(),
            kind: version.kind.clone(),
            names: ResourceNames {
                plural: "kilns".to_owned(),
                singular: "kiln".to_owned(),
                list_kind: "KilnList".to_owned(),
                short_names: Vec::new(),
                categories: Vec::new(),
            },
            scope: Scope::Namespaced,
            annotations: BTreeMap::new(),
            labels: BTreeMap::new(),
            versions: vec![version],
        }],
        ..Api::default()
    };
    let mut problems = Problems::new();
    let _ = kgen_check::check(&api, &[Part::AccessRules], Policy::STRICT, &mut problems);
}

/// Runs CEL: parsing, types, costs, and evaluation for a default.
pub(crate) fn cel() -> Run {
    Box::new(|text| {
        let mut schema = object();
        schema.constraints.rules.push(Rule {
            rule: text.to_owned(),
            message: None,
            message_expression: Some(text.to_owned()),
            reason: None,
            field_path: Some(".text".to_owned()),
            optional_old_self: None,
            span: Some(place()),
            expression_span: Some(place()),
            field_path_span: Some(place()),
            origins: kgen_model::RuleOrigins::default(),
        });
        schema.default = Some(json!({
            "text": "häfen,a", "number": 3, "share": 0.5, "on": true, "list": [1, 2, 3], "texts": ["a", "b"],
            "map": {"a": "b"}, "port": "http", "time": "2024-01-01T00:00:00Z",
        }));
        check(schema, Vec::new());
    })
}

/// Runs Go's regular expressions, with a default that they are matched with.
pub(crate) fn pattern() -> Run {
    Box::new(|text| {
        let mut schema = object();
        let mut property = Schema::of_type(JsonType::String);
        property.constraints.pattern = Some(text.to_owned());
        property.default = Some(json!("aaaaaaaaaaaaaaaaaaaaaaaa-1.2.3"));
        schema.properties.insert("text".to_owned(), property.into());
        check(schema, Vec::new());
    })
}

/// Runs the JSONPath of columns.
pub(crate) fn json_path() -> Run {
    Box::new(|text| {
        let column = Column {
            name: "Column".to_owned(),
            column_type: "string".to_owned(),
            json_path: Spanned::new(text.to_owned(), place()),
            description: None,
            format: None,
            priority: None,
        };
        check(object(), vec![Spanned::new(column, place())]);
    })
}
