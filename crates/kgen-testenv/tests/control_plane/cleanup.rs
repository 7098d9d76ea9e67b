//! However a test ends, all processes and folders are removed.
//!
//! Endings of the whole process are tested in a child process: this test program, started again with a variable that
//! selects the ending.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;

use crate::support::{is_running, measured, processes, run, wait_until};

/// The variable that selects the ending of a child.
pub const CHILD: &str = "KGEN_TESTENV_CHILD";

pub async fn stop_leaves_nothing() -> Outcome {
    let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
    let (processes, folder) = (processes(&control_plane), control_plane.folder().to_owned());
    control_plane.stop().await?;
    assert_nothing_left(&processes, &folder);
    Ok(())
}

pub async fn drop_leaves_nothing() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let (processes, folder) = (processes(&control_plane), control_plane.folder().to_owned());
    let start = Instant::now();
    drop(control_plane);
    measured("drop", start);
    assert_nothing_left(&processes, &folder);
    Ok(())
}

pub async fn a_panic_leaves_nothing() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let (processes, folder) = (processes(&control_plane), control_plane.folder().to_owned());
    let panicked = std::thread::spawn(move || {
        let _held = control_plane;
        std::panic::resume_unwind(Box::new("as a failed assertion would"));
    });
    assert!(panicked.join().is_err());
    assert_nothing_left(&processes, &folder);
    Ok(())
}

pub async fn an_exit_leaves_nothing() -> Outcome {
    let mut child = RunningChild::start("exit");
    child.process.wait()?;
    child.leaves_nothing().await;
    Ok(())
}

pub async fn an_interrupt_leaves_nothing() -> Outcome {
    let mut child = RunningChild::start("wait");
    run(Command::new("kill").args(["-INT", &child.process.id().to_string()]))?;
    child.process.wait()?;
    child.leaves_nothing().await;
    Ok(())
}

pub async fn a_killed_parent_leaves_nothing() -> Outcome {
    let mut child = RunningChild::start("wait");
    child.process.kill()?;
    child.process.wait()?;
    let start = Instant::now();
    child.leaves_nothing().await;
    measured("cleanup by the watchdog after the parent was killed", start);
    Ok(())
}

pub async fn the_next_start_removes_leftovers() -> Outcome {
    // A separate folder: other tests start control planes too, and would clean up before this test looks.
    let place = tempfile::tempdir()?;
    let mut child = RunningChild::start_in(place.path(), "wait");
    // The watchdog leads the process group of the components.
    let etcd = child.components.first().expect("it has etcd").to_string();
    let watchdog = run(Command::new("ps").args(["-o", "pgid=", "-p", &etcd]))?;
    run(Command::new("kill").args(["-KILL", watchdog.trim()]))?;
    child.process.kill()?;
    child.process.wait()?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(child.folder.is_dir(), "nobody is left to clean up");
    assert!(child.components.iter().all(|process| is_running(*process)));

    let mut next = RunningChild::start_in(place.path(), "exit");
    child.leaves_nothing().await;
    next.process.wait()?;
    next.leaves_nothing().await;
    Ok(())
}

fn assert_nothing_left(processes: &[u32], folder: &Path) {
    let left: Vec<&u32> = processes.iter().filter(|process| is_running(**process)).collect();
    assert!(left.is_empty(), "still running: {left:?}");
    assert!(!folder.exists(), "{} is still there", folder.display());
}

/// A child with a control plane.
struct RunningChild {
    process: Child,
    components: Vec<u32>,
    folder: PathBuf,
}

impl RunningChild {
    fn start(ending: &str) -> Self {
        Self::start_in(&std::env::temp_dir(), ending)
    }

    /// Starts the child with another folder for temporary files.
    fn start_in(place: &Path, ending: &str) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("a program knows its file"))
            .env(CHILD, ending)
            .env("TMPDIR", place)
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program can be started");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let mut line = || {
            lines
                .next()
                .expect("the child got as far as this")
                .expect("it writes text")
        };
        let folder = PathBuf::from(line());
        let components = line()
            .split(' ')
            .map(|number| number.parse().expect("a process number"))
            .collect();
        Self {
            process,
            components,
            folder,
        }
    }

    async fn leaves_nothing(&self) {
        wait_until("everything of the child is gone", 60, || {
            !self.folder.exists() && !self.components.iter().any(|process| is_running(*process))
        })
        .await;
    }
}

/// Returns the program of a child: starts a control plane, prints its folder, and ends without dropping it.
pub fn child(ending: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    if ending == "start_or_skip" {
        let outcome = runtime.block_on(ControlPlane::start_or_skip());
        return if matches!(outcome, Ok(None)) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    let control_plane = runtime.block_on(ControlPlane::start()).expect("a control plane");
    let numbers: Vec<String> = processes(&control_plane)
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut out = std::io::stdout();
    writeln!(out, "{}\n{}", control_plane.folder().display(), numbers.join(" ")).expect("the parent reads");
    // Never dropped, like a static.
    std::mem::forget(control_plane);
    if ending == "wait" {
        std::thread::sleep(Duration::from_secs(60));
    }
    ExitCode::SUCCESS
}
