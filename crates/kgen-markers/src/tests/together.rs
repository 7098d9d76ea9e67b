//! Repetitions and contradictions.

use kgen_diagnostics::{Code, Problems};

use super::markers;
use crate::{Position, check_together};

fn codes(position: Position, texts: &[&str]) -> Vec<Code> {
    let mut problems = Problems::new();
    check_together(&markers(texts, position), &mut problems);
    for problem in problems.iter() {
        super::check_wording(problem);
        assert_eq!(problem.related.len(), 1);
    }
    problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn single_valued_markers_stand_once() {
    let field = Position::Field;
    assert_eq!(codes(field, &["+optional", "+optional"]), [Code::RepeatedMarker]);
    let length = "+kubebuilder:validation:MaxLength=5";
    let items = "+kubebuilder:validation:items:MaxLength=5";
    assert_eq!(codes(field, &[length, length]), [Code::RepeatedMarker]);
    assert_eq!(codes(field, &[items, items]), [Code::RepeatedMarker]);
    assert_eq!(codes(field, &[length, items]), []);
    assert_eq!(
        codes(field, &["+listMapKey=a", "+listMapKey=a"]),
        [Code::RepeatedMarker]
    );
    let rule = "+kubebuilder:validation:XValidation:rule=\"true\"";
    assert_eq!(codes(field, &[rule, rule, "+listMapKey=a", "+listMapKey=b"]), []);
    assert_eq!(
        codes(
            Position::Kind,
            &[
                "+kubebuilder:resource:path=a",
                "+kubebuilder:resource:scope=Cluster"
            ]
        ),
        [Code::RepeatedMarker]
    );
}

#[test]
fn opposites_contradict() {
    let field = Position::Field;
    for optional in ["+optional", "+k8s:optional", "+kubebuilder:validation:Optional"] {
        for required in ["+required", "+k8s:required", "+kubebuilder:validation:Required"] {
            assert_eq!(codes(field, &[optional, required]), [Code::ContradictingMarkers]);
            assert_eq!(codes(field, &[required, optional]), [Code::ContradictingMarkers]);
        }
    }
    assert_eq!(
        codes(field, &["+optional", "+kubebuilder:validation:Optional"]),
        []
    );
    assert_eq!(
        codes(field, &["+k8s:forbidden", "+required"]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(field, &["+listType=map", "+k8s:listType=map"]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(field, &["+default=1", "+kubebuilder:default=1"]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(field, &["+kubebuilder:validation:Minimum=1", "+k8s:minimum=1"]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(field, &["+mapType=atomic", "+structType=atomic"]),
        [Code::ContradictingMarkers]
    );
    let kind = Position::Kind;
    assert_eq!(
        codes(kind, &["+genclient:onlyVerbs=get", "+genclient:skipVerbs=list"]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(kind, &["+genclient:noVerbs", "+genclient:readonly"]),
        [Code::ContradictingMarkers]
    );
    assert_eq!(
        codes(kind, &["+genclient:readonly", "+genclient:onlyVerbs=get"]),
        []
    );
    assert_eq!(
        codes(kind, &["+kubebuilder:storageversion", "+kubebuilder:skipversion"]),
        [Code::ContradictingMarkers]
    );
}
