//! Every marker that constrains a value is on the pages in words.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use kgen_diagnostics::{Files, Problems, SourceFile};
use kgen_markers::{
    CommentLine, Definition, Position, Status, apply_to_schema, definitions, parse, read_marker,
    starts_marker,
};
use kgen_model::{Constraints, JsonType, Schema};

/// Schemas that markers may be on.
fn schemas() -> Vec<Schema> {
    let mut object = Schema::of_type(JsonType::Object);
    for name in ["name", "a", "b"] {
        object
            .properties
            .insert(name.to_owned(), Schema::of_type(JsonType::String).into());
    }
    let enumeration = Constraints {
        enumeration: Some(vec!["Red".into()]),
        ..Constraints::default()
    };
    vec![
        Schema::integer("int32"),
        Schema::of_type(JsonType::Number),
        Schema::of_type(JsonType::String),
        Schema {
            constraints: enumeration.into(),
            ..Schema::of_type(JsonType::String)
        },
        object.clone(),
        Schema::map_of(Schema::of_type(JsonType::String)),
        Schema::array_of(Schema::of_type(JsonType::String)),
        Schema::array_of(object),
    ]
}

/// Returns the schema after the example of a marker, if the marker fits it.
fn applied(definition: &Definition, base: &Schema, position: Position) -> Option<Schema> {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.rs", ""));
    let example = definition.example();
    let lines = example.lines().filter_map(|line| line.strip_prefix("// "));
    let mut markers = Vec::new();
    for text in lines.filter(|line| starts_marker(line)) {
        let (text, _) = read_marker(file, &[CommentLine { text, offset: 0 }]);
        markers.push(parse(&text, position).ok()??);
    }
    let (mut schema, mut problems) = (base.clone(), Problems::new());
    apply_to_schema(&markers, &mut schema, &mut problems);
    (problems.is_empty() && schema.without_places() != base.without_places()).then_some(schema)
}

/// Everything that the pages say about a value.
fn said(schema: &Schema) -> String {
    let rules: Vec<_> = schema.constraints.rules.iter().map(|rule| &rule.rule).collect();
    let kept = (
        schema.json_type,
        &schema.default,
        &schema.example,
        &schema.description,
        &schema.external_documentation,
    );
    let inner: Vec<_> = schema.properties.values().map(|part| said(part)).collect();
    let items = schema.items.as_deref().map(said);
    let values = schema.additional_properties.as_deref().map(said);
    format!(
        "{:?} {rules:?} {kept:?} {inner:?} {items:?} {values:?} {:?}",
        kgen_docs::words::constraints(schema),
        schema.required
    )
}

/// Markers that constrain nothing that a reader could violate, each with its reason.
const WITHOUT_WORDS: &[(&str, &str)] = &[
    ("kubebuilder:title", "a title is another name"),
    ("mapType", "`granular` is the default behavior"),
    ("structType", "`granular` is the default behavior"),
    ("kubebuilder:validation:XIntOrString", "the type says it"),
];

#[test]
fn every_marker_that_constrains_a_value_has_words() {
    let mut count = 0;
    let mut silent = Vec::new();
    for definition in definitions() {
        if matches!(definition.status, Status::Refused { .. }) {
            continue;
        }
        for position in [Position::Field, Position::Type] {
            for base in schemas().iter().filter(|_| definition.accepts(position)) {
                let Some(schema) = applied(definition, base, position) else {
                    continue;
                };
                count += 1;
                if said(&schema) == said(base) && !silent.contains(&definition.name) {
                    silent.push(definition.name);
                }
            }
        }
    }
    assert!(count > 100, "{count}");
    silent.retain(|name| !WITHOUT_WORDS.iter().any(|(known, _)| known == name));
    assert!(silent.is_empty(), "the pages say nothing about {silent:?}");
}
