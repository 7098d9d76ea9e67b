//! dump
use kube::CustomResourceExt as _;
use kube_derive_types::*;
#[test]
fn dump() {
    for crd in [
        attributes::KilnObject::crd(),
        attributes::Glaze::crd(),
        attributes::Shelf::crd(),
        attributes::Wheel::crd(),
        attributes::Order::crd(),
        integers::Scale::crd(),
        integers::Thermometer::crd(),
        shapes::Studio::crd(),
        shapes::Pot::crd(),
        shapes::Tool::crd(),
        shapes::Chest::crd(),
        shapes::Workshop::crd(),
        defaults::Potter::crd(),
        kubernetes::Workload::crd(),
        kubernetes::Sidecar::crd(),
        rules::Contract::crd(),
        validation::Bound::crd(),
        written::Recipe::crd(),
    ] {
        let v = serde_json::to_value(&crd).unwrap();
        std::fs::create_dir_all("/tmp/ops/kube").unwrap();
        std::fs::write(
            format!("/tmp/ops/kube/{}.json", crd.spec.names.kind),
            serde_json::to_string_pretty(&v).unwrap(),
        )
        .unwrap();
    }
}
