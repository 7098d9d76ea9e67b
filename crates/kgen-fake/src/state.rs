//! Everything that a cluster consists of, behind one mutex.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::access::Access;
use crate::clock::Clock;
use crate::faults::FaultList;
use crate::kind::Kinds;
use crate::players::Players;
use crate::request::Request;
use crate::store::Store;

/// When dependents of deleted owners are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Garbage {
    /// Immediately after the write that made them garbage.
    #[default]
    AtOnce,
    /// When the test calls [`Cluster::collect`](crate::Cluster::collect).
    OnDemand,
}

/// The state of a cluster.
pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) kinds: Kinds,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) addresses: Addresses,
    pub(crate) access: Access,
    pub(crate) faults: FaultList,
    /// The requests so far, and their bodies.
    pub(crate) requests: Vec<(Request, Vec<u8>)>,
    pub(crate) in_flight: usize,
    /// Requests in flight that wait for the test.
    pub(crate) held: usize,
    pub(crate) garbage: Garbage,
    pub(crate) players: Players,
    /// The revision up to which watches have delivered their events, by the number of the watch.
    pub(crate) watches: BTreeMap<u64, u64>,
    pub(crate) next_watch: u64,
    /// How often all watches were dropped.
    pub(crate) drops: u64,
    /// How often all changes were forgotten.
    pub(crate) compactions: u64,
    pub(crate) unavailable_until: Option<Instant>,
    /// The revision up to which consequences of changes were drawn.
    pub(crate) settled: u64,
    /// The revision up to which players have seen changes.
    pub(crate) played: u64,
    /// Messages of requests that the fake could not answer.
    pub(crate) unsupported: Vec<String>,
}

impl State {
    pub(crate) fn is_unavailable(&self) -> bool {
        self.unavailable_until.is_some_and(|until| Instant::now() < until)
    }
}

/// The state and the signal that it has changed.
pub(crate) struct Shared {
    state: Mutex<State>,
    /// Changes whenever watches have something to look at.
    pub(crate) changes: tokio::sync::watch::Sender<u64>,
    /// The server of all webhooks, which is set at most once.
    pub(crate) webhooks: OnceLock<Arc<dyn crate::admission::WebhookHandler>>,
    pub(crate) is_lenient: bool,
    /// The real server that answers instead of this cluster.
    #[cfg(feature = "both")]
    pub(crate) relay: Option<crate::both::relay::Relay>,
}

impl Shared {
    pub(crate) fn new(
        state: State,
        webhooks: Option<Arc<dyn crate::admission::WebhookHandler>>,
        is_lenient: bool,
    ) -> Self {
        Self {
            state: Mutex::new(state),
            changes: tokio::sync::watch::Sender::new(0),
            webhooks: webhooks.map(OnceLock::from).unwrap_or_default(),
            is_lenient,
            #[cfg(feature = "both")]
            relay: None,
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // A test that panics while it holds the lock must not hide its own message behind another one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes all watches.
    pub(crate) fn notify(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

/// The source of UIDs and generated names: equal for equal seeds.
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Returns a UID in the form of a random UUID.
    pub(crate) fn uid(&mut self) -> String {
        let bits = self.0.u128(..);
        let bits = (bits & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
        let text = format!("{bits:032x}");
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        format!(
            "{}-{}-{}-{}-{}",
            part(0, 8),
            part(8, 12),
            part(12, 16),
            part(16, 20),
            part(20, 32)
        )
    }

    pub(crate) fn text(&mut self, characters: &[u8], length: usize) -> String {
        let mut one = || self.0.choice(characters).copied().map_or('x', char::from);
        (0..length).map(|_| one()).collect()
    }
}

/// The addresses of Services, one after the other.
#[derive(Default)]
pub(crate) struct Addresses {
    addresses: u8,
    ports: u16,
}

impl Addresses {
    /// Gives a new Service its cluster IP and node ports.
    pub(crate) fn assign(&mut self, service: &mut Value) {
        let spec = &mut service["spec"];
        let kind = spec
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        if kind == "ExternalName" {
            return;
        }
        if spec
            .get("clusterIP")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .is_empty()
        {
            self.addresses = self.addresses.wrapping_add(1).max(2);
            spec["clusterIP"] = Value::from(format!("10.0.0.{}", self.addresses));
        }
        let address = spec["clusterIP"].clone();
        spec["clusterIPs"] = json!([address]);
        if spec.get("ipFamilies").is_none() {
            spec["ipFamilies"] = json!(["IPv4"]);
        }
        if spec.get("ipFamilyPolicy").is_none() {
            spec["ipFamilyPolicy"] = json!("SingleStack");
        }
        if kind == "NodePort" || kind == "LoadBalancer" {
            let ports = spec.get_mut("ports").and_then(Value::as_array_mut);
            for port in ports.into_iter().flatten() {
                if port.get("nodePort").is_none_or(|port| port == 0) {
                    self.ports += 1;
                    port["nodePort"] = Value::from(29_999 + u32::from(self.ports));
                }
            }
        }
    }

    /// Keeps the addresses of a Service that an update leaves out.
    pub(crate) fn keep(&mut self, service: &mut Value, old: &Value) {
        let kind = service
            .pointer("/spec/type")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        if kind == "ExternalName" {
            return;
        }
        for key in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
            let is_missing = service
                .pointer(&format!("/spec/{key}"))
                .is_none_or(|value| value == "");
            if is_missing && let Some(before) = old.pointer(&format!("/spec/{key}")) {
                service["spec"][key] = before.clone();
            }
        }
        self.assign(service);
    }
}
