//! Tells the crate whether it is built from a checkout of kgen's repository, from which one, and where that was cloned from.
//!
//! A packaged crate does not have `kgen-runtime` next to it. `KGEN_RELEASE` makes the binaries of a release behave like
//! the published crate, although they are built from a checkout.

use std::path::Path;

#[path = "src/remote.rs"]
mod remote;

fn main() {
    println!("cargo::rerun-if-env-changed=KGEN_RELEASE");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/remote.rs");
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&folder).ancestors().nth(2);
    let checkout = root
        .filter(|_| std::env::var_os("KGEN_RELEASE").is_none())
        .filter(|root| root.join("crates/kgen-runtime/Cargo.toml").is_file());
    let remote = checkout.and_then(|root| {
        let settings = root.join(".git/config");
        if settings.is_file() {
            println!("cargo::rerun-if-changed={}", settings.display());
        }
        remote::of_checkout(root)
    });
    let checkout = checkout.map(|root| root.display().to_string());
    println!("cargo::rustc-env=KGEN_CHECKOUT={}", checkout.unwrap_or_default());
    println!("cargo::rustc-env=KGEN_REMOTE={}", remote.unwrap_or_default());
}
