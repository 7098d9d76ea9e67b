//! Charts and bundles in a control plane: charts are installed, upgraded and uninstalled, and bundles are applied as the
//! Operator Lifecycle Manager applies them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kgen_testenv::suite::Suite;
use kgen_testenv::{ControlPlane, ControlPlaneBuilder};
use serde_json::{Value, json};

use crate::bundles::bundles;
use crate::charts::{charts, combinations, read};
use crate::support::{name, root};
use crate::tools::{HELM_3, HELM_4, Judge, Tool};
use crate::{Outcome, printed};

/// The namespace of an operator that OLM installs.
const OLM: &str = "operators";

/// Another namespace, in which an operator has only the rules of its cluster roles.
const ELSEWHERE: &str = "elsewhere";

/// Kinds of others in the charts: group, version, kind, plural.
const FOREIGN: &[(&str, &str, &str, &str)] = &[
    ("cert-manager.io", "v1", "Issuer", "issuers"),
    ("cert-manager.io", "v1", "Certificate", "certificates"),
    ("monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors"),
];

/// Returns the tests. Those with Helm are left out if there is neither Helm nor Go; the trials of the tools show that.
pub fn suite() -> Suite {
    let suite = Suite::new(with_node()).test("bundles_are_applied", bundles_are_applied);
    if HELM_3.reason_to_skip().is_some() {
        return suite;
    }
    suite
        .test("combinations_of_values_are_accepted", combinations_are_accepted)
        .test("helm_3_installs_and_upgrades", || installs(&HELM_3))
        .test("helm_4_installs_and_upgrades", || installs(&HELM_4))
}

fn with_node() -> ControlPlaneBuilder {
    ControlPlane::builder().with_nodes(1)
}

/// Makes the control plane accept the objects of other projects.
async fn install_foreign(control_plane: &ControlPlane) -> Outcome {
    for (group, version, kind, plural) in FOREIGN {
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("{plural}.{group}") },
            "spec": {
                "group": group,
                "scope": "Namespaced",
                "names": { "kind": kind, "plural": plural },
                "versions": [{
                    "name": version, "served": true, "storage": true,
                    "schema": { "openAPIV3Schema": {
                        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
                    } },
                }],
            },
        });
        control_plane.install_crds(definition.to_string()).await?;
    }
    Ok(())
}

/// Gives objects to kubectl, and returns what it prints.
fn kubectl(control_plane: &ControlPlane, arguments: &[&str], objects: &[Value]) -> Outcome<String> {
    let mut command = control_plane.kubectl();
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut process = command.spawn()?;
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": objects });
    let mut input = process.stdin.take().ok_or("no input")?;
    input.write_all(list.to_string().as_bytes())?;
    drop(input);
    let output = process.wait_with_output()?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout)?)
    } else {
        Err(format!(
            "kubectl {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into())
    }
}

fn create_namespaces<'n>(
    control_plane: &ControlPlane,
    namespaces: impl IntoIterator<Item = &'n str>,
) -> Outcome {
    let namespaces: Vec<Value> = namespaces
        .into_iter()
        .map(|name| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }))
        .collect();
    kubectl(control_plane, &["apply", "--filename=-"], &namespaces)?;
    Ok(())
}

/// The API server accepts every object of every combination of values.
async fn combinations_are_accepted() -> Outcome {
    let helm = HELM_3.path()?;
    let control_plane = ControlPlane::builder().start().await?;
    install_foreign(&control_plane).await?;
    for chart in charts() {
        // Most combinations have most objects in common.
        let rendered = combinations(&chart, &helm);
        let texts: BTreeSet<String> = rendered
            .iter()
            .flat_map(BTreeMap::values)
            .map(Value::to_string)
            .collect();
        let objects: Vec<Value> = texts.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let namespaces = objects
            .iter()
            .filter_map(|object| object["metadata"]["namespace"].as_str());
        create_namespaces(
            &control_plane,
            namespaces
                .chain([chart.namespace.as_str()])
                .collect::<BTreeSet<_>>(),
        )?;
        let arguments = [
            "create",
            "--dry-run=server",
            "--validate=strict",
            "--namespace",
            &chart.namespace,
            "--filename=-",
        ];
        // Objects without a namespace are in that of the release, so this is an option and not in the objects.
        let (own, others): (Vec<Value>, Vec<Value>) = objects.into_iter().partition(|object| {
            let namespace = object["metadata"]["namespace"].as_str();
            namespace.is_none_or(|namespace| namespace == chart.namespace)
        });
        kubectl(&control_plane, &arguments, &own)?;
        let everywhere = ["create", "--dry-run=server", "--validate=strict", "--filename=-"];
        if !others.is_empty() {
            kubectl(&control_plane, &everywhere, &others)?;
        }
        println!(
            "{}: the API server accepted {} different objects of {} combinations",
            chart.name,
            own.len() + others.len(),
            rendered.len()
        );
    }
    control_plane.stop().await?;
    Ok(())
}

/// Helm with the control plane as its cluster.
struct Helm<'a> {
    control_plane: &'a ControlPlane,
    program: PathBuf,
}

impl Helm<'_> {
    fn run(&self, arguments: &str) -> Outcome<String> {
        let home = self.control_plane.folder().join("helm");
        let output = Command::new(&self.program)
            .args(arguments.split(' '))
            .env("KUBECONFIG", self.control_plane.kubeconfig_path())
            .env("HELM_CACHE_HOME", home.join("cache"))
            .env("HELM_CONFIG_HOME", home.join("config"))
            .env("HELM_DATA_HOME", home.join("data"))
            .output()?;
        if output.status.success() {
            Ok(printed(&output))
        } else {
            Err(format!("helm {arguments}: {}", printed(&output)).into())
        }
    }

    fn get(&self, arguments: &str) -> Outcome<Value> {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let text = kubectl(
            self.control_plane,
            &[&["get", "--output=json"], &arguments[..]].concat(),
            &[],
        )?;
        Ok(serde_json::from_str(&text)?)
    }

    fn definition(&self) -> Outcome<Value> {
        self.get("customresourcedefinition guestbooks.webapp.example.com")
    }
}

/// A chart is installed, upgraded and uninstalled: its CRDs are updated, then kept, and its certificate stays.
async fn installs(tool: &Tool) -> Outcome {
    let program = tool.path()?;
    let control_plane = ControlPlane::builder().start().await?;
    install_foreign(&control_plane).await?;
    let helm = Helm {
        control_plane: &control_plane,
        program,
    };
    let chart = control_plane.folder().join("chart");
    copy(&root().join("testdata/cases/helm-project/expected"), &chart)?;
    let shown = chart.display();
    let own = "--namespace guestbook-system --set webhook.certificate=self-signed";
    helm.run(&format!("install guestbook {shown} {own} --create-namespace"))?;
    let before = helm.definition()?;
    let secret = helm.get("secret guestbook-webhook-server-cert --namespace guestbook-system")?;
    let authority = &before["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"];
    assert_eq!(
        authority, &secret["data"]["ca.crt"],
        "the CRD has the CA of the certificate"
    );

    // The operator got a short name.
    let definition = chart.join("templates/crds/webapp.example.com_guestbooks.yaml");
    let text = fs::read_to_string(&definition)?;
    let changed = text.replacen(
        "    kind: Guestbook\n",
        "    kind: Guestbook\n    shortNames: [gb9]\n",
        1,
    );
    assert_ne!(text, changed);
    fs::write(&definition, changed)?;
    helm.run(&format!("upgrade guestbook {shown} {own} --set replicas=2"))?;
    let after = helm.definition()?;
    assert_eq!(after["spec"]["names"]["shortNames"], json!(["gb9"]));
    assert_eq!(
        after["metadata"]["uid"], before["metadata"]["uid"],
        "the CRD is updated, not replaced"
    );
    let kept = helm.get("secret guestbook-webhook-server-cert --namespace guestbook-system")?;
    assert_eq!(kept["data"], secret["data"], "an upgrade keeps the certificate");
    let deployment = helm.get("deployment guestbook-controller-manager --namespace guestbook-system")?;
    assert_eq!(deployment["spec"]["replicas"], 2);

    helm.run("uninstall guestbook --namespace guestbook-system")?;
    assert_eq!(helm.definition()?["metadata"]["uid"], before["metadata"]["uid"]);
    let left = helm.get("deployments --namespace guestbook-system")?;
    assert_eq!(left["items"], json!([]));

    // The CRDs that were kept belong to the next release of this name. Without `crds.keep`, they go with it.
    helm.run(&format!("install guestbook {shown} {own} --set crds.keep=false"))?;
    assert_eq!(helm.definition()?["metadata"]["uid"], before["metadata"]["uid"]);
    helm.run("uninstall guestbook --namespace guestbook-system --wait")?;
    assert!(helm.definition().is_err(), "the CRD is removed");

    // The CRDs in a chart of their own, and the names of the release of the operator in it.
    let dist = root().join("testdata/cli/packages/files/dist");
    let (crds, chart) = (dist.join("chart-crds"), dist.join("chart"));
    let own = "--namespace guestbook-system --set webhook.certificate=self-signed";
    helm.run(&format!(
        "install crds {} {own} --set release=books",
        crds.display()
    ))?;
    helm.run(&format!("install books {} {own}", chart.display()))?;
    helm.run(&format!(
        "upgrade crds {} {own} --set release=books",
        crds.display()
    ))?;
    let client = helm.definition()?["spec"]["conversion"]["webhook"]["clientConfig"].clone();
    let service = client["service"]["name"].as_str().ok_or("no service")?;
    helm.get(&format!("service {service} --namespace guestbook-system"))?;
    let secret = helm.get("secret books-guestbook-webhook-server-cert --namespace guestbook-system")?;
    assert_eq!(client["caBundle"], secret["data"]["ca.crt"]);
    helm.run("uninstall books --namespace guestbook-system")?;
    helm.run("uninstall crds --namespace guestbook-system")?;
    helm.definition()?;
    control_plane.stop().await?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Every bundle is applied as OLM applies it: its permissions are those of the roles, its Deployments run, its CRDs and its
/// examples are accepted.
async fn bundles_are_applied() -> Outcome {
    for (bundle, manifests) in bundles() {
        let control_plane = with_node().start().await?;
        install_foreign(&control_plane).await?;
        let title = bundle.display().to_string();
        let applied = Bundle::read(&bundle)?;
        let accounts = applied.compare_rules(&control_plane, &manifests)?;
        assert!(accounts > 0, "{title} has no service account");
        let running = applied.run_deployments(&control_plane)?;
        let examples = applied.accept_examples(&control_plane).await?;
        println!("{title}: the rules of {accounts} accounts, {running} Deployments, {examples} examples");
        control_plane.stop().await?;
    }
    Ok(())
}

/// The files of a bundle.
struct Bundle {
    csv: Value,
    definitions: Vec<Value>,
}

impl Bundle {
    fn read(folder: &Path) -> Outcome<Self> {
        let mut objects = Vec::new();
        for entry in fs::read_dir(folder.join("manifests"))? {
            let text = fs::read_to_string(entry?.path())?;
            objects.extend(read(&text).objects.into_iter().map(|object| object.value));
        }
        let csv = objects
            .iter()
            .find(|object| object["kind"] == "ClusterServiceVersion");
        let csv = csv.ok_or_else(|| format!("{} has no CSV", name(folder)))?.clone();
        objects.retain(|object| object["kind"] == "CustomResourceDefinition");
        Ok(Self {
            csv,
            definitions: objects,
        })
    }

    fn install(&self) -> &Value {
        &self.csv["spec"]["install"]["spec"]
    }

    /// Compares what the accounts of the manifests may do with what the accounts of the CSV may do.
    fn compare_rules(&self, control_plane: &ControlPlane, manifests: &str) -> Outcome<usize> {
        let original = read(manifests);
        let is_access = |kind: &str| {
            matches!(
                kind,
                "ServiceAccount" | "Role" | "ClusterRole" | "RoleBinding" | "ClusterRoleBinding"
            )
        };
        let objects: Vec<Value> = original
            .objects
            .iter()
            .filter(|object| is_access(object.kind()))
            .map(|object| object.value.clone())
            .collect();
        let namespaces: BTreeSet<&str> = original
            .objects
            .iter()
            .map(|object| object.namespace())
            .filter(|namespace| !namespace.is_empty())
            .chain([OLM, ELSEWHERE])
            .collect();
        create_namespaces(control_plane, namespaces)?;
        kubectl(control_plane, &["apply", "--filename=-"], &objects)?;
        kubectl(control_plane, &["apply", "--filename=-"], &self.access())?;
        let mut accounts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for deployment in original.deployments() {
            let namespaces = accounts.entry(deployment.service_account()).or_default();
            namespaces.insert(deployment.namespace());
        }
        for (account, namespaces) in &accounts {
            // OLM makes one account of those with the same name.
            for (in_own, of_olm) in [(true, OLM), (false, ELSEWHERE)] {
                let mut wanted = BTreeSet::new();
                for namespace in namespaces {
                    let place = if in_own { namespace } else { ELSEWHERE };
                    wanted.extend(rules_of(control_plane, namespace, account, place)?);
                }
                let found = rules_of(control_plane, OLM, account, of_olm)?;
                assert_eq!(found, wanted, "{account} in {of_olm}");
            }
        }
        Ok(accounts.len())
    }

    /// Returns the accounts, roles and bindings that OLM creates.
    fn access(&self) -> Vec<Value> {
        let list = |key: &str| self.install()[key].as_array().cloned().unwrap_or_default();
        let mut objects = Vec::new();
        let deployments = list("deployments");
        let accounts = deployments
            .iter()
            .map(|deployment| &deployment["spec"]["template"]["spec"]["serviceAccountName"])
            .filter_map(Value::as_str)
            .collect::<BTreeSet<_>>();
        for account in accounts {
            let metadata = json!({ "name": account, "namespace": OLM });
            objects.push(json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata }));
        }
        for (key, before) in [("permissions", ""), ("clusterPermissions", "Cluster")] {
            for (index, entry) in list(key).iter().enumerate() {
                let account = &entry["serviceAccountName"];
                let mut metadata = json!({ "name": format!("olm-{index}") });
                if before.is_empty() {
                    metadata["namespace"] = OLM.into();
                }
                let role = format!("{before}Role");
                let api = "rbac.authorization.k8s.io";
                objects.push(json!({
                    "apiVersion": format!("{api}/v1"), "kind": role, "metadata": metadata, "rules": entry["rules"],
                }));
                objects.push(json!({
                    "apiVersion": format!("{api}/v1"), "kind": format!("{role}Binding"), "metadata": metadata,
                    "roleRef": { "apiGroup": api, "kind": role, "name": metadata["name"] },
                    "subjects": [{ "kind": "ServiceAccount", "name": account, "namespace": OLM }],
                }));
            }
        }
        objects
    }

    /// Creates the Deployments and waits until their pods run on the simulated node.
    fn run_deployments(&self, control_plane: &ControlPlane) -> Outcome<usize> {
        let deployments = self.install()["deployments"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let objects: Vec<Value> = deployments
            .iter()
            .map(|deployment| {
                json!({
                    "apiVersion": "apps/v1", "kind": "Deployment", "spec": deployment["spec"],
                    "metadata": { "name": deployment["name"], "namespace": OLM, "labels": deployment["label"] },
                })
            })
            .collect();
        kubectl(
            control_plane,
            &["create", "--validate=strict", "--filename=-"],
            &objects,
        )?;
        for deployment in &deployments {
            let name = format!("deployment/{}", deployment["name"].as_str().ok_or("no name")?);
            let namespace = format!("--namespace={OLM}");
            kubectl(
                control_plane,
                &["rollout", "status", &name, &namespace, "--timeout=5m"],
                &[],
            )?;
        }
        Ok(deployments.len())
    }

    /// Installs the CRDs and creates the examples without storing them. Nothing serves the conversion here.
    async fn accept_examples(&self, control_plane: &ControlPlane) -> Outcome<usize> {
        for definition in &self.definitions {
            let mut definition = definition.clone();
            if let Some(spec) = definition["spec"].as_object_mut() {
                spec.remove("conversion");
            }
            control_plane.install_crds(definition.to_string()).await?;
        }
        let text = self.csv["metadata"]["annotations"]["alm-examples"].as_str();
        let examples: Vec<Value> = serde_json::from_str(text.ok_or("no examples")?)?;
        let arguments = ["create", "--dry-run=server", "--validate=strict", "--filename=-"];
        kubectl(control_plane, &arguments, &examples)?;
        Ok(examples.len())
    }
}

/// Returns everything that a service account may do in a namespace: one text for each verb on each resource.
fn rules_of(
    control_plane: &ControlPlane,
    namespace: &str,
    account: &str,
    place: &str,
) -> Outcome<BTreeSet<String>> {
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": { "namespace": place },
    });
    let user = format!("--as=system:serviceaccount:{namespace}:{account}");
    let arguments = ["create", "--filename=-", "--output=json", &user];
    let text = kubectl(control_plane, &arguments, &[review])?;
    let found: Value = serde_json::from_str(&text)?;
    let status = &found["status"];
    let texts = |rule: &Value, key: &str| -> Vec<String> {
        let values = rule[key].as_array().into_iter().flatten();
        values.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut rules = BTreeSet::new();
    for rule in status["resourceRules"].as_array().into_iter().flatten() {
        let names = match texts(rule, "resourceNames") {
            names if names.is_empty() => vec!["*".to_owned()],
            names => names,
        };
        for verb in texts(rule, "verbs") {
            for group in texts(rule, "apiGroups") {
                for resource in texts(rule, "resources") {
                    rules.extend(
                        names
                            .iter()
                            .map(|name| format!("{verb} {resource}.{group} {name}")),
                    );
                }
            }
        }
    }
    for rule in status["nonResourceRules"].as_array().into_iter().flatten() {
        for verb in texts(rule, "verbs") {
            rules.extend(
                texts(rule, "nonResourceURLs")
                    .iter()
                    .map(|url| format!("{verb} {url}")),
            );
        }
    }
    assert!(!rules.is_empty(), "{text}");
    Ok(rules)
}
