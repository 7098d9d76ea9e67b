//! The other direction: every effect of a marker can be written, and is read again.

use kgen_diagnostics::Problems;
use kgen_model::{Resource, ResourceNames, Schema, Scope};

use super::table::{example_lines_at, positions, schemas};
use super::{file_id, kind_version, marker};
use crate::write::{
    KindGap, ModuleGap, Reach, SchemaGap, access_lines, kind_lines, module_lines, schema_lines,
    webhook_configuration_line, webhook_line,
};
use crate::{Position, Status, apply_to_kind, apply_to_schema, definitions, module_settings, read_api};

/// Returns every marker that is not refused, at every position, with its examples there.
fn examples() -> impl Iterator<Item = (&'static str, Vec<String>, Position)> {
    definitions()
        .iter()
        .filter(|definition| !matches!(definition.status, Status::Refused { .. }))
        .flat_map(|definition| {
            let positions = positions(definition).into_iter();
            positions.map(|at| (definition.name, example_lines_at(definition, at), at))
        })
}

#[test]
fn every_marker_is_written_as_it_is_read() {
    for (name, lines, position) in examples() {
        for line in lines {
            let first = marker(&line, position);
            let written = format!("+{}", first.written());
            let again = marker(&written, position);
            assert_eq!(again.written(), first.written(), "{name}: {line}");
            assert_eq!(again.definition().name, first.definition().name);
        }
    }
}

#[test]
fn every_effect_on_a_schema_is_written() {
    let mut count = 0;
    let of_schemas = |position: &Position| matches!(position, Position::Field | Position::Type);
    for (name, lines, position) in examples().filter(|(.., position)| of_schemas(position)) {
        for base in schemas() {
            // An API server has no merge strategy for a value without a type.
            if name == "structType" && base.json_type.is_none() {
                continue;
            }
            let Some(wanted) = applied(&lines, &base, position) else {
                continue;
            };
            if wanted == base.without_places() {
                continue;
            }
            for reach in [Reach::Own, Reach::Items, Reach::Values] {
                let gap = SchemaGap {
                    wanted: &wanted,
                    base: &base,
                };
                // The markers of fields inside of the node are not part of the gap.
                if name == "k8s:subfield" || name == "k8s:eachVal" {
                    continue;
                }
                let written = schema_lines(&gap, reach);
                let wrap = |schema: &Schema| match reach {
                    Reach::Own => schema.clone(),
                    Reach::Items => Schema::array_of(schema.clone()),
                    Reach::Values => Schema::map_of(schema.clone()),
                };
                let found = applied(&written, &wrap(&base), Position::Field);
                assert_eq!(found, Some(wrap(&wanted)), "{name}: {written:?}");
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count}");
}

fn applied(lines: &[String], base: &Schema, position: Position) -> Option<Schema> {
    let markers: Vec<_> = lines.iter().map(|line| marker(line, position)).collect();
    let (mut schema, mut problems) = (base.clone(), Problems::new());
    apply_to_schema(&markers, &mut schema, &mut problems);
    problems.is_empty().then(|| schema.without_places())
}

#[test]
fn every_effect_on_a_kind_is_written() {
    let mut written_names = Vec::new();
    for (name, lines, _) in examples().filter(|(.., position)| *position == Position::Kind) {
        let markers: Vec<_> = lines.iter().map(|line| marker(line, Position::Kind)).collect();
        let (mut kind, mut problems) = (kind_version(), Problems::new());
        apply_to_kind(&markers, &mut kind, &mut problems);
        let facts = |kind: &kgen_model::KindVersion| {
            format!(
                "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
                kind.kind,
                kind.plural.as_ref().map(|text| &text.value),
                kind.singular.as_ref().map(|text| &text.value),
                kind.list_kind.as_ref().map(|text| &text.value),
                kind.short_names
                    .iter()
                    .map(|text| &text.value)
                    .collect::<Vec<_>>(),
                kind.categories.iter().map(|text| &text.value).collect::<Vec<_>>(),
                kind.scope
                    .as_ref()
                    .map(|scope| scope.value)
                    .filter(|scope| *scope == Scope::Cluster),
                kind.annotations
                    .iter()
                    .map(|(key, value, _)| (key, value))
                    .collect::<Vec<_>>(),
                kind.labels
                    .iter()
                    .map(|(key, value, _)| (key, value))
                    .collect::<Vec<_>>(),
                kind.status_subresource.is_some(),
                kind.scale
                    .as_ref()
                    .map(|scale| [&scale.value.spec_path.value, &scale.value.status_path.value]),
                kind.columns
                    .iter()
                    .map(|column| (&column.value.name, &column.value.json_path.value))
                    .collect::<Vec<_>>(),
                kind.selectable_fields
                    .iter()
                    .map(|path| &path.value)
                    .collect::<Vec<_>>(),
                kind.storage.is_some(),
                kind.unserved.is_some(),
                kind.deprecation.as_ref().map(|deprecation| &deprecation.warning),
                kind.skipped,
            )
        };
        if facts(&kind) == facts(&kind_version()) {
            continue;
        }
        let resource = Resource {
            group: kind.group.clone(),
            kind: kind.kind.clone(),
            names: ResourceNames {
                plural: kind
                    .plural
                    .clone()
                    .map_or_else(|| kgen_model::plural(&kind.kind), |text| text.value),
                singular: kind
                    .singular
                    .clone()
                    .map_or_else(|| kind.kind.to_lowercase(), |text| text.value),
                list_kind: kind
                    .list_kind
                    .clone()
                    .map_or_else(|| format!("{}List", kind.kind), |text| text.value),
                short_names: kind.short_names.iter().map(|text| text.value.clone()).collect(),
                categories: kind.categories.iter().map(|text| text.value.clone()).collect(),
            },
            scope: kind.scope.as_ref().map(|scope| scope.value).unwrap_or_default(),
            annotations: kind
                .annotations
                .iter()
                .map(|(key, value, _)| (key.clone(), value.clone()))
                .collect(),
            labels: kind
                .labels
                .iter()
                .map(|(key, value, _)| (key.clone(), value.clone()))
                .collect(),
            versions: vec![kind.clone(), kind.clone()],
        };
        let rust_name = kind_version().kind;
        let lines = kind_lines(&KindGap {
            resource: &resource,
            version: &kind,
            rust_name: &rust_name,
            needs_marker: false,
        });
        let markers: Vec<_> = lines.iter().map(|line| marker(line, Position::Kind)).collect();
        let mut again = kind_version();
        apply_to_kind(&markers, &mut again, &mut problems);
        let wanted = facts(&kind);
        // A name that is the default needs no marker.
        if name != "kubebuilder:resource" {
            assert_eq!(facts(&again), wanted, "{name}: {lines:?}");
        }
        assert!(!lines.is_empty(), "{name}");
        written_names.push(name);
    }
    assert_eq!(written_names.len(), 11, "{written_names:?}");
}

#[test]
fn groups_and_versions_are_written() {
    let lines = module_lines(&ModuleGap {
        group: Some("example.com"),
        version: Some("v1"),
    });
    let markers: Vec<_> = lines.iter().map(|line| marker(line, Position::Module)).collect();
    let settings = module_settings(&markers);
    assert_eq!(settings.group.unwrap().value, "example.com");
    assert_eq!(settings.version.unwrap().value, "v1");
}

#[test]
fn any_text_is_written_and_read_again() {
    for text in [
        "",
        "plain",
        "two words",
        "a;b,c}d",
        "`",
        "\"",
        "\\d+",
        "\\d`+",
        "tab\tline\nend",
        "\u{202e}x\u{7}",
        "+marker",
        "// a",
        "{{x}}",
        "'single'",
        "true",
        "5",
        "ünïcode",
        "a # b",
        "x\r\ny",
        "https://example.com/a?b=c",
    ] {
        let wanted = Schema {
            description: Some(text.to_owned()),
            title: Some(text.into()),
            ..Schema::default()
        };
        let base = Schema {
            description: Some("other".to_owned()),
            ..Schema::default()
        };
        let lines = schema_lines(
            &SchemaGap {
                wanted: &wanted,
                base: &base,
            },
            Reach::Own,
        );
        let found = applied(&lines, &base, Position::Field).unwrap();
        assert_eq!(found.description.unwrap_or_default(), text, "{lines:?}");
        assert_eq!(found.title.unwrap_or_default(), text.into(), "{lines:?}");
        let mut wanted = Schema::default();
        let values = vec![
            text.into(),
            serde_json::json!({text: [text, 1.5, null, true]}),
            serde_json::Value::Null,
            7.into(),
        ];
        wanted.constraints.enumeration = Some(values);
        wanted.default = Some(serde_json::json!([text, {text: text}]));
        let lines = schema_lines(
            &SchemaGap {
                wanted: &wanted,
                base: &Schema::default(),
            },
            Reach::Own,
        );
        assert_eq!(
            applied(&lines, &Schema::default(), Position::Field),
            Some(wanted),
            "{lines:?}"
        );
    }
}

#[test]
fn rules_and_webhooks_are_written() {
    let text = r#"+kubebuilder:rbac:groups="";apps,resources=pods;pods/log,resourceNames=a;b,verbs=get;list
+kgen:allow=rbac-wildcard
+kubebuilder:rbac:groups=*,resources=*,verbs=*
+kubebuilder:rbac:urls=/metrics,verbs=get,namespace=infra,roleName=reader
+kubebuilder:webhook:path=/validate,mutating=false,failurePolicy=fail,sideEffects=None,groups=example.com,resources=foos,verbs=create;update,versions=v1,name=foos.example.com,admissionReviewVersions=v1,timeoutSeconds=5,matchPolicy=Exact,serviceName=other,servicePort=8443,patch={"objectSelector": {"matchLabels": {"a": "b"}}}
+kubebuilder:webhookconfiguration:mutating=false,name=mine
"#;
    let (api, problems) = read_api(file_id(), text);
    assert!(problems.is_empty(), "{problems:?}");
    let lines: Vec<String> = api
        .access_rules
        .iter()
        .flat_map(access_lines)
        .chain(api.webhooks.iter().map(webhook_line))
        .chain(api.webhook_configurations.iter().map(webhook_configuration_line))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
    let (again, problems) = read_api(file_id(), &(lines.join("\n") + "\n"));
    assert!(problems.is_empty(), "{problems:?}");
    let written: Vec<String> = again
        .access_rules
        .iter()
        .flat_map(access_lines)
        .chain(again.webhooks.iter().map(webhook_line))
        .chain(
            again
                .webhook_configurations
                .iter()
                .map(webhook_configuration_line),
        )
        .collect();
    assert_eq!(written, lines);
}
