//! Counting what a fault has cost: each Foo that should be there, its Deployment and its event.

use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

use foo_operator::api::v1::Foo;
use foo_operator::reconcile::SYNCED;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Event;
use kgen_runtime::owner::is_controlled_by;
use kube::ResourceExt;
use kube::api::ListParams;

use crate::cluster::{Cluster, PATIENCE, Result, note};

/// A Foo that should exist, with the objects that the operator should have created for it.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub name: String,
    pub deployment: String,
    pub replicas: i32,
    /// Whether its event must be there.
    told: bool,
}

impl Wanted {
    pub fn new(name: impl Into<String>, deployment: impl Into<String>, replicas: i32) -> Self {
        Self {
            name: name.into(),
            deployment: deployment.into(),
            replicas,
            told: true,
        }
    }

    /// For work of a process that is killed: events wait in its memory until they are written, and may die with it. Kubernetes
    /// promises no more of events.
    pub fn maybe_untold(self) -> Self {
        Self { told: false, ..self }
    }
}

/// The definition of done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The status is about the present spec. Where no pod runs there is no more to wait for.
    Status,
    /// All pods are available as well.
    Ready,
}

/// The missing objects, by name.
#[derive(Debug, Default)]
pub struct Lost {
    foos: Vec<String>,
    deployments: Vec<String>,
    events: Vec<String>,
    /// Deployments of Foos that no longer exist.
    left_over: Vec<String>,
    /// Events that were not yet written by a process that was killed. They do not count.
    untold: Vec<String>,
}

impl Lost {
    pub fn count(&self) -> usize {
        self.foos.len() + self.deployments.len() + self.events.len() + self.left_over.len()
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} Foos not as they should be, {} Deployments missing, {} left over, {} events missing",
            self.foos.len(),
            self.deployments.len(),
            self.left_over.len(),
            self.events.len()
        )?;
        match self.untold.len() {
            0 => Ok(()),
            count => write!(formatter, "; {count} events died with who was to write them"),
        }
    }
}

/// Waits until nothing in `wanted` is missing and reports it. Fails if something is still missing at the end of the wait.
pub async fn nothing_is_lost(cluster: &Cluster, fault: &str, wanted: &[Wanted], goal: Goal) -> Result {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let is_late = Instant::now() > deadline;
        match lost(cluster, wanted, goal).await {
            Ok(lost) if lost.count() == 0 || is_late => return verdict(&lost, fault, wanted.len()),
            // While a killed server comes back, a request may fail.
            Err(error) if is_late => return Err(error),
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

fn verdict(lost: &Lost, fault: &str, wanted: usize) -> Result {
    note(&format!(
        "lost: {} of {wanted} Foos with their Deployments and events, {fault} ({lost})",
        lost.count()
    ));
    match lost.count() {
        0 => Ok(()),
        _ => Err(format!("lost, {fault}: {lost:#?}").into()),
    }
}

async fn lost(cluster: &Cluster, wanted: &[Wanted], goal: Goal) -> Result<Lost> {
    let foos = cluster.foos.list(&ListParams::default()).await?.items;
    let deployments = cluster.api::<Deployment>();
    let deployments = deployments.list(&ListParams::default()).await?.items;
    let events = cluster.api::<Event>();
    let about_foos = format!("involvedObject.kind=Foo,reason={SYNCED}");
    let events = events
        .list(&ListParams::default().fields(&about_foos))
        .await?
        .items;
    let told: BTreeSet<_> = events
        .iter()
        .map(|event| event.involved_object.uid.clone())
        .collect();

    let mut lost = Lost::default();
    for wanted in wanted {
        let foo = foos.iter().find(|foo| foo.name_any() == wanted.name);
        if !foo.is_some_and(|foo| is_done(foo, wanted, goal)) {
            lost.foos.push(wanted.name.clone());
        }
        let has_deployment = deployments.iter().any(|deployment| {
            deployment.name_any() == wanted.deployment
                && deployment.spec.replicas == Some(wanted.replicas)
                && foo.is_some_and(|foo| is_controlled_by(deployment, foo))
        });
        if !has_deployment {
            lost.deployments.push(wanted.deployment.clone());
        }
        if !foo.is_some_and(|foo| told.contains(&foo.uid())) {
            let events = if wanted.told {
                &mut lost.events
            } else {
                &mut lost.untold
            };
            events.push(wanted.name.clone());
        }
    }
    let names: BTreeSet<_> = wanted.iter().map(|wanted| wanted.deployment.as_str()).collect();
    let left_over = deployments.iter().map(ResourceExt::name_any);
    lost.left_over = left_over.filter(|name| !names.contains(name.as_str())).collect();
    Ok(lost)
}

fn is_done(foo: &Foo, wanted: &Wanted, goal: Goal) -> bool {
    let Some(status) = &foo.status else { return false };
    let is_ready = || {
        let mut conditions = status.conditions.iter();
        status.available_replicas == wanted.replicas
            && conditions.any(|condition| condition.type_ == "Ready" && condition.status == "True")
    };
    status.observed_generation == foo.metadata.generation && (goal == Goal::Status || is_ready())
}
