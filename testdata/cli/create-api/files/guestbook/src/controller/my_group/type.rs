//! The controller of Type objects.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::condition;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::recorder::{EventType, Recorder};

use crate::api::my_group::v1beta1::r#type::Type;
use crate::api::my_group::v1beta1::r#type::TypeStatus;
use crate::generated::my_group_v1beta1::TypeLister;
use crate::generated::{Clientset, Informers};

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "type";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=my-group.example.com,resources=sorts,verbs=list;watch
// +kubebuilder:rbac:groups=my-group.example.com,resources=sorts/status,verbs=update
pub fn register(manager: &mut Manager) {
    let informers = Informers::from_factory(manager.informers().clone());
    let informers = informers.my_group_v1beta1();
    let objects = informers.sorts();
    let client = manager.connection().client().clone();
    let field_manager = manager.connection().field_manager();
    let worker = Worker {
        clients: Clientset::new(client).with_field_manager(field_manager),
        objects: objects.lister(),
        recorder: manager.recorder().clone(),
    };
    // To reconcile a Type when one of its Deployments changes, add:
    // `.watch_owned::<Type, _>(&manager.informers().informer::<Deployment>())`
    // Owner references that block its deletion need the verb `update` for `sorts/finalizers`.
    let controller = Controller::new(manager, CONTROLLER, worker).watch(objects.informer());
    manager.add(controller);
}

/// Reads objects from the cache and writes the status that [`reconcile`] returns.
struct Worker {
    clients: Clientset,
    objects: TypeLister,
    recorder: Recorder,
}

impl Reconciler for Worker {
    type Error = kgen_runtime::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let found = match self.objects.get(&key.name) {
            Ok(found) => found,
            // The object was deleted. Kubernetes deletes the objects that it owned.
            Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
            Err(error) => return Err(error),
        };
        let status = reconcile(&found, &Time(SystemClock.now()));
        if found.status.as_ref() != Some(&status) {
            let mut new = (*found).clone();
            new.status = Some(status);
            let clients = self.clients.my_group_v1beta1();
            let objects = clients.sorts();
            objects.update_status(&new).await?;
            let message = "the actual state matches the spec";
            self.recorder
                .event(&*found, EventType::Normal, "Reconciled", message);
        }
        Ok(Next::AwaitChange)
    }
}

/// Computes the new status of `object`.
///
/// This function sends no requests, so tests of it are short. Extend it to return the other changes
/// to make as well: objects to create, update or delete.
pub fn reconcile(object: &Type, now: &Time) -> TypeStatus {
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = object.metadata.generation;
    condition::set(
        &mut status.conditions,
        Condition {
            type_: "Ready".to_owned(),
            status: "True".to_owned(),
            reason: "Reconciled".to_owned(),
            message: "the actual state matches the spec".to_owned(),
            observed_generation: object.metadata.generation,
            last_transition_time: now.clone(),
        },
    );
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Type {
        let spec = Default::default();
        let mut new = Type::new("one", spec);
        new.metadata.generation = Some(3);
        new
    }

    #[test]
    fn a_new_object_becomes_ready() {
        let now = Time(SystemClock.now());
        let status = reconcile(&example(), &now);
        assert_eq!(status.observed_generation, Some(3));
        assert!(condition::is_true(&status.conditions, "Ready"));
    }

    #[test]
    fn a_ready_object_does_not_change() {
        let mut object = example();
        let status = reconcile(&object, &Time(SystemClock.now()));
        object.status = Some(status.clone());
        assert_eq!(reconcile(&object, &Time(SystemClock.now())), status);
    }
}
