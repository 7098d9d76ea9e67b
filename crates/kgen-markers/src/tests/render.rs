//! `kgen markers` and the reference page.

use kgen_diagnostics::Code;

use crate::{definitions, render_json, render_markdown, render_text, select};

#[test]
fn all_markers_are_listed_in_every_form() {
    let all = select(None).unwrap();
    let (text, json, markdown) = (render_text(&all), render_json(&all), render_markdown(&all));
    let parsed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(parsed["markers"].as_array().unwrap().len(), definitions().len());
    for definition in definitions() {
        assert!(
            text.contains(&format!("  +{} ", definition.name)),
            "{}",
            definition.name
        );
        assert!(
            markdown.contains(&format!("### `{}`", definition.name)),
            "{}",
            definition.name
        );
    }
    assert!(text.lines().all(|line| line == line.trim_end()));
    assert!(markdown.lines().all(|line| line == line.trim_end()));
}

#[test]
fn one_marker_in_full() {
    let text = render_text(&select(Some("+kubebuilder:validation:Maximum")).unwrap());
    insta::assert_snapshot!(text, @"
    +kubebuilder:validation:Maximum=<number>

    Maximum of a number.

    Arguments:
      the value  The bound, which is inclusive unless `ExclusiveMaximum` is set. (number)

    Allowed on a type or on a field.
    For the items of a list: +kubebuilder:validation:items:Maximum

    Example:
      // +kubebuilder:validation:Maximum=100
      pub percent: i32,
    ");
    let syntax = |name: &str| select(Some(name)).unwrap().markers[0].syntax();
    assert_eq!(syntax("k8s:subfield"), "+k8s:subfield(<name>)=<marker>");
    assert_eq!(
        syntax("kubebuilder:selectablefield"),
        "+kubebuilder:selectablefield:JSONPath=<string>"
    );
    assert_eq!(
        syntax("genclient:onlyVerbs"),
        "+genclient:onlyVerbs=<verbs, separated by commas>"
    );
}

#[test]
fn families_prefixes_and_misspellings() {
    let count = |name: &str| select(Some(name)).unwrap().markers.len();
    assert_eq!(count("validation"), 21);
    assert_eq!(count("rbac"), 2);
    assert!(count("kubebuilder") > 30);
    assert_eq!(count("kubebuilder:validation:items:MaxLength"), 1);
    assert_eq!(count("genclient"), 1);
    let problem = select(Some("kubebuilder:validation:MaxLenght")).unwrap_err();
    assert_eq!(problem.code, Code::UnknownMarker);
    assert_eq!(
        problem.help[0],
        "did you mean `kubebuilder:validation:MaxLength`?"
    );
    assert!(select(Some("validaton")).unwrap_err().help[0].contains("`validation`"));
    assert!(select(Some("")).is_err());
    let names = |name: &str| -> Vec<&str> {
        let found = select(Some(name)).unwrap();
        found.markers.iter().map(|marker| marker.name).collect()
    };
    assert_eq!(
        names("minimum"),
        ["kubebuilder:validation:Minimum", "k8s:minimum"]
    );
    assert_eq!(names("XValidation"), ["kubebuilder:validation:XValidation"]);
    assert!(select(Some("XValidation")).unwrap().in_full);
}
