//! The Foos, the users who change them, and the clients that tamper with their Deployments.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foo_operator::api::v1::{Foo, FooSpec};
use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::cluster::{Cluster, PATIENCE, Result};
use crate::lost::Wanted;

/// The time between two changes.
const PAUSE: Duration = Duration::from_millis(50);

/// Every so many changes, a Deployment is deleted or changed by a vandal.
const VANDALISM: usize = 10;

/// How many requests are sent at once at the beginning.
const AT_ONCE: usize = 16;

/// The desired state of the users. Clones share it.
#[derive(Clone)]
pub struct Load {
    wanted: Arc<Mutex<Vec<Wanted>>>,
    changes: Arc<AtomicUsize>,
}

impl Load {
    /// Creates the Foos.
    pub async fn create(cluster: &Cluster, count: usize) -> Result<Self> {
        let wanted: Vec<_> = (0..count)
            .map(|number| Wanted::new(format!("foo-{number}"), format!("web-{number}"), 1).maybe_untold())
            .collect();
        let created = futures::stream::iter(&wanted).map(|wanted| async {
            let created = cluster.create_foo(&wanted.name, &wanted.deployment, wanted.replicas);
            created.await.map(drop)
        });
        let results: Vec<Result> = created.buffer_unordered(AT_ONCE).collect().await;
        results.into_iter().collect::<Result<Vec<()>>>()?;
        Ok(Self {
            wanted: Arc::new(Mutex::new(wanted)),
            changes: Arc::default(),
        })
    }

    /// Returns the expected state at the end.
    pub fn wanted(&self) -> Vec<Wanted> {
        self.wanted.lock().unwrap().clone()
    }

    pub fn changes(&self) -> usize {
        self.changes.load(Ordering::Relaxed)
    }

    /// Changes Foos until `stop` is canceled. A change that fails is retried until it is known to have succeeded.
    pub async fn write(self, client: Client, stop: CancellationToken) {
        let foos = Api::<Foo>::namespaced(client.clone(), "default");
        let deployments = Api::<Deployment>::namespaced(client, "default");
        while !stop.is_cancelled() {
            let number = self.changes.fetch_add(1, Ordering::Relaxed);
            let changed = self.change(number);
            let spec = json!({ "deploymentName": changed.deployment, "replicas": changed.replicas });
            let patch = Patch::Merge(json!({ "spec": spec }));
            // An API server that has just started does not know the kind yet, so no error is final.
            let deadline = Instant::now() + PATIENCE;
            while let Err(error) = foos.patch(&changed.name, &PatchParams::default(), &patch).await {
                assert!(Instant::now() < deadline, "a change is refused: {error}");
                tokio::time::sleep(PAUSE).await;
            }
            if number % VANDALISM == 0 {
                // Best effort: it is the operator that must not fail.
                let _ = match number / VANDALISM % 2 {
                    0 => deployments
                        .delete(&changed.deployment, &DeleteParams::default())
                        .await
                        .map(drop),
                    _ => {
                        let patch = Patch::Merge(json!({ "spec": { "replicas": 10 } }));
                        let parameters = PatchParams::default();
                        deployments
                            .patch(&changed.deployment, &parameters, &patch)
                            .await
                            .map(drop)
                    }
                };
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Chooses a Foo and its new state.
    fn change(&self, number: usize) -> Wanted {
        let mut wanted = self.wanted.lock().unwrap();
        // A step that is coprime to the count reaches all Foos, in a different order.
        let index = number.wrapping_mul(7919) % wanted.len();
        let chosen = &mut wanted[index];
        chosen.replicas = i32::try_from(number % 9).unwrap_or_default() + 1;
        if number % 5 == 0 {
            chosen.deployment = match chosen.deployment.strip_suffix("-renamed") {
                Some(before) => before.to_owned(),
                None => format!("{}-renamed", chosen.deployment),
            };
        }
        chosen.clone()
    }
}

/// Stores a Foo that the Rust type cannot represent, while the definition does not say what a Foo is.
pub async fn create_unreadable_foo(cluster: &Cluster) -> Result {
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
    const NAMESPACE: &str = "unreadable";
    cluster.kubectl(&["create", "namespace", NAMESPACE])?;
    let definitions = Api::<CustomResourceDefinition>::all(cluster.client.clone());
    let strict = definitions.get("foos.example.com").await?;
    let mut lenient = strict.clone();
    for version in &mut lenient.spec.versions {
        let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        version.schema = Some(serde_json::from_value(json!({ "openAPIV3Schema": schema }))?);
    }
    let parameters = PostParams::default();
    let lenient = definitions
        .replace("foos.example.com", &parameters, &lenient)
        .await?;
    let resource = kube::core::ApiResource::erase::<Foo>(&());
    let foos =
        Api::<kube::core::DynamicObject>::namespaced_with(cluster.client.clone(), NAMESPACE, &resource);
    let unreadable = kube::core::DynamicObject::new("unreadable", &resource)
        .data(json!({ "spec": { "deploymentName": 7, "replicas": "many" } }));
    // The API server takes a moment to notice the new schema.
    let deadline = Instant::now() + PATIENCE;
    while let Err(error) = foos.create(&parameters, &unreadable).await {
        if Instant::now() > deadline {
            return Err(error.into());
        }
        tokio::time::sleep(PAUSE).await;
    }
    let mut strict = strict;
    strict.metadata.resource_version = lenient.metadata.resource_version;
    strict.metadata.managed_fields = None;
    // The status may have been written meanwhile.
    while let Err(error) = definitions
        .replace("foos.example.com", &parameters, &strict)
        .await
    {
        if !matches!(&error, kube::Error::Api(status) if status.code == 409) {
            return Err(error.into());
        }
        strict.metadata.resource_version = definitions
            .get("foos.example.com")
            .await?
            .metadata
            .resource_version;
    }
    // Until it is strict again, a change could be stored that is not one.
    let invalid = Foo::new(
        "invalid",
        FooSpec {
            deployment_name: "Not A Label".to_owned(),
            replicas: None,
            ..FooSpec::default()
        },
    );
    let typed = Api::<Foo>::namespaced(cluster.client.clone(), NAMESPACE);
    while typed.create(&parameters, &invalid).await.is_ok() {
        typed.delete("invalid", &DeleteParams::default()).await?;
        if Instant::now() > deadline {
            return Err("the definition does not become strict again".into());
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
