//! Many Foos at once on a real control plane, for the operator and for the same decisions under kube's own `Controller` and under
//! controller-runtime.
//!
//! Started by `cargo xtask bench --load`, which builds the program in Go and makes tables of what this prints as JSON. The
//! requests are counted by the API server, in its audit log, and not by the operators.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "xtask reads the result from standard output, and people read the progress"
)]

mod audit;
mod operator;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use foo_operator::api::v1::{Foo, FooSpec};
use foo_operator::generated::Clientset;
use futures::{StreamExt, TryStreamExt};
use kgen_runtime::{Informer, InformerFactory};
use kgen_testenv::ControlPlane;
use kube::core::labels::Selector;
use serde_json::{Value, json};

use self::audit::Audit;
use self::operator::{Operator, Side};

/// How long a thousand Foos may take.
const PATIENCE: Duration = Duration::from_secs(900);

/// For so long nothing may be written before the steady state begins: the last events take a moment.
const QUIET: Duration = Duration::from_secs(5);

#[derive(Parser)]
struct Options {
    /// How many Foos
    #[arg(long, default_value_t = 1000)]
    foos: usize,
    /// How many times each operator is measured
    #[arg(long, default_value_t = 1)]
    rounds: u32,
    /// The operator on controller-runtime
    #[arg(long, value_name = "PROGRAM")]
    controller_runtime: Option<PathBuf>,
    /// How many workers each operator has
    #[arg(long, default_value_t = 8)]
    workers: u16,
    /// How long the steady state is watched, in seconds
    #[arg(long, default_value_t = 60)]
    steady: u64,
    /// `cargo bench` says this
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let mut sides = vec![Side::Kgen, Side::Kube];
    let in_go = options.controller_runtime.clone().map(Side::ControllerRuntime);
    sides.extend(in_go);
    let mut found = Vec::new();
    for round in 1..=options.rounds {
        for side in &sides {
            let result = measure(side, round, &options).await;
            found.push(result.with_context(|| format!("{} failed", side.name()))?);
        }
        // A machine gets slower or faster over time, so the next round is in the opposite order.
        sides.reverse();
    }
    println!("{}", Value::from(found));
    Ok(())
}

/// Measures one control plane, one operator, all Foos, and a minute in which nothing happens.
async fn measure(side: &Side, round: u32, options: &Options) -> Result<Value> {
    eprintln!("{}, round {round}: starting a control plane", side.name());
    let folder = tempfile::tempdir()?;
    let audit = Audit::in_folder(folder.path())?;
    let mut builder = ControlPlane::builder().with_nodes(1);
    for flag in audit.flags() {
        builder = builder.api_server_flag(flag);
    }
    let control_plane = builder.start().await?;
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("config");
    control_plane.install_crds(config.join("crd")).await?;
    let applied = control_plane
        .kubectl()
        .args(["apply", "-k"])
        .arg(config.join("default"))
        .output()?;
    ensure!(
        applied.status.success(),
        "{}",
        String::from_utf8_lossy(&applied.stderr)
    );
    let kubeconfig = folder.path().join("operator.kubeconfig");
    let account = control_plane.service_account_kubeconfig("foo-system", "foo-operator");
    account.await?.write_to(&kubeconfig)?;
    let operator = Operator::start(side, &kubeconfig, options.workers, folder.path())?;
    operator.until_it_serves().await?;

    let clients = Clientset::new(control_plane.client().await?);
    let factory = InformerFactory::new(clients.connection());
    let seen = factory.informer::<Foo>();
    factory.start();
    factory.wait_for_sync().await.into_result()?;
    let start = Instant::now();
    create(&clients, options.foos).await?;
    let created = start.elapsed();
    eprintln!(
        "{}: {} Foos were created after {created:.1?}",
        side.name(),
        options.foos
    );
    until_all_are_ready(&seen, options.foos, start)
        .await
        .with_context(|| operator.log_tail())?;
    let ready = start.elapsed();
    let reconciles = operator.reconciles()?;
    let processor = operator.processor_seconds();
    eprintln!("{}: all were ready after {ready:.1?}", side.name());

    audit.until_quiet(QUIET).await?;
    let requests = audit.count()?;
    eprintln!(
        "{}: watching the steady state for {} s",
        side.name(),
        options.steady
    );
    tokio::time::sleep(Duration::from_secs(options.steady)).await;
    let steady = audit.count()?.since(&requests);
    factory.shutdown().await;
    let peak_memory = operator.peak_memory();
    drop(operator);
    control_plane.stop().await?;
    Ok(json!({
        "name": side.name(),
        "round": round,
        "foos": options.foos,
        "created_seconds": created.as_secs_f64(),
        "ready_seconds": ready.as_secs_f64(),
        "processor_seconds": processor,
        "peak_memory": peak_memory,
        "reconciles": reconciles,
        "requests": requests.by_sort(),
        "writes": requests.writes(),
        "reads": requests.reads(),
        "steady_seconds": options.steady,
        "steady_writes": steady.writes(),
    }))
}

async fn create(clients: &Clientset, foos: usize) -> Result<()> {
    let handle = clients.example_v1().foos("default");
    futures::stream::iter(0..foos)
        .map(|number| {
            let spec = FooSpec {
                deployment_name: format!("web-{number}"),
                replicas: Some(1),
                ..FooSpec::default()
            };
            let (handle, foo) = (handle.clone(), Foo::new(&format!("foo-{number}"), spec));
            async move { handle.create(&foo).await.map(drop) }
        })
        .buffer_unordered(32)
        .try_collect::<()>()
        .await?;
    Ok(())
}

async fn until_all_are_ready(foos: &Informer<Foo>, wanted: usize, start: Instant) -> Result<()> {
    loop {
        let all = foos.lister().list(&Selector::default());
        let ready = all.iter().filter(|foo| is_ready(foo)).count();
        if ready == wanted {
            return Ok(());
        }
        let patience = PATIENCE * u32::try_from(wanted.div_ceil(1000))?;
        if start.elapsed() > patience {
            bail!("{ready} of {wanted} Foos were ready within {patience:?}");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn is_ready(foo: &Foo) -> bool {
    let mut conditions = foo.status.iter().flat_map(|status| &status.conditions);
    conditions.any(|condition| condition.type_ == "Ready" && condition.status == "True")
}

/// Returns the example beside this program, which is built with it.
fn example(name: &str) -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    let profile = this.parent().and_then(Path::parent).context("no target folder")?;
    let path = profile.join("examples").join(name);
    ensure!(path.is_file(), "{} is not built", path.display());
    Ok(path)
}
