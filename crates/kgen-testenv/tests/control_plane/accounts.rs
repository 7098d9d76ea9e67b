//! Users other than the administrator.

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_testenv::suite::Outcome;
use kgen_testenv::{ControlPlane, Credentials, Error};
use kube::Api;
use kube::api::{ListParams, PostParams};

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

pub async fn the_audit_log_shows_what_a_role_lacks() -> Outcome {
    let control_plane = ControlPlane::builder().record_access().start().await?;
    kubectl(&control_plane, &["create", "serviceaccount", "operator"]);
    let role = r#"
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: operator
rules:
- apiGroups: [""]
  resources: [configmaps]
  verbs: [create, list, watch]
- apiGroups: [example.com]
  resources: [foos/finalizers, bars/finalizers]
  verbs: [update]
"#;
    let file = control_plane.folder().join("role.yaml");
    std::fs::write(&file, role)?;
    kubectl(&control_plane, &["apply", "--filename", file.to_str().unwrap()]);
    let binding = [
        "create",
        "clusterrolebinding",
        "operator",
        "--clusterrole=operator",
    ];
    let account = ["--serviceaccount=default:operator"];
    kubectl(&control_plane, &[binding.as_slice(), &account].concat());

    let kubeconfig = control_plane
        .service_account_kubeconfig("default", "operator")
        .await?;
    let configmaps: Api<ConfigMap> = Api::default_namespaced(kubeconfig.client().await?);
    configmaps.list(&ListParams::default()).await?;
    let owned = serde_json::json!({
        "metadata": { "name": "owned", "ownerReferences": [{
            "apiVersion": "example.com/v1alpha1", "kind": "Foo", "name": "a", "uid": "u", "blockOwnerDeletion": true,
        }] },
    });
    configmaps
        .create(&PostParams::default(), &serde_json::from_value(owned)?)
        .await?;
    assert!(configmaps.get("owned").await.is_err());

    let access = control_plane.access("system:serviceaccount:default:operator", file.as_path())?;
    assert_eq!(
        access.missing(),
        [
            "// +kubebuilder:rbac:groups=\"\",resources=configmaps,verbs=get,resourceNames=owned,namespace=default"
        ]
    );
    assert_eq!(
        access.unused(),
        [
            "// +kubebuilder:rbac:groups=\"\",resources=configmaps,verbs=watch",
            "// +kubebuilder:rbac:groups=example.com,resources=bars/finalizers,verbs=update",
        ]
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
