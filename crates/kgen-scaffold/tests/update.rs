//! `kgen update` keeps the edits of the user, and adds the changes of newer templates.
//!
//! An older kgen is imitated: some lines of the templates are replaced in the record and in the files.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fs;
use std::path::Path;

use kgen_scaffold::{
    ApiOptions, Foreign, InitOptions, KgenSource, Scaffold, Style, Subject, WebhookOptions, create_api,
    create_webhook, init, update,
};

fn carry_out(scaffold: Scaffold) {
    scaffold.plan.carry_out().unwrap();
}

/// Creates a project without kinds.
fn begin(root: &Path, style: Style) {
    carry_out(
        init(
            &InitOptions {
                folder: ".".into(),
                domain: "example.com".to_owned(),
                name: Some("shop".to_owned()),
                style,
                source: KgenSource::Registry,
                license: None,
                force: Vec::new(),
            },
            root,
        )
        .unwrap(),
    );
}

/// Creates a project with a kind and its webhooks.
fn project(root: &Path, style: Style) {
    begin(root, style);
    let (group, version, kind) = ("webapp".to_owned(), "v1".to_owned(), "Guestbook".to_owned());
    let api = ApiOptions {
        subject: Subject::Own {
            group: group.clone(),
            version: version.clone(),
            kind: kind.clone(),
            plural: None,
            shorts: Vec::new(),
            cluster: false,
            no_types: false,
        },
        no_controller: false,
        force: Vec::new(),
    };
    carry_out(create_api(&api, root).unwrap());
    let webhook = WebhookOptions {
        group,
        version,
        kind,
        plural: None,
        defaulting: true,
        validation: true,
        conversion: false,
        foreign: None,
        force: Vec::new(),
    };
    carry_out(create_webhook(&webhook, root).unwrap());
}

/// Creates a project with controllers and webhooks of kinds that it does not define: those of Kubernetes and others.
fn project_of_others(root: &Path, style: Style) {
    begin(root, style);
    let foreign = Foreign {
        path: "cert_manager::v1".to_owned(),
        domain: None,
    };
    let (group, version) = ("cert-manager.io".to_owned(), "v1".to_owned());
    let subjects = [
        Subject::External("k8s_openapi::api::apps::v1::Deployment".to_owned()),
        Subject::Foreign {
            group: group.clone(),
            version: version.clone(),
            kind: "Issuer".to_owned(),
            plural: None,
            foreign: foreign.clone(),
        },
    ];
    for subject in subjects {
        let api = ApiOptions {
            subject,
            no_controller: false,
            force: Vec::new(),
        };
        carry_out(create_api(&api, root).unwrap());
    }
    for (group, kind, foreign) in [
        ("core", "Pod", None),
        (group.as_str(), "Certificate", Some(foreign)),
    ] {
        let webhook = WebhookOptions {
            group: group.to_owned(),
            version: version.clone(),
            kind: kind.to_owned(),
            plural: None,
            defaulting: true,
            validation: foreign.is_some(),
            conversion: false,
            foreign,
            force: Vec::new(),
        };
        carry_out(create_webhook(&webhook, root).unwrap());
    }
}

/// Adds a second version with another field, and the conversion between the versions.
fn convert(root: &Path) {
    let version = |name: &str| name.to_owned();
    let api = ApiOptions {
        subject: Subject::Own {
            group: "webapp".to_owned(),
            version: version("v2"),
            kind: "Guestbook".to_owned(),
            plural: None,
            shorts: Vec::new(),
            cluster: false,
            no_types: false,
        },
        no_controller: false,
        force: Vec::new(),
    };
    carry_out(create_api(&api, root).unwrap());
    let types = "src/api/webapp/v2/guestbook.rs";
    replace(
        root,
        types,
        "pub size:",
        "// +kgen:conversion:from=size\n    pub replicas:",
    );
    let webhook = WebhookOptions {
        group: "webapp".to_owned(),
        version: version("v2"),
        kind: "Guestbook".to_owned(),
        plural: None,
        defaulting: false,
        validation: false,
        conversion: true,
        foreign: None,
        force: Vec::new(),
    };
    carry_out(create_webhook(&webhook, root).unwrap());
}

/// Replaces text in a file, which must have it.
fn replace(root: &Path, file: &str, old: &str, new: &str) {
    let path = root.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{file} does not have {old:?}");
    fs::write(path, text.replace(old, new)).unwrap();
}

/// Makes a file look as if an older kgen wrote `old` where this one writes `new`.
fn age(root: &Path, set: &str, file: &str, new: &str, old: &str) {
    replace(root, file, new, old);
    replace(root, &format!(".kgen/scaffold/{set}/{file}"), new, old);
}

fn has(root: &Path, file: &str, text: &str) -> bool {
    fs::read_to_string(root.join(file)).unwrap().contains(text)
}

/// The edits of a user: file, text that kgen wrote, text of the user.
const EDITS: &[(&str, &str, &str)] = &[
    (
        "Makefile",
        "IMG ?= shop:latest",
        "IMG ?= registry.example/shop:v7",
    ),
    ("Makefile", "\tcargo fmt\n", "\tcargo +nightly fmt\n"),
    (
        "Cargo.toml",
        "anyhow = \"1\"\n",
        "anyhow = \"1\"\nbytes = \"1\"\n",
    ),
    ("Dockerfile", "USER 65532:65532\n", "USER 1000:1000\n"),
    ("README.md", "# shop\n", "# The shop\n"),
    (
        "src/main.rs",
        "const NAME: &str = \"shop\";",
        "const NAME: &str = \"my-shop\";",
    ),
    ("config/manager/manager.yaml", "replicas: 1", "replicas: 3"),
    ("config/manager/manager.yaml", "memory: 128Mi", "memory: 1Gi"),
    (
        "config/rbac/webapp_guestbook_viewer_role.yaml",
        "  - watch\n",
        "  - watch\n  # mine\n",
    ),
    (
        "config/webhook/service.yaml",
        "managed-by: kustomize",
        "managed-by: me",
    ),
];

/// The changes since an older kgen: set, file, text of this kgen, text of the older one.
const CHANGES: &[(&str, &str, &str, &str)] = &[
    (
        "project",
        "Makefile",
        "##@ Images (need Docker)\n",
        "##@ Images\n",
    ),
    (
        "project",
        "Cargo.toml",
        "edition = \"2024\"\n",
        "edition = \"2021\"\n",
    ),
    (
        "project",
        "Dockerfile",
        "# This image has no shell",
        "# It has no shell",
    ),
    (
        "project",
        "src/main.rs",
        "/// Starts logging to standard error.\n",
        "/// Logs.\n",
    ),
    (
        "project",
        "config/manager/manager.yaml",
        "initialDelaySeconds: 15",
        "initialDelaySeconds: 5",
    ),
    (
        "kind",
        "config/rbac/webapp_guestbook_viewer_role.yaml",
        "# Allows users to view",
        "# Users view",
    ),
    (
        "webhook-config",
        "config/webhook/service.yaml",
        "protocol: TCP",
        "protocol: UDP",
    ),
];

#[test]
fn every_edit_and_every_change_is_there() {
    for style in [Style::Kgen, Style::Kube] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        project(root, style);
        for (set, file, new, old) in CHANGES {
            age(root, set, file, new, old);
        }
        for (file, old, new) in EDITS {
            replace(root, file, old, new);
        }
        // A file of the older kgen that this one no longer writes.
        for file in [
            ".github/workflows/ci.yml",
            ".kgen/scaffold/project/.github/workflows/ci.yml",
        ] {
            fs::write(root.join(file), "name: ci\n").unwrap();
        }
        // A file that the user does not want.
        fs::remove_file(root.join("deny.toml")).unwrap();

        let scaffold = update(root).unwrap();
        assert_eq!(scaffold.conflicts, [""; 0]);
        scaffold.plan.carry_out().unwrap();

        for (file, _, new) in EDITS {
            assert!(has(root, file, new), "{file} lost {new:?}");
        }
        for (_, file, new, old) in CHANGES {
            assert!(has(root, file, new), "{file} lacks {new:?}");
            assert!(!has(root, file, old), "{file} still has {old:?}");
        }
        assert!(!root.join(".github/workflows/ci.yml").exists());
        assert!(!root.join("deny.toml").exists());
        let again = update(root).unwrap();
        assert_eq!(again.plan.differences().count(), 0, "{:?}", again.plan);
    }
}

#[test]
fn a_contradiction_gets_markers() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    project(root, Style::Kgen);
    let file = "config/manager/manager.yaml";
    age(root, "project", file, "replicas: 1", "replicas: 2");
    replace(root, file, "replicas: 2", "replicas: 3");
    let scaffold = update(root).unwrap();
    assert_eq!(scaffold.conflicts, [file]);
    scaffold.plan.carry_out().unwrap();
    let text = fs::read_to_string(root.join(file)).unwrap();
    let start = text.find("<<<<<<<").unwrap();
    let end = text.find(">>>>>>>").unwrap();
    insta::assert_snapshot!(text.get(start..end).unwrap(), @"
    <<<<<<< yours
      replicas: 3
    ||||||| as scaffolded
      replicas: 2
    =======
      replicas: 1
    ");
}

#[test]
fn a_project_without_a_record_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    project(folder.path(), Style::Kgen);
    fs::remove_dir_all(folder.path().join(".kgen")).unwrap();
    assert!(update(folder.path()).is_err());
}

/// The changes since an older kgen in the code for kinds of others: set, file, text of this kgen, text of the older one.
const CHANGES_OF_OTHERS: &[(&str, &str, &str, &str)] = &[
    (
        "webhook-config",
        "config/webhook/service.yaml",
        "protocol: TCP",
        "protocol: UDP",
    ),
    (
        "webhook-external",
        "src/webhook/core/v1/pod.rs",
        "/// Sets defaults.",
        "/// Defaults.",
    ),
    (
        "webhook-external",
        "src/webhook/cert_manager/v1/certificate.rs",
        "/// Checks objects.",
        "/// Checks.",
    ),
    (
        "external",
        "src/controller/apps/deployment.rs",
        "/// Adds the controller to `manager`.",
        "/// Adds it.",
    ),
    (
        "external",
        "src/controller/cert_manager/issuer.rs",
        "/// Adds the controller to `manager`.",
        "/// Adds it.",
    ),
];

#[test]
fn code_for_kinds_of_others_is_updated() {
    for style in [Style::Kgen, Style::Kube] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        project_of_others(root, style);
        assert_eq!(update(root).unwrap().plan.differences().count(), 0);
        for (set, file, new, old) in CHANGES_OF_OTHERS {
            let set = match *set {
                "external" => format!("external-{}", style.word()),
                set => set.to_owned(),
            };
            age(root, &set, file, new, old);
        }
        let edited = "src/webhook/core/v1/pod.rs";
        replace(root, edited, "\"true\".to_owned()", "\"yes\".to_owned()");
        let scaffold = update(root).unwrap();
        assert_eq!(scaffold.conflicts, [""; 0]);
        carry_out(scaffold);
        for (_, file, new, old) in CHANGES_OF_OTHERS {
            assert!(has(root, file, new), "{file} lacks {new:?}");
            assert!(!has(root, file, old), "{file} still has {old:?}");
        }
        assert!(has(root, edited, "\"yes\".to_owned()"), "{edited} lost an edit");
    }
}

#[test]
fn the_code_of_conversions_is_updated() {
    for style in [Style::Kgen, Style::Kube] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        project(root, style);
        convert(root);
        assert_eq!(update(root).unwrap().plan.differences().count(), 0);
        let changes = [
            (
                "conversion-code",
                "src/conversion/webapp/guestbook.rs",
                "/// Returns the conversion between",
                "/// The conversion between",
            ),
            (
                "conversion-config",
                "config/crd/kustomizeconfig.yaml",
                "kind: CustomResourceDefinition",
                "kind: Definition",
            ),
        ];
        for (set, file, new, old) in changes {
            age(root, set, file, new, old);
        }
        carry_out(update(root).unwrap());
        for (_, file, new, _) in changes {
            assert!(has(root, file, new), "{file} lacks {new:?}");
        }
    }
}
