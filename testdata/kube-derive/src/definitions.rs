//! The definitions of all kinds that every kube since version 2 can derive, without those that need the source of one version of
//! k8s-openapi. `testdata/kube-derive-older` records them for older versions.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

use crate::{
    attributes, checks, choices, defaults, integers, oddities, operators, refused, rules, shapes, stand_ins,
    texts, validation, written,
};

/// Returns the definitions that the derives make when they run.
pub fn of_every_kube() -> Vec<CustomResourceDefinition> {
    vec![
        attributes::KilnObject::crd(),
        attributes::Glaze::crd(),
        attributes::Wheel::crd(),
        attributes::Order::crd(),
        checks::Gauge::crd(),
        choices::Menu::crd(),
        integers::Scale::crd(),
        integers::Thermometer::crd(),
        shapes::Studio::crd(),
        shapes::Pot::crd(),
        shapes::Tool::crd(),
        shapes::Chest::crd(),
        shapes::Workshop::crd(),
        defaults::Potter::crd(),
        oddities::Oddity::crd(),
        operators::Guild::crd(),
        operators::Bench::crd(),
        refused::Brick::crd(),
        rules::Contract::crd(),
        stand_ins::Mold::crd(),
        texts::Sign::crd(),
        validation::Bound::crd(),
        written::Recipe::crd(),
    ]
}
