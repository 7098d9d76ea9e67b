//! The replicas of the operator: processes that are restarted when they end, as the kubelet would do, and measured.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;

use crate::cluster::{Cluster, Operator, PATIENCE, Result, note};
use crate::proxy::FaultyProxy;

/// How much more memory than in its second quarter a process may use in its last one.
const GROWTH: f64 = 1.3;

/// The memory that does not count as growth.
const SLACK_KIB: u64 = 8 * 1024;

/// The number of samples from which on a process is judged.
const ENOUGH_SAMPLES: usize = 12;

pub struct Replica {
    pub name: String,
    pub proxy: FaultyProxy,
    kubeconfig: String,
    starts: usize,
    process: Operator,
}

pub struct Replicas {
    pub all: Vec<Replica>,
    folder: std::path::PathBuf,
    samples: BTreeMap<String, Vec<Sample>>,
    sampled: Instant,
}

/// The resources of a process at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    kib: u64,
    depth: u64,
    adds: u64,
    leads: bool,
}

impl Replicas {
    pub async fn start(cluster: &Cluster, count: usize) -> Result<Self> {
        let account = cluster
            .control_plane
            .service_account_kubeconfig("foo-system", "foo-operator")
            .await?;
        let folder = cluster.control_plane.folder().to_owned();
        let mut all = Vec::new();
        for number in 0..count {
            let name = format!("replica-{number}");
            let proxy = FaultyProxy::start(cluster.control_plane.kubeconfig(), &name)?;
            let kubeconfig = proxy.kubeconfig(&account);
            let process = start(&folder, &name, 0, &kubeconfig)?;
            all.push(Replica {
                name,
                proxy,
                kubeconfig,
                starts: 0,
                process,
            });
        }
        Ok(Self {
            all,
            folder,
            samples: BTreeMap::new(),
            sampled: Instant::now(),
        })
    }

    /// Returns the replica that holds the lease, if its process runs.
    pub async fn leader(&self, cluster: &Cluster) -> Option<&Replica> {
        let leases = Api::<Lease>::namespaced(cluster.client.clone(), "foo-system");
        let lease = leases.get_opt("foo-operator").await.ok()??;
        let holder = lease.spec?.holder_identity?;
        // The identity is the name of the host, which the replica was told.
        self.all.iter().find(|replica| holder.starts_with(&replica.name))
    }

    /// Starts processes that have ended, and takes samples every few seconds.
    pub fn tend(&mut self) -> Result {
        for replica in &mut self.all {
            if replica.process.has_ended()? {
                replica.starts += 1;
                replica.process = start(&self.folder, &replica.name, replica.starts, &replica.kubeconfig)?;
            }
        }
        if self.sampled.elapsed() > Duration::from_secs(2) {
            self.sampled = Instant::now();
            for replica in &self.all {
                // A process that has just started, or is stopped, has nothing to tell.
                if let Ok(sample) = replica.process.sample() {
                    let process = format!("{} ({})", replica.name, replica.starts);
                    self.samples.entry(process).or_default().push(sample);
                }
            }
        }
        Ok(())
    }

    /// Takes back all faults.
    pub fn heal(&mut self) -> Result {
        for replica in &self.all {
            replica.proxy.delay(Duration::ZERO);
            replica.proxy.reset();
            // Waking one that is awake does no harm, and one that has ended is restarted.
            let _ = replica.process.signal("CONT");
        }
        self.tend()
    }

    /// Waits until every queue is empty.
    pub async fn until_idle(&mut self) -> Result {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.tend()?;
            let samples: Vec<_> = self.all.iter().map(|replica| replica.process.sample()).collect();
            if samples
                .iter()
                .all(|sample| sample.as_ref().is_ok_and(|sample| sample.depth == 0))
            {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(format!("the queues do not become empty: {samples:?}").into());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Ends all processes. Returns their samples.
    pub fn finish(self) -> BTreeMap<String, Vec<Sample>> {
        self.samples
    }
}

impl Replica {
    pub fn signal(&self, name: &str) -> Result {
        self.process.signal(name)
    }
}

fn start(folder: &std::path::Path, name: &str, starts: usize, kubeconfig: &str) -> Result<Operator> {
    let flags = [
        "--leader-elect",
        "--metrics-addr=127.0.0.1:0",
        "--probe-addr=127.0.0.1:0",
    ];
    let environment = [("HOSTNAME", name)];
    Operator::start(
        folder,
        &format!("{name}-{starts}"),
        kubeconfig,
        &flags,
        &environment,
    )
}

impl Operator {
    fn sample(&self) -> Result<Sample> {
        let metrics = self.metrics()?;
        let value = |name: &str| {
            // A queue has one line per level.
            let lines = metrics.lines().filter(|line| line.starts_with(name));
            let numbers = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
            numbers.sum::<f64>() as u64
        };
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = resident.and_then(|line| line.split_whitespace().next()?.parse().ok());
        Ok(Sample {
            kib: kib.ok_or("no VmRSS")?,
            depth: value("workqueue_depth{"),
            adds: value("workqueue_adds_total{"),
            leads: value("leader_election_master_status{") == 1,
        })
    }

    fn metrics(&self) -> Result<String> {
        let log = self.log();
        let line = log.lines().find(|line| line.contains("serving metrics"));
        let line: serde_json::Value = serde_json::from_str(line.ok_or("it serves no metrics")?)?;
        let address = line["fields"]["address"].as_str().ok_or("no address")?;
        let mut stream = TcpStream::connect(address)?;
        // A process that is stopped accepts connections, but does not answer.
        stream.set_read_timeout(Some(Duration::from_millis(500)))?;
        write!(
            stream,
            "GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }
}

/// Fails if the memory of a process grew, or a process queued anything before it led.
pub fn check_samples(samples: &BTreeMap<String, Vec<Sample>>) -> Result {
    let mut problems = Vec::new();
    for (process, samples) in samples {
        let before_leading = samples.iter().take_while(|sample| !sample.leads);
        let queued = before_leading.map(|sample| sample.adds).max().unwrap_or_default();
        // The sample may be taken in the moment in which it begins to lead.
        let never_led = samples.iter().all(|sample| !sample.leads);
        if queued > 0 && never_led {
            problems.push(format!("{process} never led, but queued {queued} keys"));
        }
        if samples.len() < ENOUGH_SAMPLES {
            continue;
        }
        let quarter = samples.len() / 4;
        let median = |part: &[Sample]| {
            let mut kib: Vec<u64> = part.iter().map(|sample| sample.kib).collect();
            kib.sort_unstable();
            kib[kib.len() / 2]
        };
        let (early, late) = (
            median(&samples[quarter..2 * quarter]),
            median(&samples[samples.len() - quarter..]),
        );
        let longest = samples
            .iter()
            .map(|sample| sample.depth)
            .max()
            .unwrap_or_default();
        note(&format!(
            "soak: {process} used {early} KiB, later {late} KiB, queued at most {longest} keys"
        ));
        if late > SLACK_KIB + (early as f64 * GROWTH) as u64 {
            problems.push(format!("{process} grew from {early} to {late} KiB"));
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("; ").into()),
    }
}
