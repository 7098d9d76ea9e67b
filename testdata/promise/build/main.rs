//! Writes random modules of types, each with one kind, and the code that makes random values of them.
//!
//! `KGEN_PROMISE_SEEDS` is how many seeds are used (2 unless given); each makes a hundred modules. A seed always makes the
//! same modules. kgen reads only the modules; the code for values is beside them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a build that cannot go on should stop"
)]

mod enums;
mod generics;
mod leaves;
mod module;
mod structs;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use module::Module;

/// How many modules a seed makes.
const MODULES: usize = 100;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=KGEN_PROMISE_SEEDS");
    let seeds = std::env::var("KGEN_PROMISE_SEEDS").map_or(2, |seeds| seeds.parse::<u64>().unwrap());
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").unwrap()).join("kinds");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();

    let mut modules = String::new();
    let mut registry = String::new();
    for seed in 0..seeds {
        let mut rng = fastrand::Rng::with_seed(seed);
        for index in 0..MODULES {
            let name = format!("k{seed}x{index:03}");
            let module = Module::generate(&mut rng);
            fs::write(folder.join(format!("{name}.rs")), module.source(&name)).unwrap();
            let path = folder.join(format!("{name}.rs"));
            writeln!(modules, "#[path = {path:?}]\npub mod {name};").unwrap();
            modules.push_str(&module.random_code(&name));
            writeln!(
                registry,
                "    Kind {{ name: {name:?}, source: include_str!({path:?}), write: write::<{name}::Spec>, read: read::<{name}::Spec> }},"
            )
            .unwrap();
        }
    }
    let text = format!("{modules}\n/// All kinds.\npub static KINDS: &[Kind] = &[\n{registry}];\n");
    fs::write(folder.join("all.rs"), text).unwrap();
}
