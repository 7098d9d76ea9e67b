//! The cluster of a test, which does not know whether it is the fake.

use std::fmt::Debug;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::Request as HttpRequest;
use kgen_testenv::ControlPlane;
use kube::api::{DeleteParams, ListParams, PostParams};
use kube::core::NamespaceResourceScope;
use kube::{Api, Client, CustomResourceExt, Resource};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::relay::Relay;
use crate::cluster::PROGRAM;
use crate::{Cluster, Faults, Garbage, IntoWebhookHandler, Request};

/// How long anything may take on a real control plane. Machines of CI are slow and busy.
const PATIENCE: Duration = Duration::from_secs(180);
/// The same on the fake, where time passes only if every task waits.
const VIRTUAL_PATIENCE: Duration = Duration::from_secs(3600);
/// The longest pause between two looks.
const LOOK: Duration = Duration::from_millis(500);
/// A real cluster counts as settled if the program has sent nothing for so long.
const QUIET: Duration = Duration::from_millis(300);

/// A kind whose objects a test can write.
pub trait Object:
    Resource<DynamicType = (), Scope = NamespaceResourceScope> + Clone + Debug + DeserializeOwned + Serialize
{
}

impl<K> Object for K where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + Clone
        + Debug
        + DeserializeOwned
        + Serialize
{
}

/// A cluster that is the fake or a real control plane; see [`on_both!`](crate::on_both).
///
/// A test has a namespace of its own. Its functions panic if a request fails, because a test cannot continue then.
#[derive(Clone, Debug)]
pub struct AnyCluster {
    /// The fake, or its wire in front of the real server.
    wire: Cluster,
    admin: AdminClient,
    namespace: String,
    control_plane: Option<&'static ControlPlane>,
}

/// A client of the test itself.
#[derive(Clone)]
struct AdminClient(Client);

impl Debug for AdminClient {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Client")
    }
}

#[allow(clippy::panic, reason = "a test cannot continue if its own requests fail")]
impl AnyCluster {
    /// Starts a fake. Like a control plane without controllers, it collects no garbage.
    pub(super) fn fake() -> Self {
        let wire = Cluster::new().garbage(Garbage::OnDemand).start();
        Self {
            admin: AdminClient(wire.admin()),
            wire,
            namespace: "default".to_owned(),
            control_plane: None,
        }
    }

    /// Creates a namespace for a test on a control plane.
    pub(super) async fn real(control_plane: &'static ControlPlane, number: usize) -> Self {
        let connect = async || {
            let client = control_plane.client().await;
            client.unwrap_or_else(|error| panic!("no connection to the control plane: {error}"))
        };
        let admin = connect().await;
        let namespace = format!("test-{number}");
        let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        let request = HttpRequest::post("/api/v1/namespaces").body(body.to_string().into_bytes());
        let request = request.unwrap_or_else(|error| panic!("the request is wrong: {error}"));
        let created = admin.request::<Value>(request).await;
        created.unwrap_or_else(|error| panic!("the namespace cannot be created: {error}"));
        Self {
            wire: Cluster::in_front_of(Relay::new(connect().await)),
            admin: AdminClient(admin),
            namespace,
            control_plane: Some(control_plane),
        }
    }

    /// Returns whether it is a real control plane.
    pub fn is_real(&self) -> bool {
        self.control_plane.is_some()
    }

    /// Returns the namespace of this test. On the fake, it is `default`.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns a client for the program under test. Its requests are recorded and get faults.
    pub fn client(&self) -> Client {
        self.wire.client()
    }

    /// Returns a client for the test itself.
    pub fn admin(&self) -> Client {
        self.admin.0.clone()
    }

    /// Injects faults into the requests of the program.
    ///
    /// On a real control plane, [`Faults::compact`] lets the next watch of each resource expire.
    pub fn faults(&self) -> Faults {
        self.wire.faults()
    }

    /// Returns the requests of the program that were answered, oldest first.
    pub fn requests(&self) -> Vec<Request> {
        let mut requests = self.wire.requests();
        requests.retain(|request| request.user == PROGRAM);
        requests
    }

    /// Returns the requests of the program that write.
    pub fn writes(&self) -> Vec<Request> {
        let mut requests = self.requests();
        requests.retain(Request::is_write);
        requests
    }

    /// Serves a kind.
    ///
    /// Nobody serves the webhook of a conversion here, so other versions than that of `K` have the same fields.
    pub async fn define<K: CustomResourceExt>(&self) {
        let mut crd = serde_json::to_value(K::crd()).unwrap_or_default();
        crd["spec"]["conversion"] = json!({"strategy": "None"});
        match self.control_plane {
            None => self.wire.put(&crd),
            Some(control_plane) => {
                let installed = control_plane.install_crds(crd.to_string()).await;
                installed.unwrap_or_else(|error| panic!("the kind is not served: {error}"));
            }
        }
    }

    /// Serves the kinds of all CRDs in a file or folder.
    pub async fn definitions(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        match self.control_plane {
            None => {
                let read = crate::manifests::read(path);
                for object in read.unwrap_or_else(|error| panic!("{error}")) {
                    if object["kind"] == "CustomResourceDefinition" {
                        self.wire.put(&object);
                    }
                }
            }
            Some(control_plane) => {
                let installed = control_plane.install_crds(path).await;
                installed.unwrap_or_else(|error| panic!("the kinds are not served: {error}"));
            }
        }
    }

    /// Installs the webhook configurations in a file, and lets a server answer their reviews; see
    /// [`ClusterBuilder::webhooks`](crate::ClusterBuilder::webhooks).
    ///
    /// On a real control plane, the API server calls the server over TLS, for every namespace. So call it at most once in a
    /// program, unless the tests use other kinds.
    pub async fn webhooks<Form>(&self, path: impl AsRef<Path>, server: impl IntoWebhookHandler<Form>) {
        let (path, handler) = (path.as_ref(), server.into_handler());
        let Some(control_plane) = self.control_plane else {
            let is_first = self.wire.shared().webhooks.set(handler).is_ok();
            assert!(is_first, "the cluster has webhooks already");
            let read = crate::manifests::read(path);
            for object in read.unwrap_or_else(|error| panic!("{error}")) {
                self.wire.put(&object);
            }
            return;
        };
        let serve = async {
            let installed = control_plane.install_webhooks(path).await?;
            let answer = move |path: String, review: Value| {
                let handler = Arc::clone(&handler);
                async move { handler.call(path, review).await }
            };
            installed.answer_with(answer).await?;
            installed.wait_until_reachable().await
        };
        let served: kgen_testenv::Result<()> = serve.await;
        served.unwrap_or_else(|error| panic!("the webhooks are not served: {error}"));
    }

    /// Returns the objects of a kind in the namespace of this test, for the test itself.
    pub fn api<K: Object>(&self) -> Api<K> {
        Api::namespaced(self.admin(), &self.namespace)
    }

    /// Creates an object under a name. Returns it as it is stored, without its status.
    pub async fn create<K: Object>(&self, name: &str, object: &K) -> K {
        let mut object = object.clone();
        let metadata = object.meta_mut();
        metadata.name = Some(name.to_owned());
        metadata.namespace = Some(self.namespace.clone());
        let created = self.api::<K>().create(&PostParams::default(), &object).await;
        created.unwrap_or_else(|error| panic!("{name} cannot be created: {error}"))
    }

    /// Returns an object, if it exists.
    pub async fn get<K: Object>(&self, name: &str) -> Option<K> {
        let found = self.api::<K>().get_opt(name).await;
        found.unwrap_or_else(|error| panic!("{name} cannot be read: {error}"))
    }

    /// Returns all objects of a kind in the namespace of this test, in the order of their names.
    pub async fn list<K: Object>(&self) -> Vec<K> {
        let found = self.api::<K>().list(&ListParams::default()).await;
        found.map_or_else(|error| panic!("the list failed: {error}"), |list| list.items)
    }

    /// Changes an object, as another client would. Returns it as it is stored.
    pub async fn change<K: Object>(&self, name: &str, change: impl Fn(&mut K)) -> K {
        let api = self.api::<K>();
        self.replace(name, change, async |object: K| {
            api.replace(name, &PostParams::default(), &object).await
        })
        .await
    }

    /// Changes the status of an object, as its controller would. Returns it as it is stored.
    pub async fn change_status<K: Object>(&self, name: &str, change: impl Fn(&mut K)) -> K {
        let api = self.api::<K>();
        self.replace(name, change, async |object: K| {
            api.replace_status(name, &PostParams::default(), &object).await
        })
        .await
    }

    /// Reads, changes and writes an object until no other client was faster.
    async fn replace<K: Object>(
        &self,
        name: &str,
        change: impl Fn(&mut K),
        write: impl AsyncFn(K) -> kube::Result<K>,
    ) -> K {
        loop {
            let Some(mut object) = self.get::<K>(name).await else {
                panic!("{name} does not exist");
            };
            change(&mut object);
            match write(object).await {
                Ok(written) => return written,
                Err(kube::Error::Api(status)) if status.code == 409 => {}
                Err(error) => panic!("{name} cannot be changed: {error}"),
            }
        }
    }

    /// Deletes an object, as another client would. If it has finalizers, it is only marked.
    pub async fn delete<K: Object>(&self, name: &str) {
        let deleted = self.api::<K>().delete(name, &DeleteParams::background()).await;
        deleted.unwrap_or_else(|error| panic!("{name} cannot be deleted: {error}"));
    }

    /// Waits until the program has nothing to do: no request is in flight, and no event is undelivered.
    ///
    /// A real cluster only shows that the program was quiet for a moment. So wait for an expected result with
    /// [`AnyCluster::until`], and use this one before a test requires that nothing happened.
    pub async fn settled(&self) {
        if !self.is_real() {
            return self.wire.settled().await;
        }
        let mut before = self.wire.activity();
        let mut since = Instant::now();
        while since.elapsed() < QUIET {
            tokio::time::sleep(QUIET / 10).await;
            let after = self.wire.activity();
            if after != before || !after.1 {
                before = after;
                since = Instant::now();
            }
        }
    }

    /// Lets time pass on the fake. A real cluster only waits until the program is quiet, because no test should sleep.
    pub async fn advance(&self, duration: Duration) {
        if self.is_real() {
            self.settled().await;
        } else {
            self.wire.advance(duration).await;
        }
    }

    /// Waits until a condition holds.
    pub async fn until(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let deadline = Instant::now() + self.patience();
        let mut pause = Duration::from_millis(5);
        while !holds().await {
            if Instant::now() > deadline {
                let requests: Vec<String> = self.writes().iter().map(Request::line).collect();
                panic!("never: {what}; writes: {requests:#?}");
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LOOK);
        }
    }

    /// Waits until a future is ready.
    pub async fn ready<T>(&self, what: &str, future: impl Future<Output = T>) -> T {
        match tokio::time::timeout(self.patience(), future).await {
            Ok(output) => output,
            Err(_) => {
                let requests: Vec<String> = self.writes().iter().map(Request::line).collect();
                panic!("never: {what}; writes: {requests:#?}");
            }
        }
    }

    fn patience(&self) -> Duration {
        if self.is_real() {
            PATIENCE
        } else {
            VIRTUAL_PATIENCE
        }
    }
}
