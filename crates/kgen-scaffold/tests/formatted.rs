//! For every name of a kind, rustfmt does not change scaffolded or generated code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::error::Error;
use std::fmt::Debug;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use kgen_build::{Action, read_project_file};
use kgen_scaffold::{
    ApiOptions, InitOptions, KgenSource, Scaffold, Style, Subject, WebhookOptions, create_api,
    create_webhook, init,
};

fn carried_out(drafted: Result<Scaffold, impl Debug>) -> PathBuf {
    let scaffold = drafted.unwrap();
    assert_eq!(scaffold.advice, []);
    assert_eq!(scaffold.kept, [""; 0]);
    scaffold.plan.carry_out().unwrap();
    scaffold.project_file
}

/// The longest name of a kind.
const LONGEST: usize = 59;

/// How many kinds a project has. Every command reads the kinds that are there, so small projects take less time.
const KINDS: usize = 6;

/// Creates a project with kinds of these lengths, each second one of the cluster, and with all combinations of
/// webhooks.
fn grow(style: Style, lengths: RangeInclusive<usize>, folder: &Path) -> PathBuf {
    let file = carried_out(init(
        &InitOptions {
            folder: ".".into(),
            domain: "example.com".to_owned(),
            name: Some("shop".to_owned()),
            style,
            source: KgenSource::Registry,
            license: None,
            force: Vec::new(),
        },
        folder,
    ));
    for length in lengths {
        let kind = format!("K{}", "i".repeat(length - 1));
        carried_out(create_api(
            &ApiOptions {
                subject: Subject::Own {
                    group: "webapp".to_owned(),
                    version: "v1".to_owned(),
                    kind: kind.clone(),
                    plural: Some(format!("k{length}")),
                    shorts: Vec::new(),
                    cluster: length % 2 == 0,
                    no_types: false,
                },
                no_controller: false,
                force: Vec::new(),
            },
            folder,
        ));
        carried_out(create_webhook(
            &WebhookOptions {
                group: "webapp".to_owned(),
                version: "v1".to_owned(),
                kind,
                plural: None,
                defaulting: length % 3 != 0,
                validation: length % 3 != 1,
                conversion: false,
                foreign: None,
                force: Vec::new(),
            },
            folder,
        ));
    }
    file
}

fn check(style: Style) -> Result<(), Box<dyn Error>> {
    for shortest in (1..=LONGEST).step_by(KINDS) {
        check_lengths(style, shortest..=LONGEST.min(shortest + KINDS - 1))?;
    }
    Ok(())
}

fn check_lengths(style: Style, lengths: RangeInclusive<usize>) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = grow(style, lengths, folder.path());
    let mut configuration = read_project_file(&file, folder.path()).unwrap();
    configuration.action = Action::Write;
    let report = kgen_build::run(&configuration);
    assert!(!report.has_errors(), "{:?}", report.findings);
    let output = Command::new("rustfmt")
        .args(["--check", "--edition=2024", "src/main.rs", "src/lib.rs"])
        .current_dir(folder.path())
        .output()?;
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

#[test]
fn style_kgen() {
    check(Style::Kgen).unwrap();
}

#[test]
fn style_kube() {
    check(Style::Kube).unwrap();
}
