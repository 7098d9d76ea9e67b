//! Webhooks behind a real API server, with the manifests that `kgen webhook` generates. They count as ignored if a
//! control plane is not available; `KGEN_E2E=required` makes that a failure.

// The tests use our own harness, so clippy does not recognize them as test code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../webhook/memcached.rs"]
#[allow(dead_code, reason = "reviews are the API server's here")]
mod memcached;

use std::io::Write as _;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::webhook::WebhookServer;
use kgen_testenv::suite::{Outcome, Suite};
use kgen_testenv::{Component, ControlPlane, WebhookInstallation};
use kube::Api;
use kube::api::PostParams;
use memcached::{Memcached, Operator, object};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const CRD: &str = include_str!("crd.yaml");
const WEBHOOKS: &str = include_str!("webhooks.yaml");

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test(
            "objects_are_completed_and_checked",
            objects_are_completed_and_checked,
        )
        .test(
            "a_new_certificate_fails_no_request",
            a_new_certificate_fails_no_request,
        )
        .run()
}

/// A control plane with the kind, and the operator's server behind it.
struct Running {
    control_plane: ControlPlane,
    webhooks: WebhookInstallation,
    metrics: Metrics,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Running {
    async fn start() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let control_plane = ControlPlane::start().await?;
        control_plane.install_crds(CRD).await?;
        let webhooks = control_plane.install_webhooks(WEBHOOKS).await?;
        assert_eq!(
            webhooks.names(),
            [
                "mutating-webhook-configuration",
                "validating-webhook-configuration"
            ]
        );
        let metrics = Metrics::default();
        let server = WebhookServer::builder()
            .certificates(webhooks.folder())
            .certificate_interval(Duration::from_millis(20))
            .metrics(&metrics)
            .defaulting(Operator)
            .validating(Operator)
            .listen(webhooks.address())
            .await?;
        let stop = CancellationToken::new();
        let serving = tokio::spawn(server.serve(stop.clone().cancelled_owned()));
        webhooks.wait_until_reachable().await?;
        Ok(Self {
            control_plane,
            webhooks,
            metrics,
            stop,
            serving,
        })
    }

    async fn stop(self) -> Outcome {
        self.stop.cancel();
        self.serving.await?;
        self.control_plane.stop().await?;
        Ok(())
    }

    /// Returns kubectl's output, standard output and standard error, and whether it succeeded. Does not block other
    /// tasks.
    async fn kubectl(&self, arguments: &[&str], input: Option<Value>) -> (bool, String, String) {
        let mut command = self.control_plane.kubectl();
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        tokio::task::spawn_blocking(move || {
            let mut child = command.spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin
                .write_all(input.unwrap_or_default().to_string().as_bytes())
                .unwrap();
            drop(stdin);
            let output = child.wait_with_output().unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_owned();
            (output.status.success(), text(output.stdout), text(output.stderr))
        })
        .await
        .unwrap()
    }
}

async fn objects_are_completed_and_checked() -> Outcome {
    let running = Running::start().await?;
    let create = ["create", "--filename=-"];

    // Defaulted, and fields that the operator does not know are kept.
    let spec = json!({ "extra": "kept", "ports": [{ "name": "a", "extra": "kept" }] });
    let (done, _, error) = running.kubectl(&create, Some(object("good", &spec))).await;
    assert!(done, "{error}");
    let (_, stored, _) = running
        .kubectl(&["get", "memcached", "good", "--output=jsonpath={.spec}"], None)
        .await;
    assert_eq!(
        serde_json::from_str::<Value>(&stored)?,
        json!({
            "size": 3, "mode": "Safe", "extra": "kept", "ports": [{ "name": "a", "port": 11211, "extra": "kept" }],
        })
    );

    // Rejected, in the format that kubectl uses for built-in kinds.
    let spec = json!({ "size": 0, "mode": "x" });
    let (done, _, error) = running.kubectl(&create, Some(object("bad", &spec))).await;
    assert!(!done);
    assert_eq!(
        error,
        "The Memcached \"bad\" is invalid: \n\
         * spec.size: Invalid value: 0: must be at least 1\n\
         * spec.mode: Unsupported value: \"x\": supported values: \"Safe\", \"Fast\""
    );

    // Warned.
    let (done, _, error) = running
        .kubectl(&create, Some(object("large", &json!({ "size": 6 }))))
        .await;
    assert!(done, "{error}");
    assert_eq!(error, "Warning: spec.size above 5 is slow");

    // A change is validated against the stored object.
    let patch = [
        "patch",
        "memcached",
        "large",
        "--type=merge",
        "--patch={\"spec\":{\"size\":5}}",
    ];
    let (done, _, error) = running.kubectl(&patch, None).await;
    assert!(!done);
    assert_eq!(
        error,
        "The Memcached \"large\" is invalid: spec.size: Forbidden: may not shrink"
    );

    // A panic is answered, and the next request is served.
    let (done, _, error) = running.kubectl(&create, Some(object("panics", &json!({})))).await;
    assert!(!done);
    assert!(
        error.contains("admission webhook \"mmemcached.kb.io\" denied the request: the webhook panicked"),
        "{error}"
    );

    // A deletion.
    let delete = ["delete", "memcached", "good"];
    let (done, _, error) = running.kubectl(&delete, None).await;
    assert!(!done);
    assert!(
        error.contains("admission webhook \"vmemcached.kb.io\" denied the request: only jane may do that"),
        "{error}"
    );
    let jane = [
        "delete",
        "memcached",
        "good",
        "--as=jane",
        "--as-group=system:masters",
    ];
    let (done, _, error) = running.kubectl(&jane, None).await;
    assert!(done, "{error}");
    running.stop().await
}

/// The number of requests while the certificate is replaced.
const REQUESTS: usize = 1000;

async fn a_new_certificate_fails_no_request() -> Outcome {
    let running = Running::start().await?;
    let api: Api<Memcached> = Api::default_namespaced(running.control_plane.client().await?);
    let (places, answered) = (Arc::new(Semaphore::new(50)), Arc::new(AtomicUsize::new(0)));
    let mut requests = tokio::task::JoinSet::new();
    for number in 0..REQUESTS {
        let (api, places, answered) = (api.clone(), Arc::clone(&places), Arc::clone(&answered));
        requests.spawn(async move {
            let _place = places.acquire_owned().await.unwrap();
            // Not stored, so each request causes exactly two admissions.
            let options = PostParams {
                dry_run: true,
                ..PostParams::default()
            };
            let object = serde_json::from_value(object(&format!("object-{number}"), &json!({}))).unwrap();
            let created = api.create(&options, &object).await;
            answered.fetch_add(1, Ordering::SeqCst);
            created.map(|created| created.spec.size)
        });
    }
    let mut replaced = 0;
    while let Some(created) = requests.join_next().await {
        assert_eq!(created??, Some(3));
        // Repeatedly, while the other requests are running.
        if answered.load(Ordering::SeqCst) / 200 > replaced {
            replaced += 1;
            running.webhooks.replace_certificate()?;
        }
    }
    assert_eq!(answered.load(Ordering::SeqCst), REQUESTS);
    assert!(replaced >= 4, "replaced {replaced} times");

    // A new connection gets the new certificate.
    running.control_plane.restart(Component::ApiServer).await?;
    running.webhooks.wait_until_reachable().await?;
    let object = serde_json::from_value(object("after", &json!({})))?;
    let created = api.create(&PostParams::default(), &object).await?;
    assert_eq!(created.spec.size, Some(3));
    let metrics = running.metrics.encode(Format::Prometheus);
    assert!(
        metrics.contains("certwatcher_read_certificate_errors_total 0"),
        "{metrics}"
    );
    running.stop().await
}
