//! Everything that a cluster consists of, behind one mutex.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use kgen_schema::{ErrorKind, FieldError};
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
    addresses: u16,
    ports: u16,
}

/// The first and the last node port.
const NODE_PORTS: std::ops::RangeInclusive<u64> = 30_000..=32_767;

impl Addresses {
    /// Gives a new Service its cluster IP and node ports. Returns the mistakes in those that it asks for.
    pub(crate) fn assign(&mut self, service: &mut Value, store: &Store) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let used = Used::by_others(service, store);
        let spec = &mut service["spec"];
        let text = |spec: &Value, key: &str| {
            let text = spec.get(key).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let kind = text(spec, "type");
        if kind == "ExternalName" {
            return errors;
        }
        let address = text(spec, "clusterIP");
        if address.is_empty() {
            loop {
                self.addresses = self.addresses.wrapping_add(1).max(2);
                let [high, low] = self.addresses.to_be_bytes();
                let address = Value::from(format!("10.0.{high}.{low}"));
                if !used.addresses.contains(&address) {
                    spec["clusterIP"] = address;
                    break;
                }
            }
        } else if let Ok(parsed) = address.parse::<std::net::Ipv4Addr>() {
            let detail = if !matches!(parsed.octets(), [10, 0, ..]) {
                Some("the provided network does not match the current range")
            } else if used.addresses.contains(&Value::from(address.as_str())) {
                Some("provided IP is already allocated")
            } else {
                None
            };
            if let Some(detail) = detail {
                let detail = format!("failed to allocate IP {address}: {detail}");
                let error = FieldError::new(ErrorKind::Invalid, "spec.clusterIPs", detail);
                errors.push(error.with_value(&json!([address])));
            }
        }
        let address = spec["clusterIP"].clone();
        let is_dual = address == "None" && spec.get("selector").is_none();
        spec["clusterIPs"] = json!([address]);
        if spec.get("ipFamilies").is_none() {
            spec["ipFamilies"] = if is_dual {
                json!(["IPv4", "IPv6"])
            } else {
                json!(["IPv4"])
            };
        }
        if spec.get("ipFamilyPolicy").is_none() {
            let policy = if is_dual {
                "RequireDualStack"
            } else {
                "SingleStack"
            };
            spec["ipFamilyPolicy"] = json!(policy);
        }
        if kind == "NodePort" || kind == "LoadBalancer" {
            let ports = spec.get_mut("ports").and_then(Value::as_array_mut);
            for (index, port) in ports.into_iter().flatten().enumerate() {
                self.open(port, index, &used, &mut errors);
            }
        }
        errors
    }

    /// Gives a port of a Service its node port.
    fn open(&mut self, port: &mut Value, index: usize, used: &Used, errors: &mut Vec<FieldError>) {
        let given = port.get("nodePort").and_then(Value::as_u64).unwrap_or(0);
        let detail = match given {
            0 => {
                let mut number = 0;
                while number == 0 || used.ports.contains(&number) {
                    self.ports = self.ports % 2_767 + 1;
                    number = 29_999 + u64::from(self.ports);
                }
                port["nodePort"] = Value::from(number);
                return;
            }
            given if !NODE_PORTS.contains(&given) => {
                "provided port is not in the valid range. The range of valid ports is 30000-32767"
            }
            given if used.ports.contains(&given) => "provided port is already allocated",
            _ => return,
        };
        let field = format!("spec.ports[{index}].nodePort");
        errors.push(FieldError::new(ErrorKind::Invalid, field, detail).with_value(&given));
    }

    /// Keeps the addresses of a Service that an update leaves out.
    pub(crate) fn keep(&mut self, service: &mut Value, old: &Value, store: &Store) -> Vec<FieldError> {
        let kind = service
            .pointer("/spec/type")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        if kind == "ExternalName" {
            return Vec::new();
        }
        for key in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
            let is_missing = service
                .pointer(&format!("/spec/{key}"))
                .is_none_or(|value| value == "");
            if is_missing && let Some(before) = old.pointer(&format!("/spec/{key}")) {
                service["spec"][key] = before.clone();
            }
        }
        self.assign(service, store)
    }
}

/// The addresses and node ports of other Services.
struct Used {
    addresses: Vec<Value>,
    ports: Vec<u64>,
}

impl Used {
    fn by_others(service: &Value, store: &Store) -> Self {
        let (mut addresses, mut ports) = (Vec::new(), Vec::new());
        let own = crate::store::key(crate::meta::namespace(service), crate::meta::name(service));
        for (_, stored) in store.list("services", "").filter(|(key, _)| **key != own) {
            addresses.extend(stored.object.pointer("/spec/clusterIP").cloned());
            let found = stored.object.pointer("/spec/ports").and_then(Value::as_array);
            let found = found.into_iter().flatten();
            ports.extend(found.filter_map(|port| port.get("nodePort").and_then(Value::as_u64)));
        }
        Self { addresses, ports }
    }
}
