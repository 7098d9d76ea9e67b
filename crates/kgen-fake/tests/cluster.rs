//! Tests of the parts that recordings do not cover: faults, access, garbage on demand, players, determinism, webhooks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kgen_fake::{Cluster, Garbage, Players, Verb};
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube::{Api, Client, Error};
use serde_json::json;

fn maps(client: Client) -> Api<ConfigMap> {
    Api::namespaced(client, "default")
}

fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name}, "data": {"k": "v"}})).unwrap()
}

fn code(error: &Error) -> u16 {
    match error {
        Error::Api(status) => status.code,
        _ => 0,
    }
}

#[tokio::test(start_paused = true)]
async fn faults_fire_as_often_as_they_should() {
    let cluster = Cluster::new().start();
    let maps = maps(cluster.client());
    cluster
        .faults()
        .on(Verb::Create, "configmaps")
        .every(2)
        .conflict();
    let mut codes = Vec::new();
    for name in ["a", "b", "c", "d"] {
        codes.push(
            maps.create(&PostParams::default(), &map(name))
                .await
                .map_err(|error| code(&error))
                .err(),
        );
    }
    assert_eq!(codes, [None, Some(409), None, Some(409)]);
    assert!(
        cluster.get::<ConfigMap>("default", "b").is_none(),
        "a conflict writes nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_a_write_without_an_answer() {
    let cluster = Cluster::new().start();
    cluster
        .faults()
        .on(Verb::Create, "configmaps")
        .once()
        .lose_answer();
    let error = maps(cluster.client())
        .create(&PostParams::default(), &map("a"))
        .await
        .unwrap_err();
    assert_eq!(code(&error), 0, "{error}");
    assert!(cluster.get::<ConfigMap>("default", "a").is_some());
    assert_eq!(cluster.requests().last().unwrap().code, 0);
}

#[tokio::test(start_paused = true)]
async fn unavailability_ends_after_its_time() {
    let cluster = Cluster::new().start();
    let maps = maps(cluster.client());
    cluster.faults().unavailable(Duration::from_secs(30));
    assert_eq!(code(&maps.get("a").await.unwrap_err()), 0);
    cluster.advance(Duration::from_secs(31)).await;
    assert_eq!(code(&maps.get("a").await.unwrap_err()), 404);
}

#[tokio::test(start_paused = true)]
async fn a_delay_passes_before_the_request() {
    let cluster = Cluster::new().start();
    cluster
        .faults()
        .on(Verb::Get, "configmaps")
        .delay(Duration::from_secs(5));
    let before = tokio::time::Instant::now();
    let _ = maps(cluster.client()).get("a").await;
    assert_eq!(before.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn watches_end_when_they_are_dropped_and_expire_after_compaction() {
    let cluster = Cluster::new().start();
    let maps = maps(cluster.client());
    let version = maps
        .list(&ListParams::default())
        .await
        .unwrap()
        .metadata
        .resource_version
        .unwrap();
    let watch = maps.watch(&WatchParams::default(), &version).await.unwrap();
    cluster.faults().drop_watches();
    assert_eq!(watch.count().await, 0);

    maps.create(&PostParams::default(), &map("a")).await.unwrap();
    cluster.faults().compact();
    let watch = maps.watch(&WatchParams::default(), &version).await.unwrap();
    let events: Vec<_> = watch.try_collect().await.unwrap();
    assert!(matches!(events.as_slice(), [WatchEvent::Error(status)] if status.code == 410));
}

#[tokio::test(start_paused = true)]
async fn bookmarks_come_every_minute() {
    let cluster = Cluster::new().start();
    let maps = maps(cluster.client());
    let watch = maps
        .watch(&WatchParams::default().timeout(200), "0")
        .await
        .unwrap();
    let events: Vec<_> = watch.try_collect().await.unwrap();
    let bookmarks = events
        .iter()
        .filter(|event| matches!(event, WatchEvent::Bookmark(_)))
        .count();
    // After the initial events, at 60, 120 and 180 seconds, and shortly before the end.
    assert_eq!(bookmarks, 5);
}

#[tokio::test(start_paused = true)]
async fn garbage_waits_until_the_test_asks_for_it() {
    let cluster = Cluster::new().garbage(Garbage::OnDemand).start();
    let maps = maps(cluster.client());
    let owner = maps.create(&PostParams::default(), &map("owner")).await.unwrap();
    let mut owned = map("owned");
    owned.metadata.owner_references = Some(
        serde_json::from_value(json!([{
            "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner.metadata.uid,
        }]))
        .unwrap(),
    );
    maps.create(&PostParams::default(), &owned).await.unwrap();
    maps.delete("owner", &DeleteParams::default()).await.unwrap();
    assert!(cluster.get::<ConfigMap>("default", "owned").is_some());
    cluster.collect();
    assert!(cluster.get::<ConfigMap>("default", "owned").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_deleted_namespace_empties_itself() {
    let cluster = Cluster::new().start();
    let client = cluster.admin();
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let namespace: Namespace = serde_json::from_value(json!({"metadata": {"name": "team"}})).unwrap();
    namespaces
        .create(&PostParams::default(), &namespace)
        .await
        .unwrap();
    let maps: Api<ConfigMap> = Api::namespaced(client, "team");
    maps.create(&PostParams::default(), &map("a")).await.unwrap();
    namespaces.delete("team", &DeleteParams::default()).await.unwrap();
    assert!(cluster.get::<ConfigMap>("team", "a").is_none());
    assert!(cluster.get::<Namespace>("", "team").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_role_limits_the_program_and_reports_what_it_lacks() {
    let folder = std::env::temp_dir().join(format!("kgen-fake-role-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("role.yaml");
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: r\nrules:\n- apiGroups: [\"\"]\n  \
                resources: [configmaps]\n  verbs: [create, list]\n";
    std::fs::write(&file, role).unwrap();
    let cluster = Cluster::new().role(&file).start();
    std::fs::remove_dir_all(&folder).unwrap();
    let maps = maps(cluster.client());
    maps.create(&PostParams::default(), &map("a")).await.unwrap();
    let error = maps.get("a").await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("cannot get resource \"configmaps\" in API group \"\" in the namespace \"default\""),
        "{error}"
    );
    assert_eq!(
        cluster.access().missing(),
        ["// +kubebuilder:rbac:groups=\"\",resources=configmaps,verbs=get,resourceNames=a,namespace=default"]
    );
    assert_eq!(
        cluster.access().unused(),
        ["// +kubebuilder:rbac:groups=\"\",resources=configmaps,verbs=list"]
    );
}

#[tokio::test(start_paused = true)]
async fn players_act_before_the_cluster_is_settled() {
    let cluster = Cluster::new().players(Players::workloads()).start();
    let deployments: Api<Deployment> = Api::namespaced(cluster.client(), "default");
    let deployment: Deployment = serde_json::from_value(json!({
        "metadata": {"name": "web"},
        "spec": {
            "replicas": 2, "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "x"}]}},
        },
    }))
    .unwrap();
    deployments
        .create(&PostParams::default(), &deployment)
        .await
        .unwrap();
    cluster.settled().await;
    let found = cluster.get::<Deployment>("default", "web").unwrap();
    assert_eq!(found.status.as_ref().unwrap().available_replicas, Some(2));
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_gives_the_same_dump() {
    let mut dumps = Vec::new();
    for seed in [1, 1, 2] {
        let cluster = Cluster::new().seed(seed).start();
        let mut generated = map("x");
        generated.metadata.name = None;
        generated.metadata.generate_name = Some("g-".to_owned());
        maps(cluster.client())
            .create(&PostParams::default(), &generated)
            .await
            .unwrap();
        dumps.push(cluster.dump());
    }
    assert_eq!(dumps[0], dumps[1]);
    assert_ne!(dumps[0], dumps[2]);
}

#[tokio::test(start_paused = true)]
async fn server_side_apply_owns_fields() {
    let cluster = Cluster::new().start();
    let maps = maps(cluster.client());
    let wanted = |value: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": value}});
    maps.patch("a", &PatchParams::apply("one"), &Patch::Apply(wanted("1")))
        .await
        .unwrap();
    let error = maps
        .patch("a", &PatchParams::apply("two"), &Patch::Apply(wanted("2")))
        .await
        .unwrap_err();
    assert_eq!(code(&error), 409);
    let forced = maps
        .patch(
            "a",
            &PatchParams::apply("two").force(),
            &Patch::Apply(wanted("2")),
        )
        .await
        .unwrap();
    assert_eq!(forced.data.unwrap()["k"], "2");
}

#[tokio::test(start_paused = true)]
async fn webhooks_change_and_refuse_objects() {
    let folder = std::env::temp_dir().join(format!("kgen-fake-webhooks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("manifests.yaml");
    let hook = |kind: &str, path: &str| {
        format!(
            "---\napiVersion: admissionregistration.k8s.io/v1\nkind: {kind}WebhookConfiguration\nmetadata:\n  name: \
             w\nwebhooks:\n- name: w.example.org\n  admissionReviewVersions: [v1]\n  sideEffects: None\n  clientConfig:\n    \
             service: {{name: s, namespace: default, path: {path}}}\n  rules:\n  - apiGroups: [\"\"]\n    apiVersions: \
             [v1]\n    operations: [CREATE]\n    resources: [configmaps]\n"
        )
    };
    std::fs::write(
        &file,
        format!(
            "{}{}",
            hook("Mutating", "/mutate"),
            hook("Validating", "/validate")
        ),
    )
    .unwrap();
    let cluster = Cluster::new()
        .webhooks(&file, |path: String, review: serde_json::Value| async move {
            let name = review["request"]["object"]["metadata"]["name"].clone();
            let uid = review["request"]["uid"].clone();
            Ok(match path.as_str() {
                // [{"op":"add","path":"/data/k","value":"w"}]
                "/mutate" => json!({"response": {
                    "uid": uid, "allowed": true, "patchType": "JSONPatch", "warnings": ["changed"],
                    "patch": "W3sib3AiOiJhZGQiLCJwYXRoIjoiL2RhdGEvayIsInZhbHVlIjoidyJ9XQ==",
                }}),
                _ => json!({"response": {
                    "uid": uid, "allowed": name != "bad", "status": {"message": "bad name", "code": 403, "reason": "Forbidden"},
                }}),
            })
        })
        .start();
    std::fs::remove_dir_all(&folder).unwrap();
    let maps = maps(cluster.client());
    let created = maps.create(&PostParams::default(), &map("good")).await.unwrap();
    assert_eq!(created.data.unwrap()["k"], "w");
    let error = maps
        .create(&PostParams::default(), &map("bad"))
        .await
        .unwrap_err();
    let expected = "admission webhook \"w.example.org\" denied the request: bad name";
    assert!(error.to_string().contains(expected), "{error}");
}

#[tokio::test(start_paused = true)]
async fn unsupported_requests_are_refused() {
    let cluster = Cluster::new().lenient().start();
    let request = http::Request::get("/api/v1/namespaces/default/pods/a/log")
        .body(Vec::new())
        .unwrap();
    let error = cluster.admin().request_text(request).await.unwrap_err();
    assert_eq!(code(&error), 501);
    assert!(cluster.unsupported()[0].starts_with("kgen-fake: pods/log is not supported"));
}
