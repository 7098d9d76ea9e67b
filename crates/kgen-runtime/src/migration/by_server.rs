//! The API server's own migration, where `storagemigration.k8s.io` is served.

use std::time::Duration;

use kube::Client;
use serde_json::{Value, json};

use super::{BACKOFF, MigrationError, change, get, passes};
use crate::client::transport::{request, request_opt};
use crate::retry::retry_on;

const GROUP: &str = "/apis/storagemigration.k8s.io";
/// How often the status is read.
const INTERVAL: Duration = Duration::from_secs(2);

/// Creates a `StorageVersionMigration` and waits for its end.
pub(super) async fn migrate(
    client: &Client,
    group: &str,
    plural: &str,
    stored: &str,
) -> Result<(), MigrationError> {
    let served = retry_on(BACKOFF, passes, || request_opt::<Value>(client, get(GROUP, None))).await?;
    let preferred = served
        .as_ref()
        .and_then(|served| served.pointer("/preferredVersion/version"));
    let Some(version) = preferred.and_then(Value::as_str) else {
        return Err(MigrationError::NotServed);
    };
    let mut resource = json!({"group": group, "resource": plural});
    if version == "v1alpha1" {
        resource["version"] = json!(stored);
    }
    let body = json!({
        "apiVersion": format!("storagemigration.k8s.io/{version}"),
        "kind": "StorageVersionMigration",
        "metadata": {"generateName": format!("{plural}.{group}-")},
        "spec": {"resource": resource},
    });
    let path = format!("{GROUP}/{version}/storageversionmigrations");
    let created: Value = request(client, change("POST", &path, "application/json", &body)).await?;
    let name = created.pointer("/metadata/name").and_then(Value::as_str);
    let name = name.unwrap_or_default().to_owned();
    let path = format!("{path}/{name}");
    loop {
        let current: Value = retry_on(BACKOFF, passes, || request(client, get(&path, None))).await?;
        if condition(&current, "Succeeded").is_some() {
            return Ok(());
        }
        if let Some(failed) = condition(&current, "Failed") {
            let text = |name: &str| failed.get(name).and_then(Value::as_str).unwrap_or_default();
            return Err(MigrationError::ByServer {
                name,
                reason: format!("{} {}", text("reason"), text("message"))
                    .trim()
                    .to_owned(),
            });
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Returns a condition that is true.
fn condition<'v>(object: &'v Value, kind: &str) -> Option<&'v Value> {
    let conditions = object.pointer("/status/conditions")?.as_array()?;
    let is_true = |condition: &&Value| {
        condition.get("type").is_some_and(|found| found == kind)
            && condition.get("status").is_some_and(|status| status == "True")
    };
    conditions.iter().find(is_true)
}
