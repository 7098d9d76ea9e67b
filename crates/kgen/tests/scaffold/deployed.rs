//! A project in a cluster: `config/default` is applied, the operator runs as its own service account, and the API
//! server calls its webhooks.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kgen_testenv::{ControlPlane, WebhookInstallation};

use crate::Outcome;
use crate::project::{Project, finish};

/// The kinds of others that the manifests use: enough of their definitions to take objects.
const OTHERS: &[(&str, &str, &str, &str)] = &[
    ("cert-manager.io", "Issuer", "issuers", OPEN),
    ("cert-manager.io", "Certificate", "certificates", OPEN),
    (
        "monitoring.coreos.com",
        "ServiceMonitor",
        "servicemonitors",
        SERVICE_MONITOR,
    ),
];

/// A schema that takes every object.
const OPEN: &str = "{type: object, x-kubernetes-preserve-unknown-fields: true}";

/// The fields of a ServiceMonitor that a scrape with a token over TLS needs, as in version 0.85 of the Prometheus operator.
const SERVICE_MONITOR: &str = r"
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [endpoints, selector]
            properties:
              endpoints:
                type: array
                items:
                  type: object
                  properties:
                    bearerTokenFile: {type: string}
                    path: {type: string}
                    port: {type: string}
                    scheme: {type: string, enum: [http, https]}
                    tlsConfig:
                      type: object
                      properties:
                        ca:
                          type: object
                          properties:
                            secret:
                              type: object
                              required: [key]
                              properties: {key: {type: string}, name: {type: string}, optional: {type: boolean}}
                        insecureSkipVerify: {type: boolean}
                        serverName: {type: string}
              selector:
                type: object
                properties:
                  matchLabels: {type: object, additionalProperties: {type: string}}
";

/// How long the API server may take until it uses a changed CRD.
const PATIENCE: Duration = Duration::from_secs(180);

/// The operator as a process, instead of pods on simulated nodes. It ends with the test.
pub struct Standin {
    process: Child,
    webhooks: WebhookInstallation,
    log: PathBuf,
}

impl Standin {
    /// Waits until the API server can ask the webhooks.
    pub async fn wait_until_reachable(&self) -> Outcome {
        Ok(self.webhooks.wait_until_reachable().await?)
    }

    /// Returns the address of its metrics, which the system has chosen. It serves them before its webhooks.
    fn metrics_address(&self) -> Outcome<String> {
        let log = self.log();
        let mut lines = log
            .lines()
            .filter(|line| line.contains("serving metrics over TLS"));
        let address = lines.find_map(|line| line.split("\"address\":\"").nth(1)?.split('"').next());
        Ok(address
            .ok_or("the log does not have the address of the metrics")?
            .to_owned())
    }

    /// Returns its output so far.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes the control plane accept the objects in `config/certmanager` and `config/prometheus`.
pub async fn install_others(control_plane: &ControlPlane) -> Outcome {
    for (group, kind, plural, schema) in OTHERS {
        let definition = definition(group, kind, plural, schema);
        control_plane.install_crds(definition).await?;
    }
    Ok(())
}

/// Starts the operator called `name` with the identity and the flags of its pods; its webhooks are those in the file `everything`.
pub async fn stand_in_for_pods(
    control_plane: &ControlPlane,
    program: &Path,
    name: &str,
    everything: &Path,
) -> Outcome<Standin> {
    let mut delete = control_plane.kubectl();
    let configurations = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
    delete.args(["delete", configurations, "--all"]);
    finish(delete)?;
    let webhooks = control_plane.install_webhooks(everything).await?;
    let account = control_plane
        .service_account_kubeconfig(&format!("{name}-system"), &format!("{name}-controller-manager"))
        .await?;
    let folder = control_plane.folder();
    let kubeconfig = folder.join("operator.kubeconfig");
    account.write_to(&kubeconfig)?;
    let log = folder.join("operator.log");
    let process = Command::new(program)
        .arg("--kubeconfig")
        .arg(&kubeconfig)
        .args(["--leader-elect", "--metrics-addr=127.0.0.1:0"])
        .arg(format!("--webhook-addr={}", webhooks.address()))
        .arg(format!("--webhook-certs={}", webhooks.folder().display()))
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?)
        .spawn()?;
    Ok(Standin {
        process,
        webhooks,
        log,
    })
}

/// Everything from `kubectl apply` to objects that are ready, defaulted and rejected.
pub async fn runs(style: &str) -> Outcome {
    let project = Project::whole(style)?;
    let program = project.build()?;
    let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
    install_others(&control_plane).await?;

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
    check_conversions(&text, name);
    check_installer(&project, &control_plane)?;
    check_metrics_certificate(&project, &control_plane)?;
    check_reused(style, &control_plane)?;
    // The namespace enforces the level `restricted`; a pod that is not admitted does not exist.
    let deployment = format!("deployment/{name}-controller-manager");
    let namespace = format!("--namespace={name}-system");
    kubectl(&[
        "wait",
        "--for=condition=Available",
        "--timeout=180s",
        &deployment,
        &namespace,
    ])?;

    let operator = stand_in_for_pods(&control_plane, &program, name, Path::new(&everything)).await?;
    let outcome = async {
        operator.wait_until_reachable().await?;
        check_metrics(&control_plane, &operator, name).await?;
        // The API server takes a moment until it asks the server on this machine to convert.
        let sample = "config/samples/webapp_v2_guestbook.yaml";
        let begun = Instant::now();
        while let Err(error) = kubectl(&["create", "--dry-run=server", "-f", sample]) {
            if begun.elapsed() > PATIENCE {
                return Err(error);
            }
        }
        kubectl(&["apply", "--server-side", "--validate=strict", "-k", "config/samples"])?;
        let path = "--output=jsonpath={.spec}";
        for (version, spec) in [("v1", r#"{"size":3}"#), ("v2", r#"{"replicas":3}"#)] {
            let resource = format!("guestbooks.{version}.webapp.example.com/guestbook-sample");
            assert_eq!(kubectl(&["get", &resource, path])?, spec);
        }
        for object in ["guestbook/guestbook-sample", "sorts/type-sample", "httproute/httproute-sample"] {
            kubectl(&["wait", "--for=condition=Ready", "--timeout=180s", object])?;
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
        // Without a version, kubectl would ask for the newest.
        let empty = "guestbooks.v1.webapp.example.com/empty";
        let size = kubectl(&["get", empty, "--output=jsonpath={.spec.size}"])?;
        assert_eq!(size, "1", "what was left out is filled in");
        let refusal = guestbook("even", "{size: 4}").unwrap_err().to_string();
        let expected = "spec.size: Invalid value: 4: must be odd";
        assert!(refusal.contains(expected), "{refusal}");
        kubectl(&["wait", "--for=condition=Ready", "--timeout=180s", "guestbook/empty"])?;
        let events = kubectl(&["get", "events", "--field-selector=reason=Reconciled", "--output=name"])?;
        assert!(!events.is_empty(), "every reconciled object has an event");
        Ok(())
    }
    .await;
    let log = operator.log();
    drop(operator);
    control_plane.stop().await?;
    outcome
        .map_err(|error: Box<dyn Error + Send + Sync>| format!("{error}\nThe operator said:\n{log}").into())
}

/// Checks that the CRD with a conversion names the service and the certificate, and that the others do not.
fn check_conversions(everything: &str, name: &str) {
    let is_definition = |document: &&str| document.contains("\nkind: CustomResourceDefinition\n");
    let definitions: Vec<&str> = everything.split("\n---\n").filter(is_definition).collect();
    assert!(definitions.len() > 2, "{everything}");
    let (converted, others): (Vec<&str>, Vec<&str>) = definitions
        .iter()
        .partition(|definition| definition.contains("name: guestbooks.webapp.example.com\n"));
    let annotation = format!("cert-manager.io/inject-ca-from: {name}-system/{name}-serving-cert");
    for expected in [
        annotation.clone(),
        format!(
            "name: {name}-webhook-service\n          namespace: {name}-system\n          path: /convert\n"
        ),
    ] {
        assert!(
            converted.concat().contains(&expected),
            "{expected} is not in\n{converted:?}"
        );
    }
    // A restarted operator has to convert objects before its caches are filled, so before it is ready.
    let service = document(everything, "Service", &format!("{name}-webhook-service"));
    assert!(
        service.contains("  publishNotReadyAddresses: true\n"),
        "{service}"
    );
    let deployment = document(everything, "Deployment", &format!("{name}-controller-manager"));
    assert!(deployment.contains("  replicas: 2\n"), "{deployment}");
    let budget = document(
        everything,
        "PodDisruptionBudget",
        &format!("{name}-controller-manager"),
    );
    assert!(budget.contains("  minAvailable: 1\n"), "{budget}");
    assert!(
        others.iter().all(|definition| !definition.contains(&annotation)),
        "{others:?}"
    );
}

/// Returns the manifest of an object.
fn document<'a>(everything: &'a str, kind: &str, name: &str) -> &'a str {
    let mut documents = everything.split("\n---\n");
    let (kind, name) = (format!("kind: {kind}\n"), format!("\n  name: {name}\n"));
    documents
        .find(|document| document.contains(&kind) && document.contains(&name))
        .unwrap_or_else(|| panic!("{kind}{name} is not in\n{everything}"))
}

/// Checks that `make build-installer` writes all manifests with the image of the call, in each of its forms.
fn check_installer(project: &Project, control_plane: &ControlPlane) -> Outcome {
    let digest = format!("registry.example/shop@sha256:{}", "0".repeat(64));
    for (image, expected) in [
        ("registry.example:5000/shop:v1", "registry.example:5000/shop:v1"),
        ("registry.example:5000/shop", "registry.example:5000/shop:latest"),
        ("shop", "shop:latest"),
        (&digest, &digest),
    ] {
        let mut make = Command::new("make");
        make.arg("build-installer")
            .arg(format!("IMG={image}"))
            .arg(format!("KGEN={}", env!("CARGO_BIN_EXE_kgen")))
            .arg(format!(
                "KUBECTL={}",
                control_plane.kubectl().get_program().display()
            ))
            .current_dir(project.path());
        finish(make)?;
        let installer = fs::read_to_string(project.path().join("dist/install.yaml"))?;
        let line = format!("image: {expected}\n");
        assert!(installer.contains(&line), "{line} is not in\n{installer}");
    }
    let mut help = Command::new("make");
    help.arg("help").current_dir(project.path());
    let help = finish(help)?;
    assert!(help.contains("\nDevelopment\n  kgen "), "{help}");
    Ok(())
}

/// Checks that clients with the role for it get the metrics, and others do not.
async fn check_metrics(control_plane: &ControlPlane, operator: &Standin, name: &str) -> Outcome {
    let kubectl = |arguments: &[&str]| {
        let mut command = control_plane.kubectl();
        command.args(arguments);
        finish(command)
    };
    let namespace = "default";
    for account in ["reader", "stranger"] {
        kubectl(&["create", "serviceaccount", account, "--namespace", namespace])?;
    }
    kubectl(&[
        "create",
        "clusterrolebinding",
        "metrics",
        &format!("--clusterrole={name}-metrics-reader"),
        &format!("--serviceaccount={namespace}:reader"),
    ])?;
    let address = operator.metrics_address()?;
    let scrape = |credentials: &[String]| {
        let mut command = Command::new(control_plane.kubectl().get_program());
        command
            .env("KUBECONFIG", "/dev/null")
            .env("KUBERC", "off")
            .args(["get", "--raw", "/metrics", "--insecure-skip-tls-verify"])
            .arg(format!("--server=https://{address}"))
            .args(credentials);
        finish(command)
    };
    // A password is not a token, and without both, kubectl asks the user.
    let anonymous = ["--username=nobody".to_owned(), "--password=none".to_owned()];
    let refusal = scrape(&anonymous).unwrap_err().to_string();
    assert!(refusal.contains("must be logged in"), "{refusal}");
    let hour = Duration::from_secs(3600);
    let token = control_plane
        .service_account_token(namespace, "stranger", hour)
        .await?;
    let refusal = scrape(&[format!("--token={token}")]).unwrap_err().to_string();
    assert!(refusal.contains("Forbidden"), "{refusal}");
    let token = control_plane
        .service_account_token(namespace, "reader", hour)
        .await?;
    // The API server takes a moment until it knows the new binding.
    let begun = Instant::now();
    loop {
        match scrape(&[format!("--token={token}")]) {
            Ok(metrics) => {
                assert!(metrics.contains("# TYPE "), "{metrics}");
                return Ok(());
            }
            Err(error) if begun.elapsed() > PATIENCE => return Err(error),
            // The start of the next process is pause enough.
            Err(_) => {}
        }
    }
}

/// Checks the optional certificate of the metrics, which the comments of two kustomizations enable.
fn check_metrics_certificate(project: &Project, control_plane: &ControlPlane) -> Outcome {
    let kubectl = |arguments: &[&str]| {
        let mut command = control_plane.kubectl();
        command.args(arguments).current_dir(project.path());
        finish(command)
    };
    let name = project.name();
    for (folder, comments, expected) in [
        (
            "config/default",
            ["components:", "- ../metrics-certs"].as_slice(),
            "- --metrics-certs=/tmp/k8s-metrics-server/metrics-certs".to_owned(),
        ),
        (
            "config/prometheus",
            [
                "patches:",
                "- path: monitor_tls_patch.yaml",
                "  target:",
                "    kind: ServiceMonitor",
            ]
            .as_slice(),
            format!("serverName: {name}-metrics-service.{name}-system.svc"),
        ),
    ] {
        let apply = || {
            kubectl(&[
                "apply",
                "--server-side",
                "--dry-run=server",
                "--validate=strict",
                "-k",
                folder,
            ])
        };
        let before = kubectl(&["kustomize", folder])?;
        apply()?;
        let path = project.path().join(folder).join("kustomization.yaml");
        let text = fs::read_to_string(&path)?;
        let mut enabled = text.clone();
        for line in comments {
            let comment = format!("# {line}\n");
            assert!(enabled.contains(&comment), "{comment} is not in\n{text}");
            enabled = enabled.replace(&comment, &format!("{line}\n"));
        }
        fs::write(&path, enabled)?;
        let after = kubectl(&["kustomize", folder])?;
        assert!(
            !before.contains(&expected) && after.contains(&expected),
            "{after}"
        );
        if folder == "config/default" {
            // The volumes of the webhooks are still there.
            assert!(after.contains("secretName: webhook-server-cert"), "{after}");
            assert!(after.contains(&format!("name: {name}-metrics-issuer")), "{after}");
        }
        apply()?;
        fs::write(&path, text)?;
    }
    Ok(())
}

/// Checks that the manifests that a project in Go has left run the Rust program from the image of the call.
fn check_reused(style: &str, control_plane: &ControlPlane) -> Outcome {
    let project = Project::of_go(style)?;
    let mut make = Command::new("make");
    make.args(["build-installer", "IMG=registry.example/harbor:v2"])
        .arg(format!("KGEN={}", env!("CARGO_BIN_EXE_kgen")))
        .arg(format!(
            "KUBECTL={}",
            control_plane.kubectl().get_program().display()
        ))
        .current_dir(project.path());
    finish(make)?;
    let installer = fs::read_to_string(project.path().join("dist/install.yaml"))?;
    for line in [
        "image: registry.example/harbor:v2".to_owned(),
        format!("- /{}", project.name()),
        "- --probe-addr=0.0.0.0:8081".to_owned(),
    ] {
        assert!(installer.contains(&line), "{line} is not in\n{installer}");
    }
    Ok(())
}

/// Returns the definition of a kind of others.
fn definition(group: &str, kind: &str, plural: &str, schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {plural}.{group}
spec:
  group: {group}
  names:
    kind: {kind}
    plural: {plural}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {schema}
"
    )
}
