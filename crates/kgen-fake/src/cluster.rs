//! The cluster that a test uses.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use k8s_openapi::jiff::Timestamp;
use kgen_access::Record;
use kube::Client;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::access::Access;
use crate::admission::{IntoWebhookHandler, WebhookHandler};
use crate::clock::Clock;
use crate::faults::{FaultList, Faults};
use crate::gc;
use crate::kind::Kinds;
use crate::manifests;
use crate::meta;
use crate::players::{self, Players};
use crate::request::Request;
use crate::state::{Addresses, Garbage, Random, Shared, State};
use crate::store::Store;
use crate::verbs::User;
use crate::wire::service::Service;

/// The name of the user of [`Cluster::client`].
pub(crate) const PROGRAM: &str = "kgen-fake:program";
/// Changes that the log keeps.
const HISTORY: usize = 10_000;

/// A conversion of a kind, before the cluster starts.
type NamedConverter = (String, crate::kind::Converter);

/// Prepares a [`Cluster`]; created by [`Cluster::new`].
///
/// Everything has a default, so `Cluster::new().start()` is already a cluster. Because it runs in a test, a mistake in a file
/// or an object panics.
#[must_use = "a cluster starts with `start`"]
pub struct ClusterBuilder {
    definitions: Vec<Value>,
    files: Vec<PathBuf>,
    objects: Vec<PathBuf>,
    given: Vec<Value>,
    roles: Vec<PathBuf>,
    webhook_files: Vec<PathBuf>,
    webhooks: Option<Arc<dyn WebhookHandler>>,
    converters: Vec<NamedConverter>,
    players: Players,
    garbage: Garbage,
    seed: u64,
    history: usize,
    start: Option<Timestamp>,
    records_access: bool,
    is_lenient: bool,
}

impl ClusterBuilder {
    /// Serves a kind.
    pub fn kind<K: kube::CustomResourceExt>(mut self) -> Self {
        self.definitions
            .push(serde_json::to_value(K::crd()).unwrap_or_default());
        self
    }

    /// Serves the kind of a CRD in JSON.
    pub fn definition(mut self, crd: Value) -> Self {
        self.definitions.push(crd);
        self
    }

    /// Serves the kinds of all CRDs in a file or folder.
    pub fn definitions(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Creates the objects in a file or folder.
    pub fn objects(mut self, path: impl Into<PathBuf>) -> Self {
        self.objects.push(path.into());
        self
    }

    /// Creates an object.
    pub fn object(mut self, object: impl serde::Serialize) -> Self {
        self.given.push(serde_json::to_value(object).unwrap_or_default());
        self
    }

    /// Limits [`Cluster::client`] to the rules of the roles in a file. [`Cluster::admin`] may do anything.
    pub fn role(mut self, path: impl Into<PathBuf>) -> Self {
        self.roles.push(path.into());
        self
    }

    /// Allows everything, and lets [`Record::missing`] list the rules that the program needs.
    pub fn record_access(mut self) -> Self {
        self.records_access = true;
        self
    }

    /// Creates the webhook configurations in a file, and lets `server` answer their reviews in process.
    ///
    /// The server is a service of hyper, such as `kgen-runtime`'s `WebhookServer::builder()…in_process()`, or a
    /// [`WebhookHandler`], such as a function from a path and a review to the answer.
    pub fn webhooks<Form>(mut self, path: impl Into<PathBuf>, server: impl IntoWebhookHandler<Form>) -> Self {
        self.webhook_files.push(path.into());
        self.webhooks = Some(server.into_handler());
        self
    }

    /// Converts the objects of a kind between its versions with a function, which gets the object and the wanted version.
    pub fn conversion<K: kube::CustomResourceExt>(
        mut self,
        convert: impl Fn(&Value, &str) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Self {
        self.converters
            .push((K::crd_name().to_owned(), Arc::new(convert)));
        self
    }

    /// Converts the objects of a resource, such as `widgets.example.org`, with a function.
    pub fn conversion_of(
        mut self,
        resource: &str,
        convert: impl Fn(&Value, &str) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Self {
        self.converters.push((resource.to_owned(), Arc::new(convert)));
        self
    }

    /// Lets players act for the controllers of a real cluster.
    pub fn players(mut self, players: Players) -> Self {
        self.players = players;
        self
    }

    /// Sets when garbage is collected.
    pub fn garbage(mut self, garbage: Garbage) -> Self {
        self.garbage = garbage;
        self
    }

    /// Sets the seed of UIDs and generated names, 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the number of changes that watches can go back, 10,000 by default.
    pub fn history(mut self, changes: usize) -> Self {
        self.history = changes.max(1);
        self
    }

    /// Sets the time at which the cluster starts, 2026-01-01 by default.
    pub fn starting_at(mut self, time: SystemTime) -> Self {
        self.start = Timestamp::try_from(time).ok();
        self
    }

    /// Does not panic if a request needed something that the fake does not support.
    pub fn lenient(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Starts the cluster. The namespaces `default`, `kube-system`, `kube-public` and `kube-node-lease` exist.
    ///
    /// # Panics
    ///
    /// Panics if a file cannot be read, or if one of its objects is refused.
    #[allow(clippy::panic, reason = "a mistake in a test stops the test")]
    pub fn start(self) -> Cluster {
        let store = Store::new(self.history);
        let revision = store.revision();
        let mut kinds = Kinds::built_in(revision);
        for (resource, convert) in self.converters {
            kinds.set_converter(resource, convert);
        }
        let mut access = Access::default();
        for path in &self.roles {
            for role in read(path) {
                if matches!(kind_of(&role), "Role" | "ClusterRole") {
                    access.add_role(&role);
                }
            }
        }
        if self.records_access {
            access.record();
        }
        let state = State {
            store,
            kinds,
            clock: Clock::new(self.start),
            random: Random::new(self.seed),
            addresses: Addresses::default(),
            access,
            faults: FaultList::default(),
            requests: Vec::new(),
            in_flight: 0,
            held: 0,
            garbage: self.garbage,
            players: self.players,
            watches: std::collections::BTreeMap::new(),
            next_watch: 0,
            drops: 0,
            compactions: 0,
            unavailable_until: None,
            settled: revision,
            played: revision,
            unsupported: Vec::new(),
        };
        let shared = Arc::new(Shared::new(state, self.webhooks, self.is_lenient));
        let cluster = Cluster {
            guard: Arc::new(Guard(shared)),
        };
        for name in ["default", "kube-system", "kube-public", "kube-node-lease"] {
            cluster.put(&serde_json::json!({
                "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name},
            }));
        }
        let mut definitions = self.definitions;
        for path in &self.files {
            let found = read(path).into_iter();
            definitions.extend(found.filter(|crd| kind_of(crd) == "CustomResourceDefinition"));
        }
        cluster.put_all(definitions);
        for object in &self.given {
            cluster.put(object);
        }
        for path in self.objects.iter().chain(&self.webhook_files) {
            for object in read(path) {
                cluster.put(&object);
            }
        }
        cluster
    }
}

fn kind_of(object: &Value) -> &str {
    object.get("kind").and_then(Value::as_str).unwrap_or_default()
}

#[allow(clippy::panic, reason = "a mistake in a test stops the test")]
fn read(path: &std::path::Path) -> Vec<Value> {
    manifests::read(path).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks the end of a cluster when its last clone is dropped.
struct Guard(Arc<Shared>);

impl Drop for Guard {
    #[allow(clippy::panic, reason = "a test that asked for too much must not pass")]
    fn drop(&mut self) {
        let state = self.0.lock();
        for fault in state.faults.unfired() {
            tracing::warn!("a fault never fired: {fault}");
        }
        let first = state.unsupported.first().cloned();
        let count = state.unsupported.len();
        drop(state);
        if let Some(first) = first
            && !self.0.is_lenient
            && !std::thread::panicking()
        {
            panic!("{count} requests needed something that the fake does not support, the first: {first}");
        }
    }
}

/// An API server in memory.
///
/// Clones refer to the same cluster.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_fake::Cluster;
/// use kube::Api;
/// use kube::api::PostParams;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), kube::Error> {
/// let cluster = Cluster::new().start();
/// let maps: Api<ConfigMap> = Api::namespaced(cluster.client(), "default");
/// let mut map = ConfigMap::default();
/// map.metadata.name = Some("settings".to_owned());
/// let created = maps.create(&PostParams::default(), &map).await?;
/// assert!(created.metadata.uid.is_some());
///
/// // The store can be read without a request.
/// assert!(cluster.get::<ConfigMap>("default", "settings").is_some());
/// assert_eq!(cluster.requests().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cluster {
    guard: Arc<Guard>,
}

impl Cluster {
    /// Prepares a cluster.
    #[allow(
        clippy::new_ret_no_self,
        reason = "`Cluster::new().start()` reads well in tests"
    )]
    pub fn new() -> ClusterBuilder {
        ClusterBuilder {
            definitions: Vec::new(),
            files: Vec::new(),
            objects: Vec::new(),
            given: Vec::new(),
            roles: Vec::new(),
            webhook_files: Vec::new(),
            webhooks: None,
            converters: Vec::new(),
            players: Players::new(),
            garbage: Garbage::default(),
            seed: 0,
            history: HISTORY,
            start: None,
            records_access: false,
            is_lenient: false,
        }
    }

    /// Puts the wire of a cluster in front of a real server, which answers.
    #[cfg(feature = "both")]
    pub(crate) fn in_front_of(relay: crate::both::relay::Relay) -> Self {
        let mut cluster = Self::new().start();
        if let Some(shared) = Arc::get_mut(&mut cluster.guard).and_then(|guard| Arc::get_mut(&mut guard.0)) {
            shared.relay = Some(relay);
        }
        cluster
    }

    /// Returns the number of requests so far, and whether none is in flight.
    #[cfg(feature = "both")]
    pub(crate) fn activity(&self) -> (usize, bool) {
        let state = self.shared().lock();
        (state.requests.len(), state.in_flight == state.held)
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.guard.0
    }

    pub(crate) fn service(&self, user: User) -> Service {
        Service {
            shared: self.shared().clone(),
            user,
        }
    }

    /// Returns a client for the program under test. A role limits it, if the cluster has one.
    pub fn client(&self) -> Client {
        let user = User {
            name: PROGRAM.to_owned(),
            groups: vec!["system:authenticated".to_owned()],
            is_limited: true,
        };
        Client::new(self.service(user), "default")
    }

    /// Returns a client that may do anything.
    pub fn admin(&self) -> Client {
        Client::new(self.service(admin()), "default")
    }

    /// Returns a client for a user, whose rights come from the bindings in the cluster.
    ///
    /// A service account is `system:serviceaccount:NAMESPACE:NAME`.
    pub fn user(&self, name: &str, groups: &[&str]) -> Client {
        let mut groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
        groups.push("system:authenticated".to_owned());
        let user = User {
            name: name.to_owned(),
            groups,
            is_limited: true,
        };
        Client::new(self.service(user), "default")
    }

    /// Injects faults.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use kgen_fake::{Cluster, Verb};
    ///
    /// let cluster = Cluster::new().start();
    /// cluster.faults().on(Verb::Update, "foos").every(2).conflict();
    /// cluster.faults().on(Verb::Create, "deployments").once().lose_answer();
    /// cluster.faults().unavailable(Duration::from_secs(30));
    /// ```
    pub fn faults(&self) -> Faults {
        Faults {
            shared: self.shared().clone(),
        }
    }

    /// Returns the record of access; see [`ClusterBuilder::role`] and [`ClusterBuilder::record_access`].
    pub fn access(&self) -> Record {
        self.shared().lock().access.report()
    }

    /// Returns all requests that were answered, oldest first.
    pub fn requests(&self) -> Vec<Request> {
        let state = self.shared().lock();
        let requests = state.requests.iter().cloned();
        requests
            .map(|(request, body)| Request {
                body: serde_json::from_slice(&body).unwrap_or_default(),
                ..request
            })
            .collect()
    }

    /// Returns all requests that write.
    pub fn writes(&self) -> Vec<Request> {
        let mut requests = self.requests();
        requests.retain(Request::is_write);
        requests
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.shared().lock().requests.clear();
    }

    /// Reads an object from the store, without a request. Returns `None` if it does not exist or cannot be read as `K`.
    ///
    /// The namespace is ignored for kinds without one.
    pub fn get<K>(&self, namespace: &str, name: &str) -> Option<Arc<K>>
    where
        K: kube::Resource<DynamicType = ()> + DeserializeOwned,
    {
        let object = self.raw(&K::group(&()), &K::plural(&()), namespace, name)?;
        serde_json::from_value(object).ok().map(Arc::new)
    }

    /// Reads all objects of a kind from the store, without a request, in the order of their keys.
    pub fn list<K>(&self) -> Vec<Arc<K>>
    where
        K: kube::Resource<DynamicType = ()> + DeserializeOwned,
    {
        let state = self.shared().lock();
        let Some(kind) = state.kinds.get(&K::group(&()), &K::plural(&())) else {
            return Vec::new();
        };
        let objects = state.store.list(&kind.resource, "");
        let objects = objects.filter_map(|(_, stored)| kind.read(stored, &K::version(&())).ok());
        objects
            .filter_map(|object| serde_json::from_value(object).ok())
            .map(Arc::new)
            .collect()
    }

    /// Reads an object from the store as JSON. The group of core kinds is empty.
    pub fn raw(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Value> {
        let state = self.shared().lock();
        let kind = state.kinds.get(group, plural)?;
        let namespace = if kind.is_namespaced { namespace } else { "" };
        let stored = state
            .store
            .get(&kind.resource, &crate::store::key(namespace, name))?;
        Some((*stored.object).clone())
    }

    /// Creates an object, or replaces the one of the same name, without a request. The status is kept.
    ///
    /// Like on a server, the object gets its defaults and a new resource version.
    ///
    /// # Panics
    ///
    /// Panics if the kind is not known, or the object is not valid.
    pub fn put(&self, object: &impl serde::Serialize) {
        self.put_all([serde_json::to_value(object).unwrap_or_default()]);
    }

    /// Creates or replaces objects, and draws the consequences once.
    #[allow(clippy::panic, reason = "a mistake in a test stops the test")]
    fn put_all(&self, objects: impl IntoIterator<Item = Value>) {
        let mut state = self.shared().lock();
        for object in objects {
            if let Err(message) = crate::seeding::put(&mut state, object) {
                drop(state);
                panic!("{message}");
            }
        }
        gc::settle(&mut state);
        drop(state);
        self.shared().notify();
    }

    /// Collects garbage now; needed only with [`Garbage::OnDemand`].
    pub fn collect(&self) {
        gc::collect(&mut self.shared().lock());
        self.shared().notify();
    }

    /// Lets time pass. Bookmarks, timeouts and delays that are due happen.
    ///
    /// With paused time (`start_paused`), the timers of the test advance with it. Otherwise only the clock of the cluster does.
    pub async fn advance(&self, duration: Duration) {
        // Paused timers advance at once when every task waits; timers that run must not hold up the test.
        if crate::clock::is_paused() {
            tokio::time::sleep(duration).await;
        } else {
            self.shared().lock().clock.skip(duration);
        }
        crate::expiry::expire_events(&mut self.shared().lock());
        self.shared().notify();
        self.settled().await;
    }

    /// Waits until no request is in flight, no event is undelivered, and no player has anything to do.
    ///
    /// Requests that a test holds back ([`ArmFault::hold`](crate::ArmFault::hold)) do not count.
    pub async fn settled(&self) {
        loop {
            let before = self.progress();
            // With paused time, this sleep is over when every other task waits.
            tokio::time::sleep(Duration::from_millis(1)).await;
            let after = self.progress();
            if before != after || !after.is_quiet {
                continue;
            }
            let has_played = {
                let mut state = self.shared().lock();
                let has_played = players::play(&mut state);
                gc::settle(&mut state);
                has_played
            };
            if !has_played {
                return;
            }
            self.shared().notify();
        }
    }

    fn progress(&self) -> Progress {
        let state = self.shared().lock();
        let revision = state.store.revision();
        let is_delivered = state.watches.values().all(|seen| *seen >= revision);
        Progress {
            revision,
            requests: state.requests.len(),
            is_quiet: state.in_flight == state.held && is_delivered,
        }
    }

    /// Returns all objects as YAML. The text is the same for the same test.
    pub fn dump(&self) -> String {
        let state = self.shared().lock();
        let mut text = String::new();
        for resource in state.store.resources() {
            for (_, stored) in state.store.list(&resource, "") {
                text.push_str("---\n");
                kgen_yaml::write(&stored.object, &mut text);
            }
        }
        text
    }

    /// Returns the messages of requests that needed something that the fake does not support.
    pub fn unsupported(&self) -> Vec<String> {
        self.shared().lock().unsupported.clone()
    }
}

#[derive(PartialEq, Eq)]
struct Progress {
    revision: u64,
    requests: usize,
    is_quiet: bool,
}

pub(crate) fn admin() -> User {
    User {
        name: "kgen-fake:admin".to_owned(),
        groups: vec!["system:masters".to_owned(), "system:authenticated".to_owned()],
        is_limited: false,
    }
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.shared().lock();
        let kinds = state.kinds.all().filter(|kind| kind.is_custom());
        formatter
            .debug_struct("Cluster")
            .field("revision", &state.store.revision())
            .field(
                "kinds",
                &kinds.map(|kind| kind.resource.to_string()).collect::<Vec<_>>(),
            )
            .finish_non_exhaustive()
    }
}

/// Returns the metadata name; used by messages about objects.
pub(crate) fn described(object: &Value) -> String {
    format!("{} {}", kind_of(object), meta::name(object))
}
