//! The table itself: nothing in it is double, undocumented or untrue.

use std::collections::BTreeSet;

use kgen_diagnostics::Problems;
use kgen_model::{Api, Constraints, JsonType, Schema};

use super::kind_version;
use crate::{
    CommentLine, Definition, Marker, Position, Status, apply_to_api, apply_to_kind, apply_to_schema,
    check_together, definitions, field_settings, module_settings, parse, read_marker, starts_marker,
    type_settings, variant_conversion,
};

#[test]
fn names_are_unique_and_well_formed() {
    let mut names = BTreeSet::new();
    for definition in definitions() {
        assert!(
            names.insert(definition.name),
            "{} is declared twice",
            definition.name
        );
        assert!(!definition.name.ends_with(':') && !definition.name.contains(char::is_whitespace));
        let mut keys = BTreeSet::new();
        assert!(
            definition
                .arguments
                .iter()
                .all(|argument| keys.insert(argument.key)),
            "{}",
            definition.name
        );
    }
}

#[test]
fn documentation_is_made_of_sentences() {
    let sentence =
        |text: &str| text.starts_with(|c: char| c.is_uppercase() || c == '`') && text.ends_with('.');
    for definition in definitions() {
        assert!(
            sentence(&definition.summary()),
            "{}: {:?}",
            definition.name,
            definition.summary()
        );
        let details = definition.details();
        assert!(
            details.is_empty() || sentence(&details),
            "{}: {details:?}",
            definition.name
        );
        for argument in definition.arguments {
            assert!(
                sentence(&argument.help()),
                "{} {}: {:?}",
                definition.name,
                argument.key,
                argument.help()
            );
        }
    }
}

#[test]
fn replacements_and_contradictions_exist_and_are_no_aliases_of_aliases() {
    let find = |name: &str| definitions().iter().find(|definition| definition.name == name);
    for definition in definitions() {
        if let Status::Deprecated { replacement } = definition.status {
            let replacement = find(replacement).expect(replacement);
            assert_eq!(replacement.status, Status::Stable, "{}", definition.name);
        }
        for name in definition.contradicts {
            assert!(
                find(name).is_some(),
                "{} contradicts {name}, which does not exist",
                definition.name
            );
        }
    }
}

#[test]
fn validations_have_an_items_form() {
    let with_items: Vec<_> = definitions()
        .iter()
        .filter(|definition| definition.items)
        .collect();
    assert_eq!(with_items.len(), 28);
    assert!(with_items.iter().all(|definition| matches!(
        definition.family.word,
        "validation" | "combination" | "documentation"
    )));
    assert!(
        definitions()
            .iter()
            .filter(|definition| definition.family.word == "validation")
            .all(|d| d.items)
    );
}

/// Returns the markers of an example, which must be the documented one among others.
pub(super) fn example_lines(definition: &Definition) -> Vec<String> {
    let example = definition.example();
    let lines: Vec<_> = example
        .lines()
        .filter_map(|line| line.strip_prefix("//! ").or_else(|| line.strip_prefix("// ")))
        .filter(|line| starts_marker(line))
        .map(str::to_owned)
        .collect();
    assert!(
        lines.iter().any(|line| line[1..].starts_with(definition.name)),
        "{}",
        definition.name
    );
    lines
}

/// Returns the lines of an example that are for a position. Only a marker with other arguments on kinds than on fields has lines
/// for each of them.
pub(super) fn example_lines_at(definition: &Definition, position: Position) -> Vec<String> {
    let mut lines = example_lines(definition);
    if definition.name == "operator-sdk:csv:customresourcedefinitions" {
        lines.retain(|line| line.contains("type=") == (position == Position::Field));
    }
    assert!(
        !lines.is_empty(),
        "{} has no example for {position:?}",
        definition.name
    );
    lines
}

pub(super) fn positions(definition: &Definition) -> Vec<Position> {
    [
        Position::Module,
        Position::Kind,
        Position::Type,
        Position::Field,
        Position::Variant,
        Position::Nothing,
    ]
    .into_iter()
    .filter(|position| definition.accepts(*position))
    .collect()
}

fn read_all(definition: &Definition, position: Position) -> Vec<Marker> {
    let file = super::file_id();
    let lines = example_lines_at(definition, position);
    lines
        .iter()
        .map(|text| {
            let (text, _) = read_marker(file, &[CommentLine { text, offset: 0 }]);
            parse(&text, position)
                .unwrap_or_else(|problem| panic!("{}: {problem:?}", definition.name))
                .unwrap()
        })
        .collect()
}

#[test]
fn every_example_is_read_and_does_something_without_a_problem() {
    for definition in definitions() {
        if matches!(definition.status, Status::Refused { .. }) {
            continue;
        }
        let possible = positions(definition);
        assert!(!possible.is_empty(), "{}", definition.name);
        for position in possible {
            let markers = read_all(definition, position);
            let mut problems = Problems::new();
            check_together(&markers, &mut problems);
            assert!(problems.is_empty(), "{}: {problems:?}", definition.name);
            let changes = apply_everywhere(&markers);
            if definition.status == Status::Stable && position != Position::Module {
                assert!(changes, "{} changes nothing at {position:?}", definition.name);
            }
        }
    }
}

/// Nodes of every kind; an example must fit one.
pub(super) fn schemas() -> Vec<Schema> {
    let enumeration = Constraints {
        enumeration: Some(vec!["Red".into()]),
        ..Constraints::default()
    };
    let short = Constraints {
        max_length: Some(10),
        ..Constraints::default()
    };
    let mut with_name = Schema::of_type(JsonType::Object);
    with_name
        .properties
        .insert("name".to_owned(), Schema::of_type(JsonType::String).into());
    vec![
        Schema::integer("int32"),
        Schema::of_type(JsonType::String),
        Schema {
            constraints: enumeration.into(),
            ..Schema::of_type(JsonType::String)
        },
        Schema {
            constraints: short.into(),
            ..Schema::of_type(JsonType::String)
        },
        with_name.clone(),
        Schema::map_of(Schema::of_type(JsonType::String)),
        Schema::array_of(Schema::of_type(JsonType::String)),
        Schema::array_of(with_name),
        Schema::anything(),
    ]
}

/// Applies markers to all there is; whether anything changed without a problem.
fn apply_everywhere(markers: &[Marker]) -> bool {
    let fits_a_schema = schemas().into_iter().any(|before| {
        let (mut after, mut problems) = (before.clone(), Problems::new());
        apply_to_schema(markers, &mut after, &mut problems);
        // An enumeration that says it is one stays as it is.
        let redundant = markers.iter().any(|marker| marker.name() == "k8s:enum");
        problems.is_empty() && (after != before || redundant && before.constraints.enumeration.is_some())
    });
    let (mut kind, mut api, mut problems) = (kind_version(), Api::default(), Problems::new());
    apply_to_kind(markers, &mut kind, &mut problems);
    apply_to_api(markers, &mut api, &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    let settings = format!(
        "{:?}{:?}{:?}{:?}",
        module_settings(markers),
        type_settings(markers),
        field_settings(markers),
        variant_conversion(markers)
    );
    let nothing = format!(
        "{:?}{:?}{:?}{:?}",
        module_settings(&[]),
        type_settings(&[]),
        field_settings(&[]),
        variant_conversion(&[])
    );
    fits_a_schema
        || format!("{kind:?}") != format!("{:?}", kind_version())
        || format!("{api:?}") != format!("{:?}", Api::default())
        || settings != nothing
}

#[test]
fn refused_markers_are_refused_everywhere_in_every_form() {
    for definition in definitions() {
        let Status::Refused { .. } = definition.status else {
            continue;
        };
        for line in example_lines(definition) {
            let (code, underlined) = super::refused(&line, Position::Field);
            assert_eq!(code, kgen_diagnostics::Code::InapplicableMarker, "{line}");
            assert_eq!(underlined, definition.name);
        }
    }
}

#[test]
fn a_suggestion_is_the_same_when_it_is_asked_for_again() {
    for (name, near) in [
        (
            "kubebuilder:validation:Minimun",
            Some("kubebuilder:validation:Minimum"),
        ),
        ("kubebuilder:Minimum", Some("kubebuilder:validation:Minimum")),
        (
            "kubebuilder:validation:MINIMUM",
            Some("kubebuilder:validation:Minimum"),
        ),
        ("something:else:entirely", None),
    ] {
        for _ in 0..2 {
            assert_eq!(crate::table::suggest(name).map(|near| near.name), near, "{name}");
        }
    }
}
