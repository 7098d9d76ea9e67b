//! A project in a cluster: `config/default` as it is applied, the operator as its own service account, and its webhooks asked by
//! the API server.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use kgen_testenv::ControlPlane;

use crate::Outcome;
use crate::project::{Project, finish};

/// The kinds of cert-manager that `config/certmanager` uses: enough of their definitions to take objects.
const CERT_MANAGER: &[(&str, &str)] = &[("Issuer", "issuers"), ("Certificate", "certificates")];

/// The operator; it ends with the test.
struct Operator(Child);

impl Drop for Operator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Everything from `kubectl apply` to objects that are Ready, filled in and refused.
pub async fn runs(style: &str) -> Outcome {
    let project = Project::whole(style)?;
    let program = project.build()?;
    let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
    for (kind, plural) in CERT_MANAGER {
        control_plane.install_crds(stand_in(kind, plural)).await?;
    }

    let folder = control_plane.folder();
    let kubectl = |arguments: &[&str]| {
        let mut command = control_plane.kubectl();
        command.args(arguments).current_dir(project.path());
        finish(command)
    };
    let everything = folder.join("everything.yaml");
    fs::write(&everything, kubectl(&["kustomize", "config/default"])?)?;
    let everything = everything.display().to_string();
    let mut applied = kubectl(&["apply", "--server-side", "--validate=strict", "-f", &everything])?;
    applied.push_str(&kubectl(&[
        "apply",
        "--server-side",
        "--validate=strict",
        "-k",
        "config/network-policy",
    ])?);
    assert!(!applied.to_lowercase().contains("warning"), "{applied}");
    let text = fs::read_to_string(&everything)?;
    let name = project.name();
    for expected in [
        format!("cert-manager.io/inject-ca-from: {name}-system/{name}-serving-cert"),
        format!("- {name}-webhook-service.{name}-system.svc"),
        format!("- {name}-webhook-service.{name}-system.svc.cluster.local"),
    ] {
        assert!(text.contains(&expected), "{expected} is not in\n{text}");
    }
    // The namespace enforces the level `restricted`; what it does not admit has no pod.
    let deployment = format!("deployment/{name}-controller-manager");
    let namespace = format!("--namespace={name}-system");
    kubectl(&[
        "wait",
        "--for=condition=Available",
        "--timeout=90s",
        &deployment,
        &namespace,
    ])?;

    // The pods run on nodes that are not there, so the operator is a process; with the same identity and flags.
    kubectl(&[
        "delete",
        "mutatingwebhookconfigurations,validatingwebhookconfigurations",
        "--all",
    ])?;
    let webhooks = control_plane.install_webhooks(Path::new(&everything)).await?;
    let account = control_plane
        .service_account_kubeconfig(&format!("{name}-system"), &format!("{name}-controller-manager"))
        .await?;
    let kubeconfig = folder.join("operator.kubeconfig");
    account.write_to(&kubeconfig)?;
    let log = folder.join("operator.log");
    let _operator = Operator(
        Command::new(program)
            .arg("--kubeconfig")
            .arg(&kubeconfig)
            .args(["--leader-elect", "--metrics-addr=127.0.0.1:0"])
            .arg(format!("--webhook-addr={}", webhooks.address()))
            .arg(format!("--webhook-certs={}", webhooks.folder().display()))
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log)?)
            .spawn()?,
    );
    let outcome = async {
        webhooks.wait_until_reachable().await?;
        kubectl(&["apply", "--server-side", "--validate=strict", "-k", "config/samples"])?;
        for object in ["guestbook/guestbook-sample", "sorts/type-sample", "httproute/httproute-sample"] {
            kubectl(&["wait", "--for=condition=Ready", "--timeout=90s", object])?;
        }

        let guestbook = |name: &str, spec: &str| {
            let file = folder.join(format!("{name}.yaml"));
            let text = format!(
                "apiVersion: webapp.example.com/v1\nkind: Guestbook\nmetadata:\n  name: {name}\nspec: {spec}\n"
            );
            fs::write(&file, text)?;
            kubectl(&["apply", "-f", &file.display().to_string()])
        };
        guestbook("empty", "{}")?;
        let size = kubectl(&["get", "guestbook/empty", "--output=jsonpath={.spec.size}"])?;
        assert_eq!(size, "1", "what was left out is filled in");
        let refusal = guestbook("even", "{size: 4}").unwrap_err().to_string();
        let expected = "spec.size: Invalid value: 4: must be odd";
        assert!(refusal.contains(expected), "{refusal}");
        kubectl(&["wait", "--for=condition=Ready", "--timeout=90s", "guestbook/empty"])?;
        let events = kubectl(&["get", "events", "--field-selector=reason=Reconciled", "--output=name"])?;
        assert!(!events.is_empty(), "whoever is reconciled has an event");
        Ok(())
    }
    .await;
    let log = fs::read_to_string(&log)?;
    control_plane.stop().await?;
    outcome
        .map_err(|error: Box<dyn Error + Send + Sync>| format!("{error}\nThe operator said:\n{log}").into())
}

/// A definition that takes every object of the kind.
fn stand_in(kind: &str, plural: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {plural}.cert-manager.io
spec:
  group: cert-manager.io
  names:
    kind: {kind}
    plural: {plural}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-preserve-unknown-fields: true
"
    )
}
