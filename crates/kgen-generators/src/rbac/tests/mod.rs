//! Tests of the whole generator. The reader of markers and the runner of cases serve the webhook generator too.

pub(crate) mod cases;
mod grants;
pub(crate) mod markers;
mod merging;
mod problems;

use super::{RbacOptions, generate};

#[test]
fn rbac_cases() {
    cases::run("rbac", |api, lines| {
        let mut options = RbacOptions::default();
        for (name, value) in lines {
            match name.as_str() {
                "roleName" => options.role_name.clone_from(value),
                "fileName" => options.file_name.clone_from(value),
                "header" => options.header = Some(value.clone()),
                _ => panic!("no option is called `{name}`"),
            }
        }
        generate(api, &options)
    });
}

#[test]
fn no_rule_means_no_file_and_no_problem() {
    let (artifacts, problems) = generate(&kgen_model::Api::default(), &RbacOptions::default());
    assert!(artifacts.is_empty());
    assert!(problems.is_empty());
}

#[test]
fn the_file_has_the_name_that_the_user_gives() {
    let (api, _) = markers::read(
        "a.rs",
        "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\n",
    );
    let name = |file_name: &str| {
        let options = RbacOptions {
            file_name: file_name.to_owned(),
            ..RbacOptions::default()
        };
        generate(&api, &options)
            .0
            .into_iter()
            .map(|artifact| artifact.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(name("access.yaml"), ["access.yaml"]);
    assert_eq!(name(""), ["role.yaml"]);
}

#[test]
fn a_default_role_name_must_be_one_only_where_it_is_used() {
    let errors = |text: &str| {
        let (api, files) = markers::read("a.rs", text);
        let options = RbacOptions {
            role_name: "a/b".to_owned(),
            ..RbacOptions::default()
        };
        cases::shown(&generate(&api, &options).1, &files)
    };
    assert_eq!(
        errors("// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,roleName=own\n"),
        ""
    );
    assert_eq!(
        errors("// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\n"),
        "error[rbac-rule]\n  `a/b` cannot be the name of a role\n  \
         help: a role name is not empty, not `.` or `..`, and has no `/` and no `%`\n"
    );
}
