//! The pages of `kgen docs`, judged by a browser and by the API server. Both tests count as ignored where their judge is not
//! available; `KGEN_BROWSER=required` and `KGEN_E2E=required` make that a failure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "../support/mod.rs"]
mod support;

mod browser;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};
use support::case::{self, Case, Order, in_copy};
use support::name;

fn main() -> ExitCode {
    let browser = browser::run();
    let server = Suite::new(ControlPlane::builder())
        .test("every_sample_is_accepted", every_sample_is_accepted)
        .run();
    if browser == ExitCode::SUCCESS {
        server
    } else {
        browser
    }
}

/// Kinds that the API server cannot store at all: a bound beyond 64 bits makes every value invalid.
const NEVER_ACCEPTED: &[&str] = &["markers-numbers"];

/// Everything that the server judges: definitions in a folder, and samples in one file.
struct Collected {
    definitions: PathBuf,
    samples: String,
    count: usize,
}

impl Collected {
    /// Generates a case with a group of its own, because cases share names.
    fn add(&mut self, index: usize, case: &Case) {
        let folder = case.copy(Order::Forward);
        let is_kept = |argument: &&String| argument.starts_with("paths=") || argument.starts_with("crd:");
        let mut arguments: Vec<String> = case.arguments.iter().filter(is_kept).cloned().collect();
        if !arguments.iter().any(|argument| argument.starts_with("crd:")) {
            arguments.push("crd".to_owned());
        }
        arguments.extend(["docs:format=json".to_owned(), "output:dir=pages".to_owned()]);
        let pages = folder.path().join("pages");
        let output = in_copy(folder.path()).args(&arguments).output().unwrap();
        let Ok(text) = fs::read_to_string(pages.join("api.json")) else {
            assert!(!output.status.success() || output.stdout.is_empty());
            return;
        };
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        for kind in json["kinds"].as_array().unwrap() {
            let (group, plural) = (kind["group"].as_str().unwrap(), kind["plural"].as_str().unwrap());
            let file = format!("{group}_{plural}.yaml");
            let definition = fs::read_to_string(pages.join(&file)).unwrap();
            // Nothing serves the webhooks here, and the groups of Kubernetes are protected.
            if definition.contains("strategy: Webhook") || group.ends_with(".k8s.io") {
                continue;
            }
            let own = format!("c{index}.{group}");
            let definition = definition
                .replace(
                    &format!("  name: {plural}.{group}"),
                    &format!("  name: {plural}.{own}"),
                )
                .replace(&format!("\n  group: {group}\n"), &format!("\n  group: {own}\n"));
            fs::write(self.definitions.join(format!("c{index}.{file}")), definition).unwrap();
            for version in kind["versions"].as_array().unwrap() {
                if let Some(sample) = version["sample"].as_str().filter(|_| version["served"] == true) {
                    let (written, new) = (format!("apiVersion: {group}/"), format!("apiVersion: {own}/"));
                    let sample = sample.replacen(&written, &new, 1);
                    self.samples
                        .push_str(&format!("---\n# {}\n{sample}", name(&case.folder)));
                    self.count += 1;
                }
            }
        }
    }
}

/// Installs the kinds of all cases, and creates their samples without storing them.
async fn every_sample_is_accepted() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let mut collected = Collected {
        definitions: control_plane.folder().join("definitions"),
        samples: String::new(),
        count: 0,
    };
    fs::create_dir_all(&collected.definitions)?;
    for (index, case) in case::all().iter().enumerate() {
        if !NEVER_ACCEPTED.contains(&name(&case.folder).as_str()) {
            collected.add(index, case);
        }
    }
    assert!(
        collected.count > 100,
        "only {} samples were found",
        collected.count
    );
    control_plane.install_crds(collected.definitions.clone()).await?;
    let file = control_plane.folder().join("samples.yaml");
    fs::write(&file, &collected.samples)?;
    let mut kubectl = control_plane.kubectl();
    kubectl
        .args(["create", "--dry-run=server", "--validate=strict", "--filename"])
        .arg(&file);
    let output = kubectl.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let accepted = text.lines().filter(|line| line.contains(" created ")).count();
    println!(
        "the API server accepted {accepted} of {} samples",
        collected.count
    );
    let refused = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && accepted == collected.count,
        "{refused}"
    );
    control_plane.stop().await?;
    Ok(())
}
