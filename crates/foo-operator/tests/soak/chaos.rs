//! The faults, one after the other.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use kgen_testenv::Component;

use crate::cluster::{Cluster, Result};
use crate::replica::Replicas;

/// How long a leader is stopped or cut off: longer than a lease.
const LONGER_THAN_A_LEASE: Duration = Duration::from_secs(20);

/// How much a request may be delayed: shorter than what is left of a lease when its holder gives up.
const DELAY: Duration = Duration::from_millis(500);

/// The time between faults.
const PAUSE: Duration = Duration::from_secs(4);

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Fault {
    Resets,
    Delays,
    Compaction,
    StalledLeader,
    ApiServerRestart,
    StoppedLeader,
    KilledLeader,
}

const FAULTS: [Fault; 9] = [
    Fault::Resets,
    Fault::StoppedLeader,
    Fault::Delays,
    Fault::Compaction,
    Fault::ApiServerRestart,
    Fault::Resets,
    Fault::StalledLeader,
    Fault::Compaction,
    Fault::KilledLeader,
];

/// The faults so far.
#[derive(Default)]
pub struct Chaos {
    steps: usize,
    counts: BTreeMap<Fault, usize>,
    /// When leaders that were stopped went on, by the name of the replica.
    awakenings: Vec<(String, SystemTime)>,
}

impl Chaos {
    /// Plays the next fault and waits a moment.
    pub async fn step(&mut self, cluster: &Cluster, replicas: &mut Replicas) -> Result {
        let fault = FAULTS[self.steps % FAULTS.len()];
        self.steps += 1;
        *self.counts.entry(fault).or_default() += 1;
        match fault {
            Fault::Resets => {
                for replica in &replicas.all {
                    replica.proxy.reset();
                }
            }
            Fault::Delays => {
                for replica in &replicas.all {
                    replica.proxy.delay(DELAY);
                }
                wait(replicas, PAUSE).await?;
                for replica in &replicas.all {
                    replica.proxy.delay(Duration::ZERO);
                }
            }
            Fault::Compaction => drop(cluster.control_plane.compact_etcd().await?),
            Fault::ApiServerRestart => {
                cluster.control_plane.kill(Component::ApiServer)?;
                cluster.control_plane.restart(Component::ApiServer).await?;
            }
            Fault::StalledLeader => {
                if let Some(name) = leader(cluster, replicas).await {
                    named(replicas, &name)?.proxy.stall();
                    wait(replicas, LONGER_THAN_A_LEASE).await?;
                    named(replicas, &name)?.proxy.reset();
                }
            }
            Fault::StoppedLeader => {
                if let Some(name) = leader(cluster, replicas).await {
                    named(replicas, &name)?.signal("STOP")?;
                    wait(replicas, LONGER_THAN_A_LEASE).await?;
                    self.awakenings.push((name.clone(), SystemTime::now()));
                    named(replicas, &name)?.signal("CONT")?;
                }
            }
            Fault::KilledLeader => {
                if let Some(name) = leader(cluster, replicas).await {
                    named(replicas, &name)?.signal("KILL")?;
                }
            }
        }
        wait(replicas, PAUSE).await
    }

    pub fn awakenings(&self) -> &[(String, SystemTime)] {
        &self.awakenings
    }

    pub fn summary(&self) -> String {
        let counts: Vec<_> = self
            .counts
            .iter()
            .map(|(fault, count)| format!("{count} {fault:?}"))
            .collect();
        counts.join(", ")
    }
}

async fn leader(cluster: &Cluster, replicas: &Replicas) -> Option<String> {
    let leader = replicas.leader(cluster).await?;
    Some(leader.name.clone())
}

fn named<'a>(replicas: &'a Replicas, name: &str) -> Result<&'a crate::replica::Replica> {
    let found = replicas.all.iter().find(|replica| replica.name == name);
    Ok(found.ok_or("there is no such replica")?)
}

/// Waits, while replicas that end are restarted and measured.
async fn wait(replicas: &mut Replicas, time: Duration) -> Result {
    let end = std::time::Instant::now() + time;
    while std::time::Instant::now() < end {
        replicas.tend()?;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    Ok(())
}
