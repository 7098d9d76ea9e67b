//! A real API server judges every witness of `kgen diff`: the old CRD accepts it, and the new one refuses it with the
//! predicted message. Stored objects can be updated outside the node that a finding names.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "../diff/pairs.rs"]
#[allow(dead_code, reason = "only the findings matter here")]
mod pairs;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};
use serde_json::{Value, json};

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test("every_witness_is_refused_as_predicted", witnesses)
        .run()
}

/// How long the server may take to use a changed CRD.
const PATIENCE: Duration = Duration::from_secs(300);

/// A finding with its witness.
struct Claim {
    id: String,
    pair: PathBuf,
    finding: Value,
}

fn claims() -> Vec<Claim> {
    let mut claims = Vec::new();
    for pair in pairs::folders() {
        let found = pairs::compare(&pair, &["diff", "old", "new"]);
        for (index, finding) in found.findings.into_iter().enumerate() {
            if finding.get("witness").is_some() {
                claims.push(Claim {
                    id: format!("{}-{index}", pairs::name(&pair)),
                    pair: pair.clone(),
                    finding,
                });
            }
        }
    }
    assert!(claims.len() > 60, "only {} witnesses were found", claims.len());
    claims
}

/// Replaces the group, so that every claim has CRDs of its own.
fn regrouped(text: &str, claim: &Claim, state: &str) -> String {
    text.replace("tea.example.org", &format!("{}.{state}.example.org", claim.id))
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
}

fn crd(claim: &Claim, side: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kgen"))
        .args(["crd", &format!("paths={side}"), "output:stdout"])
        .current_dir(&claim.pair)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}: {}",
        claim.id,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Runs kubectl. Returns its standard output, its error lines by file, and whether it succeeded.
fn kubectl(control_plane: &ControlPlane, arguments: &[&str]) -> (bool, String, String) {
    let output = control_plane.kubectl().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Returns the answer about each file, by the name of its claim.
fn answers(errors: &str) -> BTreeMap<String, String> {
    let mut answers: BTreeMap<String, String> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in errors.lines() {
        if let Some((_, rest)) = line.split_once("error when ") {
            let name = rest.split('"').nth(1).unwrap_or_default();
            let name = Path::new(name).file_stem().unwrap_or_default();
            current = Some(name.to_string_lossy().into_owned());
        }
        if let Some(name) = &current {
            let answer = answers.entry(name.clone()).or_default();
            answer.push_str(line);
            answer.push('\n');
        }
    }
    answers
}

async fn witnesses() -> Outcome {
    let claims = claims();
    let control_plane = ControlPlane::start().await?;
    let folder = control_plane.folder().join("claims");
    let place = |name: &str| folder.join(name).display().to_string();
    for claim in &claims {
        let (old, new) = (crd(claim, "old"), crd(claim, "new"));
        write(
            &folder.join("crds"),
            &format!("{}-old", claim.id),
            &regrouped(&old, claim, "old"),
        );
        write(
            &folder.join("crds"),
            &format!("{}-new", claim.id),
            &regrouped(&new, claim, "new"),
        );
        write(
            &folder.join("crds"),
            &format!("{}-kept", claim.id),
            &regrouped(&old, claim, "kept"),
        );
        write(
            &folder.join("changed"),
            &claim.id,
            &regrouped(&new, claim, "kept"),
        );
        let first = match &claim.finding["witness"] {
            Value::Array(objects) => {
                for state in ["old", "new"] {
                    let text = regrouped(&objects[1].to_string(), claim, state);
                    write(&folder.join(format!("second-{state}")), &claim.id, &text);
                }
                &objects[0]
            }
            object => object,
        };
        for state in ["old", "new", "kept"] {
            write(
                &folder.join(state),
                &claim.id,
                &regrouped(&first.to_string(), claim, state),
            );
        }
    }
    control_plane.install_crds(folder.join("crds")).await?;

    let (accepted, _, errors) = kubectl(
        &control_plane,
        &["create", "--validate=strict", "-f", &place("old")],
    );
    assert!(accepted, "the old state refuses witnesses:\n{errors}");
    let (_, _, errors) = kubectl(
        &control_plane,
        &["create", "--validate=strict", "-f", &place("new")],
    );
    let refused = answers(&errors);
    let mut wrong = Vec::new();
    for claim in &claims {
        let is_update = claim.finding["witness"].is_array();
        let has_reads = claim.finding.get("reads").is_some();
        match (refused.get(&claim.id), claim.finding["says"].as_str()) {
            (Some(answer), Some(says)) if !is_update => {
                if !answer.contains(says) {
                    wrong.push(format!("{}: `{says}` is not in\n{answer}", claim.id));
                }
            }
            (None, _) if is_update || has_reads => {}
            (answer, says) => wrong.push(format!("{}: {says:?}, but {answer:?}", claim.id)),
        }
    }
    check_updates(&control_plane, &claims, &place, &mut wrong);
    check_reads(&control_plane, &claims, &mut wrong);
    check_ratcheting(&control_plane, &claims, &folder, &mut wrong);
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        claims.len(),
        wrong.join("\n")
    );
    control_plane.stop().await?;
    Ok(())
}

fn check_updates(
    control_plane: &ControlPlane,
    claims: &[Claim],
    place: &dyn Fn(&str) -> String,
    wrong: &mut Vec<String>,
) {
    for claim in claims.iter().filter(|claim| claim.finding["witness"].is_array()) {
        for state in ["old", "new"] {
            let file = format!("{}/{}.yaml", place(&format!("second-{state}")), claim.id);
            let (accepted, _, errors) =
                kubectl(control_plane, &["replace", "--validate=strict", "-f", &file]);
            let says = claim.finding["says"].as_str().unwrap();
            if accepted != (state == "old") || !accepted && !errors.contains(says) {
                wrong.push(format!(
                    "{}: the update in {state}: {accepted}, {errors}",
                    claim.id
                ));
            }
        }
    }
}

fn check_reads(control_plane: &ControlPlane, claims: &[Claim], wrong: &mut Vec<String>) {
    for claim in claims.iter().filter(|claim| claim.finding.get("reads").is_some()) {
        for state in ["old", "new"] {
            let resource = format!("{}.{}.{state}.example.org", resource(&claim.finding), claim.id);
            let (_, text, errors) = kubectl(control_plane, &["get", &resource, "witness", "-o", "json"]);
            let read: Value = serde_json::from_str(&text).unwrap_or_default();
            if read["spec"] != claim.finding["reads"][state]["spec"] {
                wrong.push(format!(
                    "{}: reads {} in {state} {errors}",
                    claim.id, read["spec"]
                ));
            }
        }
    }
}

fn resource(finding: &Value) -> String {
    format!("{}s", finding["kind"].as_str().unwrap().to_lowercase())
}

/// Stores the witnesses, changes the CRDs, and updates the objects.
fn check_ratcheting(control_plane: &ControlPlane, claims: &[Claim], folder: &Path, wrong: &mut Vec<String>) {
    let place = |name: &str| folder.join(name).display().to_string();
    let (accepted, _, errors) = kubectl(control_plane, &["create", "-f", &place("kept")]);
    assert!(accepted, "{errors}");
    let (accepted, _, errors) = kubectl(control_plane, &["replace", "-f", &place("changed")]);
    assert!(accepted, "{errors}");
    let kept: Vec<&Claim> = claims
        .iter()
        .filter(|claim| claim.finding.get("ratchets_at").is_some() && claim.finding["witness"].is_object())
        .collect();
    // The server uses a changed CRD after a moment: then it refuses the same object under another name.
    let again = folder.join("again");
    for claim in &kept {
        let mut object = claim.finding["witness"].clone();
        object["metadata"]["name"] = json!("again");
        write(&again, &claim.id, &regrouped(&object.to_string(), claim, "kept"));
    }
    let end = Instant::now() + PATIENCE;
    loop {
        let again = again.display().to_string();
        let (_, _, errors) = kubectl(control_plane, &["create", "--dry-run=server", "-f", &again]);
        if answers(&errors).len() == kept.len() {
            break;
        }
        assert!(
            Instant::now() < end,
            "the server still uses the old CRDs:\n{errors}"
        );
    }
    for claim in kept {
        let resource = format!("{}.{}.kept.example.org", resource(&claim.finding), claim.id);
        let patch = |patch: &str| {
            kubectl(
                control_plane,
                &["patch", &resource, "witness", "--type=merge", "--patch", patch],
            )
        };
        let (accepted, _, errors) = patch(r#"{"metadata": {"labels": {"touched": "yes"}}}"#);
        if !accepted {
            wrong.push(format!("{}: a label cannot be added: {errors}", claim.id));
        }
        let node = claim.finding["ratchets_at"].as_str().unwrap();
        let (accepted, _, errors) = patch(r#"{"spec": {"remark": "touched"}}"#);
        // The remark is inside `.spec` and outside every other field.
        let is_inside = node == ".spec" || node == ".";
        if accepted == is_inside {
            wrong.push(format!(
                "{}: {node}, but a change of the remark: {accepted} {errors}",
                claim.id
            ));
        }
    }
}
