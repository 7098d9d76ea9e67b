//! The program itself: its output and its errors.

#![allow(clippy::unwrap_used, reason = "a test says what it expects")]

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_memcached-operator"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

#[test]
fn the_definition_is_printed_as_it_was_generated() {
    let output = run(&["crd"]);
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        printed,
        include_str!("../config/crd/cache.example.com_memcacheds.yaml")
    );
}

#[test]
fn what_is_wrong_with_the_kubeconfig_is_said() {
    let output = run(&["--kubeconfig=/nowhere/kubeconfig"]);
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("cannot read `/nowhere/kubeconfig`"), "{log}");
    assert_eq!(output.status.code(), Some(1));
}
