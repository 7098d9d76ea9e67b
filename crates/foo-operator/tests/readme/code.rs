//! The Rust of steps 5 to 7, as in the README, with the code that it assumes around it.

use std::future::ready;

use foo_operator::api::v1::{Foo, FooSpec};
use foo_operator::controller::Key;
use foo_operator::generated::apply::api_v1::FooStatusApply;
use foo_operator::generated::{Clientset, Informers};
use foo_operator::reconcile::{Action, Observed, SYNCED, reconcile};
use k8s_openapi::jiff::Timestamp;
use kgen_runtime::queue::WorkQueue;

/// Step 5, and its result.
#[rustfmt::skip]
pub fn decides() {
    let spec = FooSpec { deployment_name: "web".to_owned(), replicas: Some(1), ..FooSpec::default() };
    let mut foo = Foo::new("example", spec);
    foo.metadata.uid = Some("1".to_owned());
    let now = Timestamp::UNIX_EPOCH;

    let actions = reconcile(Observed { foo: &foo, deployment: None, owned: &[], now });
    // [Create(…), Tell { reason: "Synced", … }, WriteStatus(…)]

    assert!(
        matches!(
            actions.as_slice(),
            [Action::Create(_), Action::Tell { reason: SYNCED, .. }, Action::WriteStatus(_)]
        ),
        "{actions:?}"
    );
}

/// Step 6.
#[rustfmt::skip]
#[expect(dead_code, reason = "it is enough that it compiles; the end-to-end tests do the same with a server")]
async fn writes(clients: Clientset) -> kgen_runtime::Result<()> {
    // +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=patch
    let status = FooStatusApply::default().available_replicas(2);
    clients.example_v1().foos("default").apply_status(&Foo::apply("example", "default").status(status)).await?;
    Ok(())
}

/// Step 7.
#[rustfmt::skip]
#[expect(dead_code, reason = "it is enough that it compiles; the end-to-end tests do the same with a server")]
fn listens(clients: Clientset, queue: WorkQueue<Key>) {
    let informers = Informers::new(&clients);
    informers.example_v1().foos().informer().add_handler(move |event| {
        queue.add(Key::of(event.object()));
        ready(())
    }).keep();
}
