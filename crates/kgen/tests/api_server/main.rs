//! A real API server accepts the CRDs that kgen generates, and refuses those that kgen refuses to generate. The tests count as
//! ignored if no control plane is available; `KGEN_E2E=required` makes that a failure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "../refused/examples.rs"]
#[allow(dead_code, reason = "the remark is for snapshots")]
mod examples;
mod imported;
mod refused;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test(
            "every_definition_of_the_cases_is_accepted",
            definitions_are_accepted,
        )
        .test(
            "containers_of_a_pod_template_merge_by_name",
            containers_merge_by_name,
        )
        .test(
            "refused::the_api_server_refuses_them",
            refused::the_api_server_refuses_them,
        )
        .test(
            "imported::their_definitions_are_accepted",
            imported::their_definitions_are_accepted,
        )
        .test(
            "imported::a_cluster_is_imported_and_compared",
            imported::a_cluster_is_imported_and_compared,
        )
        .run()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command. Returns its output, and whether it succeeded.
fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

/// Cases share names, so objects are not stored: the server does everything except the last step.
async fn definitions_are_accepted() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let mut kubectl = control_plane.kubectl();
    kubectl.args(["create", "--dry-run=server", "--validate=strict"]);
    let mut count = 0;
    for case in fs::read_dir(root().join("testdata/cases"))? {
        let mut folders = vec![case?.path().join("expected")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten() {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if is_copied_from_kubernetes(&path) {
                    // kgen has warned.
                } else if path.extension().is_some_and(|extension| extension == "yaml")
                    && is_definition(&fs::read_to_string(&path)?)
                {
                    kubectl.arg("--filename").arg(path);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 90, "only {count} definitions were found");
    let (accepted, text) = run(&mut kubectl);
    let refused: Vec<_> = text.lines().filter(|line| !line.contains(" created ")).collect();
    assert!(accepted, "{}", refused.join("\n"));
    control_plane.stop().await?;
    Ok(())
}

/// Returns whether a text is a CRD, and not the template of one in a Helm chart.
fn is_definition(text: &str) -> bool {
    text.contains("kind: CustomResourceDefinition") && !text.starts_with("{{")
}

/// Returns whether a CRD belongs to Kubernetes itself: a program uses such a type, but never installs it.
fn is_copied_from_kubernetes(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains(".k8s.io_")
}

const MANIFEST: &str = r#"[package]
name = "workloads"
version = "0.1.0"
edition = "2024"

[dependencies]
k8s-openapi = { version = "0.29", features = ["v1_36"] }
serde = { version = "1", features = ["derive"] }
"#;

const TYPES: &str = "//! +groupName=example.org
//! +versionName=v1

use k8s_openapi::api::batch::v1::JobTemplateSpec;
use k8s_openapi::api::core::v1::PodTemplateSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Something that runs.
pub struct Workload {
    pub metadata: ObjectMeta,
    pub spec: WorkloadSpec,
}

/// The image that it runs.
#[derive(Serialize, Deserialize)]
pub struct WorkloadSpec {
    pub pod: PodTemplateSpec,
    pub job: Option<JobTemplateSpec>,
}
";

/// Two field managers that own one container each: neither removes the container of the other.
async fn containers_merge_by_name() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let folder = control_plane.folder().join("project");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    fs::write(folder.join("src/lib.rs"), TYPES)?;
    let mut kgen = Command::new(env!("CARGO_BIN_EXE_kgen"));
    let (went_well, text) = run(kgen.args(["crd", "output:dir=crd"]).current_dir(&folder));
    assert!(went_well, "{text}");
    assert_eq!(
        control_plane.install_crds(folder.join("crd")).await?,
        ["workloads.example.org"]
    );

    for (owner, container, image) in [("first", "web", "nginx:1"), ("second", "log", "fluent:1")] {
        let object = folder.join(format!("{owner}.yaml"));
        fs::write(
            &object,
            format!(
                "apiVersion: example.org/v1\nkind: Workload\nmetadata: {{name: a}}\n\
                 spec: {{pod: {{spec: {{containers: [{{name: {container}, image: '{image}'}}]}}}}}}\n"
            ),
        )?;
        let mut kubectl = control_plane.kubectl();
        kubectl
            .args(["apply", "--server-side", "--field-manager", owner, "--filename"])
            .arg(&object);
        let (went_well, text) = run(&mut kubectl);
        assert!(went_well, "{text}");
    }
    let mut kubectl = control_plane.kubectl();
    let containers = "jsonpath={range .spec.pod.spec.containers[*]}{.name}={.image} {end}";
    let (_, text) = run(kubectl.args(["get", "workloads.example.org", "a", "--output", containers]));
    assert_eq!(text, "web=nginx:1 log=fluent:1 ");
    control_plane.stop().await?;
    Ok(())
}
