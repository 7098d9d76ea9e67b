//! The requests of every verb, and the handling of the responses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::fmt::Debug;
use std::future::Future;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::autoscaling::v1::Scale;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kgen_runtime::{ApplyConfiguration, Connection, Error, Handle, ObjectMetaApply, Result, WriteOptions};
use kube::api::{
    DeleteParams, ListParams, Patch, Preconditions, ValidationDirective, WatchEvent, WatchParams,
};
use serde::Serialize;
use serde_json::{Value, json};
use support::{Api, api, map};

/// The request and the result.
#[derive(Debug, PartialEq)]
struct Sent {
    line: String,
    content_type: Option<String>,
    body: Value,
}

/// Runs `verb`, answers its one request with `answer`, and returns both the request and the result.
async fn exchange<T>(api: &mut Api, verb: impl Future<Output = T>, answer: &Value) -> (Sent, T) {
    let server = async {
        let call = api.next().await;
        let sent = Sent {
            line: call.line(),
            content_type: call.content_type.clone(),
            body: call.body.clone(),
        };
        call.json(answer);
        sent
    };
    futures::join!(server, verb)
}

fn maps(connection: &Connection) -> Handle<ConfigMap> {
    Handle::namespaced(connection, "default")
}

fn object(name: &str) -> ConfigMap {
    serde_json::from_value(map(name, "7")).unwrap()
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ConfigMapApply {
    api_version: &'static str,
    kind: &'static str,
    metadata: ObjectMetaApply,
}

impl ConfigMapApply {
    fn new(metadata: ObjectMetaApply) -> Self {
        Self {
            api_version: "v1",
            kind: "ConfigMap",
            metadata,
        }
    }
}

impl ApplyConfiguration for ConfigMapApply {
    type Object = ConfigMap;
    fn name(&self) -> Option<&str> {
        self.metadata.name.as_deref()
    }
    fn namespace(&self) -> Option<&str> {
        self.metadata.namespace.as_deref()
    }
}

const JSON: Option<&str> = Some("application/json");
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

#[track_caller]
fn check(sent: &Sent, line: &str, content_type: Option<&str>, body: &Value) {
    assert_eq!(sent.line, line);
    assert_eq!(sent.content_type.as_deref(), content_type, "{line}");
    assert_eq!(&sent.body, body, "{line}");
}

#[tokio::test]
async fn writes() {
    let (connection, mut api) = api();
    let maps = maps(&connection);
    let answer = map("a", "8");

    let (sent, created) = exchange(&mut api, maps.create(&object("a")), &answer).await;
    check(
        &sent,
        &format!("POST {MAPS}?fieldManager=tester"),
        JSON,
        &map("a", "7"),
    );
    assert_eq!(created.unwrap().metadata.resource_version.as_deref(), Some("8"));

    let (sent, updated) = exchange(&mut api, maps.update(&object("a")), &answer).await;
    check(
        &sent,
        &format!("PUT {MAPS}/a?fieldManager=tester"),
        JSON,
        &map("a", "7"),
    );
    assert_eq!(updated.unwrap().metadata.resource_version.as_deref(), Some("8"));

    let (sent, updated) = exchange(&mut api, maps.update_status(&object("a")), &answer).await;
    check(
        &sent,
        &format!("PUT {MAPS}/a/status?fieldManager=tester"),
        JSON,
        &map("a", "7"),
    );
    updated.unwrap();

    let patch = json!({ "data": { "x": "y" } });
    let (sent, patched) = exchange(&mut api, maps.patch("a", &Patch::Merge(&patch)), &answer).await;
    check(
        &sent,
        &format!("PATCH {MAPS}/a?fieldManager=tester"),
        Some("application/merge-patch+json"),
        &patch,
    );
    patched.unwrap();

    let configuration = ConfigMapApply::new(ObjectMetaApply::default().name("a").labels([("k", "v")]));
    let body = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a", "labels": { "k": "v" } } });
    let (sent, applied) = exchange(&mut api, maps.apply(&configuration), &answer).await;
    check(
        &sent,
        &format!("PATCH {MAPS}/a?fieldManager=tester"),
        Some("application/apply-patch+yaml"),
        &body,
    );
    applied.unwrap();

    let (sent, applied) = exchange(&mut api, maps.apply_status(&configuration), &answer).await;
    check(
        &sent,
        &format!("PATCH {MAPS}/a/status?fieldManager=tester"),
        Some("application/apply-patch+yaml"),
        &body,
    );
    applied.unwrap();
}

#[tokio::test]
async fn options_reach_every_write() {
    let (connection, mut api) = api();
    let options = WriteOptions::new()
        .dry_run()
        .strict()
        .field_manager("other")
        .force();
    let maps = maps(&connection).with_options(options);
    let answer = map("a", "8");
    let query = "dryRun=All&fieldManager=other&fieldValidation=Strict";

    let (sent, _) = exchange(&mut api, maps.create(&object("a")), &answer).await;
    assert_eq!(sent.line, format!("POST {MAPS}?{query}"));
    let (sent, _) = exchange(&mut api, maps.update(&object("a")), &answer).await;
    assert_eq!(sent.line, format!("PUT {MAPS}/a?{query}"));
    let (sent, _) = exchange(&mut api, maps.update_status(&object("a")), &answer).await;
    assert_eq!(sent.line, format!("PUT {MAPS}/a/status?{query}"));
    let (sent, _) = exchange(&mut api, maps.patch("a", &Patch::Merge(json!({}))), &answer).await;
    assert_eq!(
        sent.line,
        format!("PATCH {MAPS}/a?{query}"),
        "force is for server-side apply alone"
    );
    let configuration = ConfigMapApply::new(ObjectMetaApply::default().name("a"));
    let (sent, _) = exchange(&mut api, maps.apply(&configuration), &answer).await;
    assert_eq!(sent.line, format!("PATCH {MAPS}/a?{query}&force=true"));

    let (sent, _) = exchange(&mut api, maps.delete("a", &DeleteParams::default()), &answer).await;
    assert_eq!(
        sent.body["dryRun"],
        json!(["All"]),
        "a dry handle deletes nothing"
    );
    let list = ListParams::default();
    let (sent, _) = exchange(
        &mut api,
        maps.delete_collection(&DeleteParams::default(), &list),
        &support::status(200, ""),
    )
    .await;
    assert_eq!(
        sent.body["dryRun"],
        json!(["All"]),
        "a dry handle deletes nothing"
    );

    let warned = maps.with_options(WriteOptions::new().field_validation(ValidationDirective::Warn));
    let (sent, _) = exchange(&mut api, warned.create(&object("a")), &answer).await;
    assert_eq!(
        sent.line,
        format!("POST {MAPS}?fieldManager=tester&fieldValidation=Warn")
    );
}

#[tokio::test]
async fn deletions() {
    let (connection, mut api) = api();
    let maps = maps(&connection);
    let preconditions = Preconditions {
        uid: Some("u".into()),
        resource_version: Some("7".into()),
    };
    let params = DeleteParams::foreground().preconditions(preconditions);
    let (sent, deleted) = exchange(&mut api, maps.delete("a", &params), &map("a", "8")).await;
    let body =
        json!({ "propagationPolicy": "Foreground", "preconditions": { "uid": "u", "resourceVersion": "7" } });
    check(&sent, &format!("DELETE {MAPS}/a"), JSON, &body);
    deleted.unwrap();

    let selected = ListParams::default().labels("k=v");
    let list = json!({ "apiVersion": "v1", "kind": "ConfigMapList", "metadata": {}, "items": [] });
    let (sent, deleted) = exchange(
        &mut api,
        maps.delete_collection(&DeleteParams::default(), &selected),
        &list,
    )
    .await;
    check(
        &sent,
        &format!("DELETE {MAPS}?labelSelector=k%3Dv"),
        JSON,
        &Value::Null,
    );
    deleted.unwrap();
}

#[tokio::test]
async fn reads() {
    let (connection, mut api) = api();
    let maps = maps(&connection);
    let (sent, got) = exchange(&mut api, maps.get("a"), &map("a", "8")).await;
    check(&sent, &format!("GET {MAPS}/a"), None, &Value::Null);
    assert_eq!(
        got.unwrap(),
        serde_json::from_value::<ConfigMap>(map("a", "8")).unwrap()
    );

    let list = json!({ "apiVersion": "v1", "kind": "ConfigMapList", "metadata": { "resourceVersion": "9" },
                       "items": [map("a", "8")] });
    let params = ListParams::default().labels("k=v").limit(5);
    let (sent, listed) = exchange(&mut api, maps.list(&params), &list).await;
    check(
        &sent,
        &format!("GET {MAPS}?labelSelector=k%3Dv&limit=5"),
        None,
        &Value::Null,
    );
    assert_eq!(listed.unwrap().items.len(), 1);

    let everywhere = Handle::<ConfigMap>::all_namespaces(&connection);
    let (sent, _) = exchange(&mut api, everywhere.list(&ListParams::default()), &list).await;
    assert_eq!(sent.line, "GET /api/v1/configmaps");
    let namespaces = Handle::<Namespace>::cluster(&connection);
    let (sent, _) = exchange(&mut api, namespaces.get("a"), &map("a", "8")).await;
    assert_eq!(sent.line, "GET /api/v1/namespaces/a");
}

#[tokio::test]
async fn absence_is_none_or_an_error() {
    let (connection, mut api) = api();
    let maps = maps(&connection);
    let server = async {
        api.next().await.refuse(404, "NotFound");
        api.next().await.refuse(404, "NotFound");
        api.next().await.refuse(409, "Conflict");
        api.next().await.refuse(409, "AlreadyExists");
    };
    let client = async {
        assert!(maps.get("a").await.unwrap_err().is_not_found());
        assert!(maps.get_opt("a").await.unwrap().is_none());
        let conflict = maps.update(&object("a")).await.unwrap_err();
        assert!(conflict.is_conflict() && !conflict.is_already_exists());
        let exists = maps.create(&object("a")).await.unwrap_err();
        assert!(exists.is_already_exists() && !exists.is_conflict() && !exists.is_not_found());
    };
    futures::join!(server, client);
}

#[tokio::test]
async fn a_watch_yields_events_and_errors() {
    let (connection, mut api) = api();
    let maps = maps(&connection);
    let server = async {
        let call = api.next().await;
        let line = call.line();
        let watch = call.open();
        watch.added(&map("a", "8"));
        watch.expired();
        line
    };
    let params = WatchParams::default().labels("k=v");
    let (line, watch) = futures::join!(server, maps.watch(&params, "7"));
    assert!(
        line.starts_with(&format!("GET {MAPS}?")) && line.contains("labelSelector=k%3Dv"),
        "{line}"
    );
    assert!(
        line.contains("resourceVersion=7") && line.contains("watch=true"),
        "{line}"
    );
    let items: Vec<_> = watch.unwrap().collect().await;
    assert!(matches!(&items[0], Ok(WatchEvent::Added(map)) if map.metadata.name.as_deref() == Some("a")));
    assert_eq!(items[1].as_ref().unwrap_err().status().unwrap().code, 410);
    assert_eq!(items.len(), 2);
}

#[tokio::test]
async fn scale_and_custom_methods() {
    let (connection, mut api) = api();
    let deployments = Handle::<Deployment>::namespaced(&connection, "default");
    let path = "/apis/apps/v1/namespaces/default/deployments";
    let scale = json!({ "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": { "name": "a" },
                        "spec": { "replicas": 3 } });
    let typed: Scale = serde_json::from_value(scale.clone()).unwrap();

    let (sent, got) = exchange(&mut api, deployments.get_scale("a"), &scale).await;
    check(&sent, &format!("GET {path}/a/scale"), None, &Value::Null);
    assert_eq!(got.unwrap(), typed);
    let (sent, _) = exchange(&mut api, deployments.update_scale("a", &typed), &scale).await;
    check(
        &sent,
        &format!("PUT {path}/a/scale?fieldManager=tester"),
        JSON,
        &scale,
    );
    let patch = json!({ "spec": { "replicas": 3 } });
    let (sent, _) = exchange(
        &mut api,
        deployments.patch_scale("a", &Patch::Merge(&patch)),
        &scale,
    )
    .await;
    check(
        &sent,
        &format!("PATCH {path}/a/scale?fieldManager=tester"),
        Some("application/merge-patch+json"),
        &patch,
    );

    let answer = json!({ "x": 1 });
    let input = json!({ "input": true });
    let (sent, got) = exchange(
        &mut api,
        deployments.get_subresource::<Value>("a", "log/tail"),
        &answer,
    )
    .await;
    check(&sent, &format!("GET {path}/a/log/tail"), None, &Value::Null);
    assert_eq!(got.unwrap(), answer);
    let (sent, _) = exchange(&mut api, deployments.get_subresource::<Value>("a", ""), &answer).await;
    assert_eq!(sent.line, format!("GET {path}/a"));
    let params = ListParams::default().limit(2);
    let (sent, _) = exchange(
        &mut api,
        deployments.list_subresource::<Value>("a", "runs", &params),
        &answer,
    )
    .await;
    assert_eq!(sent.line, format!("GET {path}/a/runs?limit=2"));
    let (sent, _) = exchange(
        &mut api,
        deployments.list_subresource::<Value>("", "", &params),
        &answer,
    )
    .await;
    assert_eq!(sent.line, format!("GET {path}?limit=2"));
    let (sent, _) = exchange(
        &mut api,
        deployments.create_subresource::<_, Value>("a", "rollback", &input),
        &answer,
    )
    .await;
    check(
        &sent,
        &format!("POST {path}/a/rollback?fieldManager=tester"),
        JSON,
        &input,
    );
    let (sent, _) = exchange(
        &mut api,
        deployments.create_subresource::<_, Value>("", "", &input),
        &answer,
    )
    .await;
    check(&sent, &format!("POST {path}?fieldManager=tester"), JSON, &input);
    let (sent, _) = exchange(
        &mut api,
        deployments.update_subresource::<_, Value>("a", "pause", &input),
        &answer,
    )
    .await;
    check(
        &sent,
        &format!("PUT {path}/a/pause?fieldManager=tester"),
        JSON,
        &input,
    );
    let (sent, _) = exchange(
        &mut api,
        deployments.patch_subresource::<_, Value>("a", "pause", &Patch::Merge(&input)),
        &answer,
    )
    .await;
    check(
        &sent,
        &format!("PATCH {path}/a/pause?fieldManager=tester"),
        Some("application/merge-patch+json"),
        &input,
    );
    let (sent, _) = exchange(
        &mut api,
        deployments.apply_subresource::<_, Value>("a", "pause", &input),
        &answer,
    )
    .await;
    check(
        &sent,
        &format!("PATCH {path}/a/pause?fieldManager=tester"),
        Some("application/apply-patch+yaml"),
        &input,
    );
}

#[tokio::test]
async fn what_cannot_be_sent_is_not_sent() {
    let (connection, mut api) = api();
    let maps = maps(&connection);

    let nameless = maps.update(&ConfigMap::default()).await;
    assert!(matches!(nameless, Err(Error::MissingName { kind }) if kind == "ConfigMap"));
    let nameless = maps.apply(&ConfigMapApply::new(ObjectMetaApply::default())).await;
    assert!(matches!(nameless, Err(Error::MissingName { kind }) if kind == "ConfigMap"));
    let strayed = maps
        .apply(&ConfigMapApply::new(
            ObjectMetaApply::default().name("a").namespace("other"),
        ))
        .await;
    assert!(matches!(strayed, Err(Error::NamespaceMismatch { .. })));

    for name in ["", ".", "..", "a/b", "a%2fb", "a?b", "a#b"] {
        assert_invalid("name", maps.get(name).await);
        assert_invalid("name", maps.get_opt(name).await);
        assert_invalid("name", maps.delete(name, &DeleteParams::default()).await);
        assert_invalid("name", maps.patch(name, &Patch::Merge(json!({}))).await);
    }
    assert_invalid("subresource", maps.get_subresource::<Value>("a", "b//c").await);
    let nowhere = Handle::<ConfigMap>::namespaced(&connection, "");
    assert_invalid("namespace", nowhere.list(&ListParams::default()).await);
    assert_invalid(
        "namespace",
        nowhere
            .delete_collection(&DeleteParams::default(), &ListParams::default())
            .await,
    );
    assert!(futures::FutureExt::now_or_never(api.next()).is_none());
}

#[track_caller]
fn assert_invalid<T: Debug>(expected: &str, result: Result<T>) {
    assert!(
        matches!(&result, Err(Error::InvalidName { what, .. }) if *what == expected),
        "{result:?}"
    );
}

#[test]
fn an_empty_list_is_sent_and_an_absent_one_is_not() {
    let nothing = ObjectMetaApply::default();
    assert_eq!(serde_json::to_value(nothing).unwrap(), json!({}));
    let owned = ObjectMetaApply::default()
        .finalizers([] as [&str; 0])
        .labels([] as [(&str, &str); 0]);
    assert_eq!(
        serde_json::to_value(owned).unwrap(),
        json!({ "finalizers": [], "labels": {} })
    );
}
