//! A manager on a real control plane: a kind that is installed while it runs, priorities, and secured metrics. It counts
//! as ignored if a control plane is not available; `KGEN_E2E=required` makes that a failure.

// The tests use our own harness, so clippy does not recognize them as test code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../webhook/memcached.rs"]
#[allow(dead_code, reason = "the client of the webhook tests needs it")]
mod memcached;
#[path = "../webhook/support.rs"]
#[allow(dead_code, reason = "only the client is needed")]
mod support;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::metrics::Format;
use kgen_runtime::shutdown::Shutdown;
use kgen_runtime::{Connection, Handle, Informer};
use kgen_testenv::suite::{Outcome, Suite};
use kgen_testenv::{ControlPlane, ServingCertificates};
use kube::api::{Patch, PostParams};
use kube::core::DynamicObject;
use kube::{Api, Resource};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{Client, until};
use tokio::sync::{Semaphore, mpsc};

/// The objects at startup.
const OBJECTS: usize = 100;

const TEN_MINUTES: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test(
            "a_new_kind_priorities_and_secured_metrics",
            a_new_kind_priorities_and_secured_metrics,
        )
        .run()
}

const CRD: &str = r"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.e2e.kgen.dev
spec:
  group: e2e.kgen.dev
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, shortNames: [wg] }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
";

/// Reports a key, and waits for a permit before it ends.
struct Gated {
    keys: mpsc::UnboundedSender<String>,
    gate: Arc<Semaphore>,
}

impl Reconciler for Gated {
    type Error = String;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, String> {
        self.keys
            .send(key.name.clone())
            .map_err(|error| error.to_string())?;
        self.gate
            .acquire()
            .await
            .map_err(|error| error.to_string())?
            .forget();
        Ok(Next::AwaitChange)
    }
}

async fn create<K>(client: &kube::Client, object: Value) -> Outcome
where
    K: Resource<DynamicType = (), Scope = kube::core::ClusterResourceScope>,
    K: Clone + std::fmt::Debug + Serialize + DeserializeOwned,
{
    let api: Api<K> = Api::all(client.clone());
    api.create(&PostParams::default(), &serde_json::from_value(object)?)
        .await?;
    Ok(())
}

/// Creates two service accounts, of which `reader` may read metrics.
async fn allow_reader(client: &kube::Client) -> Outcome {
    use k8s_openapi::api::core::v1::ServiceAccount;
    use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), "default");
    for name in ["reader", "stranger"] {
        let mut account = ServiceAccount::default();
        account.metadata.name = Some(name.to_owned());
        accounts.create(&PostParams::default(), &account).await?;
    }
    let rules = json!([{ "nonResourceURLs": ["/metrics"], "verbs": ["get"] }]);
    create::<ClusterRole>(
        client,
        json!({ "metadata": { "name": "metrics-reader" }, "rules": rules }),
    )
    .await?;
    let binding = json!({
        "metadata": { "name": "metrics-reader" },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "metrics-reader" },
        "subjects": [{ "kind": "ServiceAccount", "namespace": "default", "name": "reader" }],
    });
    create::<ClusterRoleBinding>(client, binding).await
}

async fn scrape(client: &Client, token: Option<&str>) -> (u16, String) {
    let mut request = Request::get("https://localhost/metrics").header("host", "localhost");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let answer = client.send(request.body(Full::<Bytes>::default()).unwrap()).await;
    let text = String::from_utf8_lossy(answer.body()).into_owned();
    (answer.status().as_u16(), text)
}

async fn a_new_kind_priorities_and_secured_metrics() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let client = control_plane.client().await?;
    allow_reader(&client).await?;
    let folder = tempfile::tempdir()?;
    let certificates = ServingCertificates::new(folder.path().join("certificates"))?;

    // The kind is installed while the program waits for it.
    let connection = Connection::new(client.clone());
    assert!(connection.discovery().kind("Widget").await.is_err());
    let waiting = connection.clone();
    let waiting = tokio::spawn(async move { waiting.wait_for_kind("wg").await });
    control_plane.install_crds(CRD).await?;
    let kind = waiting.await??;
    assert_eq!(kind.full_name(), "widgets.e2e.kgen.dev");
    let widgets: Handle<DynamicObject> = Handle::dynamic(&connection, &kind).in_namespace("default");
    for nth in 0..OBJECTS {
        let widget = DynamicObject::new(&format!("widget-{nth:03}"), &kind.resource);
        widgets
            .create(&widget.data(json!({ "spec": { "size": 1 } })))
            .await?;
    }

    let mut manager = Manager::builder("e2e")
        .kubeconfig(Some(control_plane.kubeconfig_path()))
        .serve_metrics(Some("127.0.0.1:0".parse()?))
        .metrics_certificates(Some(certificates.folder().to_owned()))
        .connect()
        .await?;
    let informer: Informer<DynamicObject> = manager.informers().informer_of_kind(&kind);
    let (keys, mut reconciled) = mpsc::unbounded_channel();
    let gate = Arc::new(Semaphore::new(0));
    let gated = Gated {
        keys,
        gate: Arc::clone(&gate),
    };
    manager.add(Controller::new(&manager, "widgets", gated).watch(&informer));
    let (metrics, addresses) = (manager.metrics().clone(), manager.addresses());
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });

    // One object is being reconciled, and all others wait.
    assert_eq!(reconciled.recv().await.as_deref(), Some("widget-000"));
    let depth = |priority: &str| {
        let labels = format!("name=\"widgets\",controller=\"widgets\",priority=\"{priority}\"");
        let start = format!("workqueue_depth{{{labels}}} ");
        let text = metrics.encode(Format::Prometheus);
        text.lines()
            .find_map(|line| line.strip_prefix(&start).map(str::to_owned))
    };
    let is = |priority: &'static str, expected: usize| {
        let is = depth(priority) == Some(expected.to_string());
        async move { is.then_some(()) }
    };
    until("all objects are queued", || is("-100", OBJECTS - 1)).await;
    let last = format!("widget-{:03}", OBJECTS - 1);
    let patch = Patch::Merge(json!({ "spec": { "size": 2 } }));
    widgets.patch(&last, &patch).await?;
    until("the change is queued", || is("0", 1)).await;
    gate.add_permits(1);
    assert_eq!(reconciled.recv().await, Some(last), "it goes before all others");

    let address = addresses.metrics().expect("it listens before it reconciles");
    let reader = Client::new(address, certificates.authority());
    let token = control_plane
        .service_account_token("default", "reader", TEN_MINUTES)
        .await?;
    let stranger = control_plane
        .service_account_token("default", "stranger", TEN_MINUTES)
        .await?;
    assert_eq!(scrape(&reader, None).await.0, 401);
    assert_eq!(scrape(&reader, Some("no token of this cluster")).await.0, 401);
    let (code, text) = scrape(&reader, Some(&stranger)).await;
    assert_eq!(code, 403, "{text}");
    assert!(text.contains("system:serviceaccount:default:stranger"), "{text}");
    let (code, text) = scrape(&reader, Some(&token)).await;
    assert_eq!(code, 200, "{text}");
    for metric in [
        "workqueue_depth{name=\"widgets\",controller=\"widgets\",priority=\"-100\"} 98",
        "controller_runtime_active_workers{controller=\"widgets\"} 1",
        "rest_client_requests_total{code=\"200\",method=\"GET\"",
        "informer_objects{name=\"widgets.e2e.kgen.dev/v1 (dynamic)\"} 100",
        "process_resident_memory_bytes ",
    ] {
        assert!(text.contains(metric), "{metric} is not in\n{text}");
    }

    gate.add_permits(OBJECTS);
    shutdown.signal();
    running.await??;
    control_plane.stop().await?;
    Ok(())
}
