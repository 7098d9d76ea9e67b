//! Keeps what every Guestbook asks for.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::condition;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::recorder::{EventType, Recorder};

use crate::api::webapp::v1::guestbook::Guestbook;
use crate::api::webapp::v1::guestbook::GuestbookStatus;
use crate::generated::webapp_v1::GuestbookLister;
use crate::generated::{Clientset, Informers};

/// What the controller is called in metrics and logs.
const CONTROLLER: &str = "guestbook";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=webapp.example.com,resources=guestbooks,verbs=get;list;watch
// +kubebuilder:rbac:groups=webapp.example.com,resources=guestbooks/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=webapp.example.com,resources=guestbooks/finalizers,verbs=update
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
    // To be told of what belongs to a Guestbook as well:
    // `.watch_owned::<Guestbook, _>(&manager.informers().informer::<Deployment>())`
    let controller = Controller::new(manager, CONTROLLER, worker).watch(objects.informer());
    manager.add(controller);
}

/// Looks things up, and carries out what [`reconcile`] has decided.
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
            // It is gone, and what it owned goes with it.
            Err(error) if error.is_not_found() => return Ok(Next::Change),
            Err(error) => return Err(error),
        };
        let status = reconcile(&found, &Time(SystemClock.now()));
        if found.status.as_ref() != Some(&status) {
            let mut new = (*found).clone();
            new.status = Some(status);
            let clients = self.clients.webapp_v1();
            let objects = clients.guestbooks(namespace);
            objects.update_status(&new).await?;
            let message = "all is as it is wanted";
            self.recorder
                .event(&*found, EventType::Normal, "Reconciled", message);
        }
        Ok(Next::Change)
    }
}

/// What the status of `object` should be, going by what there is.
///
/// It talks to nobody, so each behaviour is a test of a few lines. Let it return what else is to be
/// done, too: objects to create, to change, to delete.
pub fn reconcile(object: &Guestbook, now: &Time) -> GuestbookStatus {
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = object.metadata.generation;
    condition::set(
        &mut status.conditions,
        Condition {
            type_: "Ready".to_owned(),
            status: "True".to_owned(),
            reason: "Reconciled".to_owned(),
            message: "all is as it is wanted".to_owned(),
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
    fn a_new_one_becomes_ready() {
        let now = Time(SystemClock.now());
        let status = reconcile(&example(), &now);
        assert_eq!(status.observed_generation, Some(3));
        assert!(condition::is_true(&status.conditions, "Ready"));
    }

    #[test]
    fn one_that_is_ready_is_left_alone() {
        let mut object = example();
        let status = reconcile(&object, &Time(SystemClock.now()));
        object.status = Some(status.clone());
        assert_eq!(reconcile(&object, &Time(SystemClock.now())), status);
    }
}
