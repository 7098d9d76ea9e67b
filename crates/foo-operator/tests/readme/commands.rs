//! The commands of the README, run unchanged by a shell, from the root of the repository.
//!
//! Three programs are not what they are elsewhere. `cargo run -p foo-operator` starts the program that cargo has built already:
//! cargo must not build in its own tests. `kubectl` is that of the control plane; it tries again while a new CRD is not served.
//! `docker` does nothing, since an image takes longer to build than all tests together, so only the files that it copies are
//! checked.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, poll};

use crate::{block, package};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// What kubectl says about a kind that is not served yet.
const NOT_SERVED: &str =
    "-e 'no matches for kind' -e 'have a resource type' -e 'could not find the requested resource'";

/// Steps 8 and 10 in one cluster, first the operator from this machine, then in the cluster.
pub async fn lead_to_running_pods() -> Outcome {
    let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
    let programs = control_plane.folder().join("programs");
    fs::create_dir(&programs)?;
    let operator = env!("CARGO_BIN_EXE_foo-operator");
    write_program(
        &programs.join("cargo"),
        &format!(
            "[ \"$1 $2 $3\" = 'run -p foo-operator' ] || {{ echo \"not known here: cargo $*\" >&2; exit 2; }}\n\
             shift 3\n\
             if [ \"$1\" = -- ]; then shift; fi\n\
             exec '{operator}' \"$@\"\n"
        ),
    )?;
    let kubectl = control_plane.kubectl();
    let arguments: Vec<_> = kubectl
        .get_args()
        .map(|argument| format!("'{}'", argument.display()))
        .collect();
    write_program(
        &programs.join("kubectl"),
        &patient_kubectl(&format!(
            "'{}' {}",
            kubectl.get_program().display(),
            arguments.join(" ")
        )),
    )?;
    write_program(&programs.join("docker"), "echo \"not run: docker $*\" >&2\n")?;

    let mut shell = Shell::start(&control_plane, &programs, 8)?;
    shell.finish().await?;
    let ready = "jsonpath={.status.availableReplicas} {.status.conditions[?(@.type==\"Ready\")].status}";
    poll("the Foo of step 8 has its pods", PATIENCE, || {
        let foo = run(control_plane
            .kubectl()
            .args(["get", "foo", "example", "--output", ready]));
        Ok(foo? == "2 True")
    })
    .await
    .map_err(|error| format!("{error}\n{}", shell.log()))?;
    // Events are written a little later.
    poll("`kubectl describe` shows what the step says", PATIENCE, || {
        let described = run(control_plane.kubectl().args(["describe", "foo", "example"]))?;
        let mut promised = ["Status:", "Conditions:", "Events:", "Foo synced successfully"].into_iter();
        Ok(promised.all(|promised| described.contains(promised)))
    })
    .await?;
    drop(shell);

    let mut shell = Shell::start(&control_plane, &programs, 10)?;
    shell.finish().await?;
    let log = shell.log();
    assert!(log.contains("successfully rolled out"), "{log}");
    control_plane.stop().await?;
    Ok(())
}

/// The part of step 10 that is not run.
pub async fn the_image_finds_what_it_copies() -> Outcome {
    let docker = block(10).text;
    let docker = docker.lines().next().unwrap_or_default();
    let file = "crates/foo-operator/Dockerfile";
    assert_eq!(docker, format!("docker build --file {file} --tag foo-operator ."));
    let root = package().join("../..");
    let text = fs::read_to_string(root.join(file))?;
    assert!(
        text.starts_with(&format!("# From the root of the repository: {docker}\n")),
        "{text}"
    );
    let mut stages = Vec::new();
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["FROM", _, "AS", stage] => stages.push(*stage),
            ["COPY", from, source, _] if from.starts_with("--from=") => {
                let stage = from.trim_start_matches("--from=");
                assert!(stages.contains(&stage), "no stage is called {stage}");
                assert!(
                    source.ends_with("/release/foo-operator"),
                    "{source} is not what cargo builds"
                );
            }
            ["COPY", sources @ .., _] => {
                for source in sources {
                    assert!(root.join(source).exists(), "there is no {source} to copy");
                }
            }
            ["RUN", "cargo", "build", flags @ ..] => {
                assert!(flags.ends_with(&["--package", env!("CARGO_PKG_NAME")]), "{line}");
            }
            ["FROM" | "WORKDIR" | "ENTRYPOINT" | "#", ..] | [] => {}
            _ => panic!("nobody has looked at this line: {line}"),
        }
    }
    // The files that docker ignores must not include files that cargo needs.
    let left_out = fs::read_to_string(root.join(format!("{file}.dockerignore")))?;
    assert_eq!(left_out, "**/target\n.git\n");
    let _ = writeln!(std::io::stderr(), "not run, but its file was looked at: {docker}");
    Ok(())
}

/// A CRD is Established a moment before its objects can be created, and longer on a busy machine. The script repeats a
/// command only for that reason, with the same input, and logs each failure.
fn patient_kubectl(kubectl: &str) -> String {
    format!(
        "input=$(mktemp)\n\
         errors=$(mktemp)\n\
         cat > \"$input\"\n\
         for attempt in $(seq {PATIENCE}); do\n\
         \x20   status=0\n\
         \x20   {kubectl} \"$@\" < \"$input\" 2> \"$errors\" || status=$?\n\
         \x20   cat \"$errors\" >&2\n\
         \x20   [ $status != 0 ] && grep -q {NOT_SERVED} \"$errors\" || exit $status\n\
         \x20   sleep 1\n\
         done\n\
         exit $status\n",
        PATIENCE = PATIENCE.as_secs(),
    )
}

fn write_program(path: &Path, text: &str) -> Result<()> {
    fs::write(path, format!("#!/bin/sh\n{text}"))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// A shell that runs the block of a step, and whatever it leaves running in the background.
struct Shell {
    process: Child,
    log: std::path::PathBuf,
}

impl Shell {
    fn start(control_plane: &ControlPlane, programs: &Path, step: usize) -> Result<Self> {
        let log = control_plane.folder().join(format!("step-{step}.log"));
        let output = fs::File::create(&log)?;
        let path = std::env::var("PATH").unwrap_or_default();
        let process = Command::new("sh")
            .args(["-e", "-c", &block(step).text])
            .current_dir(package().join("../.."))
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("KUBECONFIG", control_plane.kubeconfig_path())
            .env("KUBERC", "off")
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .process_group(0)
            .spawn()?;
        Ok(Self { process, log })
    }

    /// Waits until the last command of the block has ended; all commands must succeed.
    async fn finish(&mut self) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            match self.process.try_wait()? {
                Some(status) => break status,
                None if Instant::now() > deadline => {
                    return Err(format!("not in {PATIENCE:?}:\n{}", self.log()).into());
                }
                None => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        };
        match status.success() {
            true => Ok(()),
            false => Err(format!("{status}:\n{}", self.log()).into()),
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status();
        let _ = self.process.wait();
    }
}

fn run(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{command:?}: {}", text(&output.stderr)).into()),
    }
}
