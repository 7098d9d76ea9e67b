//! The CRD that kube-derive builds at run time equals the one that kgen generated from the same source, except for the
//! differences in `docs/book/src/deviations.md`.

#![allow(clippy::unwrap_used, reason = "a test says what it expects")]

#[path = "../../../testdata/kube-derive/tests/agree/compare.rs"]
mod compare;
#[path = "../../../testdata/kube-derive/tests/agree/differences.rs"]
#[allow(dead_code, reason = "the mode matters only where definitions are made")]
mod differences;

use differences::{DIFFERENCES, Difference};
use kube::CustomResourceExt as _;
use memcached_operator::api::v1alpha1::Memcached;
use serde_json::Value;

#[test]
fn what_kube_derive_says_and_what_kgen_wrote_agree() {
    let kube = serde_json::to_value(Memcached::crd()).unwrap();
    let written = include_str!("../config/crd/cache.example.com_memcacheds.yaml");
    let kgen: Value = serde_saphyr::from_str(written).unwrap();
    let all: Vec<&Difference> = DIFFERENCES.iter().collect();
    let (used, unexplained) = compare::explain(&all, compare::compare(&kube, &kgen));
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    let used: Vec<_> = used.into_iter().collect();
    assert_eq!(
        used,
        [
            // That of conditions; the operator's own have formats that the API server knows.
            "formats and bounds of integers",
            "null",
            "properties of every object",
            "title and text of the root",
            "types of Kubernetes",
        ]
    );
}
