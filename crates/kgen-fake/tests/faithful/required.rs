//! Required texts of built-in kinds, with the messages of a real server.

use http::Request;
use kgen_fake::both::AnyCluster;
use kgen_fake::on_both;
use serde_json::{Value, json};

use super::objects::refusal;

/// Creates an object in a dry run. Returns the message if it is refused.
async fn create(cluster: &AnyCluster, path: &str, object: &Value) -> Option<String> {
    let path = path.replace("NS", cluster.namespace());
    let request = Request::post(format!("{path}?dryRun=All")).header("content-type", "application/json");
    let request = request.body(object.to_string().into_bytes()).unwrap();
    let error = cluster.admin().request_text(request).await.err()?;
    let (code, message) = refusal(&error);
    assert_eq!(code, 422, "{message}");
    Some(message)
}

/// Returns a Deployment with more fields of its pods, and of its container.
fn deployment(spec: Value, container: Value) -> Value {
    let with = |mut object: Value, more: Value| {
        for (key, value) in more.as_object().unwrap() {
            object[key] = value.clone();
        }
        object
    };
    let container = with(json!({"name": "c", "image": "i"}), container);
    json!({
        "metadata": {"name": "a"},
        "spec": {
            "selector": {"matchLabels": {"l": "x"}},
            "template": {"metadata": {"labels": {"l": "x"}}, "spec": with(json!({"containers": [container]}), spec)},
        },
    })
}

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/NS/deployments";

on_both!(a_missing_text_is_refused, |cluster| async move {
    let refused = "Deployment.apps \"a\" is invalid: spec.template.spec";
    let env = |source: Value| deployment(json!({}), json!({"env": [{"name": "e", "valueFrom": source}]}));
    for (path, object, expected) in [
        (
            DEPLOYMENTS,
            deployment(json!({}), json!({"env": [{"value": "v"}]})),
            format!("{refused}.containers[0].env[0].name: Required value"),
        ),
        (
            DEPLOYMENTS,
            env(json!({"secretKeyRef": {"name": "s"}})),
            format!("{refused}.containers[0].env[0].valueFrom.secretKeyRef.key: Required value"),
        ),
        (
            DEPLOYMENTS,
            deployment(json!({"volumes": [{"emptyDir": {}}]}), json!({})),
            format!("{refused}.volumes[0].name: Required value"),
        ),
        (
            DEPLOYMENTS,
            deployment(
                json!({"volumes": [{"name": "v", "persistentVolumeClaim": {}}]}),
                json!({}),
            ),
            format!("{refused}.volumes[0].persistentVolumeClaim.claimName: Required value"),
        ),
        (
            DEPLOYMENTS,
            deployment(
                json!({"topologySpreadConstraints": [{"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}]}),
                json!({}),
            ),
            format!("{refused}.topologySpreadConstraints[0].topologyKey: Required value: can not be empty"),
        ),
        (
            "/apis/storage.k8s.io/v1/storageclasses",
            json!({"metadata": {"name": "a"}}),
            "StorageClass.storage.k8s.io \"a\" is invalid: provisioner: Required value".to_owned(),
        ),
        (
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            json!({"metadata": {"name": "a"}, "roleRef": {"kind": "ClusterRole"}}),
            "ClusterRoleBinding.rbac.authorization.k8s.io \"a\" is invalid: roleRef.name: Required value"
                .to_owned(),
        ),
    ] {
        assert_eq!(create(&cluster, path, &object).await, Some(expected), "{object}");
    }
});

on_both!(what_only_the_schemas_require_is_accepted, |cluster| async move {
    let probe = json!({"httpGet": {"port": 1, "httpHeaders": [{"name": "h"}]}});
    let object = deployment(json!({}), json!({ "livenessProbe": probe }));
    assert_eq!(create(&cluster, DEPLOYMENTS, &object).await, None);
    let class = json!({"metadata": {"name": "a"}});
    let classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
    assert_eq!(create(&cluster, classes, &class).await, None);
});
