//! Shared informers. An [`Informer`] keeps a cache of one kind up to date. A [`Lister`] reads that cache, in order and
//! with indexes. Handlers and streams get an [`Event`] for every change. An [`InformerFactory`] shares one watch per kind,
//! scope and selector between all users.
//!
//! Informers guarantee:
//!
//! - When an event arrives, the cache and all its indexes contain the change.
//! - Each read of the cache is one consistent snapshot.
//! - Every handler has its own queue. Its events arrive in order, and a slow handler does not delay the others.
//! - A handler that is added later first gets the present objects as `Added { initial: true }`, and then every change.
//! - A deletion that the watch missed is delivered after the next list, with `final_state_known: false`.
//! - Namespace and name identify an object. If the watch missed that an object was deleted and created again, so that its
//!   UID differs, the events are `Deleted` and `Added`.
//! - An object with the same `resourceVersion` in a new list does not cause an event.
//! - A broken watch is resumed within a second, and a silent one is restarted within a minute. Only repeated failures
//!   increase the delay.
//!
//! # Unreadable objects
//!
//! An object that cannot be deserialized does not affect other objects. The informer logs it once per version, records an
//! event (if the factory has a recorder), counts it (`informer_unreadable_objects`), adds it to the [`SyncReport`], and
//! continues. It does the same if a transform or an index function panics on an object.
//!
//! As in client-go, the cache keeps the last readable version, and handlers do not get an event, because a deletion would
//! make controllers clean up after an object that still exists. [`Lister::unreadable`] lists these objects. When the object
//! becomes readable again, handlers get `Updated`. When it is deleted, they get `Deleted` with the last readable version
//! and `final_state_known: false`. If there was no readable version, [`Lister::get`] returns
//! [`Error::Unreadable`](crate::Error::Unreadable) instead of [`Error::NotFound`](crate::Error::NotFound).
//! [`Informer::with_unreadable`] adds handlers that get events about these objects.
//!
//! # Panics in handlers
//!
//! A panic in a handler, or in a function that maps objects to keys, ends only that call. The object is handled again with
//! its next change or with the next resync; without a resync, after ten minutes. [`InformerFactory::broken`] reports ten
//! panics in a row.
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
//!         println!("{:?} was deleted", object.metadata.name);
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
mod filter;
mod follow;
mod follow_kinds;
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
pub use filter::{Changed, EventSource, Filtered};
pub use follow_kinds::Following;
pub use lister::{Lister, NamespaceLister};
pub use options::{HandlerOptions, InformerOptions};
pub use registration::{Registration, SyncSignal};
pub use shared::{Informer, Watchable};
pub use stream::EventStream;
pub use sync::{SyncOutcome, SyncReport, SyncResult};
pub use unreadable::Unreadable;
pub use with_unreadable::WithUnreadable;

pub(crate) use hub::Message;
