//! Tests of the generator as a whole. The case folders show complete files.

mod grants;
mod merging;

use kgen_check::Part;
use kgen_diagnostics::{Files, Policy, Problems, SourceFile};
use kgen_model::Api;

use super::{RbacOptions, generate};
use crate::Artifact;

/// Returns the API of marker lines.
fn read(text: &str) -> Api {
    let file = Files::default().add(SourceFile::new("markers.txt", text));
    let (api, problems) = kgen_markers::read_api(file, text);
    assert!(problems.is_empty(), "{problems:?}");
    api
}

/// Generates from an API without problems.
fn generated(api: &Api, options: &RbacOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let checked = kgen_check::check(api, &[Part::AccessRules], Policy::STRICT, &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    generate(&checked.expect("an API without problems"), options)
}

#[test]
fn no_rule_means_no_file_and_no_problem() {
    let (artifacts, problems) = generated(&Api::default(), &RbacOptions::default());
    assert!(artifacts.is_empty());
    assert!(problems.is_empty());
}

#[test]
fn the_file_has_the_name_that_the_user_gives() {
    let api = read("+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\n");
    let name = |file_name: &str| {
        let options = RbacOptions {
            file_name: file_name.to_owned(),
            ..RbacOptions::default()
        };
        generated(&api, &options)
            .0
            .into_iter()
            .map(|artifact| artifact.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(name("access.yaml"), ["access.yaml"]);
    assert_eq!(name(""), ["role.yaml"]);
}
