//! The task of an informer, which follows every collection until it is stopped.

use std::sync::Arc;

use futures::future::join_all;
use kube::Client;
use kube::runtime::watcher;
use tokio_util::sync::CancellationToken;

use super::follow::{Follower, Patience};
use super::hub::Hub;
use super::scope::{Place, Places};
use super::shared::Watchable;
use super::source::Source;
use super::wire::Collection;

/// A function that changes every object before the cache and the handlers see it.
pub(super) type Transform<K> = Arc<dyn Fn(&mut K) + Send + Sync>;

/// The collections that an informer watches, and their settings.
pub(super) struct Plan<K> {
    pub(super) client: Client,
    pub(super) places: Places,
    pub(super) config: watcher::Config,
    pub(super) transform: Option<Transform<K>>,
}

/// A callback for the end of an informer. Its argument is whether the end was requested.
pub(super) type OnEnd = Box<dyn FnOnce(bool) + Send>;

/// Follows the collections of `plan` until `stop`.
pub(super) async fn run<K: Watchable>(
    plan: Arc<Plan<K>>,
    hub: Arc<Hub<K>>,
    stop: CancellationToken,
    on_end: Option<OnEnd>,
) {
    let _close = CloseOnDrop {
        hub: Arc::clone(&hub),
        stop: stop.clone(),
        on_end,
    };
    let work = async {
        let places = plan.find_places(&hub).await;
        hub.expect_lists(places.len());
        let followers = places.into_iter().map(|place| {
            let collection = plan.collection(place.path);
            let source = Source::new(Arc::clone(&hub), place.namespace);
            Box::pin(Follower::new(collection, source, plan.transform.clone()).follow())
        });
        join_all(followers).await;
    };
    stop.run_until_cancelled(work).await;
}

impl<K: Watchable> Plan<K> {
    fn collection(&self, path: String) -> Collection {
        Collection {
            client: self.client.clone(),
            path,
            config: self.config.clone(),
            metadata_only: K::metadata_api(),
        }
    }

    /// Determines the scope of the objects. Asks the server repeatedly if the scope is not known.
    async fn find_places(&self, hub: &Hub<K>) -> Vec<Place> {
        let (namespaces, everything, group, plural) = match &self.places {
            Places::Known(places) => return places.clone(),
            Places::AskServer {
                namespaces,
                everything,
                group,
                plural,
            } => (namespaces, everything, group, plural),
        };
        let collection = self.collection(everything.path.clone());
        let mut patience = Patience::default();
        loop {
            match collection.is_namespaced(group, plural).await {
                Ok(is_namespaced) => {
                    hub.note_error(None, None);
                    return if is_namespaced {
                        namespaces.clone()
                    } else {
                        vec![everything.clone()]
                    };
                }
                Err(failure) => {
                    let informer = hub.reporter().name();
                    if !failure.is_missing_kind() || hub.note_missing() {
                        tracing::warn!(informer, error = %failure, "cannot start the watch, will retry");
                    }
                    hub.note_error(None, Some(failure.to_string()));
                    patience.wait().await;
                }
            }
        }
    }
}

/// Ends the queues of all handlers when the task ends, even after a panic.
struct CloseOnDrop<K> {
    hub: Arc<Hub<K>>,
    stop: CancellationToken,
    on_end: Option<OnEnd>,
}

impl<K> Drop for CloseOnDrop<K> {
    fn drop(&mut self) {
        let is_requested = self.stop.is_cancelled();
        self.hub.close();
        if !is_requested {
            tracing::error!(
                informer = self.hub.reporter().name(),
                "the informer ended unexpectedly"
            );
        }
        if let Some(on_end) = self.on_end.take() {
            on_end(is_requested);
        }
    }
}
