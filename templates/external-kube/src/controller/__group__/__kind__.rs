//! The controller of {{ kind }} objects, a kind that this project does not define.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
{% if foreign -%}
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
{% else -%}
use {{ external }};
{% endif -%}
use kgen_runtime::manager::Manager;
use kgen_runtime::{Result, controller};
{% if foreign -%}
use kube::runtime::Controller;
use kube::runtime::controller::{self as runner, Action as Next};
use kube::{Resource as _, ResourceExt as _};

use {{ external }};
{% else -%}
use kube::ResourceExt;
use kube::runtime::Controller;
use kube::runtime::controller::{self as runner, Action as Next};
{% endif %}
/// The name of the controller in logs.
const CONTROLLER: &str = "{{ controller_name }}";

/// The time to wait before a retry after an error.
const RETRY: Duration = Duration::from_secs(5);

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups={{ group or '""' }},resources={{ plural }},verbs=list;watch
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<{{ kind }}>();
    let concurrency = manager.workers();
    manager.add_task(CONTROLLER, move |ending| async move {
        // Created any earlier, the stream would fill up while another replica is the leader.
        let (objects, store) = controller::primary(&informer);
        Controller::for_shared_stream(objects, store)
            .with_config(runner::Config::default().concurrency(concurrency))
            .graceful_shutdown_on(ending.cancelled_owned())
            .run(work, |_, _, _| Next::requeue(RETRY), Arc::new(()))
            .for_each(|outcome| async move {
                if let Err(error) = outcome {
                    let error = format!("{:#}", anyhow::Error::new(error));
                    tracing::warn!(controller = CONTROLLER, error, "reconcile failed, retrying");
                }
            })
            .await;
        Ok(())
    });
}

/// Reconciles one object: performs the actions that [`reconcile`] returns.
async fn work(found: Arc<{{ kind }}>, _context: Arc<()>) -> Result<Next> {
    for action in reconcile({% if foreign %}found.meta(){% else %}&found{% endif %}) {
        tracing::info!(object = found.name_any(), ?action, "performing an action");
    }
    Ok(Next::await_change())
}

/// A change to make.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An example of an action. Replace it with your own.
    Greet(String),
}

{% if foreign -%}
/// Decides which actions the object with `metadata` needs.
///
/// This function sends no requests, so tests of it are short. Give it the whole object when it needs more than the metadata.
pub fn reconcile(metadata: &ObjectMeta) -> Vec<Action> {
    match &metadata.name {
        Some(name) if metadata.deletion_timestamp.is_none() => vec![Action::Greet(name.clone())],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_a_name_is_greeted() {
        let mut metadata = ObjectMeta::default();
        assert_eq!(reconcile(&metadata), []);
        metadata.name = Some("example".to_owned());
        assert_eq!(reconcile(&metadata), [Action::Greet("example".to_owned())]);
    }
}
{% else -%}
/// Decides which actions `object` needs.
///
/// This function sends no requests, so tests of it are short.
pub fn reconcile(object: &{{ kind }}) -> Vec<Action> {
    match &object.metadata.name {
        Some(name) if object.metadata.deletion_timestamp.is_none() => {
            vec![Action::Greet(name.clone())]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_a_name_is_greeted() {
        let mut object = {{ kind }}::default();
        assert_eq!(reconcile(&object), []);
        object.metadata.name = Some("example".to_owned());
        assert_eq!(reconcile(&object), [Action::Greet("example".to_owned())]);
    }
}
{% endif -%}
