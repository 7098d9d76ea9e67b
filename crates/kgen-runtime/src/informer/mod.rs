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
//! - A watch that breaks is resumed within a second, and one that no longer says anything is restarted within a minute. Only
//!   failures in a row wait longer.
//!
//! # Objects that cannot be read
//!
//! A version of an object that the Rust type cannot read concerns only that object. The informer logs it, once per version,
//! records an event (if the factory has a recorder), counts it (`informer_unreadable_objects`), names it in the
//! [`SyncReport`], and goes on. The same happens if a transform or an index function panics on an object.
//!
//! As in client-go, the cache keeps the last version that could be read, and handlers hear nothing: a deletion would make
//! controllers clean up after an object that still exists. [`Lister::unreadable`] lists such objects. When the object can be
//! read again, handlers get `Updated`; when it is deleted, they get `Deleted` with that last version and
//! `final_state_known: false`. If no version could ever be read, [`Lister::get`] returns
//! [`Error::Unreadable`](crate::Error::Unreadable), which is not [`Error::NotFound`](crate::Error::NotFound).
//! Handlers that want to know of such objects ask with [`Informer::with_unreadable`].
//!
//! # Panics of handlers
//!
//! A panic of a handler, or of a function that maps objects to keys, ends only that call. The object is handled again with its
//! next change or with the next resync; without a resync, after ten minutes. [`InformerFactory::broken`] says if there are
//! ten panics in a row.
//!
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
mod feed;
mod follow;
mod hub;
mod index;
mod lister;
mod options;
mod registration;
mod report;
mod retried;
mod run;
mod scope;
mod shared;
mod source;
mod stream;
mod sync;
mod unreadable;
mod wire;
mod with_unreadable;

pub use builder::InformerFactoryBuilder;
pub use cache::{Cache, Change};
pub use event::{Event, UnreadableEvents};
pub use factory::InformerFactory;
pub use feed::Feed;
pub use lister::{Lister, NamespaceLister};
pub use options::{HandlerOptions, InformerOptions};
pub use registration::{Registration, SyncSignal};
pub use shared::{Informer, Watchable};
pub use stream::EventStream;
pub use sync::{SyncOutcome, SyncReport, SyncResult};
pub use unreadable::Unreadable;
pub use with_unreadable::WithUnreadable;

pub(crate) use hub::Message;
