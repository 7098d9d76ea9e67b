//! The generated clients, listers and informers in use, for the book.
//!
//! ```text
//! cargo run -p foo-operator --example clients
//! ```

use foo_operator::api::v1alpha1::Foo;
use foo_operator::generated::apply::api_v1alpha1::FooSpecApply;
use foo_operator::generated::{Clientset, Informers};
use kube::Client;
use kube::api::ListParams;
use kube::core::Selector;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::try_default().await?;
    // ANCHOR: clients
    let clients = Clientset::new(client);
    let foos = clients.example_v1alpha1().foos("default");
    let foo = foos.get("a").await?;
    let all = clients
        .example_v1alpha1()
        .all_foos()
        .list(&ListParams::default())
        .await?;

    let wanted = Foo::apply("a", "default").spec(FooSpecApply::default().replicas(3));
    foos.apply(&wanted).await?;
    // ANCHOR_END: clients

    // ANCHOR: informers
    let informers = Informers::new(&clients);
    let foos = informers.example_v1alpha1().foos();
    informers.start();
    informers.wait_for_sync().await.into_result()?;
    let cached = foos.lister().namespace("default").list(&Selector::default());
    // ANCHOR_END: informers

    tracing::info!(
        "{:?}, {} of {} cached",
        foo.metadata.name,
        cached.len(),
        all.items.len()
    );
    informers.shutdown().await;
    Ok(())
}
