//! The command: a control plane for a person at a terminal, until Ctrl-C.
//!
//! `kgen-control-plane` is this and nothing more. A program with a command of its own (`cargo xtask control-plane`)
//! flattens [`Options`] into its clap command and calls [`run`].

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::assets::{Assets, Release};
use crate::control_plane::ControlPlane;
use crate::error::{IoContext, Result};

/// How often the components are looked after.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What the command can be told.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Version of Kubernetes, such as 1.36 or 1.36.4
    #[arg(long, value_name = "VERSION")]
    pub kubernetes: Option<String>,

    /// Number of nodes; 0 starts etcd and the API server alone
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub nodes: u16,

    /// Further flag of the API server; may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub api_server_flag: Vec<String>,

    /// Folder to keep the logs in
    #[arg(long, value_name = "FOLDER")]
    pub logs: Option<PathBuf>,

    /// Build the binaries if they are not there, print their folder and end
    #[arg(long)]
    pub build_only: bool,
}

/// Starts a control plane, writes to `out` how to use it, and keeps it until Ctrl-C; then stops it gently.
///
/// It blocks, on a Tokio runtime of its own.
///
/// # Errors
///
/// It does not come up, or a component ends by itself.
pub fn run(options: Options, out: &mut dyn Write) -> Result<()> {
    if options.build_only {
        let assets = Assets::find_or_build(&Release::resolve(options.kubernetes.as_deref())?)?;
        return say(
            out,
            &format!("export KUBEBUILDER_ASSETS={}\n", quoted(assets.folder())),
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime
        .context("start", Path::new("the Tokio runtime"))?
        .block_on(serve(options, out))
}

async fn serve(options: Options, out: &mut dyn Write) -> Result<()> {
    let builder = builder(options);
    // Nobody listens while binaries are built, so that a signal ends that at once.
    builder.find_or_build_assets().await?;
    let start = Instant::now();
    // Before anything is said: whoever reads it may answer at once.
    let mut interruption = Interruption::listen()?;
    let control_plane = tokio::select! {
        started = builder.start() => started?,
        // What has been started ends with the future that was starting it.
        () = interruption.comes() => return Ok(()),
    };
    say(out, &introduction(&control_plane, start.elapsed()))?;
    let outcome = tokio::select! {
        () = interruption.comes() => Ok(()),
        outcome = until_one_dies(&control_plane) => outcome,
    };
    let stopped = control_plane.stop().await;
    outcome.and(stopped)
}

fn builder(options: Options) -> crate::ControlPlaneBuilder {
    let mut builder = ControlPlane::builder();
    if options.nodes > 0 {
        builder = builder.with_nodes(options.nodes);
    }
    if let Some(version) = options.kubernetes {
        builder = builder.kubernetes(version);
    }
    if let Some(logs) = options.logs {
        builder = builder.logs(logs);
    }
    options
        .api_server_flag
        .into_iter()
        .fold(builder, crate::ControlPlaneBuilder::api_server_flag)
}

fn introduction(control_plane: &ControlPlane, took: Duration) -> String {
    let kubectl = PathBuf::from(control_plane.kubectl().get_program());
    let binaries = kubectl.parent().unwrap_or(&kubectl);
    format!(
        "# Kubernetes {} is ready at {} after {:.1} s. In another terminal:\n\
         export KUBECONFIG={}\n\
         export PATH={}:\"$PATH\"\n\
         # Ctrl-C stops it and removes everything.\n",
        control_plane.version(),
        control_plane.url(),
        took.as_secs_f64(),
        quoted(&control_plane.kubeconfig_path()),
        quoted(binaries),
    )
}

/// The wish of the user or the system that this process should end, from the moment of listening on.
struct Interruption {
    interrupted: Signal,
    terminated: Signal,
}

impl Interruption {
    fn listen() -> Result<Self> {
        let listen = |kind| signal(kind).context("listen for signals of", Path::new("the system"));
        Ok(Self {
            interrupted: listen(SignalKind::interrupt())?,
            terminated: listen(SignalKind::terminate())?,
        })
    }

    async fn comes(&mut self) {
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.terminated.recv() => {}
        }
    }
}

async fn until_one_dies(control_plane: &ControlPlane) -> Result<()> {
    loop {
        control_plane.check()?;
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn say(out: &mut dyn Write, text: &str) -> Result<()> {
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("write to", Path::new("the standard output"))
}

/// Returns a path for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
