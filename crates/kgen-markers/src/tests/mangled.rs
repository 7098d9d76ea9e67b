//! No input makes the crate panic, and every problem is inside its text.

use kgen_diagnostics::Problems;
use kgen_model::Api;
use proptest::prelude::*;

use super::table::{example_lines, schemas};
use super::{file_id, kind_version};
use crate::{
    CommentLine, Position, apply_to_api, apply_to_kind, apply_to_schema, check_together, definitions,
    field_settings, module_settings, parse, read_marker, trailing, type_settings,
};

const POSITIONS: [Position; 3] = [Position::Module, Position::Kind, Position::Field];

/// Parses a text and applies the result to all nodes.
fn exercise(text: &str, lines: &[&str], everything: bool) {
    exercise_at(&POSITIONS, text, lines, everything);
}

fn exercise_at(positions: &[Position], text: &str, lines: &[&str], everything: bool) {
    let file = file_id();
    let mut offset = 0_u32;
    let comment: Vec<_> = std::iter::once(text)
        .chain(lines.iter().copied())
        .map(|text| {
            let line = CommentLine { text, offset };
            offset += u32::try_from(text.len()).unwrap() + 4;
            line
        })
        .collect();
    let (text, used) = read_marker(file, &comment);
    assert!(used >= 1 && used <= comment.len());
    assert!(text.whole().end <= offset);
    let _ = trailing(&text);
    for &position in positions {
        match parse(&text, position) {
            Ok(Some(marker)) if everything => {
                let markers = [marker.clone(), marker];
                let mut problems = Problems::new();
                check_together(&markers, &mut problems);
                for mut schema in schemas() {
                    apply_to_schema(&markers, &mut schema, &mut problems);
                }
                apply_to_kind(&markers, &mut kind_version(), &mut problems);
                apply_to_api(&markers, &mut Api::default(), &mut problems);
                let _ = (
                    module_settings(&markers),
                    type_settings(&markers),
                    field_settings(&markers),
                );
                problems
                    .iter()
                    .for_each(|problem| assert!(problem.span.is_none_or(|span| span.end <= offset)));
            }
            Ok(_) => {}
            Err(problem) => {
                super::check_wording(&problem);
                let span = problem.span.expect("a place");
                assert!(span.end <= offset, "{problem:?}");
            }
        }
    }
}

#[test]
fn examples_cut_off_at_every_byte() {
    for definition in definitions() {
        for line in example_lines(definition) {
            for (end, _) in line.char_indices() {
                // Half a name is unknown everywhere.
                let positions = if end <= definition.name.len() {
                    &POSITIONS[..1]
                } else {
                    &POSITIONS
                };
                exercise_at(positions, &line[..end], &[], true);
            }
        }
    }
}

#[test]
fn examples_with_a_character_changed_at_every_byte() {
    let changes = [
        "", "\"", "`", "'", "{", "}", "[", "(", ")", ",", ";", "=", ":", " ", "\\", "é", "0", "-",
    ];
    for definition in definitions()
        .iter()
        .filter(|definition| definition.family.word != "go")
    {
        for line in example_lines(definition) {
            // Names are all read by the same code, and long lines repeat themselves.
            let step = 1 + line.len() / 60;
            for (at, old) in line.char_indices().skip(definition.name.len()).step_by(step) {
                for new in changes {
                    let mangled = format!("{}{new}{}", &line[..at], &line[at + old.len_utf8()..]);
                    exercise_at(&POSITIONS[1..], &mangled, &["}\"` text", "])"], false);
                }
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    for opening in ["{", "[", "{a:", "\"", "("] {
        exercise(
            &format!("+kubebuilder:default={}", opening.repeat(100_000)),
            &[],
            false,
        );
        exercise(&format!("+default={}", opening.repeat(100_000)), &[], false);
    }
    exercise(
        &format!("+{}k8s:maxLength=5", "k8s:eachVal=+".repeat(50_000)),
        &[],
        false,
    );
    exercise(&format!("+{}", "a:".repeat(100_000)), &[], false);
}

proptest! {
    #[test]
    fn any_text_behind_a_name(index in 0_usize..200, value in "\\PC{0,40}") {
        let definition = &definitions()[index % definitions().len()];
        exercise(&format!("+{}={value}", definition.name), &["x"], true);
        exercise(&format!("+{}:{value}", definition.name), &["x"], true);
        exercise(&format!("+{}{value}", definition.name), &["x"], true);
    }

    #[test]
    fn any_punctuation_as_a_default(value in "[\"'`{}\\[\\](),;:= a1\\\\.-]{0,24}") {
        exercise(&format!("+kubebuilder:default={value}"), &["\"", "}"], true);
        exercise(&format!("+default={value}"), &["\"", "}"], true);
        exercise(&format!("+kubebuilder:validation:Enum={value}"), &["\"", "}"], true);
        exercise(&format!("+kubebuilder:webhook:matchConditions={value}"), &["\"", "}"], true);
    }

    #[test]
    fn any_text_at_all(text in "\\PC{0,60}") {
        exercise(&format!("+{text}"), &["more"], true);
    }
}
