//! The script of the end-to-end test does the right steps in the right order. The programs that it calls are imitated.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use kgen_scaffold::{InitOptions, KgenSource, Style, init};

/// Notes its arguments, and answers like kubectl in a cluster without cert-manager, whose webhook does not answer at first.
const KUBECTL: &str = r#"#!/usr/bin/env bash
echo "kubectl $*" >> log
case "$*" in
    "kustomize config/default") cat everything ;;
    "get customresourcedefinition"*) [ -e installed ] ;;
    *"get service --output=name") cat services ;;
    *"create token"*) echo secret ;;
    *port-forward*) echo "Forwarding from 127.0.0.1:41000 -> 8443"; exec sleep 5 ;;
    "create --namespace default"*) [ -e tried ] || { touch tried; exit 1; } ;;
esac
"#;

const MAKE: &str = r#"#!/usr/bin/env bash
echo "make $1" >> log
"#;

/// Reads the metrics like an operator that checks tokens, unless it is `open`.
const CURL: &str = r#"#!/usr/bin/env bash
echo "curl ${*: -1}" >> log
[ -e open ] || [[ "$*" == *"Authorization: Bearer secret"* ]]
"#;

/// Creates a project with imitated programs in `bin`. `files` exist in its folder.
fn project(root: &Path, everything: &str, files: &[&str]) {
    let options = InitOptions {
        folder: ".".into(),
        domain: "example.com".to_owned(),
        name: Some("shop".to_owned()),
        style: Style::Kgen,
        source: KgenSource::Registry,
        license: None,
        force: Vec::new(),
    };
    init(&options, root).unwrap().plan.carry_out().unwrap();
    fs::create_dir(root.join("bin")).unwrap();
    for (name, text) in [("kubectl", KUBECTL), ("make", MAKE), ("curl", CURL)] {
        let path = root.join("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::write(root.join("everything"), everything).unwrap();
    fs::write(
        root.join("services"),
        "service/shop-metrics-service\nservice/shop-webhook-service\n",
    )
    .unwrap();
    for file in files {
        fs::write(root.join(file), "").unwrap();
    }
}

/// Runs the script. Returns whether it succeeded, its output, and the calls of programs.
fn run(root: &Path) -> (bool, String, String) {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .arg("hack/test-e2e.sh")
        .env("PATH", format!("{}:{path}", root.join("bin").display()))
        .env("KUBECTL", "kubectl")
        .env("IMG", "shop:e2e")
        .env("RETRY_SECONDS", "0")
        .current_dir(root)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let calls = fs::read_to_string(root.join("log")).unwrap();
    (output.status.success(), text, calls)
}

#[test]
fn cert_manager_is_installed_for_webhooks() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    project(
        root,
        "kind: Service\n---\napiVersion: cert-manager.io/v1\nkind: Issuer\n",
        &[],
    );
    let (succeeded, output, calls) = run(root);
    assert!(succeeded, "{output}{calls}");
    insta::assert_snapshot!(calls, @"
    kubectl kustomize config/default
    kubectl get customresourcedefinition certificates.cert-manager.io
    kubectl apply --server-side -f https://github.com/cert-manager/cert-manager/releases/download/v1.19.1/cert-manager.yaml
    kubectl --namespace cert-manager wait deployment --all --for=condition=Available --timeout=300s
    kubectl create --namespace default --dry-run=server -f -
    kubectl create --namespace default --dry-run=server -f -
    make deploy
    kubectl --namespace shop-system wait deployment/shop-controller-manager --for=condition=Available --timeout=180s
    kubectl --namespace shop-system get service --output=name
    kubectl create clusterrolebinding shop-test-e2e --clusterrole=shop-metrics-reader --serviceaccount=shop-system:shop-controller-manager --dry-run=client --output=yaml
    kubectl apply --server-side -f -
    kubectl --namespace shop-system create token shop-controller-manager
    kubectl --namespace shop-system port-forward service/shop-metrics-service :8443
    curl https://127.0.0.1:41000/metrics
    curl https://127.0.0.1:41000/metrics
    ");
}

#[test]
fn a_cluster_keeps_its_cert_manager_and_other_projects_need_none() {
    for (everything, files) in [
        (
            "apiVersion: cert-manager.io/v1\nkind: Issuer\n",
            ["installed"].as_slice(),
        ),
        ("kind: Service\n", &[]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        project(root, everything, files);
        let (succeeded, output, calls) = run(root);
        assert!(
            succeeded && !calls.contains("releases/download"),
            "{output}{calls}"
        );
    }
}

/// kubebuilder names the service of the metrics otherwise.
#[test]
fn metrics_are_read_whatever_the_name_of_their_service() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    project(root, "kind: Service\n", &["open"]);
    fs::write(
        root.join("services"),
        "service/shop-webhook-service\nservice/shop-controller-manager-metrics-service\n",
    )
    .unwrap();
    let (succeeded, output, calls) = run(root);
    assert!(!succeeded, "{output}{calls}");
    assert!(
        calls.contains("port-forward service/shop-controller-manager-metrics-service :8443"),
        "{calls}"
    );

    fs::write(root.join("services"), "service/shop-webhook-service\n").unwrap();
    let (succeeded, output, _) = run(root);
    assert!(succeeded, "{output}");
    assert!(output.contains("there is no service for the metrics"), "{output}");
}

#[test]
fn metrics_for_everybody_are_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    project(root, "kind: Service\n", &["open"]);
    let (succeeded, output, calls) = run(root);
    assert!(!succeeded, "{output}{calls}");
    assert!(
        output.contains("clients without a token can read the metrics"),
        "{output}"
    );
}
