//! `kgen init --license`: all source files begin with the license, whatever command wrote them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fs;
use std::path::{Path, PathBuf};

use kgen_scaffold::{
    ApiOptions, DeleteOptions, InitOptions, KgenSource, License, Scaffold, Style, Subject, WebhookOptions,
    create_api, create_webhook, delete_api, delete_webhook, init, update,
};

const GROUP: &str = "webapp";
const VERSION: &str = "v1";
const KIND: &str = "Guestbook";

/// Writes the files of a command, and those that the generators make of them.
fn carry_out(scaffold: &Scaffold, folder: &Path) {
    let generated = scaffold.generate(folder).unwrap();
    assert!(!generated.has_errors(), "{:?}", generated.findings);
    assert_eq!(scaffold.left, []);
    scaffold.plan.followed_by(&generated.plan).carry_out().unwrap();
}

fn begin(folder: &Path, style: Style, license: &str) {
    let options = InitOptions {
        folder: ".".into(),
        domain: "example.com".to_owned(),
        name: Some("shop".to_owned()),
        style,
        source: KgenSource::Registry,
        license: License::of(license, Some("The Shop Authors".to_owned())),
        force: Vec::new(),
    };
    carry_out(&init(&options, folder).unwrap(), folder);
}

fn grow(folder: &Path) {
    let api = ApiOptions {
        subject: Subject::Own {
            group: GROUP.to_owned(),
            version: VERSION.to_owned(),
            kind: KIND.to_owned(),
            plural: None,
            shorts: Vec::new(),
            cluster: false,
            no_types: false,
        },
        no_controller: false,
        force: Vec::new(),
    };
    carry_out(&create_api(&api, folder).unwrap(), folder);
    for (group, kind) in [(GROUP, KIND), ("core", "Pod")] {
        let webhook = WebhookOptions {
            group: group.to_owned(),
            version: VERSION.to_owned(),
            kind: kind.to_owned(),
            plural: None,
            defaulting: true,
            validation: true,
            conversion: false,
            foreign: None,
            force: Vec::new(),
        };
        carry_out(&create_webhook(&webhook, folder).unwrap(), folder);
    }
}

/// Returns the source files of a project, apart from the record.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for part in ["src", "tests"] {
        files.extend(kgen_build::files_below(&folder.join(part)).unwrap());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files
}

#[test]
fn all_source_files_begin_with_the_license() {
    for style in [Style::Kgen, Style::Kube] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        begin(root, style, "apache2");
        let before = sources(root);
        grow(root);
        let found = sources(root);
        assert!(found.len() >= 15, "{found:?}");
        for file in &found {
            let text = fs::read_to_string(file).unwrap();
            let head: Vec<&str> = text.lines().take(4).collect();
            assert!(
                head.contains(&"// Copyright The Shop Authors."),
                "{} begins with {head:?}",
                file.display()
            );
            assert!(text.contains("Apache License, Version 2.0"), "{}", file.display());
        }
        let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("license = \"Apache-2.0\"\n"), "{manifest}");
        assert_eq!(update(root).unwrap().plan.differences().count(), 0);

        // Nothing that kgen wrote counts as edited.
        for (group, kind) in [("core", "Pod"), (GROUP, KIND)] {
            let options = DeleteOptions {
                group: group.to_owned(),
                version: VERSION.to_owned(),
                kind: kind.to_owned(),
            };
            carry_out(&delete_webhook(&options, root).unwrap(), root);
            if kind == KIND {
                carry_out(&delete_api(&options, root).unwrap(), root);
            }
        }
        assert_eq!(sources(root), before);
    }
}

#[test]
fn a_changed_header_reaches_all_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    begin(root, Style::Kgen, "copyright");
    grow(root);
    let header = root.join("hack/boilerplate.rs.txt");
    assert_eq!(
        fs::read_to_string(&header).unwrap(),
        "// Copyright The Shop Authors.\n"
    );
    fs::write(&header, "// Copyright Somebody else.\n").unwrap();
    carry_out(&update(root).unwrap(), root);
    let main = fs::read_to_string(root.join("src/main.rs")).unwrap();
    assert!(main.starts_with("// Copyright Somebody else.\n\n//! "), "{main}");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(!manifest.contains("license ="), "{manifest}");
}
