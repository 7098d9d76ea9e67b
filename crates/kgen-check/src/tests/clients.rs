//! Markers of clients that contradict their kind.

use kgen_diagnostics::{Code, Policy, Problems, Severity};

use super::builder;
use crate::KUBE_DERIVE;

#[test]
fn without_a_client_its_markers_are_tolerated() {
    let mut version = builder::version("v1", []);
    version.client.wanted = Some(builder::place(1));
    version.client.non_namespaced = Some(builder::place(2));
    let api = builder::of_version(version);
    for (policy, severity) in [
        (Policy::STRICT, Severity::Error),
        (KUBE_DERIVE, Severity::Warning),
    ] {
        let mut problems = Problems::new();
        let checked = crate::check(&api, &[], policy, &mut problems);
        let found: Vec<_> = problems
            .iter()
            .map(|problem| (problem.code, problem.severity))
            .collect();
        assert_eq!(found, [(Code::ClientMarker, severity)]);
        assert_eq!(checked.is_some(), severity == Severity::Warning);
    }
}
