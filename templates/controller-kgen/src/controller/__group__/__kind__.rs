//! The controller of {{ kind }} objects.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::condition;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::recorder::{EventType, Recorder};

use crate::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }};
use crate::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }}Status;
use crate::generated::{{ accessor }}::{{ kind }}Lister;
use crate::generated::{Clientset, Informers};

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "{{ controller_name }}";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups={{ group }},resources={{ plural }},verbs=list;watch
// +kubebuilder:rbac:groups={{ group }},resources={{ plural }}/status,verbs=update
pub fn register(manager: &mut Manager) {
    let informers = Informers::from_factory(manager.informers().clone());
    let informers = informers.{{ accessor }}();
    let objects = informers.{{ plural_method }}();
    let client = manager.connection().client().clone();
    let field_manager = manager.connection().field_manager();
    let worker = Worker {
        clients: Clientset::new(client).with_field_manager(field_manager),
        objects: objects.lister(),
        recorder: manager.recorder().clone(),
    };
    // To reconcile {{ article }} {{ kind }} when one of its Deployments changes, add:
    // `.watch_owned::<{{ kind }}, _>(&manager.informers().informer::<Deployment>())`
    // Owner references that block its deletion need the verb `update` for `{{ plural }}/finalizers`.
    let controller = Controller::new(manager, CONTROLLER, worker).watch(objects.informer());
    manager.add(controller);
}

/// Reads objects from the cache and writes the status that [`reconcile`] returns.
struct Worker {
    clients: Clientset,
    objects: {{ kind }}Lister,
    recorder: Recorder,
}

impl Reconciler for Worker {
    type Error = kgen_runtime::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
{%- if cluster %}
        let found = match self.objects.get(&key.name) {
{%- else %}
        let namespace = key.namespace.as_deref().unwrap_or_default();
        let found = match self.objects.namespace(namespace).get(&key.name) {
{%- endif %}
            Ok(found) => found,
            // The object was deleted. Kubernetes deletes the objects that it owned.
            Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
            Err(error) => return Err(error),
        };
        let status = reconcile(&found, &Time(SystemClock.now()));
        if found.status.as_ref() != Some(&status) {
            let mut new = (*found).clone();
            new.status = Some(status);
            let clients = self.clients.{{ accessor }}();
{%- if cluster %}
            let objects = clients.{{ plural_method }}();
{%- else %}
            let objects = clients.{{ plural_method }}(namespace);
{%- endif %}
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
{%- if kind|length > 24 %}
pub fn reconcile(
    object: &{{ kind }},
    now: &Time,
) -> {{ kind }}Status {
{%- else %}
pub fn reconcile(object: &{{ kind }}, now: &Time) -> {{ kind }}Status {
{%- endif %}
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

    fn example() -> {{ kind }} {
        let spec = Default::default();
        let mut new = {{ kind }}::new("one", spec);
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
