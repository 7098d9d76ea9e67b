//! Watching the API server once and sharing what is seen. An [`Informer`] keeps a cache of one kind up to date; a
//! [`Lister`] reads that cache, in order and through indexes; handlers and streams get an [`Event`] for every change. An
//! [`InformerFactory`] makes sure that there is one watch per kind, scope and selector, however many users there are.
//!
//! What holds:
//!
//! - An event arrives after the cache and all its indexes hold the change.
//! - Each read of the cache is one consistent snapshot.
//! - Every handler has a queue of its own: its events come in order, at its own pace, and a slow handler delays nobody else.
//! - A handler that comes late first gets what is there, as `Added { initial: true }`, and then what happens.
//! - A deletion that fell into a gap of the watch is delivered when the next list shows it, with
//!   `final_state_known: false`.
//! - An object keeps its identity by namespace and name. One that was deleted and made again in a gap, so that its UID
//!   differs, is delivered as `Deleted` and `Added`.
//! - An object that a new list shows unchanged, with the same `resourceVersion`, is no event.
//!
//! ```no_run
//! use k8s_openapi::api::apps::v1::Deployment;
//! use kgen_runtime::{Connection, Event, InformerFactory};
//! use kube::core::Selector;
//!
//! # async fn example() -> kgen_runtime::Result<()> {
//! let connection = Connection::try_default().await?;
//! let factory = InformerFactory::builder(&connection).namespaces(["shop", "billing"]).drop_managed_fields().build();
//! let deployments = factory.informer::<Deployment>();
//! let registration = deployments.add_handler(|event| async move {
//!     if let Event::Deleted { object, .. } = event {
//!         println!("{:?} is gone", object.metadata.name);
//!     }
//! });
//! factory.start();
//! factory.wait_for_sync().await.into_result()?;
//!
//! for deployment in deployments.lister().namespace("shop").list(&Selector::default()) {
//!     println!("{:?}", deployment.metadata.name);
//! }
//! drop(registration);
//! factory.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod builder;
mod cache;
mod event;
mod factory;
mod hub;
mod index;
mod lister;
mod options;
mod registration;
mod run;
mod scoped;
mod shared;
mod source;
mod stream;
mod sync;

pub use builder::InformerFactoryBuilder;
pub use cache::{Cache, Change};
pub use event::Event;
pub use factory::InformerFactory;
pub use lister::{Lister, NamespaceLister};
pub use options::{HandlerOptions, InformerOptions};
pub use registration::{Registration, SyncSignal};
pub use shared::{Informer, Watchable};
pub use stream::EventStream;
pub use sync::{SyncOutcome, SyncReport, SyncResult};

pub(crate) use hub::Message;
