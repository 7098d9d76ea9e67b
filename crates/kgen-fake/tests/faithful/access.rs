//! A program needs a rule for every review but those of itself, and for each user that it impersonates.

use k8s_openapi::api::authentication::v1::TokenReview;
use k8s_openapi::api::authorization::v1::{SelfSubjectAccessReview, SubjectAccessReview};
use kgen_fake::Cluster;
use kube::Api;
use kube::api::PostParams;

#[tokio::test(start_paused = true)]
async fn reviews_of_other_users_need_a_rule() {
    let folder = tempfile::tempdir().unwrap();
    let role = folder.path().join("role.yaml");
    std::fs::write(
        &role,
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: []\n",
    )
    .unwrap();
    let cluster = Cluster::new().role(&role).start();
    let client = cluster.client();
    let parameters = PostParams::default();
    let free = Api::all(client.clone());
    free.create(&parameters, &SelfSubjectAccessReview::default())
        .await
        .unwrap();
    let tokens = Api::all(client.clone());
    let error = tokens.create(&parameters, &TokenReview::default()).await;
    let (code, message) = super::objects::refusal(&error.unwrap_err());
    assert_eq!(code, 403, "{message}");
    let accesses = Api::all(client);
    let error = accesses
        .create(&parameters, &SubjectAccessReview::default())
        .await;
    assert_eq!(super::objects::refusal(&error.unwrap_err()).0, 403);
    assert_eq!(
        cluster.access().missing(),
        [
            "// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create",
            "// +kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn impersonation_needs_a_rule() {
    let folder = tempfile::tempdir().unwrap();
    let role = folder.path().join("role.yaml");
    std::fs::write(
        &role,
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules:\n- apiGroups: ['']\n  \
         resources: [configmaps]\n  verbs: [list]\n",
    )
    .unwrap();
    let cluster = Cluster::new().role(&role).start();
    let request = http::Request::get("/api/v1/namespaces/default/configmaps")
        .header("Impersonate-User", "ann")
        .body(Vec::new())
        .unwrap();
    let answer = cluster.client().request::<serde_json::Value>(request).await;
    let (code, message) = super::objects::refusal(&answer.unwrap_err());
    assert_eq!(code, 403);
    assert!(
        message.contains("cannot impersonate resource \"users\""),
        "{message}"
    );
    let missing = cluster.access().missing();
    assert!(
        missing.iter().any(|marker| marker.contains("verbs=impersonate")),
        "{missing:?}"
    );
}
