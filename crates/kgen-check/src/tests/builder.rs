//! Small models for tests: a kind `Foo` in `example.com`, of which a test changes one thing.

use std::collections::BTreeMap;

use kgen_diagnostics::{Files, SourceFile, Span, Spanned};
use kgen_model::{
    Api, Column, Constraints, JsonType, KindStyle, KindVersion, Resource, ResourceNames, Rule, Schema, Scope,
};
use serde_json::Value;

/// Returns a place in the only file of the tests. Places with different numbers are different.
pub(crate) fn place(number: u32) -> Span {
    let mut files = Files::default();
    Span::new(files.add(SourceFile::new("api.rs", "")), number, number + 1)
}

/// Returns a value at a place.
pub(crate) fn at<T>(value: T) -> Spanned<T> {
    Spanned::new(value, place(7))
}

/// Returns an object with these properties, all optional.
pub(crate) fn object<const N: usize>(properties: [(&str, Schema); N]) -> Schema {
    let properties = properties
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema.into()));
    Schema {
        properties: properties.collect(),
        ..Schema::of_type(JsonType::Object)
    }
}

/// Returns the same object, in which these properties are required.
pub(crate) fn require<const N: usize>(names: [&str; N], mut schema: Schema) -> Schema {
    schema.required = names.map(str::to_owned).into();
    schema
}

/// Changes a schema a little.
pub(crate) fn with(mut schema: Schema, change: impl FnOnce(&mut Schema)) -> Schema {
    change(&mut schema);
    schema
}

/// Returns the schema of a string.
pub(crate) fn text() -> Schema {
    Schema::of_type(JsonType::String)
}

/// Returns the schema of an integer of 32 bits.
pub(crate) fn number() -> Schema {
    Schema::integer("int32")
}

/// Returns the schema of a string that matches a pattern.
pub(crate) fn pattern(pattern: &str) -> Schema {
    with(text(), |schema| {
        schema.constraints.pattern = Some(pattern.to_owned())
    })
}

/// Returns a schema with an enumeration.
pub(crate) fn enumeration(schema: Schema, values: Value) -> Schema {
    with(schema, |schema| {
        schema.constraints.enumeration = values.as_array().cloned()
    })
}

/// Returns an object with a required field, a list and a number.
pub(crate) fn crew() -> Schema {
    require(
        ["captain"],
        object([
            ("captain", text()),
            ("mates", Schema::array_of(text())),
            ("age", number()),
        ]),
    )
}

/// Returns the schema of a string that is narrowed.
pub(crate) fn limited(change: impl FnOnce(&mut Constraints)) -> Schema {
    with(text(), |schema| change(&mut schema.constraints))
}

/// Returns a schema with a default.
pub(crate) fn defaulted(schema: Schema, default: Value) -> Schema {
    with(schema, |schema| schema.default = Some(default))
}

/// Returns a version of `Foo` whose schema has these properties.
pub(crate) fn version<const N: usize>(name: &str, properties: [(&str, Schema); N]) -> KindVersion {
    KindVersion {
        schema: object(properties),
        ..KindVersion::new(
            "example.com".to_owned(),
            name.to_owned(),
            "Foo".to_owned(),
            KindStyle::WholeStruct,
            place(1),
            "api::Foo".to_owned(),
        )
    }
}

/// Returns a resource with these versions.
pub(crate) fn resource(versions: Vec<KindVersion>) -> Resource {
    Resource {
        group: "example.com".to_owned(),
        kind: "Foo".to_owned(),
        names: ResourceNames {
            plural: "foos".to_owned(),
            singular: "foo".to_owned(),
            list_kind: "FooList".to_owned(),
            short_names: Vec::new(),
            categories: Vec::new(),
        },
        scope: Scope::Namespaced,
        annotations: BTreeMap::new(),
        labels: BTreeMap::new(),
        versions,
    }
}

/// Returns an API with one resource of one version, whose `spec` has these properties.
pub(crate) fn spec<const N: usize>(properties: [(&str, Schema); N]) -> Api {
    of_version(version("v1", [("spec", object(properties))]))
}

/// Returns an API with one resource of this version.
pub(crate) fn of_version(version: KindVersion) -> Api {
    of_resource(resource(vec![version]))
}

/// Returns an API with this resource.
pub(crate) fn of_resource(resource: Resource) -> Api {
    Api {
        resources: vec![resource],
        ..Api::default()
    }
}

/// Returns an API whose only field is this schema.
pub(crate) fn field(schema: Schema) -> Api {
    spec([("field", schema)])
}

/// Returns a rule at a place.
pub(crate) fn rule(text: &str) -> Rule {
    Rule {
        rule: text.to_owned(),
        span: Some(place(9)),
        ..Rule::default()
    }
}

/// Returns a schema with one rule.
pub(crate) fn ruled(schema: Schema, rule: Rule) -> Schema {
    with(schema, |schema| schema.constraints.rules.push(rule))
}

/// Returns a column.
pub(crate) fn column(column_type: &str, json_path: &str) -> Column {
    Column {
        name: "Column".to_owned(),
        column_type: column_type.to_owned(),
        json_path: at(json_path.to_owned()),
        description: None,
        format: None,
        priority: None,
    }
}
