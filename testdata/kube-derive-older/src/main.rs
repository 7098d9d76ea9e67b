//! Prints the definitions of its kinds as JSON.

mod checks;
mod choices;
mod code;
mod library;
mod refused;
mod texts;

use kube::CustomResourceExt as _;

fn main() -> Result<(), serde_json::Error> {
    let definitions = [
        checks::Gauge::crd(),
        choices::Menu::crd(),
        code::Mold::crd(),
        library::Harbor::crd(),
        refused::Brick::crd(),
        texts::Sign::crd(),
    ];
    println!("{}", serde_json::to_string_pretty(&definitions)?);
    Ok(())
}
