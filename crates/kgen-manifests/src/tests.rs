use kgen_diagnostics::{Code, Files, Problems, SourceFile};

use crate::{Manifests, RoleScope};

fn read(text: &str) -> (Manifests, Problems, Files) {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("all.yaml", text));
    let (mut manifests, mut problems) = (Manifests::default(), Problems::new());
    manifests.add(text, file, &mut problems);
    (manifests, problems, files)
}

const OPERATOR: &str = r"
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: manager, namespace: system}
  spec:
    template:
      metadata: {labels: {app: operator, tier: control}}
      spec:
        serviceAccountName: operator
        containers:
        - name: manager
          ports: [{name: webhook, containerPort: 9443}]
        volumes:
        - {name: own, secret: {secretName: own}}
        - {name: cert, secret: {secretName: webhook-cert}}
        - name: projected
          projected: {sources: [{secret: {name: webhook-cert}}]}
- apiVersion: v1
  kind: Service
  metadata: {name: webhook, namespace: system}
  spec:
    selector: {app: operator}
    ports: [{port: 443, targetPort: webhook}, {port: 8443}]
---
apiVersion: v1
kind: Service
metadata: {name: nothing, namespace: system}
spec: {selector: {app: other}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: serving, namespace: system}
spec: {secretName: webhook-cert}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager}
rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: manager}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager}
subjects: [{kind: ServiceAccount, name: operator, namespace: system}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: elsewhere, namespace: other}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: missing}
subjects: [{kind: ServiceAccount, name: operator, namespace: system}, {kind: Group, name: operator}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: validating}
webhooks:
- name: a.example.com
  clientConfig: {service: {name: webhook, namespace: system, path: /validate}}
- name: b.example.com
  clientConfig: {url: https://example.com}
";

#[test]
fn objects_know_their_names_and_places() {
    let (manifests, problems, files) = read(OPERATOR);
    assert!(problems.is_empty());
    let deployment = manifests.deployments().next().unwrap();
    assert_eq!(
        (deployment.group(), deployment.version(), deployment.to_string()),
        ("apps", "v1", "Deployment system/manager".to_owned())
    );
    assert_eq!(files.slice(deployment.span()), "manager");
    let place = deployment.place(&["spec", "template", "spec", "volumes", "1", "name"]);
    assert_eq!(files.slice(place), "cert");
}

#[test]
fn services_lead_to_deployments_and_their_ports() {
    let (manifests, ..) = read(OPERATOR);
    let service = manifests.service("system", "webhook").unwrap();
    let deployment = manifests.deployment_behind(service).unwrap();
    assert_eq!(deployment.name(), "manager");
    assert_eq!(deployment.target_port(service, 443), Some(9443));
    assert_eq!(deployment.target_port(service, 8443), Some(8443));
    assert_eq!(deployment.target_port(service, 1), None);
    let nothing = manifests.service("system", "nothing").unwrap();
    assert!(manifests.deployment_behind(nothing).is_none());
}

#[test]
fn bindings_lead_to_roles() {
    let (manifests, ..) = read(OPERATOR);
    let bindings = manifests.bindings_of("system", "operator");
    assert_eq!(bindings.len(), 2);
    assert_eq!(bindings[0].scope, RoleScope::Cluster);
    assert_eq!(bindings[0].rules().len(), 1);
    assert_eq!(bindings[1].scope, RoleScope::Namespace("other".to_owned()));
    assert!(bindings[1].role.is_none());
    assert!(manifests.bindings_of("other", "operator").is_empty());
}

#[test]
fn webhooks_and_certificates_are_found() {
    let (manifests, ..) = read(OPERATOR);
    let webhooks: Vec<_> = manifests.webhooks().collect();
    assert_eq!(webhooks.len(), 2);
    let service = webhooks[0].service().unwrap();
    assert_eq!(
        (service.name, service.path, service.port),
        ("webhook", "/validate", 443)
    );
    assert!(webhooks[1].service().is_none());
    let deployment = manifests.deployments().next().unwrap();
    assert_eq!(manifests.certificate_volumes(deployment), ["cert", "projected"]);
}

#[test]
fn documents_that_are_not_objects_are_problems() {
    let (manifests, problems, files) = read(
        "a: b\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\n",
    );
    assert_eq!(manifests.objects.len(), 1);
    let found: Vec<_> = problems
        .iter()
        .map(|problem| {
            (
                problem.code,
                problem.message.as_str(),
                files.slice(problem.span.unwrap()),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                Code::InvalidYaml,
                "this document is not a Kubernetes object: it has no `apiVersion`",
                "a"
            ),
            (Code::InvalidYaml, "Service a is given twice", "a"),
        ]
    );
}
