//! Whole documents, compared with the files in `testdata/crd`.

use std::path::Path;

use kgen_diagnostics::{Code, Policy, Problems};
use kgen_golden::Goldens;
use kgen_model::{
    Api, Column, Constraints, Deprecation, ExternalDocumentation, JsonType, KindVersion, ListType, MapType,
    Number, Resource, Rule, Scale, Schema, Scope,
};
use serde_json::json;

use super::CrdOptions;
use crate::Artifact;
use builder::{at, column, number, object, of_version, place, require, resource, rule, text, version, with};

/// The builder of the checks' own tests.
#[path = "../../../kgen-check/src/tests/builder.rs"]
#[allow(dead_code, reason = "these tests need only some of it")]
mod builder;

/// Checks an API and generates its definitions, as a run does.
fn generate(api: &Api, options: &CrdOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let checked = kgen_check::check(api, &[], Policy::STRICT, &mut problems).unwrap();
    let (artifacts, found) = super::generate(&checked, options);
    problems.extend(found);
    (artifacts, problems)
}

/// Generates the text of an API without problems.
fn document(api: &Api, options: &CrdOptions) -> String {
    let (artifacts, problems) = generate(api, options);
    assert!(problems.is_empty(), "{problems:#?}");
    artifacts.iter().map(|artifact| artifact.text.as_str()).collect()
}

fn described(schema: Schema, description: &str) -> Schema {
    Schema {
        description: Some(description.to_owned()),
        ..schema
    }
}

/// Returns a schema with one field for each keyword.
fn everything() -> Schema {
    let text_bounds = Constraints {
        min_length: Some(1),
        max_length: Some(5),
        pattern: Some("^[a-z]*$".to_owned()),
        ..Constraints::default()
    };
    let number_bounds = Constraints {
        minimum: Some(Number::Integer(0)),
        exclusive_minimum: true,
        maximum: Some(Number::Integer(100)),
        exclusive_maximum: true,
        multiple_of: Some(Number::Integer(5)),
        ..Constraints::default()
    };
    let fraction_bounds = Constraints {
        minimum: Some(Number::Float(-0.5)),
        maximum: Some(Number::Float(1_234_567.5)),
        ..Constraints::default()
    };
    let documentation = ExternalDocumentation {
        url: "https://example.com".to_owned(),
        description: Some("More".to_owned()),
    };
    let port = require(["port"], object([("port", number()), ("name", text())]));
    object([
        ("anything", Schema::anything()),
        (
            "choice",
            with(object([("a", text()), ("b", text())]), |schema| {
                *schema.one_of = vec![
                    require(["a"], Schema::default()),
                    require(["b"], Schema::default()),
                ];
                schema.not = Some(require(["a", "b"], Schema::default()).into());
            }),
        ),
        (
            "defaulted",
            Schema {
                default: Some(json!({"a": "x", "b": [1, 2.0]})),
                ..with(Schema::anything(), |schema| {
                    schema.json_type = Some(JsonType::Object)
                })
            },
        ),
        (
            "documented",
            Schema {
                title: Some("Title".into()),
                external_documentation: Some(Box::new(documentation)),
                example: Some(Box::new(json!("an example"))),
                ..described(text(), "First line.\n\nLast line.")
            },
        ),
        (
            "embedded",
            Schema {
                embedded_resource: true,
                preserve_unknown_fields: true,
                ..object([])
            },
        ),
        ("empty", object([])),
        (
            "enumeration",
            Schema {
                constraints: Constraints {
                    enumeration: Some(vec![json!("yes"), json!("no")]),
                    ..Constraints::default()
                }
                .into(),
                ..text()
            },
        ),
        (
            "fraction",
            Schema {
                constraints: fraction_bounds.into(),
                ..Schema::of_type(JsonType::Number)
            },
        ),
        ("intOrString", Schema::int_or_string()),
        (
            "list",
            with(Schema::array_of(text()), |schema| {
                schema.constraints.min_items = Some(0);
                schema.constraints.max_items = Some(3);
                schema.list_type = Some(ListType::Set);
            }),
        ),
        (
            "map",
            with(Schema::map_of(Schema::integer("int64")), |schema| {
                schema.constraints.min_properties = Some(1);
                schema.constraints.max_properties = Some(3);
                schema.map_type = Some(MapType::Atomic);
            }),
        ),
        (
            "nullable",
            Schema {
                nullable: true,
                default: Some(serde_json::Value::Null),
                ..text()
            },
        ),
        (
            "number",
            Schema {
                constraints: number_bounds.into(),
                ..number()
            },
        ),
        (
            "ports",
            Schema {
                list_type: Some(ListType::Map),
                list_map_keys: vec!["port".to_owned()].into(),
                ..Schema::array_of(port)
            },
        ),
        (
            "rules",
            with(object([("a", text())]), |schema| {
                schema.constraints.rules = vec![
                    rule("has(self.a)"),
                    Rule {
                        message: Some("never changes".to_owned()),
                        message_expression: Some("'it was ' + oldSelf.a".to_owned()),
                        reason: Some("FieldValueForbidden".to_owned()),
                        field_path: Some(".a".to_owned()),
                        optional_old_self: Some(false),
                        ..rule("self.a == oldSelf.a")
                    },
                ];
            }),
        ),
        (
            "text",
            Schema {
                constraints: text_bounds.into(),
                ..text()
            },
        ),
        ("time", Schema::string_format("date-time")),
        (
            "twoPatterns",
            with(text(), |schema| {
                let part = |pattern: &str| {
                    with(Schema::default(), |part| {
                        part.constraints.pattern = Some(pattern.to_owned())
                    })
                };
                schema.constraints.all_of = vec![part("^a"), part("b$")];
            }),
        ),
    ])
}

fn widget() -> Resource {
    let spec = described(
        require(
            ["size"],
            object([("size", described(number(), "How large. In metres."))]),
        ),
        "What is wanted.",
    );
    let mut first = version("v1beta1", [("spec", spec.clone())]);
    first.deprecation = Some(Deprecation {
        warning: None,
        span: place(3),
    });
    first.unserved = Some(place(4));
    let mut second = version("v1", [("spec", spec.clone())]);
    second.storage = Some(place(5));
    second.columns = vec![at(Column {
        description: Some("How large".to_owned()),
        format: Some("int32".to_owned()),
        priority: Some(1),
        ..column("integer", ".spec.size")
    })];
    let status = object([("size", number()), ("selector", text())]);
    let mut third = version("v10", [("spec", spec), ("status", status)]);
    third.deprecation = Some(Deprecation {
        warning: Some("use v1".to_owned()),
        span: place(3),
    });
    third.status_subresource = Some(place(6));
    third.scale = Some(at(Scale {
        spec_path: at(".spec.size".to_owned()),
        status_path: at(".status.size".to_owned()),
        selector_path: Some(at(".status.selector".to_owned())),
    }));
    third.selectable_fields = vec![at(".spec.size".to_owned())];
    third.columns = vec![at(Column {
        priority: Some(0),
        ..column("date", ".metadata.creationTimestamp")
    })];
    let mut skipped = version("v0", [("spec", Schema::default())]);
    skipped.skipped = true;
    let mut widget = resource(vec![first, third, second, skipped]);
    widget.scope = Scope::Cluster;
    widget
        .annotations
        .insert("example.com/owner".to_owned(), "me".to_owned());
    widget.labels.insert("app".to_owned(), "widgets".to_owned());
    widget.names.short_names = vec!["wi".to_owned(), "wd".to_owned()];
    widget.names.categories = vec!["all".to_owned()];
    widget
}

fn api(resource: Resource) -> Api {
    Api {
        resources: vec![resource],
        ..Api::default()
    }
}

#[test]
fn documents_are_those_in_testdata() {
    let plain = CrdOptions::default();
    let limited = |length| CrdOptions {
        max_description_length: Some(length),
        ..CrdOptions::default()
    };
    let smallest = of_version(version("v1", []));
    let schema = of_version(version("v1", [("spec", everything())]));
    let documents = [
        ("everything.yaml", document(&schema, &plain)),
        (
            "header.yaml",
            document(&smallest, &with_header("# Copyright 2030.\n")),
        ),
        ("no-descriptions.yaml", document(&api(widget()), &limited(0))),
        ("resource.yaml", document(&api(widget()), &plain)),
        ("short-descriptions.yaml", document(&api(widget()), &limited(12))),
        ("smallest.yaml", document(&smallest, &plain)),
    ];
    let documents = documents.map(|(name, text)| (name.to_owned(), text.into_bytes()));
    let mut goldens = Goldens::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crd");
    goldens.compare(&folder, &documents.into()).unwrap();
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}

fn with_header(header: &str) -> CrdOptions {
    CrdOptions {
        header: Some(header.to_owned()),
        preserve_unknown_fields: Some(false),
        ..CrdOptions::default()
    }
}

#[test]
fn a_header_may_lack_its_last_line_break() {
    let smallest = of_version(version("v1", []));
    assert_eq!(
        document(&smallest, &with_header("# Copyright 2030.")),
        document(&smallest, &with_header("# Copyright 2030.\n"))
    );
}

#[test]
fn artifacts_are_named_and_ordered_by_kind_and_group() {
    let named = |kind: &str, group: &str| {
        let mut resource = resource(vec![version("v1", [])]);
        resource.kind = kind.to_owned();
        resource.group = group.to_owned();
        resource.names.list_kind = format!("{kind}List");
        resource.names.plural = format!("{}s", kind.to_lowercase());
        resource.names.singular = kind.to_lowercase();
        resource
    };
    let resources = vec![
        named("B", "a.com"),
        named("A", "z.com"),
        named("A", "b.com"),
        named("AB", "a.com"),
    ];
    let (artifacts, _) = generate(
        &Api {
            resources,
            ..Api::default()
        },
        &CrdOptions::default(),
    );
    let names: Vec<_> = artifacts.iter().map(|artifact| artifact.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "b.com_as.yaml",
            "z.com_as.yaml",
            "a.com_abs.yaml",
            "a.com_bs.yaml"
        ]
    );
    assert!(artifacts.iter().all(|artifact| artifact.generator == "crd"));
}

#[test]
fn unknown_fields_cannot_be_kept_everywhere() {
    let options = CrdOptions {
        preserve_unknown_fields: Some(true),
        ..CrdOptions::default()
    };
    let (artifacts, problems) = generate(&of_version(version("v1", [])), &options);
    assert!(artifacts.is_empty());
    assert_eq!(
        problems.iter().map(|problem| problem.code).collect::<Vec<_>>(),
        [Code::Usage]
    );
}

#[test]
fn a_kind_whose_versions_are_all_skipped_has_no_artifact() {
    let version = KindVersion {
        skipped: true,
        ..version("v1", [])
    };
    let (artifacts, problems) = generate(&of_version(version), &CrdOptions::default());
    assert!(artifacts.is_empty() && !problems.has_errors());
}

#[test]
fn large_documents_are_reported_with_what_makes_them_large() {
    let large = |length: usize| described(text(), &"x".repeat(length));
    let pod = object([(
        "containers",
        Schema::array_of(object([("a", large(90_000)), ("b", large(80_000))])),
    )]);
    let spec = object([("pod", pod), ("small", large(100)), ("other", large(100_000))]);
    let (artifacts, problems) = generate(
        &of_version(version("v1", [("spec", spec)])),
        &CrdOptions::default(),
    );
    assert_eq!(artifacts.len(), 1, "it is a warning");
    let problem = problems.iter().next().unwrap();
    assert_eq!(problem.code, Code::DocumentSize);
    assert!(!problem.is_error());
    let bytes = artifacts[0].text.len();
    assert_eq!(
        problem.message,
        format!("the CRD of `Foo` has {bytes} bytes, more than the 262144 that `kubectl apply` can store")
    );
    assert_eq!(
        problem.help,
        [
            "`v1.spec.other` has 100034 bytes as JSON",
            "`v1.spec.pod.containers[*].a` has 90034 bytes as JSON",
            "`v1.spec.pod.containers[*].b` has 80034 bytes as JSON",
            "shorten descriptions with `crd:maxDescLen=…`, or apply the file with `kubectl apply --server-side`",
        ]
    );
}
