//! Every group of a project has a module of its own, and every controller a name of its own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fs;
use std::path::Path;

use kgen_scaffold::{
    ApiOptions, DeleteOptions, FromOptions, InitOptions, KgenSource, Refusal, Scaffold, Style, Subject,
    WebhookOptions, create_api, create_webhook, delete_api, delete_webhook, init, init_from, update,
};

fn begin(root: &Path, style: Style) {
    let options = InitOptions {
        folder: ".".into(),
        domain: "example.com".to_owned(),
        name: Some("shop".to_owned()),
        style,
        source: KgenSource::Registry,
        license: None,
        force: Vec::new(),
    };
    init(&options, root).unwrap().plan.carry_out().unwrap();
}

/// Writes the files of a command and those that it generates, which must be without problems.
fn carry_out(drafted: Result<Scaffold, Refusal>, root: &Path) {
    let scaffold = drafted.unwrap();
    assert_eq!(scaffold.advice, []);
    let generated = scaffold.generate(root).unwrap();
    assert!(!generated.has_errors(), "{:?}", generated.findings);
    scaffold.plan.followed_by(&generated.plan).carry_out().unwrap();
}

fn api(group: &str, version: &str, kind: &str) -> ApiOptions {
    ApiOptions {
        subject: Subject::Own {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: kind.to_owned(),
            plural: None,
            shorts: Vec::new(),
            cluster: false,
            no_types: false,
        },
        no_controller: false,
        force: Vec::new(),
    }
}

fn webhook(group: &str, version: &str, kind: &str) -> WebhookOptions {
    WebhookOptions {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
        plural: None,
        defaulting: false,
        validation: true,
        conversion: false,
        foreign: None,
        force: Vec::new(),
    }
}

fn read(root: &Path, file: &str) -> String {
    fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the name of the controller in a file.
fn controller(root: &Path, file: &str) -> String {
    let text = read(root, file);
    let name = text.split("const CONTROLLER: &str = \"").nth(1).unwrap();
    name.split('"').next().unwrap().to_owned()
}

/// The groups and kinds of a project with several groups, two of which begin with the same word.
const KINDS: &[(&str, &str)] = &[
    ("foo.policy", "HealthCheckPolicy"),
    ("foo", "Bar"),
    ("fiz", "Bar"),
    ("foo", "Baz"),
];

#[test]
fn groups_that_begin_alike_have_their_own_modules() {
    for style in [Style::Kgen, Style::Kube] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        begin(root, style);
        for (group, kind) in KINDS {
            carry_out(create_api(&api(group, "v1", kind), root), root);
            carry_out(create_webhook(&webhook(group, "v1", kind), root), root);
        }
        carry_out(create_api(&api("foo", "v2", "Bar"), root), root);

        let policy = read(root, "src/api/foo/mod.rs");
        assert!(
            policy.starts_with("//! +groupName=foo.policy.example.com\n//! The"),
            "{policy}"
        );
        let foo = read(root, "src/api/foo_example_com/mod.rs");
        assert!(
            foo.starts_with("//! +groupName=foo.example.com\n//! +groupGoName=foo_example_com\n"),
            "{foo}"
        );
        // Every CRD that kustomize expects is generated.
        let list = read(root, "config/crd/kustomization.yaml");
        let files: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        assert_eq!(files.len(), KINDS.len());
        for file in files {
            read(root, &format!("config/crd/{file}"));
        }
        for version in ["v1", "v2"] {
            let sample = read(
                root,
                &format!("config/samples/foo_example_com_{version}_bar.yaml"),
            );
            assert!(
                sample.starts_with(&format!("apiVersion: foo.example.com/{version}\n")),
                "{sample}"
            );
        }
        assert_eq!(controller(root, "src/controller/foo_example_com/bar.rs"), "bar");
        assert_eq!(controller(root, "src/controller/fiz/bar.rs"), "fiz_bar");
        let code = read(root, "src/lib.rs");
        for statement in [
            "controller::foo::health_check_policy::register(manager);",
            "controller::foo_example_com::bar::register(manager);",
            "webhook::foo_example_com::v1::bar::register(manager);",
        ] {
            assert!(code.contains(statement), "{code}");
        }

        let again = create_api(&api("foo", "v1", "Bar"), root).unwrap();
        assert_eq!(again.plan.differences().count(), 0, "{:?}", again.plan);
        let unchanged = update(root).unwrap();
        assert_eq!(unchanged.plan.differences().count(), 0, "{:?}", unchanged.plan);

        for (group, kind) in KINDS {
            let options = |version: &str| DeleteOptions {
                group: (*group).to_owned(),
                version: version.to_owned(),
                kind: (*kind).to_owned(),
            };
            carry_out(delete_webhook(&options("v1"), root), root);
            if (*group, *kind) == ("foo", "Bar") {
                carry_out(delete_api(&options("v2"), root), root);
            }
            let deleted = delete_api(&options("v1"), root).unwrap();
            assert_eq!(deleted.left, []);
            deleted.plan.carry_out().unwrap();
        }
        for group in ["foo", "foo_example_com", "fiz"] {
            assert!(!root.join(format!("src/api/{group}/mod.rs")).exists(), "{group}");
        }
    }
}

/// A project of an older kubebuilder: kinds of Kubernetes without `core`, webhooks without a flag, two kinds of one name.
#[test]
fn controllers_of_a_project_in_go_have_their_own_names() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cli/init-from-older/input/depot");
    for style in [Style::Kgen, Style::Kube] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let options = FromOptions {
            folder: ".".into(),
            from: from.clone(),
            name: None,
            style,
            source: KgenSource::Registry,
            force: Vec::new(),
        };
        let scaffold = init_from(&options, root).unwrap();
        let generated = scaffold.generate(root).unwrap();
        assert!(!generated.has_errors(), "{:?}", generated.findings);
        let (equal, differences) = scaffold.originals.compare(&generated.plan, root);
        assert_eq!(
            (equal, differences.problems.iter().count()),
            (4, 0),
            "{differences:?}"
        );
        scaffold.plan.carry_out().unwrap();
        for (file, name) in [
            ("foo/bar", "foo_bar"),
            ("fiz/bar", "fiz_bar"),
            ("apps/deployment", "deployment"),
        ] {
            assert_eq!(controller(root, &format!("src/controller/{file}.rs")), name);
        }
        let manager = read(root, "config/manager/manager.yaml");
        let flag = "        - --webhook-certs=/tmp/k8s-webhook-server/serving-certs\n";
        assert!(manager.contains(flag), "{manager}");
        read(root, "src/webhook/apps/v1/deployment.rs");
    }
}

/// Two controllers with one name would stop the operator at its start.
#[test]
fn controllers_of_foreign_kinds_have_their_own_names() {
    let external = |path: &str| ApiOptions {
        subject: Subject::External(path.to_owned()),
        no_controller: false,
        force: Vec::new(),
    };
    let deployment = || external("k8s_openapi::api::apps::v1::Deployment");
    let own = || api("shop", "v1", "Deployment");
    for style in [Style::Kgen, Style::Kube] {
        for (first, second, names) in [
            (deployment(), own(), ["deployment", "shop_deployment"]),
            (own(), deployment(), ["apps_deployment", "deployment"]),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path();
            begin(root, style);
            create_api(&first, root).unwrap().plan.carry_out().unwrap();
            create_api(&second, root).unwrap().plan.carry_out().unwrap();
            for (group, name) in ["apps", "shop"].into_iter().zip(names) {
                assert_eq!(
                    controller(root, &format!("src/controller/{group}/deployment.rs")),
                    name
                );
            }
            for options in [first, second] {
                let again = create_api(&options, root).unwrap();
                assert_eq!(again.plan.differences().count(), 0, "{:?}", again.plan);
            }
            let unchanged = update(root).unwrap();
            assert_eq!(unchanged.plan.differences().count(), 0, "{:?}", unchanged.plan);
        }

        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        begin(root, style);
        for path in [
            "k8s_openapi::api::core::v1::Event",
            "k8s_openapi::api::events::v1::Event",
        ] {
            create_api(&external(path), root)
                .unwrap()
                .plan
                .carry_out()
                .unwrap();
        }
        assert_eq!(controller(root, "src/controller/core/event.rs"), "event");
        assert_eq!(controller(root, "src/controller/events/event.rs"), "events_event");
    }
}

#[test]
fn a_whole_group_is_not_extended() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    begin(root, Style::Kgen);
    carry_out(
        create_api(&api("webapp.example.com", "v1", "Guestbook"), root),
        root,
    );
    carry_out(create_api(&api("webapp", "v1", "Page"), root), root);
    // A group that is only the domain, as kubebuilder's projects can have.
    carry_out(create_api(&api("example.com", "v1", "Laker"), root), root);
    for (module, group) in [("webapp", "webapp.example.com"), ("example", "example.com")] {
        let text = read(root, &format!("src/api/{module}/mod.rs"));
        assert!(text.starts_with(&format!("//! +groupName={group}\n")), "{text}");
    }
}

#[test]
fn a_controller_without_types_can_be_for_a_kind_of_kubernetes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    begin(root, Style::Kgen);
    let mut deployments = api("apps", "v1", "Deployment");
    if let Subject::Own { no_types, .. } = &mut deployments.subject {
        *no_types = true;
    }
    carry_out(create_api(&deployments, root), root);
    let code = read(root, "src/controller/apps/deployment.rs");
    assert!(
        code.contains("use k8s_openapi::api::apps::v1::Deployment;"),
        "{code}"
    );
    // With types, it is another kind, and the command says so.
    let own = create_api(&api("apps", "v1", "StatefulSet"), root).unwrap();
    let messages: Vec<&str> = own
        .findings
        .problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        messages,
        ["this is a new kind of the group `apps.example.com`, and not the `StatefulSet` of Kubernetes"]
    );
}
