//! Real CRDs: each is imported, goes through `kgen crd`, and must come out equal.
//!
//! They belong to their projects and are not part of this repository. Where they do not exist, they are skipped, and the
//! count says so.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use kgen_import::{KubernetesTypes, Options};
use support::{compare, generate, import, shown, write, yaml_files};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/crds");
    let folder = std::env::var_os("KGEN_CORPUS").map_or(folder, PathBuf::from);
    if !folder.is_dir() {
        println!("import: skipped, there is no corpus in ../shared/corpus");
        return;
    }
    let wanted = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    let (mut equal, mut count) = (0, 0);
    for path in yaml_files(&folder) {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.contains(wanted.as_str()))
        {
            continue;
        }
        count += 1;
        // With types of their own, descriptions are equal, too.
        let own = Options {
            kubernetes_types: KubernetesTypes::Own,
            ..Options::default()
        };
        match round_trip(&path, &Options::default()).and_then(|()| round_trip(&path, &own)) {
            Ok(()) => equal += 1,
            Err(why) => println!("{name}:\n{why}"),
        }
    }
    println!("import: {equal}/{count} equal");
    if equal != count {
        std::process::exit(1);
    }
}

/// Imports one file, and returns why the result is not equal.
fn round_trip(path: &Path, options: &Options) -> Result<(), String> {
    let text = std::fs::read_to_string(path).unwrap();
    let imported = import(&path.display().to_string(), &text, options);
    if imported.outcome.problems.has_errors() {
        return Err(shown(&imported.outcome.problems, &imported.files));
    }
    let folder = tempfile::tempdir().unwrap();
    write(&imported.outcome, folder.path());
    if let Some(kept) = std::env::var_os("KGEN_KEEP")
        && *options == Options::default()
    {
        write(&imported.outcome, Path::new(&kept));
    }
    let generated = generate(folder.path())?;
    let mut found = Vec::new();
    for original in &imported.original {
        let name = &original["metadata"]["name"];
        match generated
            .iter()
            .find(|generated| generated["metadata"]["name"] == *name)
        {
            Some(generated) => compare(original, generated, &imported.outcome, &mut found),
            None => found.push(format!("{name} is missing")),
        }
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(found.join("\n"))
    }
}
