//! Runs the commands in `testdata/kubectl/commands.txt` with kubectl, against a control plane and against the fake that
//! `serve` serves. Both must print the same, apart from ages, times, UIDs, versions and addresses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

mod normal;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use kgen_fake::Cluster;
use kgen_testenv::suite::{Outcome, Suite};
use kgen_testenv::{ControlPlane, ControlPlaneBuilder};

/// The time for one command. Only a command that hangs needs so much.
const WATCHDOG: std::time::Duration = std::time::Duration::from_secs(180);

fn needs() -> ControlPlaneBuilder {
    ControlPlane::builder()
}

fn main() -> ExitCode {
    Suite::new(needs())
        .test("kubectl_prints_the_same", kubectl_prints_the_same)
        .run()
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/kubectl")
}

fn definition() -> String {
    let definitions = here().join("../../../../testdata/conformance/fake/definitions");
    std::fs::read_to_string(definitions.join("widgets.json")).unwrap()
}

async fn kubectl_prints_the_same() -> Outcome {
    let control_plane = needs().start().await?;
    control_plane.install_crds(definition().as_str()).await?;
    let fake = Cluster::new()
        .lenient()
        .starting_at(std::time::SystemTime::now())
        .definition(serde_json::from_str(&definition())?)
        .start();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kubectl");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let kubeconfig = folder.join("kubeconfig");
    std::fs::write(&kubeconfig, fake.serve().await?.kubeconfig())?;
    let program = control_plane.kubectl().get_program().to_owned();
    let on_fake = || {
        let mut command = Command::new(&program);
        command
            .env("KUBECONFIG", &kubeconfig)
            .env("KUBERC", "off")
            .arg(format!("--cache-dir={}", folder.join("cache").display()));
        command
    };
    let commands = std::fs::read_to_string(here().join("commands.txt"))?;
    let commands = commands
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut count, mut different) = (0, 0);
    for line in commands {
        let expected = run(control_plane.kubectl(), line).await?;
        let found = run(on_fake(), line).await?;
        count += 1;
        let (expected, found) = (normal::text(line, &expected), normal::text(line, &found));
        if expected != found {
            different += 1;
            println!("$ kubectl {line}\n--- expected\n{expected}\n--- found\n{found}\n");
        }
    }
    control_plane.stop().await?;
    println!(
        "fake: kubectl prints the same for {} of {count} commands",
        count - different
    );
    assert_eq!(different, 0, "kubectl prints something else");
    Ok(())
}

/// Runs a command. Returns what it prints, and its exit code.
async fn run(mut command: Command, line: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    command
        .current_dir(here())
        .env("KUBE_EDITOR", "sed -i s/red/blue/")
        .args(line.split(' '));
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = tokio::time::timeout(WATCHDOG, output).await???;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(format!(
        "{}{}exit {}",
        text(&output.stdout),
        text(&output.stderr),
        output.status.code().unwrap_or(-1)
    ))
}
