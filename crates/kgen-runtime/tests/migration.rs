//! Storage migrations, with a scripted API server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

mod support;

use k8s_openapi::api::apps::v1::Deployment as Widget;
use kgen_runtime::migration::{MigrationError, MigrationReport, StorageMigration};
use serde_json::{Value, json};
use support::{Api, api};
use tokio::task::JoinHandle;

const CRD: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/deployments.apps";
const LIST: &str = "GET /apis/apps/v1/deployments?limit=500";

type Running = JoinHandle<Result<MigrationReport, MigrationError>>;

fn start(configure: impl FnOnce(StorageMigration) -> StorageMigration) -> (Running, Api) {
    let (connection, api) = api();
    let migration = configure(StorageMigration::of::<Widget>(connection.client().clone()));
    (tokio::spawn(migration.run()), api)
}

/// Returns a CRD with the versions `v1beta1`, which is not served, and `v1`, which is stored.
fn definition(generation: i64, stored_versions: Value) -> Value {
    json!({
        "metadata": {"generation": generation},
        "spec": {"versions": [
            {"name": "v1beta1", "served": false, "storage": false},
            {"name": "v1", "served": true, "storage": true},
        ]},
        "status": {"storedVersions": stored_versions},
    })
}

fn object(name: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "default", "resourceVersion": "7"}})
}

fn patch_line(name: &str) -> String {
    format!("PATCH /apis/apps/v1/namespaces/default/deployments/{name}?fieldManager=kgen-migration")
}

async fn expect(api: &mut Api, line: &str) -> support::Call {
    let call = api.next().await;
    assert_eq!(call.line(), line);
    call
}

/// Answers the first two requests.
async fn begin(api: &mut Api, items: &[Value]) {
    let call = expect(api, &format!("GET {CRD}")).await;
    call.json(&definition(3, json!(["v1beta1", "v1"])));
    expect(api, LIST).await.items("9", items);
}

/// Answers the patch that ends a migration.
async fn end(api: &mut Api) {
    let call = expect(api, &format!("PATCH {CRD}/status?fieldManager=kgen-migration")).await;
    assert_eq!(call.content_type.as_deref(), Some("application/json-patch+json"));
    assert_eq!(
        call.body,
        json!([
            {"op": "test", "path": "/metadata/generation", "value": 3},
            {"op": "test", "path": "/status/storedVersions", "value": ["v1beta1", "v1"]},
            {"op": "replace", "path": "/status/storedVersions", "value": ["v1"]},
        ])
    );
    call.json(&json!({}));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_written_if_only_the_stored_version_is_stored() {
    let (running, mut api) = start(|migration| migration);
    let call = expect(&mut api, &format!("GET {CRD}")).await;
    let mut definition = definition(3, json!(["v1"]));
    definition["spec"]["versions"][0]["served"] = json!(true);
    call.json(&definition);
    let mut converted = object("converted");
    converted["metadata"]["annotations"] = json!({"apps/conversion-v1beta1": "[]"});
    expect(&mut api, LIST)
        .await
        .items("9", &[object("plain"), converted]);
    assert_eq!(running.await.unwrap().unwrap(), MigrationReport::default());
}

/// The releases of `docs/book/src/versions.md`: the old version is not served, its objects are migrated, it is removed.
#[tokio::test(start_paused = true)]
async fn kept_values_of_a_version_are_removed_after_it() {
    let mut old = object("old");
    old["metadata"]["annotations"] = json!({"apps/conversion-v1beta1": "[]", "apps/other": "1"});
    // The version is not served, but somebody could serve it again.
    let (running, mut api) = start(|migration| migration);
    begin(&mut api, &[old.clone()]).await;
    let call = expect(&mut api, &patch_line("old")).await;
    assert_eq!(call.body, json!({}));
    call.json(&json!({}));
    end(&mut api).await;
    assert_eq!(running.await.unwrap().unwrap().removed_versions, ["v1beta1"]);

    let (running, mut api) = start(|migration| migration);
    let call = expect(&mut api, &format!("GET {CRD}")).await;
    let mut definition = definition(4, json!(["v1"]));
    definition["spec"]["versions"].as_array_mut().unwrap().remove(0);
    call.json(&definition);
    expect(&mut api, LIST).await.items("10", &[old, object("new")]);
    let call = expect(&mut api, &patch_line("old")).await;
    let annotations = json!({"apps/conversion-v1beta1": null});
    assert_eq!(call.body, json!({"metadata": {"annotations": annotations}}));
    call.json(&json!({}));
    let report = running.await.unwrap().unwrap();
    assert_eq!((report.migrated, report.removed_versions), (1, Vec::new()));
}

#[tokio::test(start_paused = true)]
async fn managers_of_a_version_that_is_not_served_are_removed_later() {
    let entry = |version: &str| json!({"manager": "m", "apiVersion": version});
    let mut old = object("old");
    old["metadata"]["managedFields"] = json!([entry("apps/v1beta1"), entry("apps/v1")]);
    let mut new = object("new");
    new["metadata"]["managedFields"] = json!([entry("apps/v1")]);
    let (running, mut api) = start(|migration| migration);
    let call = expect(&mut api, &format!("GET {CRD}")).await;
    call.json(&definition(3, json!(["v1"])));
    expect(&mut api, LIST).await.items("9", &[old, new]);
    let call = expect(&mut api, &patch_line("old")).await;
    let expected = json!({"managedFields": [entry("apps/v1")], "resourceVersion": "7"});
    assert_eq!(call.body, json!({"metadata": expected}));
    call.json(&json!({}));
    let report = running.await.unwrap().unwrap();
    assert_eq!((report.migrated, report.removed_versions), (1, Vec::new()));
}

#[tokio::test(start_paused = true)]
async fn all_pages_are_patched_before_the_version_is_removed() {
    let (running, mut api) = start(|migration| migration);
    let call = expect(&mut api, &format!("GET {CRD}")).await;
    call.json(&definition(3, json!(["v1beta1", "v1"])));
    let items: Vec<Value> = (0..20).map(|number| object(&number.to_string())).collect();
    expect(&mut api, LIST).await.page("9", Some("a/b="), &items);
    // Eight at a time.
    let mut waiting = Vec::new();
    for _ in 0..8 {
        waiting.push(api.next().await);
    }
    assert!(api.is_idle().await);
    for _ in 0..20 {
        let call = match waiting.pop() {
            Some(call) => call,
            None => api.next().await,
        };
        assert_eq!(call.content_type.as_deref(), Some("application/merge-patch+json"));
        assert_eq!(call.body, json!({}));
        call.json(&json!({}));
    }
    let call = api.next().await;
    assert_eq!(
        call.line(),
        "GET /apis/apps/v1/deployments?continue=a%2Fb%3D&limit=500"
    );
    call.items("9", &[object("last")]);
    expect(&mut api, &patch_line("last")).await.json(&json!({}));
    end(&mut api).await;
    let report = running.await.unwrap().unwrap();
    assert_eq!(report.migrated, 21);
    assert_eq!(report.removed_versions, ["v1beta1"]);
}

#[tokio::test(start_paused = true)]
async fn errors_that_pass_are_tried_again_and_a_deleted_object_is_done() {
    let (running, mut api) = start(|migration| migration);
    begin(&mut api, &[object("a")]).await;
    expect(&mut api, &patch_line("a"))
        .await
        .refuse(500, "InternalError");
    expect(&mut api, &patch_line("a"))
        .await
        .refuse(429, "TooManyRequests");
    expect(&mut api, &patch_line("a")).await.refuse(409, "Conflict");
    let line = "GET /apis/apps/v1/namespaces/default/deployments/a";
    expect(&mut api, line).await.json(&object("a"));
    // A broken connection.
    drop(expect(&mut api, &patch_line("a")).await);
    expect(&mut api, &patch_line("a")).await.refuse(404, "NotFound");
    end(&mut api).await;
    assert_eq!(running.await.unwrap().unwrap().migrated, 0);
}

#[tokio::test(start_paused = true)]
async fn a_refused_object_is_named_and_nothing_is_removed() {
    let (running, mut api) = start(|migration| migration);
    begin(&mut api, &[object("a"), object("b")]).await;
    for _ in 0..2 {
        let call = api.next().await;
        match call.path.ends_with("/a") {
            true => call.refuse(422, "Invalid"),
            false => call.json(&json!({})),
        }
    }
    let error = running.await.unwrap().unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("1 objects of deployments.apps could not be rewritten: default/a: "),
        "{text}"
    );
    assert!(text.contains("refused: Invalid"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_refused_object_is_patched_through_its_status() {
    let (running, mut api) = start(StorageMigration::through_status);
    begin(&mut api, &[object("a")]).await;
    expect(&mut api, &patch_line("a")).await.refuse(403, "Forbidden");
    let line = "PATCH /apis/apps/v1/namespaces/default/deployments/a/status?fieldManager=kgen-migration";
    let call = expect(&mut api, line).await;
    assert_eq!(call.body, json!({}));
    call.json(&json!({}));
    end(&mut api).await;
    assert_eq!(running.await.unwrap().unwrap().migrated, 1);
}

#[tokio::test(start_paused = true)]
async fn traces_of_versions_that_no_longer_exist_are_removed() {
    let entry = |version: &str| json!({"manager": "m", "apiVersion": version});
    let mut some = object("some");
    some["metadata"]["annotations"] = json!({
        "apps/conversion-v1alpha1": "[]", "apps/conversion-v1beta1": "[]", "other/conversion-v1alpha1": "[]",
    });
    some["metadata"]["managedFields"] = json!([entry("apps/v1beta1"), entry("apps/v1"), entry("v1")]);
    let mut all = object("all");
    all["metadata"]["managedFields"] = json!([entry("apps/v1alpha1")]);
    let (running, mut api) = start(|migration| migration);
    begin(&mut api, &[some, all]).await;
    for _ in 0..2 {
        let call = api.next().await;
        let expected = match call.path.ends_with("/some") {
            true => json!({
                "annotations": {"apps/conversion-v1alpha1": null},
                "managedFields": [entry("apps/v1"), entry("v1")],
                "resourceVersion": "7",
            }),
            false => json!({
                "managedFields": [{
                    "manager": "kgen-migration",
                    "operation": "Update",
                    "apiVersion": "apps/v1",
                    "fieldsType": "FieldsV1",
                    "fieldsV1": {"f:metadata": {"f:name": {}}},
                }],
                "resourceVersion": "7",
            }),
        };
        assert_eq!(call.body, json!({"metadata": expected}));
        call.json(&json!({}));
    }
    end(&mut api).await;
    assert_eq!(running.await.unwrap().unwrap().migrated, 2);
}

#[tokio::test(start_paused = true)]
async fn the_migration_starts_again_if_the_definition_changed() {
    let (running, mut api) = start(|migration| migration);
    begin(&mut api, &[]).await;
    let call = expect(
        &mut api,
        &format!("PATCH {CRD}/status?fieldManager=kgen-migration"),
    )
    .await;
    call.refuse(422, "Invalid");
    begin(&mut api, &[object("a")]).await;
    expect(&mut api, &patch_line("a")).await.json(&json!({}));
    end(&mut api).await;
    assert_eq!(running.await.unwrap().unwrap().migrated, 1);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_too_old_begins_again() {
    let (running, mut api) = start(|migration| migration);
    let call = expect(&mut api, &format!("GET {CRD}")).await;
    call.json(&definition(3, json!(["v1beta1", "v1"])));
    expect(&mut api, LIST).await.page("9", Some("next"), &[]);
    let call = api.next().await;
    assert_eq!(call.query["continue"], "next");
    call.refuse(410, "Expired");
    expect(&mut api, LIST).await.items("10", &[]);
    end(&mut api).await;
    assert_eq!(running.await.unwrap().unwrap().migrated, 0);
}

#[tokio::test(start_paused = true)]
async fn the_api_server_can_do_the_work() {
    let (running, mut api) = start(StorageMigration::by_api_server);
    let call = expect(&mut api, &format!("GET {CRD}")).await;
    call.json(&definition(3, json!(["v1beta1", "v1"])));
    let call = expect(&mut api, "GET /apis/storagemigration.k8s.io").await;
    call.json(&json!({"preferredVersion": {"version": "v1beta1"}}));
    let path = "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";
    let call = expect(&mut api, &format!("POST {path}")).await;
    assert_eq!(
        call.body["spec"],
        json!({"resource": {"group": "apps", "resource": "deployments"}})
    );
    call.json(&json!({"metadata": {"name": "m"}}));
    let status =
        |kind: &str| json!({"status": {"conditions": [{"type": kind, "status": "True", "reason": "Why"}]}});
    expect(&mut api, &format!("GET {path}/m"))
        .await
        .json(&status("Running"));
    expect(&mut api, &format!("GET {path}/m"))
        .await
        .json(&status("Succeeded"));
    end(&mut api).await;
    assert_eq!(running.await.unwrap().unwrap().removed_versions, ["v1beta1"]);

    let (running, mut api) = start(StorageMigration::by_api_server);
    let call = expect(&mut api, &format!("GET {CRD}")).await;
    call.json(&definition(3, json!(["v1beta1", "v1"])));
    let call = expect(&mut api, "GET /apis/storagemigration.k8s.io").await;
    call.refuse(404, "NotFound");
    assert!(matches!(running.await.unwrap(), Err(MigrationError::NotServed)));
}
