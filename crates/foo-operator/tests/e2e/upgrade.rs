//! An upgrade from `v1alpha1` to `v1`, in the releases that the book recommends: serve both versions, store `v1`, migrate, and
//! remove `v1alpha1`. The operator of the release before runs beside the new one; either of them leads for a while.

use std::collections::BTreeMap;
use std::process::Command;

use foo_operator::api::{v1, v1alpha1};
use foo_operator::generated::{Clientset, example_v1, example_v1alpha1};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kgen_runtime::migration::StorageMigration;
use kgen_testenv::suite::Outcome;
use kgen_testenv::{ControlPlane, WebhookInstallation};
use kube::api::{DeleteParams, ListParams, Patch, PostParams};
use kube::runtime::conditions::is_deleted;
use kube::{Api, CustomResourceExt, Resource, ResourceExt};
use serde_json::{Value, json};

use crate::cluster::{Cluster, Operator, Result, note, poll};
use crate::lost::{Goal, Wanted, nothing_is_lost};
use crate::{life, previous};

/// How many Foos are created in each phase and version.
const FOOS: usize = 10;

pub async fn two_operators_work_with_two_versions() -> Outcome {
    let before = definition(&["v1alpha1"], "v1alpha1")?;
    let builder = ControlPlane::builder().with_nodes(1);
    let cluster = Cluster::start_with(builder, before.to_string(), &["operator", "rbac"]).await?;
    let mut upgrade = Upgrade::new(&cluster);
    let mut old = start_old(&cluster, "old").await?;
    upgrade.create_old("before").await?;
    upgrade.until_old_operator_is_done().await?;

    // The first release serves both versions. The old operator leads, and the new one converts.
    let both = definition(&["v1alpha1", "v1"], "v1alpha1")?.to_string();
    let webhooks = cluster.control_plane.install_webhooks(both).await?;
    let mut new = start_new(&cluster, &webhooks, "new-1").await?;
    poll("the new operator has seen all Foos", || {
        Ok(new.log().contains("serving conversions"))
    })
    .await?;
    upgrade.write_in_both_versions("old leads").await?;
    life::behaviors(&cluster).await?;
    assert!(!new.log().contains("starting workers"), "{}", new.log());
    upgrade
        .nothing_is_lost("the old operator leads beside the new one")
        .await?;

    // The new operator leads, and the old one waits.
    assert!(old.terminate()?.success(), "{}", old.log());
    until_it_leads(&new).await?;
    let old = start_old(&cluster, "old-2").await?;
    upgrade.write_in_both_versions("new leads").await?;
    life::behaviors(&cluster).await?;
    upgrade
        .nothing_is_lost("the new operator leads beside the old one")
        .await?;

    // The new operator is killed, so nobody converts: the old one, which needs no conversion, takes over. Then the new one is back.
    drop(new);
    until_it_leads(&old).await?;
    upgrade.create_old("alone").await?;
    upgrade.until_old_operator_is_done().await?;
    new = start_new(&cluster, &webhooks, "new-2").await?;
    upgrade.write_in_both_versions("rolled back").await?;
    upgrade
        .nothing_is_lost("the new operator killed beside the old one")
        .await?;
    let mut old = old;
    assert!(old.terminate()?.success(), "{}", old.log());
    until_it_leads(&new).await?;

    // The second release stores `v1`. All objects are migrated while the operator works.
    change_definition(&cluster, |spec| {
        for version in spec["versions"].as_array_mut().into_iter().flatten() {
            version["storage"] = json!(version["name"] == "v1");
        }
    })
    .await?;
    upgrade.write_in_both_versions("v1 is stored").await?;
    StorageMigration::of::<v1::Foo>(cluster.client.clone())
        .run()
        .await?;
    assert_eq!(stored_versions(&cluster).await?, ["v1"]);
    for object in cluster
        .control_plane
        .stored_objects("example.com", "foos")
        .await?
    {
        assert_eq!(object["apiVersion"], "example.com/v1", "{object}");
    }
    upgrade.nothing_is_lost("all Foos migrated to v1").await?;

    // The third release removes `v1alpha1`.
    upgrade.until_owners_name_v1().await?;
    change_definition(&cluster, |spec| {
        let index = old_index(spec);
        spec["versions"][index]["served"] = json!(false);
    })
    .await?;
    StorageMigration::of::<v1::Foo>(cluster.client.clone())
        .run()
        .await?;
    change_definition(&cluster, |spec| {
        let index = old_index(spec);
        spec["versions"]
            .as_array_mut()
            .map(|versions| versions.remove(index));
    })
    .await?;
    upgrade.old_is_gone = true;
    life::behaviors(&cluster).await?;
    upgrade.nothing_is_lost("v1alpha1 removed").await?;
    upgrade.a_foo_of_the_first_release_is_collected().await?;
    assert!(new.terminate()?.success(), "{}", new.log());
    cluster.control_plane.stop().await?;
    Ok(())
}

async fn start_old(cluster: &Cluster, name: &str) -> Result<Operator> {
    let kubeconfig = cluster.account().await?.to_yaml();
    let mut command = Command::new(std::env::current_exe()?);
    let folder = cluster.control_plane.folder();
    Operator::start_program(command.arg(previous::ARGUMENT), folder, name, &kubeconfig, &[])
}

async fn start_new(cluster: &Cluster, webhooks: &WebhookInstallation, name: &str) -> Result<Operator> {
    let address = format!("--webhook-addr={}", webhooks.address());
    let certificates = format!("--webhook-certs={}", webhooks.folder().display());
    cluster
        .operator(name, &["--leader-elect", &address, &certificates])
        .await
}

async fn until_it_leads(operator: &Operator) -> Result {
    poll("it leads", || Ok(operator.log().contains("became leader")))
        .await
        .map_err(|error| format!("{error}\n{}", operator.log()).into())
}

/// Returns the CRD of a release, with some versions.
fn definition(served: &[&str], stored: &str) -> Result<Value> {
    let mut definition = serde_json::to_value(v1::Foo::crd())?;
    let spec = &mut definition["spec"];
    if served.len() == 1 {
        spec.as_object_mut().map(|spec| spec.remove("conversion"));
    }
    if let Some(versions) = spec["versions"].as_array_mut() {
        versions.retain(|version| served.iter().any(|served| version["name"] == *served));
        for version in versions {
            version["storage"] = json!(version["name"] == stored);
        }
    }
    Ok(definition)
}

fn old_index(spec: &Value) -> usize {
    let mut versions = spec["versions"].as_array().into_iter().flatten();
    versions
        .position(|version| version["name"] == "v1alpha1")
        .unwrap_or_default()
}

async fn change_definition(cluster: &Cluster, change: impl Fn(&mut Value)) -> Result {
    let definitions: Api<CustomResourceDefinition> = Api::all(cluster.client.clone());
    let mut definition = serde_json::to_value(definitions.get(v1::Foo::crd_name()).await?)?;
    change(&mut definition["spec"]);
    let changed = serde_json::from_value(definition)?;
    definitions
        .replace(v1::Foo::crd_name(), &PostParams::default(), &changed)
        .await?;
    Ok(())
}

async fn stored_versions(cluster: &Cluster) -> Result<Vec<String>> {
    let definitions: Api<CustomResourceDefinition> = Api::all(cluster.client.clone());
    let status = definitions.get(v1::Foo::crd_name()).await?.status;
    Ok(status
        .and_then(|status| status.stored_versions)
        .unwrap_or_default())
}

/// The Foos of the upgrade, with the values that each version must show.
struct Upgrade<'a> {
    cluster: &'a Cluster,
    old: example_v1alpha1::Foos,
    new: example_v1::Foos,
    wanted: Vec<Wanted>,
    /// The specs as they were written, in the version that wrote them.
    old_specs: BTreeMap<String, v1alpha1::FooSpec>,
    new_specs: BTreeMap<String, v1::FooSpec>,
    old_is_gone: bool,
}

impl<'a> Upgrade<'a> {
    fn new(cluster: &'a Cluster) -> Self {
        let clients = Clientset::new(cluster.client.clone());
        Self {
            cluster,
            old: clients.example_v1alpha1().foos("default"),
            new: clients.example_v1().foos("default"),
            wanted: Vec::new(),
            old_specs: BTreeMap::new(),
            new_specs: BTreeMap::new(),
            old_is_gone: false,
        }
    }

    /// Creates Foos with values that only `v1alpha1` can represent.
    async fn create_old(&mut self, phase: &str) -> Result {
        for number in 0..FOOS {
            let name = format!("old-{}-{number}", phase.replace(' ', "-"));
            let spec = v1alpha1::FooSpec {
                deployment_name: name.clone(),
                replicas: Some(1),
                // Without a tag, and with one that `v1` writes in the same way.
                image: [None, Some("nginx"), Some("nginx:latest")][number % 3].map(str::to_owned),
                image_pull_policy: Some(v1alpha1::PullPolicy::Always),
                grace_seconds: Some(1),
                comment: Some(format!("comment {number}")),
            };
            self.old.create(&v1alpha1::Foo::new(&name, spec.clone())).await?;
            self.wanted.push(Wanted::new(&name, &name, 1).maybe_untold());
            self.old_specs.insert(name, spec);
        }
        Ok(())
    }

    /// Creates Foos with values that only `v1` can represent.
    async fn create_new(&mut self, phase: &str) -> Result {
        for number in 0..FOOS {
            let name = format!("new-{}-{number}", phase.replace(' ', "-"));
            let spec = v1::FooSpec {
                deployment_name: name.clone(),
                replicas: Some(1),
                repository: (number % 2 == 0).then(|| "nginx".to_owned()),
                tag: Some("latest".to_owned()),
                image_pull_policy: Some(v1::PullPolicy::Never),
                termination_grace_period_seconds: Some(1),
            };
            self.new.create(&v1::Foo::new(&name, spec.clone())).await?;
            self.wanted.push(Wanted::new(&name, &name, 1).maybe_untold());
            self.new_specs.insert(name, spec);
        }
        Ok(())
    }

    /// Creates Foos in both versions, and changes each existing one in the other version.
    async fn write_in_both_versions(&mut self, phase: &str) -> Result {
        self.create_old(phase).await?;
        self.create_new(phase).await?;
        let grace = 1 + i64::try_from(self.wanted.len())?;
        for (name, spec) in &mut self.old_specs {
            let patch = json!({ "spec": { "terminationGracePeriodSeconds": grace } });
            self.new.patch(name, &Patch::Merge(patch)).await?;
            spec.grace_seconds = Some(grace);
        }
        for (name, spec) in &mut self.new_specs {
            let patch = json!({ "spec": { "graceSeconds": grace } });
            self.old.patch(name, &Patch::Merge(patch)).await?;
            spec.termination_grace_period_seconds = Some(grace);
        }
        Ok(())
    }

    /// Waits until each Foo has its status, as `v1alpha1` shows it: nobody may convert yet.
    async fn until_old_operator_is_done(&self) -> Result {
        for name in self.old_specs.keys() {
            let is_done = |foo: Option<&v1alpha1::Foo>| {
                foo.is_some_and(|foo| {
                    let status = foo.status.as_ref();
                    status.is_some_and(|status| {
                        status.available_replicas == 1
                            && status.observed_generation == foo.metadata.generation
                    })
                })
            };
            self.cluster
                .until("the old operator is done", name, is_done)
                .await?;
        }
        Ok(())
    }

    /// Waits until the operators are done, and compares each value in the version that wrote it.
    async fn nothing_is_lost(&self, phase: &str) -> Result {
        nothing_is_lost(self.cluster, phase, &self.wanted, Goal::Ready).await?;
        let mut lost = Vec::new();
        let mut count = self.new_specs.len();
        let found = self.new.list(&ListParams::default()).await?.items;
        for (name, spec) in &self.new_specs {
            let foo = found.iter().find(|foo| foo.name_any() == *name);
            if foo.map(|foo| &foo.spec) != Some(spec) {
                lost.push(format!("{foo:?} is not {spec:?}"));
            }
        }
        if !self.old_is_gone {
            count += self.old_specs.len();
            let found = self.old.list(&ListParams::default()).await?.items;
            for (name, spec) in &self.old_specs {
                let foo = found.iter().find(|foo| foo.name_any() == *name);
                if foo.map(|foo| &foo.spec) != Some(spec) {
                    lost.push(format!("{foo:?} is not {spec:?}"));
                }
            }
        }
        note(&format!("lost: {} of {count} specs, {phase}", lost.len()));
        if lost.is_empty() {
            Ok(())
        } else {
            Err(lost.join("\n").into())
        }
    }

    /// Waits until the new operator has changed the owner references of the old one. Otherwise the garbage collector could not
    /// find the owners once `v1alpha1` is gone.
    async fn until_owners_name_v1(&self) -> Result {
        for name in self.old_specs.keys() {
            let names_v1 = |deployment: Option<&Deployment>| {
                deployment.is_some_and(|deployment| {
                    let owners = deployment.owner_references();
                    owners
                        .iter()
                        .all(|owner| owner.api_version == v1::Foo::api_version(&()))
                })
            };
            self.cluster
                .until("the owner is a v1 Foo", name, names_v1)
                .await?;
        }
        Ok(())
    }

    async fn a_foo_of_the_first_release_is_collected(&self) -> Result {
        let deployment = self.cluster.api::<Deployment>().get("old-before-0").await?;
        let uid = deployment.uid().unwrap_or_default();
        self.new
            .delete("old-before-0", &DeleteParams::background())
            .await?;
        let what = "its Deployment is collected";
        self.cluster
            .until(what, "old-before-0", is_deleted::<Deployment>(&uid))
            .await?;
        Ok(())
    }
}
