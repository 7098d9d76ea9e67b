//! Prints the definitions of the kinds of `testdata/kube-derive` as JSON, without those of newer forms and of k8s-openapi.

#![allow(dead_code, reason = "the kinds are never used")]

#[path = "../../kube-derive/src/attributes.rs"]
mod attributes;
#[path = "../../kube-derive/src/checks.rs"]
mod checks;
#[path = "../../kube-derive/src/choices.rs"]
mod choices;
#[path = "../../kube-derive/src/defaults.rs"]
mod defaults;
#[path = "../../kube-derive/src/definitions.rs"]
mod definitions;
#[path = "../../kube-derive/src/integers.rs"]
mod integers;
#[path = "../../kube-derive/src/oddities.rs"]
mod oddities;
#[path = "../../kube-derive/src/operators.rs"]
mod operators;
#[path = "../../kube-derive/src/refused.rs"]
mod refused;
#[path = "../../kube-derive/src/rules.rs"]
mod rules;
#[path = "../../kube-derive/src/shapes.rs"]
mod shapes;
#[path = "../../kube-derive/src/stand_ins.rs"]
mod stand_ins;
#[path = "../../kube-derive/src/texts.rs"]
mod texts;
#[path = "../../kube-derive/src/validation.rs"]
mod validation;
#[path = "../../kube-derive/src/written.rs"]
mod written;

mod forms;

use kube::CustomResourceExt as _;

fn main() -> Result<(), serde_json::Error> {
    let mut all = definitions::of_every_kube();
    all.extend([forms::Vessel::crd(), forms::Plate::crd(), forms::HTTPGlaze::crd()]);
    println!("{}", serde_json::to_string_pretty(&all)?);
    Ok(())
}
