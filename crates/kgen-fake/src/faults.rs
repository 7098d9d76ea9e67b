//! Faults that a test injects: failures, conflicts, delays, lost answers, dropped watches, unavailability.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::Verb;
use crate::state::Shared;
use crate::status::Failure;
use crate::verbs::Call;

/// The effect on a request.
#[derive(Clone)]
pub(crate) enum Effect {
    Fail(u16),
    Refuse(u16),
    Conflict,
    Delay(Duration),
    Hold(Gate),
    LoseAnswer,
    Alter(Arc<dyn Fn(&mut Value) + Send + Sync>),
}

impl fmt::Debug for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fail(code) => write!(formatter, "fail({code})"),
            Self::Refuse(code) => write!(formatter, "refuse({code})"),
            Self::Conflict => formatter.write_str("conflict"),
            Self::Delay(duration) => write!(formatter, "delay({duration:?})"),
            Self::Hold(_) => formatter.write_str("hold"),
            Self::LoseAnswer => formatter.write_str("lose_answer"),
            Self::Alter(_) => formatter.write_str("alter"),
        }
    }
}

/// The two ends of a hold that a request takes: it tells its arrival, and waits for its release.
type GateEnds = (oneshot::Sender<()>, oneshot::Receiver<()>);

/// Holds one request back.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Mutex<Option<GateEnds>>>);

impl Gate {
    /// Tells the test that the request has arrived, and waits until the test releases it.
    pub(crate) async fn pass(&self) {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((arrived, released)) = ends {
            // A test that has dropped its end does not want to wait for anything.
            let _ = arrived.send(());
            let _ = released.await;
        }
    }
}

/// A request that is held back; returned by [`ArmFault::hold`]. Dropping it releases the request.
#[derive(Debug)]
#[must_use = "dropping it releases the request"]
pub struct Held {
    arrived: oneshot::Receiver<()>,
    release: oneshot::Sender<()>,
}

impl Held {
    /// Waits until the request has arrived.
    pub async fn arrived(&mut self) {
        // An error means that the fault was cleared, and then no request will arrive.
        if (&mut self.arrived).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Lets the request continue.
    pub fn release(self) {
        let _ = self.release.send(());
    }
}

/// A fault that waits for its requests.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    verb: Option<Verb>,
    resource: String,
    name: Option<String>,
    every: u64,
    times: Option<u64>,
    effect: Effect,
    seen: u64,
    fired: u64,
}

impl Fault {
    fn concerns(&self, call: &Call) -> bool {
        self.verb.is_none_or(|verb| verb == call.target.verb)
            && (self.resource == "*" || self.resource == call.target.resource_path())
            && self.name.as_ref().is_none_or(|name| *name == call.target.name)
    }
}

/// All faults of a cluster.
#[derive(Debug, Default)]
pub(crate) struct FaultList(Vec<Fault>);

impl FaultList {
    /// Returns the effects on a request, in the order in which they were armed.
    pub(crate) fn effects(&mut self, call: &Call) -> Vec<Effect> {
        let mut effects = Vec::new();
        for fault in self.0.iter_mut().filter(|fault| fault.concerns(call)) {
            fault.seen += 1;
            if fault.seen % fault.every == 0 && fault.times.is_none_or(|times| fault.fired < times) {
                fault.fired += 1;
                effects.push(fault.effect.clone());
            }
        }
        effects
    }

    /// Returns the faults that never fired.
    pub(crate) fn unfired(&self) -> Vec<String> {
        let unfired = self.0.iter().filter(|fault| fault.fired == 0);
        unfired
            .map(|fault| {
                let verb = fault.verb.map_or("any verb", Verb::as_str);
                format!("{:?} on {verb} of {}", fault.effect, fault.resource)
            })
            .collect()
    }
}

impl Effect {
    /// Returns the failure that the client sees.
    pub(crate) fn failure(&self, call: &Call) -> Option<Failure> {
        let target = &call.target;
        match self {
            Self::Conflict => Some(Failure::modified(&target.name, &target.resource, &target.group)),
            Self::Refuse(429) => Some(Failure::too_many_requests(
                "Too many requests, please try again later.",
                1,
            )),
            Self::Fail(code) | Self::Refuse(code) => {
                let reason = match code {
                    400 => "BadRequest",
                    401 => "Unauthorized",
                    403 => "Forbidden",
                    404 => "NotFound",
                    409 => "Conflict",
                    410 => "Expired",
                    422 => "Invalid",
                    429 => "TooManyRequests",
                    503 => "ServiceUnavailable",
                    504 => "Timeout",
                    _ => "InternalError",
                };
                Some(Failure::new(
                    *code,
                    reason,
                    "Internal error occurred: a fault of the test",
                ))
            }
            Self::Delay(_) | Self::Hold(_) | Self::LoseAnswer | Self::Alter(_) => None,
        }
    }
}

/// Injects faults; returned by [`Cluster::faults`](crate::Cluster::faults).
#[derive(Clone)]
#[must_use]
pub struct Faults {
    pub(crate) shared: Arc<Shared>,
}

impl Faults {
    /// Chooses the requests of a fault. The resource can have a subresource, as in `foos/status`; `*` means all.
    pub fn on(&self, verb: Verb, resource: &str) -> ArmFault {
        self.arm(Some(verb), resource)
    }

    /// Chooses all requests to a resource.
    pub fn on_any(&self, resource: &str) -> ArmFault {
        self.arm(None, resource)
    }

    fn arm(&self, verb: Option<Verb>, resource: &str) -> ArmFault {
        ArmFault {
            shared: self.shared.clone(),
            fault: Fault {
                verb,
                resource: resource.to_owned(),
                name: None,
                every: 1,
                times: None,
                effect: Effect::Conflict,
                seen: 0,
                fired: 0,
            },
        }
    }

    /// Ends all watches. Clients can start new ones.
    pub fn drop_watches(&self) {
        self.shared.lock().drops += 1;
        self.shared.notify();
    }

    /// Forgets all changes so far: watches and lists from earlier resource versions get 410.
    pub fn compact(&self) {
        let mut state = self.shared.lock();
        state.store.compact();
        state.compactions += 1;
        drop(state);
        self.shared.notify();
    }

    /// Refuses all connections for a time, and ends all watches.
    pub fn unavailable(&self, duration: Duration) {
        let mut state = self.shared.lock();
        state.unavailable_until = Some(Instant::now() + duration);
        state.drops += 1;
        drop(state);
        self.shared.notify();
    }

    /// Removes all faults that are armed, and makes the cluster available.
    pub fn clear(&self) {
        let mut state = self.shared.lock();
        state.faults = FaultList::default();
        state.unavailable_until = None;
    }
}

/// A fault whose effect is not chosen yet. The effect arms it.
#[must_use = "a fault is armed when its effect is chosen"]
pub struct ArmFault {
    shared: Arc<Shared>,
    fault: Fault,
}

impl ArmFault {
    /// Limits the fault to every `n`th matching request.
    pub fn every(mut self, n: u64) -> Self {
        self.fault.every = n.max(1);
        self
    }

    /// Limits the fault to the first `n` requests that it would affect.
    pub fn times(mut self, n: u64) -> Self {
        self.fault.times = Some(n);
        self
    }

    /// Limits the fault to the first request.
    pub fn once(self) -> Self {
        self.times(1)
    }

    /// Limits the fault to objects of a name.
    pub fn named(mut self, name: &str) -> Self {
        self.fault.name = Some(name.to_owned());
        self
    }

    fn with(mut self, effect: Effect) {
        self.fault.effect = effect;
        self.shared.lock().faults.0.push(self.fault);
    }

    /// Answers 409, as if another client had written the object. Nothing is written.
    pub fn conflict(self) {
        self.with(Effect::Conflict);
    }

    /// Answers with this code. Nothing is written.
    pub fn fail(self, code: u16) {
        self.with(Effect::Fail(code));
    }

    /// Answers with this code and, for 429, the time after which the client may try again. Nothing is written.
    pub fn refuse(self, code: u16) {
        self.with(Effect::Refuse(code));
    }

    /// Waits before the request is handled.
    pub fn delay(self, duration: Duration) {
        self.with(Effect::Delay(duration));
    }

    /// Holds the next request back until the test releases it.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kgen_fake::{Cluster, Verb};
    /// use kube::Api;
    /// use kube::api::ListParams;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let cluster = Cluster::new().start();
    /// let mut held = cluster.faults().on(Verb::List, "configmaps").hold();
    /// let maps: Api<ConfigMap> = Api::default_namespaced(cluster.client());
    /// let listing = tokio::spawn(async move { maps.list(&ListParams::default()).await });
    /// held.arrived().await;
    /// assert!(!listing.is_finished());
    /// held.release();
    /// assert!(listing.await.unwrap().is_ok());
    /// # }
    /// ```
    pub fn hold(self) -> Held {
        let (arrived, arrives) = oneshot::channel();
        let (release, released) = oneshot::channel();
        let gate = Gate(Arc::new(Mutex::new(Some((arrived, released)))));
        self.once().with(Effect::Hold(gate));
        Held {
            arrived: arrives,
            release,
        }
    }

    /// Changes the answer before the client gets it, for example to an object that its types cannot read. Events of watches
    /// stay as they are.
    pub fn alter(self, change: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.with(Effect::Alter(Arc::new(change)));
    }

    /// Handles the request, but breaks the connection before the answer.
    pub fn lose_answer(self) {
        self.with(Effect::LoseAnswer);
    }
}
