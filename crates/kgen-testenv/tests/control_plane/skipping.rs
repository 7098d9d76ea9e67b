//! Simulates machines without binaries and without Go, with an empty cache and an empty PATH.

use std::process::{Command, Output};

use kgen_testenv::suite::Outcome;

use crate::cleanup::CHILD;

pub async fn the_suite_counts_ignored_tests() -> Outcome {
    let output = on_a_bare_machine(&[], &["start::two_at_once"]);
    assert!(output.status.success());
    assert!(
        text(&output.stdout).contains("0 passed; 0 failed; 1 ignored"),
        "{}",
        text(&output.stdout)
    );
    assert!(
        text(&output.stderr)
            .contains("SKIPPED, counted as ignored: the control plane binaries were not found"),
        "{output:?}"
    );
    assert!(text(&output.stderr).contains("help: install Go"), "{output:?}");
    Ok(())
}

pub async fn required_makes_it_a_failure() -> Outcome {
    let output = on_a_bare_machine(&[("KGEN_E2E", "required")], &["start::two_at_once"]);
    assert!(!output.status.success());
    assert!(
        text(&output.stdout).contains("0 passed; 1 failed; 0 ignored"),
        "{}",
        text(&output.stdout)
    );

    let output = on_a_bare_machine(&[("KGEN_E2E", "required"), (CHILD, "start_or_skip")], &[]);
    assert!(!output.status.success());
    Ok(())
}

pub async fn a_plain_test_says_that_it_is_skipped() -> Outcome {
    let output = on_a_bare_machine(&[(CHILD, "start_or_skip")], &[]);
    assert!(output.status.success());
    assert!(
        text(&output.stderr).contains("SKIPPED main: the control plane binaries were not found"),
        "{output:?}"
    );

    let output = on_a_bare_machine(&[(CHILD, "start_or_skip"), ("KGEN_E2E", "off")], &[]);
    assert!(
        text(&output.stderr).contains("SKIPPED main: KGEN_E2E=off"),
        "{output:?}"
    );
    Ok(())
}

/// A folder like that of envtest: etcd, the API server and kubectl.
pub async fn tests_that_need_no_controllers_run_without_them() -> Outcome {
    let whole = crate::command::binaries()?;
    let small = tempfile::tempdir()?;
    for binary in ["etcd", "kube-apiserver", "kubectl"] {
        std::os::unix::fs::symlink(whole.join(binary), small.path().join(binary))?;
    }
    let folder = small.path().to_str().expect("its name is text");
    // The watchdog of a control plane is a shell.
    let path = std::env::var("PATH")?;
    let variables = [("KUBEBUILDER_ASSETS", folder), ("PATH", &path)];
    let output = on_a_bare_machine(&variables, &["workloads::"]);
    assert!(output.status.success(), "{output:?}");
    assert!(
        text(&output.stdout).contains("1 passed; 0 failed; 1 ignored"),
        "{}",
        text(&output.stdout)
    );
    assert!(
        text(&output.stderr).contains("does not contain `kube-controller-manager`"),
        "{output:?}"
    );
    Ok(())
}

/// Runs this test program with an empty cache and an empty PATH.
fn on_a_bare_machine(variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let empty = tempfile::tempdir().expect("a folder");
    Command::new(std::env::current_exe().expect("a program knows its file"))
        .env("PATH", empty.path())
        .env("KGEN_ASSETS", empty.path())
        .env_remove("KUBEBUILDER_ASSETS")
        .env_remove("KGEN_E2E")
        .envs(variables.iter().copied())
        .args(arguments)
        .output()
        .expect("this program can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
