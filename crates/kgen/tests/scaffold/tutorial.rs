//! Follows `docs/book/src/tutorial.md` exactly: its files are written, its commands are run by a shell, and its files
//! and output are compared.
//!
//! Steps that need a cluster run if a control plane is available. Three things differ from a reader's environment:
//! `kgen init` uses kgen from this repository, with its lock file, so that nothing has to be downloaded; the pods of
//! the operator run on simulated nodes, so a process replaces them for webhooks; and blocks marked `elsewhere`, which
//! build an image or download cert-manager, are not run.

mod page;
mod shell;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kgen_testenv::ControlPlane;
use tempfile::TempDir;

use self::page::{Place, Step, is_shown, steps};
use self::shell::{Shell, write_program};
use crate::Outcome;
use crate::deployed::{Standin, install_others, stand_in_for_pods};
use crate::project::{as_author, finish, root, target};

/// The name of the project on that page.
const NAME: &str = "memcached-operator";

/// One reader at a time: both build a program of the same name in the same folder.
static READING: Mutex<()> = Mutex::new(());

/// While this exists, the other test waits.
struct Turn(#[expect(dead_code, reason = "its end is what counts")] MutexGuard<'static, ()>);

impl Turn {
    fn take() -> Self {
        Self(READING.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The steps without a cluster, which end with a project that passes all checks.
pub async fn leads_to_a_sound_project() -> Outcome {
    let _turn = Turn::take();
    let steps = steps()?;
    let commands: Vec<&str> = steps.iter().flat_map(Step::commands).collect();
    for check in [
        "cargo test",
        "cargo clippy --all-targets -- -D warnings",
        "cargo fmt --check",
        "kgen verify",
    ] {
        assert!(commands.contains(&check), "nobody runs `{check}`");
    }
    let mut reader = Reader::new(None)?;
    for step in &steps {
        if matches!(step, Step::Run { place, .. } if *place != Place::Anywhere) {
            continue;
        }
        reader.follow(step)?;
    }
    Ok(())
}

/// All steps; cargo's checks are left to the other test.
pub async fn leads_to_a_running_operator() -> Outcome {
    let _turn = Turn::take();
    let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
    install_others(&control_plane).await?;
    let mut reader = Reader::new(Some(&control_plane))?;
    let mut operator: Option<Standin> = None;
    let outcome = async {
        for step in &steps()? {
            match step {
                Step::Run { place, commands, .. } if *place == Place::Elsewhere => {
                    eprintln!("not run: {}", commands.trim_end().replace('\n', "; "));
                    continue;
                }
                Step::Run { place, commands, .. }
                    if *place == Place::Anywhere && commands.starts_with("cargo ") =>
                {
                    continue;
                }
                Step::Run { place, .. } if *place == Place::Webhooks && operator.is_none() => {
                    operator = Some(deploy_for_real(&control_plane, &reader.project()).await?);
                }
                _ => {}
            }
            reader.follow(step)?;
        }
        Ok(())
    }
    .await;
    let log = operator.as_ref().map(Standin::log).unwrap_or_default();
    drop(operator);
    drop(reader);
    control_plane.stop().await?;
    outcome
        .map_err(|error: Box<dyn Error + Send + Sync>| format!("{error}\nThe operator said:\n{log}").into())
}

/// Starts the operator like its pods: with their service account, and with a certificate for its webhooks.
async fn deploy_for_real(control_plane: &ControlPlane, project: &Path) -> Outcome<Standin> {
    let mut kustomize = control_plane.kubectl();
    kustomize
        .args(["kustomize", "config/default"])
        .current_dir(project);
    let everything = control_plane.folder().join("everything.yaml");
    fs::write(&everything, finish(kustomize)?)?;
    let program = target().join("debug").join(NAME);
    let operator = stand_in_for_pods(control_plane, &program, NAME, &everything).await?;
    operator.wait_until_reachable().await?;
    Ok(operator)
}

/// A reader who follows the page.
struct Reader {
    shell: Shell,
    folder: TempDir,
}

impl Reader {
    fn new(control_plane: Option<&ControlPlane>) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let programs = folder.path().join("programs");
        fs::create_dir(&programs)?;
        let (kgen, root) = (env!("CARGO_BIN_EXE_kgen"), root());
        let root = root.display();
        write_program(
            &programs.join("kgen"),
            &format!(
                "[ \"$1\" = init ] || exec '{kgen}' \"$@\"\n\
                 '{kgen}' \"$@\" --kgen-source 'path={root}'\n\
                 cp '{root}/Cargo.lock' .\n"
            ),
        )?;
        let work = folder.path().join("work");
        fs::create_dir(&work)?;
        let mut command = Command::new("sh");
        as_author(&mut command);
        command.current_dir(&work).env("CARGO_NET_OFFLINE", "true");
        if let Some(control_plane) = control_plane {
            let kubectl = control_plane.kubectl();
            let arguments: Vec<_> = kubectl
                .get_args()
                .map(|argument| format!("'{}'", argument.display()))
                .collect();
            let (program, arguments) = (kubectl.get_program().display(), arguments.join(" "));
            write_program(
                &programs.join("kubectl"),
                &format!("exec '{program}' {arguments} \"$@\"\n"),
            )?;
            command
                .env("KUBECONFIG", control_plane.kubeconfig_path())
                .env("KUBERC", "off");
        }
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", programs.display()));
        Ok(Self {
            shell: Shell::start(command, folder.path())?,
            folder,
        })
    }

    /// Returns the folder of the project.
    fn project(&self) -> PathBuf {
        self.folder.path().join("work").join(NAME)
    }

    fn follow(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Write { file, text } => {
                let file = self.project().join(file);
                fs::create_dir_all(file.parent().unwrap())?;
                fs::write(file, text)?;
            }
            Step::See { file, text } => {
                let found = fs::read_to_string(self.project().join(file))?;
                if !found.contains(text) {
                    return Err(format!("{file} does not have\n{text}\nbut is\n{found}").into());
                }
            }
            Step::Run {
                commands,
                fails,
                output,
                ..
            } => {
                let found = self.shell.run(commands, *fails)?;
                if let Some(expected) = output
                    && !is_shown(expected, &found)
                {
                    return Err(
                        format!("{commands}is said to print\n{expected}\nbut prints\n{found}").into(),
                    );
                }
            }
        }
        Ok(())
    }
}
