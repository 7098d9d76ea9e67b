//! The controller of Guestbook objects.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::condition;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::recorder::{EventType, Recorder};

use crate::api::webapp::v1::guestbook::Guestbook;
use crate::api::webapp::v1::guestbook::GuestbookStatus;
use crate::generated::webapp_v1::GuestbookLister;
use crate::generated::{Clientset, Informers};

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "guestbook";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=webapp.example.com,resources=guestbooks,verbs=list;watch
// +kubebuilder:rbac:groups=webapp.example.com,resources=guestbooks/status,verbs=update
pub fn register(manager: &mut Manager) {
    let informers = Informers::from_factory(manager.informers().clone());
    let informers = informers.webapp_v1();
    let objects = informers.guestbooks();
    let client = manager.connection().client().clone();
    let field_manager = manager.connection().field_manager();
    let worker = Worker {
        clients: Clientset::new(client).with_field_manager(field_manager),
        objects: objects.lister(),
        recorder: manager.recorder().clone(),
    };
    // To reconcile a Guestbook when one of its Deployments changes, add:
    // `.watch_owned::<Guestbook, _>(&manager.informers().informer::<Deployment>())`
    // Owner references that block its deletion need the verb `update` for `guestbooks/finalizers`.
    let controller = Controller::new(manager, CONTROLLER, worker).watch(objects.informer());
    manager.add(controller);
}

/// Reads objects from the cache and writes the status that [`reconcile`] returns.
struct Worker {
    clients: Clientset,
    objects: GuestbookLister,
    recorder: Recorder,
}

impl Reconciler for Worker {
    type Error = kgen_runtime::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let namespace = key.namespace.as_deref().unwrap_or_default();
        let found = match self.objects.namespace(namespace).get(&key.name) {
            Ok(found) => found,
            // The object was deleted. Kubernetes deletes the objects that it owned.
            Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
            Err(error) => return Err(error),
        };
        let status = reconcile(&found, &Time(SystemClock.now()));
        if found.status.as_ref() != Some(&status) {
            let mut new = (*found).clone();
            new.status = Some(status);
            let clients = self.clients.webapp_v1();
            let objects = clients.guestbooks(namespace);
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
pub fn reconcile(object: &Guestbook, now: &Time) -> GuestbookStatus {
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

    fn example() -> Guestbook {
        let spec = Default::default();
        let mut new = Guestbook::new("one", spec);
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
