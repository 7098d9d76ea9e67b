//! The names that a command writes are those that the generators write, however the user spells the types.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use kgen_build::ChangeAction;
use kgen_diagnostics::Code;
use kgen_scaffold::{
    ApiOptions, InitOptions, KgenSource, Refusal, Scaffold, Style, Subject, WebhookOptions, create_api,
    create_webhook, init,
};

const TYPES: &str = "src/api/webapp/v1/guestbook.rs";

fn begin(style: Style, folder: &Path) {
    let options = InitOptions {
        folder: ".".into(),
        domain: "example.com".to_owned(),
        name: Some("shop".to_owned()),
        style,
        source: KgenSource::Registry,
        license: None,
        force: Vec::new(),
    };
    write(init(&options, folder));
}

fn write(drafted: Result<Scaffold, impl Debug>) {
    drafted.unwrap().plan.carry_out().unwrap();
}

/// The arguments of `kgen create api` for the kind of these tests.
struct Api {
    version: &'static str,
    plural: Option<&'static str>,
    cluster: bool,
    no_types: bool,
    force: &'static [&'static str],
}

const API: Api = Api {
    version: "v1",
    plural: None,
    cluster: false,
    no_types: false,
    force: &[],
};

impl Api {
    fn create(&self, folder: &Path) -> Result<Scaffold, Refusal> {
        let options = ApiOptions {
            subject: Subject::Own {
                group: "webapp".to_owned(),
                version: self.version.to_owned(),
                kind: "Guestbook".to_owned(),
                plural: self.plural.map(str::to_owned),
                shorts: Vec::new(),
                cluster: self.cluster,
                no_types: self.no_types,
            },
            no_controller: !self.no_types,
            force: self.force.iter().map(Into::into).collect(),
        };
        create_api(&options, folder)
    }
}

fn webhook(plural: Option<&str>, folder: &Path) -> Result<Scaffold, Refusal> {
    let options = WebhookOptions {
        group: "webapp".to_owned(),
        version: "v1".to_owned(),
        kind: "Guestbook".to_owned(),
        plural: plural.map(str::to_owned),
        defaulting: false,
        validation: true,
        conversion: false,
        foreign: None,
        force: Vec::new(),
    };
    create_webhook(&options, folder)
}

/// Returns the text that a command would write to a file.
fn text(drafted: Result<Scaffold, Refusal>, file: &str) -> String {
    let plan = drafted.unwrap().plan;
    let change = plan.changes.into_iter().find(|change| change.name == file);
    match change.unwrap().action {
        ChangeAction::Create { new } | ChangeAction::Update { new, .. } => new,
        other => panic!("{other:?}"),
    }
}

fn messages(drafted: Result<Scaffold, Refusal>) -> Vec<String> {
    let Refusal(findings) = drafted.unwrap_err();
    let problems = findings.iter().flat_map(|findings| findings.problems.iter());
    problems.map(|problem| problem.message.clone()).collect()
}

fn replace(folder: &Path, old: &str, new: &str) {
    let path = folder.join(TYPES);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{old} is not in {text}");
    fs::write(path, text.replace(old, new)).unwrap();
}

/// The style, the text that the templates have, and another one with the same meaning.
const SPELLINGS: &[(Style, &str, &str)] = &[
    (
        Style::Kgen,
        "// +kubebuilder:resource:path=books",
        "/// +kubebuilder:resource:path=books",
    ),
    (
        Style::Kgen,
        "// +kubebuilder:resource:path=books",
        "//+kubebuilder:resource:path=\"books\"",
    ),
    (Style::Kube, "#[kube(\n    group = ", "#[kube(group = "),
    (Style::Kube, "    plural = \"books\",\n", "    plural=\"books\", "),
    (
        Style::Kube,
        "    plural = \"books\",\n",
        "    plural /* many */ = \"books\",\n",
    ),
];

#[test]
fn webhooks_are_for_the_resource_that_the_types_define() {
    for (style, old, new) in SPELLINGS {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        begin(*style, folder);
        let plural = Some("books");
        write(Api { plural, ..API }.create(folder));
        replace(folder, old, new);
        let code = text(webhook(None, folder), "src/webhook/webapp/v1/guestbook.rs");
        assert!(code.contains(",resources=books,"), "{new}: {code}");
    }
}

#[test]
fn another_version_has_the_names_and_the_scope_of_the_first() {
    for (style, old, new) in SPELLINGS {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        begin(*style, folder);
        let plural = Some("books");
        write(
            Api {
                plural,
                cluster: true,
                ..API
            }
            .create(folder),
        );
        replace(folder, old, new);
        let types = text(
            Api { version: "v2", ..API }.create(folder),
            "src/api/webapp/v2/guestbook.rs",
        );
        // The types are copied as they are written.
        let is_copied = match style {
            Style::Kgen => types.contains(&format!("{new},scope=Cluster")),
            Style::Kube => {
                types.contains("plural") && types.contains("\"books\"") && !types.contains("namespaced")
            }
        };
        assert!(is_copied, "{new}: {types}");
    }
}

#[test]
fn a_controller_for_present_types_has_their_plural() {
    for style in [Style::Kgen, Style::Kube] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        begin(style, folder);
        let plural = Some("books");
        write(Api { plural, ..API }.create(folder));
        let drafted = Api {
            no_types: true,
            ..API
        }
        .create(folder);
        let code = text(drafted, "src/controller/webapp/guestbook.rs");
        assert!(code.contains("resources=books,"), "{code}");
    }
}

#[test]
fn names_that_the_types_contradict_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    begin(Style::Kgen, folder);
    write(API.create(folder));
    let expected = ["`--plural books` is given, but the types of `Guestbook` declare `guestbooks`"];
    assert_eq!(messages(webhook(Some("books"), folder)), expected);
    let plural = Some("books");
    assert_eq!(
        messages(
            Api {
                plural,
                version: "v2",
                ..API
            }
            .create(folder)
        ),
        expected
    );
    assert_eq!(messages(Api { cluster: true, ..API }.create(folder)).len(), 1);
    write(webhook(Some("guestbooks"), folder));
}

#[test]
fn types_with_errors_stop_the_command_unless_they_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    begin(Style::Kube, folder);
    write(API.create(folder));
    replace(folder, "pub struct", "pub strct");
    for drafted in [webhook(None, folder), API.create(folder)] {
        let Refusal(findings) = drafted.unwrap_err();
        let problems = findings.iter().flat_map(|findings| findings.problems.iter());
        let codes: Vec<_> = problems.map(|problem| problem.code).collect();
        assert_eq!(codes, [Code::Syntax]);
    }
    let forced = Api {
        force: &[TYPES],
        ..API
    };
    assert!(text(forced.create(folder), TYPES).contains("pub struct GuestbookSpec"));
}

#[test]
fn a_kind_elsewhere_is_not_the_one_that_new_code_imports() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    begin(Style::Kube, folder);
    write(API.create(folder));
    let there = folder.join("src/api/webapp/v1");
    fs::rename(there.join("guestbook.rs"), there.join("book.rs")).unwrap();
    fs::write(there.join("mod.rs"), "pub mod book;\n").unwrap();
    let expected = "`Guestbook` of `webapp.example.com/v1` is `crate::api::webapp::v1::book::Guestbook`, \
                    which is not in `crate::api::webapp::v1::guestbook`";
    assert_eq!(messages(webhook(None, folder)), [expected]);
    assert_eq!(messages(API.create(folder)), [expected]);
    fs::create_dir(there.join("guestbook")).unwrap();
    fs::rename(there.join("book.rs"), there.join("guestbook/types.rs")).unwrap();
    fs::write(there.join("mod.rs"), "pub mod guestbook;\n").unwrap();
    fs::write(there.join("guestbook/mod.rs"), "mod types;\npub use types::*;\n").unwrap();
    write(webhook(None, folder));
}
