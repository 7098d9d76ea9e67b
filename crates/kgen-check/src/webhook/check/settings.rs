//! The name of a webhook, its policies, its time limit and the versions of its reviews.

use kgen_diagnostics::words;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Report, text, texts};
use crate::kubernetes_names;
use crate::webhook::values;

pub(super) fn check(entry: &Map<String, Value>, report: &mut Report<'_>) {
    check_name(text(entry, "name"), report);
    let policies = [
        ("failurePolicy", values::FAILURE_POLICIES),
        ("matchPolicy", values::MATCH_POLICIES),
        ("reinvocationPolicy", values::REINVOCATION_POLICIES),
    ];
    for (key, known) in policies {
        if let Some(word) = entry
            .get(key)
            .and_then(Value::as_str)
            .filter(|word| !known.contains(word))
        {
            report.unknown_word(report.places.report(&[key]), &format!("`{key}`"), word, known);
        }
    }
    check_side_effects(entry, report);
    check_timeout(entry, report);
    check_review_versions(&texts(entry, "admissionReviewVersions"), report);
}

fn check_name(name: &str, report: &mut Report<'_>) {
    const EXAMPLE: &str = "use a domain that you own, as in `foos.example.com`";
    let path = &["name"];
    if name.is_empty() {
        report.error(path, "the webhook has no name", EXAMPLE);
    } else if !kubernetes_names::is_dns_subdomain(name) {
        report.error(
            path,
            format!("`{name}` cannot be the name of a webhook"),
            "use lowercase letters, digits, `-` and `.`; begin and end each part with a letter or digit; at most 253 characters",
        );
    } else if name.split('.').count() < 3 {
        report.error(
            path,
            format!("the name `{name}` has fewer than three parts between dots"),
            EXAMPLE,
        );
    }
}

fn check_side_effects(entry: &Map<String, Value>, report: &mut Report<'_>) {
    let path = &["sideEffects"];
    let known = values::SIDE_EFFECTS;
    match text(entry, "sideEffects") {
        "" => report.error(
            path,
            "the webhook does not declare its side effects",
            "add `sideEffects=None`, or `sideEffects=NoneOnDryRun` if it checks `dryRun`",
        ),
        word if known.contains(&word) => {}
        word if values::OLD_SIDE_EFFECTS.contains(&word) => report.error(
            path,
            format!("the API server does not accept a webhook with `sideEffects` `{word}`"),
            "write `NoneOnDryRun`, and avoid side effects when `dryRun` is set",
        ),
        word => report.unknown_word(report.places.report(path), "`sideEffects`", word, known),
    }
}

fn check_timeout(entry: &Map<String, Value>, report: &mut Report<'_>) {
    let Some(seconds) = entry.get("timeoutSeconds").and_then(Value::as_i64) else {
        return;
    };
    if !(1..=30).contains(&seconds) {
        report.error(
            &["timeoutSeconds"],
            format!("{seconds} is not a valid timeout of a webhook"),
            "write 1 to 30, or remove `timeoutSeconds` for the default 10",
        );
    }
}

fn check_review_versions(versions: &[&str], report: &mut Report<'_>) {
    let path = &["admissionReviewVersions"];
    let known = values::REVIEW_VERSIONS;
    if versions.is_empty() {
        report.error(
            path,
            "the webhook does not list a version of `AdmissionReview`",
            "add `admissionReviewVersions=v1`",
        );
        return;
    }
    let mut seen = BTreeSet::new();
    for version in versions {
        if !seen.insert(version) {
            report.error(
                path,
                format!("the `AdmissionReview` version `{version}` is given twice"),
                "write it once",
            );
        } else if !kubernetes_names::is_letter_label(version) {
            report.error(
                path,
                format!("`{version}` is not a valid `AdmissionReview` version"),
                format!("use one of {}", words::all_of(known.iter().copied())),
            );
        }
    }
    let unknown: Vec<&&str> = seen
        .into_iter()
        .filter(|version| kubernetes_names::is_letter_label(version) && !known.contains(version))
        .collect();
    if !versions.iter().any(|version| known.contains(version)) {
        report.error(
            path,
            format!(
                "the API server does not send `AdmissionReview` version {}",
                words::one_of(versions.iter().copied())
            ),
            format!("add one of {}", words::all_of(known.iter().copied())),
        );
        return;
    }
    for version in unknown {
        report.warning(
            path,
            format!("the API server does not send `AdmissionReview` version `{version}`"),
            |span| crate::text::meant(span, version, known.iter().copied()),
            format!(
                "remove it; the API server sends {}",
                words::all_of(known.iter().copied())
            ),
        );
    }
}
