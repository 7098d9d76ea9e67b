//! Tests of the whole generator.

mod any_input;
mod problems;

use crate::rbac::tests::{cases, markers};

use super::{WebhookOptions, generate};

#[test]
fn webhook_cases() {
    cases::run("webhook", |api, lines| {
        let header = lines
            .iter()
            .find(|(name, _)| name == "header")
            .map(|(_, value)| value.clone());
        generate(api, &WebhookOptions { header })
    });
}

#[test]
fn no_webhook_means_no_file_and_no_problem() {
    let (artifacts, problems) = generate(&kgen_model::Api::default(), &WebhookOptions::default());
    assert!(artifacts.is_empty());
    assert!(problems.is_empty());
}

#[test]
fn markers_that_disagree_do_so_across_files() {
    let (mut api, mut files) = markers::read(
        "a.rs",
        "// +kubebuilder:webhookconfiguration:mutating=true,name=one\n",
    );
    markers::add(
        "b.rs",
        "// +kubebuilder:webhookconfiguration:mutating=true,name=two\n",
        &mut api,
        &mut files,
    );
    markers::add(
        "c.rs",
        "// +kubebuilder:webhookconfiguration:mutating=true,name=one\n",
        &mut api,
        &mut files,
    );
    let (_, problems) = generate(&api, &WebhookOptions::default());
    let errors: Vec<_> = problems.iter().filter(|problem| problem.is_error()).collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].span.map(|span| files.name(span.file)), Some("b.rs"));
    assert_eq!(
        errors[0].message,
        "the mutating webhooks are called `two` here and `one` elsewhere"
    );
}
