//! Webhook configurations that point to this machine. The tests of kgen-runtime check that a server is called.

use std::time::Duration;

use kgen_testenv::suite::Outcome;
use kgen_testenv::{ControlPlane, Error};
use serde_json::Value;

use crate::support::{kubectl, run};

const CONFIGURATION: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: config-maps
  labels: {team: a}
webhooks:
- name: config-maps.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    service: {name: webhook-service, namespace: system, path: /validate--v1-configmap}
  rules:
  - {apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
";

pub async fn where_nobody_listens_is_said() -> Outcome {
    let control_plane = ControlPlane::builder()
        .ready_within(Duration::from_secs(45))
        .start()
        .await?;
    let webhooks = control_plane.install_webhooks(CONFIGURATION).await?;
    assert_eq!(webhooks.names(), ["config-maps"]);
    for name in ["tls.crt", "tls.key"] {
        assert!(webhooks.folder().join(name).is_file(), "{name}");
    }
    let stored = kubectl(
        &control_plane,
        &[
            "get",
            "validatingwebhookconfiguration",
            "config-maps",
            "--output=json",
        ],
    );
    let stored: Value = serde_json::from_str(&stored)?;
    assert_eq!(stored["metadata"]["labels"]["team"], "a");
    let client_config = &stored["webhooks"][0]["clientConfig"];
    assert_eq!(
        client_config["url"],
        format!("https://{}/validate--v1-configmap", webhooks.address())
    );
    assert!(client_config["service"].is_null() && client_config["caBundle"].is_string());

    match webhooks.wait_until_reachable().await {
        Err(Error::WebhookUnreachable { address, last, .. }) => {
            assert_eq!(address, webhooks.address());
            assert!(last.contains("connection refused"), "{last}");
        }
        other => panic!("{other:?}"),
    }
    // The configurations are in effect, and the probe is removed.
    let error = run(control_plane.kubectl().args(["create", "configmap", "a"])).unwrap_err();
    assert!(
        error.contains("failed calling webhook \"config-maps.example.com\""),
        "{error}"
    );
    let names = kubectl(
        &control_plane,
        &[
            "get",
            "mutatingwebhookconfigurations,validatingwebhookconfigurations",
            "--output=name",
        ],
    );
    assert_eq!(
        names,
        "validatingwebhookconfiguration.admissionregistration.k8s.io/config-maps"
    );
    control_plane.stop().await?;
    Ok(())
}

pub async fn a_bad_configuration_is_refused() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let text = CONFIGURATION.replace("sideEffects: None", "sideEffects: Some");
    match control_plane.install_webhooks(text).await {
        Err(Error::Refused { message, .. }) => assert!(message.contains("sideEffects"), "{message}"),
        other => panic!("{other:?}"),
    }
    match control_plane
        .install_webhooks("kind: Service\nmetadata: {name: a}\n")
        .await
    {
        Err(Error::Manifest { problem, .. }) => assert!(
            problem.contains("MutatingWebhookConfiguration or ValidatingWebhookConfiguration"),
            "{problem}"
        ),
        other => panic!("{other:?}"),
    }
    control_plane.stop().await?;
    Ok(())
}
