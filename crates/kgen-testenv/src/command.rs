//! The command `kgen-control-plane`: a control plane for interactive use, until Ctrl-C.
//!
//! The binary `kgen-control-plane` only calls this module. A program with its own command (`cargo xtask control-plane`)
//! flattens [`Options`] into its clap command and calls [`run`].

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::assets::{Assets, Release};
use crate::control_plane::ControlPlane;
use crate::error::{IoContext, Result};

/// How often the components are checked.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The options of the command.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Version of Kubernetes, such as 1.36 or 1.36.4
    #[arg(long, value_name = "VERSION")]
    pub kubernetes: Option<String>,

    /// Number of nodes; 0 starts etcd and the API server alone
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub nodes: u16,

    /// Additional flag of the API server; may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub api_server_flag: Vec<String>,

    /// Folder to keep the logs in
    #[arg(long, value_name = "FOLDER")]
    pub logs: Option<PathBuf>,

    /// Build the binaries if they do not exist, print their folder and exit
    #[arg(long)]
    pub build_only: bool,
}

/// Starts a control plane, writes instructions to `out`, keeps it running until Ctrl-C, and then stops it gracefully.
///
/// It blocks the thread, with its own Tokio runtime.
///
/// # Errors
///
/// Returns an error if the control plane does not start, or if a component exits by itself.
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
    // Signals are not handled while the binaries are built, so that Ctrl-C ends the build immediately.
    builder.find_or_build_assets().await?;
    let start = Instant::now();
    // Listen before anything is printed: the reader of the output may send a signal immediately.
    let mut interruption = Interruption::listen()?;
    let control_plane = tokio::select! {
        started = builder.start() => started?,
        // Dropping the future stops the components that it has already started.
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

/// A request of the user or the system to end this process. It counts from the moment at which listening starts.
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

/// Quotes a path for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
