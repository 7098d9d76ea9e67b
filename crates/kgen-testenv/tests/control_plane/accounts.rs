//! Users other than the administrator.

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_testenv::suite::Outcome;
use kgen_testenv::{ControlPlane, Credentials, Error};
use kube::Api;
use kube::api::ListParams;

use crate::support::{kubectl, run};

pub async fn a_service_account_has_its_role_and_no_more() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let error = control_plane
        .service_account_kubeconfig("default", "operator")
        .await
        .unwrap_err();
    assert!(
        matches!(&error, Error::Refused { status: 404, message, .. } if message.contains("\"operator\" not found")),
        "{error}"
    );

    kubectl(&control_plane, &["create", "serviceaccount", "operator"]);
    kubectl(
        &control_plane,
        &[
            "create",
            "role",
            "reader",
            "--verb=get,list",
            "--resource=configmaps",
        ],
    );
    let binding = [
        "create",
        "rolebinding",
        "reader",
        "--role=reader",
        "--serviceaccount=default:operator",
    ];
    kubectl(&control_plane, &binding);

    let kubeconfig = control_plane
        .service_account_kubeconfig("default", "operator")
        .await?;
    assert!(matches!(kubeconfig.credentials(), Credentials::Token(_)));
    let configmaps: Api<ConfigMap> = Api::default_namespaced(kubeconfig.client().await?);
    configmaps.list(&ListParams::default()).await?;

    // The same with a file, which is how an operator is started.
    let path = control_plane.folder().join("operator.kubeconfig");
    kubeconfig.write_to(&path)?;
    let mut kubectl = control_plane.kubectl();
    let error = run(kubectl.env("KUBECONFIG", &path).args(["get", "secrets"])).unwrap_err();
    assert!(
        error.contains("\"system:serviceaccount:default:operator\" cannot list resource \"secrets\""),
        "{error}"
    );
    control_plane.stop().await?;
    Ok(())
}

pub async fn a_user_has_a_certificate() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let path = control_plane.folder().join("jane.kubeconfig");
    control_plane
        .user_kubeconfig("jane", Some("developers"))?
        .write_to(&path)?;
    let mut kubectl = control_plane.kubectl();
    let answer = run(kubectl.env("KUBECONFIG", &path).args([
        "auth",
        "whoami",
        "--output=jsonpath={.status.userInfo}",
    ]))?;
    assert!(
        answer.contains("\"username\":\"jane\"") && answer.contains("\"developers\""),
        "{answer}"
    );

    let pair = control_plane.server_certificate(&["127.0.0.1", "webhook.default.svc"])?;
    assert!(
        pair.certificate.starts_with("-----BEGIN CERTIFICATE-----"),
        "{}",
        pair.certificate
    );
    control_plane.stop().await?;
    Ok(())
}
