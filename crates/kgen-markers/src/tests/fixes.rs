//! The fixes of mistakes in markers: what they make of the text, and whether that is a marker without a mistake.

use kgen_diagnostics::Problem;

use super::{Line, line};
use crate::{Position, parse};

/// Returns the marker after the first fix of its problem, and whether the fix is certain.
fn fixed(text: &str, position: Position) -> Option<(String, bool)> {
    let line: Line = line(text);
    let problem: Problem = parse(&line.text, position).expect_err(text);
    let fix = problem.fixes.first()?;
    let mut whole = format!("// {text}");
    let mut edits: Vec<_> = fix
        .edits
        .iter()
        .map(|edit| edit.resolve(&line.files).expect(text))
        .collect();
    edits.sort_by_key(|edit| edit.span.start);
    for edit in edits.iter().rev() {
        whole.replace_range(edit.span.range(), &edit.replacement);
    }
    let text = whole.strip_prefix("// ").expect("the comment stays").to_owned();
    Some((text, fix.is_certain()))
}

#[test]
fn certain_fixes_lead_to_markers_without_mistakes() {
    for (position, wrong, right) in [
        (
            Position::Field,
            "+kubebuilder:validation:MaxLenght=4",
            "+kubebuilder:validation:MaxLength=4",
        ),
        (Position::Field, "+optinal", "+optional"),
        (Position::Field, "+listtype=set", "+listType=set"),
        (Position::Field, "+listType=atomc", "+listType=atomic"),
        (Position::Field, "+listType=\"atomc\"", "+listType=\"atomic\""),
        (
            Position::Kind,
            "+kubebuilder:resource:shortNames=t",
            "+kubebuilder:resource:shortName=t",
        ),
        (
            Position::Kind,
            "+kubebuilder:resource:scope=\"cluster\"",
            "+kubebuilder:resource:scope=\"Cluster\"",
        ),
        (
            Position::Kind,
            "+kubebuilder:selectablefield=.spec.name",
            "+kubebuilder:selectablefield:JSONPath=.spec.name",
        ),
        (
            Position::Kind,
            "+genclient:onlyVerbs=get;list",
            "+genclient:onlyVerbs=get,list",
        ),
        (
            Position::Field,
            "+kubebuilder:default='red'",
            "+kubebuilder:default=\"red\"",
        ),
        (
            Position::Field,
            "+kubebuilder:default = 5",
            "+kubebuilder:default=5",
        ),
        (Position::Field, "+optional=true", "+optional"),
        (Position::Field, "+nullable:", "+nullable"),
        (
            Position::Field,
            "+kubebuilder:title=5",
            "+kubebuilder:title=\"5\"",
        ),
        (
            Position::Field,
            "+kubebuilder:validation:MaxLength=\"4\"",
            "+kubebuilder:validation:MaxLength=4",
        ),
        (
            Position::Field,
            r#"+kubebuilder:validation:Pattern="^\d+\.\d+\\$""#,
            r#"+kubebuilder:validation:Pattern="^\\d+\\.\\d+\\$""#,
        ),
        (
            Position::Field,
            "+kubebuilder:validation:Pattern=\"^a",
            "+kubebuilder:validation:Pattern=\"^a\"",
        ),
    ] {
        assert_eq!(fixed(wrong, position), Some((right.to_owned(), true)), "{wrong}");
        assert!(parse(&line(right).text, position).is_ok(), "{right}");
    }
}

#[test]
fn fixes_that_may_be_wrong_are_not_certain() {
    for (position, wrong) in [
        // One of two names may be meant.
        (Position::Kind, "+kubebuilder:subresource"),
        // The name is right, but its beginning is that of others.
        (Position::Field, "+kubebuilder:validation:items:items:MaxLength=4"),
        (Position::Kind, "+kubebuilder:shortname=t"),
        // `\b` may be meant as the boundary of a word, or as the character that it is.
        (Position::Field, r#"+kubebuilder:validation:Pattern="\b\d""#),
        (Position::Field, r#"+kubebuilder:validation:Pattern="\x4""#),
        // The value may go on where the quote is missing.
        (Position::Field, "+kubebuilder:validation:Pattern=\"^a b"),
        (Position::Field, "+kubebuilder:default=null"),
    ] {
        let (text, certain) = fixed(wrong, position).expect(wrong);
        assert!(!certain, "{wrong} would become {text}");
    }
}

#[test]
fn what_has_two_meanings_has_no_fix() {
    for wrong in [
        "+optional=false",
        "+kubebuilder:validation:MaxLength=five",
        "+optional or not",
    ] {
        assert_eq!(fixed(wrong, Position::Field), None, "{wrong}");
    }
}
