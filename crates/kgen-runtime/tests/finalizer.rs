//! Finalizers with a scripted API that has one object.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

#[path = "support/scripted.rs"]
mod support;

use std::sync::{Arc, Mutex};

use http::Method;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::finalizer::{FinalizerError, Step, finalize};
use kube::Api;
use serde_json::{Value, json};
use support::{Answer, Server};

const OURS: &str = "example.com/cleanup";

/// A server with one object, which checks resource versions like a real one.
#[derive(Clone)]
struct Store {
    object: Arc<Mutex<Option<Value>>>,
    server: Server,
}

impl Store {
    fn with(finalizers: &[&str], deleted: bool) -> Self {
        let mut object = json!({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {
                "name": "settings", "namespace": "default", "uid": "u", "resourceVersion": "1",
                "finalizers": finalizers,
            },
        });
        if deleted {
            object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        let object = Arc::new(Mutex::new(Some(object)));
        let stored = Arc::clone(&object);
        let server = Server::new(move |seen| {
            let mut stored = stored.lock().unwrap();
            let Some(object) = stored.as_mut() else {
                return Answer::error(404, "NotFound");
            };
            if seen.method == Method::PATCH {
                for field in ["uid", "resourceVersion"] {
                    if seen.body["metadata"][field] != object["metadata"][field] {
                        return Answer::error(409, "Conflict");
                    }
                }
                object["metadata"]["finalizers"] = seen.body["metadata"]["finalizers"].clone();
                touch(object);
            }
            Answer::ok(object.clone())
        });
        Self { object, server }
    }

    fn api(&self) -> Api<ConfigMap> {
        Api::namespaced(self.server.client(), "default")
    }

    /// Returns the object as a cache would have it.
    fn read(&self) -> Arc<ConfigMap> {
        Arc::new(serde_json::from_value(self.object.lock().unwrap().clone().unwrap()).unwrap())
    }

    fn edit(&self, edit: impl FnOnce(&mut Value)) {
        let mut stored = self.object.lock().unwrap();
        let object = stored.as_mut().unwrap();
        edit(object);
        touch(object);
    }

    fn finalizers(&self) -> Value {
        self.object.lock().unwrap().as_ref().unwrap()["metadata"]["finalizers"].clone()
    }

    fn methods(&self) -> Vec<String> {
        self.server
            .seen()
            .iter()
            .map(|seen| seen.method.to_string())
            .collect()
    }
}

fn touch(object: &mut Value) {
    let version: u64 = object["metadata"]["resourceVersion"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    object["metadata"]["resourceVersion"] = json!((version + 1).to_string());
}

async fn run(store: &Store, object: Arc<ConfigMap>) -> (Option<&'static str>, Option<Arc<ConfigMap>>) {
    let mut given = None;
    let result = finalize(&store.api(), OURS, object, async |step| {
        let (name, object) = match step {
            Step::Apply(object) => ("apply", object),
            Step::Cleanup(object) => ("cleanup", object),
        };
        given = Some(object);
        Ok::<_, std::io::Error>(name)
    })
    .await
    .unwrap();
    (result, given)
}

#[tokio::test(start_paused = true)]
async fn the_finalizer_is_stored_before_anything_is_done() {
    let store = Store::with(&["other.com/x"], false);
    let (result, given) = run(&store, store.read()).await;
    assert_eq!(result, Some("apply"));
    assert_eq!(store.finalizers(), json!(["other.com/x", OURS]));
    assert_eq!(
        given,
        Some(store.read()),
        "the work sees the object with the finalizer"
    );
    assert_eq!(store.methods(), ["PATCH"]);

    let (result, _) = run(&store, store.read()).await;
    assert_eq!(result, Some("apply"));
    assert_eq!(store.methods(), ["PATCH"], "nothing to write the second time");
}

#[tokio::test(start_paused = true)]
async fn after_the_cleanup_only_ours_is_taken_off() {
    let store = Store::with(&[OURS, "other.com/x"], true);
    assert_eq!(run(&store, store.read()).await.0, Some("cleanup"));
    assert_eq!(store.finalizers(), json!(["other.com/x"]));
    assert_eq!(run(&store, store.read()).await.0, None, "the rest is for others");
    assert_eq!(store.methods(), ["PATCH"]);
}

#[tokio::test(start_paused = true)]
async fn the_last_finalizer_leaves_nothing() {
    let store = Store::with(&[OURS], true);
    run(&store, store.read()).await;
    assert_eq!(store.finalizers(), Value::Null);
}

#[tokio::test(start_paused = true)]
async fn changes_of_others_meanwhile_are_kept() {
    let store = Store::with(&[OURS], true);
    let stale = store.read();
    store.edit(|object| object["metadata"]["finalizers"] = json!([OURS, "late.com/y"]));
    assert_eq!(run(&store, stale).await.0, Some("cleanup"));
    assert_eq!(store.finalizers(), json!(["late.com/y"]));
    assert_eq!(store.methods(), ["PATCH", "GET", "PATCH"]);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_went_meanwhile_is_fine() {
    let store = Store::with(&[OURS], true);
    let stale = store.read();
    *store.object.lock().unwrap() = None;
    assert_eq!(run(&store, stale).await.0, Some("cleanup"));

    let store = Store::with(&[], false);
    let stale = store.read();
    *store.object.lock().unwrap() = None;
    assert_eq!(
        run(&store, stale).await.0,
        None,
        "nothing is applied for an object that is gone"
    );
}

#[tokio::test(start_paused = true)]
async fn an_object_of_the_same_name_or_one_that_is_going_is_left_alone() {
    for edit in [
        |object: &mut Value| object["metadata"]["uid"] = json!("another"),
        |object: &mut Value| object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z"),
    ] {
        let store = Store::with(&[], false);
        let stale = store.read();
        store.edit(edit);
        assert_eq!(run(&store, stale).await.0, None);
        assert_eq!(store.finalizers(), json!([]));
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_cleanup_keeps_the_finalizer() {
    let store = Store::with(&[OURS], true);
    let result = finalize(&store.api(), OURS, store.read(), async |_| {
        Err::<(), _>(std::io::Error::other("busy"))
    })
    .await;
    assert!(matches!(result, Err(FinalizerError::Cleanup(_))), "{result:?}");
    assert_eq!(store.finalizers(), json!([OURS]));
    assert!(store.methods().is_empty());
}

/// Reconcilers run in tasks that change threads.
#[tokio::test]
async fn it_can_move_between_threads() {
    fn movable<T: Send>(future: T) -> T {
        future
    }
    let store = Store::with(&[], false);
    let (api, object) = (store.api(), store.read());
    let finalized = movable(async {
        let name = OURS.to_owned();
        finalize(&api, &name, object, async |_| Ok::<_, std::io::Error>(())).await
    });
    assert_eq!(finalized.await.unwrap(), Some(()));
}
