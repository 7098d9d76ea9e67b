//! The operators as processes.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Which operator.
#[derive(Clone)]
pub enum Side {
    /// The operator of this package.
    Kgen,
    /// The same on kube's own controller.
    Kube,
    /// The same on controller-runtime: this program.
    ControllerRuntime(PathBuf),
}

/// The clock ticks per second in `/proc`. Linux has the same value on all platforms.
const TICKS: f64 = 100.0;

impl Side {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kgen => "kgen-runtime",
            Self::Kube => "kube's Controller",
            Self::ControllerRuntime(_) => "controller-runtime",
        }
    }

    /// Returns the metric that counts calls of the reconciler.
    fn counter(&self) -> &'static str {
        match self {
            Self::Kgen | Self::ControllerRuntime(_) => "workqueue_work_duration_seconds_count{",
            Self::Kube => "foo_reconciles_total ",
        }
    }
}

/// An operator that runs; dropping it kills it.
pub struct Operator {
    side: Side,
    process: Child,
    log: PathBuf,
}

impl Operator {
    pub fn start(side: &Side, kubeconfig: &Path, workers: u16, folder: &Path) -> Result<Self> {
        let log = folder.join("operator.log");
        let mut command = match side {
            Side::ControllerRuntime(program) => Command::new(program),
            Side::Kgen => Command::new(env!("CARGO_BIN_EXE_foo-operator")),
            Side::Kube => Command::new(super::example("kube_controller")?),
        };
        let process = command
            .env("KUBECONFIG", kubeconfig)
            .arg("--metrics-addr=127.0.0.1:0")
            .arg(format!("--workers={workers}"))
            .stderr(fs::File::create(&log)?)
            .spawn()?;
        Ok(Self {
            side: side.clone(),
            process,
            log,
        })
    }

    pub async fn until_it_serves(&self) -> Result<()> {
        let start = Instant::now();
        while self.reconciles().is_err() {
            if start.elapsed() > Duration::from_secs(60) {
                bail!("it does not start: {}", self.log_tail());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Returns how often its reconciler has been called.
    pub fn reconciles(&self) -> Result<u64> {
        let metrics = self.metrics()?;
        let line = metrics
            .lines()
            .find(|line| line.starts_with(self.side.counter()))
            .with_context(|| format!("no metric {}", self.side.counter()))?;
        let number = line.rsplit(' ').next().unwrap_or_default();
        Ok(number.parse()?)
    }

    /// Returns the processor time so far. It is known on Linux only.
    pub fn processor_seconds(&self) -> Option<f64> {
        let stat = self.about("stat")?;
        // The name of the program is in parentheses, and can contain spaces.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut ticks = fields.split_whitespace().skip(11);
        let mut next = || ticks.next()?.parse::<f64>().ok();
        Some((next()? + next()?) / TICKS)
    }

    /// Returns the largest resident memory so far, in bytes. It is known on Linux only.
    pub fn peak_memory(&self) -> Option<u64> {
        let status = self.about("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kibibytes * 1024)
    }

    /// Reads a file of Linux about the process.
    fn about(&self, file: &str) -> Option<String> {
        fs::read_to_string(format!("/proc/{}/{file}", self.process.id())).ok()
    }

    fn metrics(&self) -> Result<String> {
        let log = fs::read_to_string(&self.log)?;
        let line = log
            .lines()
            .find(|line| line.contains("serving metrics"))
            .context("it does not serve yet")?;
        let line: serde_json::Value = serde_json::from_str(line)?;
        let address = line["fields"]["address"].as_str().context("no address")?;
        let mut stream = TcpStream::connect(address)?;
        write!(
            stream,
            "GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Returns the end of its log.
    pub fn log_tail(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<_> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
