//! Definitions of an older kube with schemars 0.8, which `testdata/kube-derive-older` has recorded.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::compare::{compare, explain};
use super::differences::{DIFFERENCES, Difference, Mode};
use super::{kind_of, read_by_kgen};

#[test]
fn definitions_agree_with_those_of_an_older_kube() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kube-derive-older");
    let recorded = fs::read_to_string(package.join("definitions.json")).unwrap();
    let recorded: Vec<Value> = serde_json::from_str(&recorded).unwrap();
    let kube: BTreeMap<_, _> = recorded
        .into_iter()
        .map(|value| (kind_of(&value), value))
        .collect();
    let kgen = read_by_kgen(&package.join("src"), &[("compat", "kube-derive")]);
    assert_eq!(kube.keys().collect::<Vec<_>>(), kgen.keys().collect::<Vec<_>>());
    let allowed: Vec<&Difference> = DIFFERENCES
        .iter()
        .filter(|difference| difference.mode == Mode::Compatible)
        .collect();
    let unexplained: Vec<String> = kube
        .iter()
        .flat_map(|(kind, kube)| {
            let (_, unknown) = explain(&allowed, compare(kube, &kgen[kind]));
            unknown.into_iter().map(move |line| format!("{kind}{line}"))
        })
        .collect();
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}
