//! Maps changes of objects to Foos.

use std::future::ready;

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::owner::controller_of;
use kgen_runtime::queue::{Priority, WorkQueue};
use kgen_runtime::{Event, Informer, Registration};
use kube::{Resource, ResourceExt};

use super::Key;
use crate::api::v1::Foo;
use crate::generated::example_v1::FooLister;

/// Queues every Foo that is created, changed or resynced. The garbage collector cleans up after a deleted one.
pub(super) fn foos(foos: &Informer<Foo>, queue: &WorkQueue<Key>) -> Registration {
    let queue = queue.clone();
    foos.add_handler(move |event| {
        if !matches!(event, Event::Deleted { .. }) {
            queue.at(Priority::of(&event)).add(Key::of(event.object()));
        }
        ready(())
    })
}

/// Queues the Foo that controls a Deployment when it is created, changed or deleted.
pub(super) fn owners(
    deployments: &Informer<Deployment>,
    foos: FooLister,
    queue: &WorkQueue<Key>,
) -> Registration {
    let queue = queue.clone();
    deployments.add_handler(move |event| {
        // A resync of Deployments is ignored, because the Foos are resynced themselves.
        if !event.is_resync() {
            // The previous owner of a Deployment is queued as well.
            let before = match &event {
                Event::Updated { old, .. } => owner(old, &foos),
                _ => None,
            };
            for key in before.into_iter().chain(owner(event.object(), &foos)) {
                queue.at(Priority::of(&event)).add(key);
            }
        }
        ready(())
    })
}

/// Returns the Foo that controls `deployment`. Group, kind, namespace and UID must match, so a Foo that was deleted and
/// created again does not.
fn owner(deployment: &Deployment, foos: &FooLister) -> Option<Key> {
    let reference = controller_of(deployment)?;
    let (group, _version) = reference.api_version.split_once('/')?;
    if group != Foo::group(&()) || reference.kind != Foo::kind(&()) {
        return None;
    }
    let namespace = deployment.namespace()?;
    match foos.namespace(&namespace).get(&reference.name) {
        Ok(foo) if foo.uid().as_ref() == Some(&reference.uid) => Some(Key::of(&foo)),
        _ => {
            let deployment = deployment.name_any();
            tracing::debug!(namespace, deployment, foo = reference.name, "ignoring an orphan");
            None
        }
    }
}
