//! The task of an informer: it follows every watch until it is told to stop. kube's watcher lists, watches, and begins
//! anew after an error; its backoff keeps that from becoming a flood.

use std::sync::Arc;

use futures::stream::{SelectAll, StreamExt};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Resource};
use tokio_util::sync::CancellationToken;

use super::hub::Hub;
use super::scoped::Scoped;
use super::shared::Watchable;
use super::source::Source;

/// A change to every object before anything else sees it.
pub(super) type Transform<K> = Arc<dyn Fn(&mut K) + Send + Sync>;

/// What an informer watches.
pub(super) struct Plan<K> {
    /// One watch for each namespace, or one for everything.
    pub(super) apis: Vec<(Option<String>, Api<Scoped<K>>)>,
    pub(super) config: watcher::Config,
    pub(super) transform: Option<Transform<K>>,
}

/// Follows the watches of `plan` until `stop`.
pub(super) async fn run<K: Watchable>(
    plan: Arc<Plan<K>>,
    hub: Arc<Hub<K>>,
    name: Arc<str>,
    stop: CancellationToken,
) {
    let _close = CloseOnDrop(Arc::clone(&hub));
    let mut sources = Vec::new();
    let mut watches = SelectAll::new();
    for (position, (namespace, api)) in plan.apis.iter().enumerate() {
        sources.push(Source::new(Arc::clone(&hub), namespace.clone()));
        let watch = watcher(api.clone(), plan.config.clone()).default_backoff();
        watches.push(watch.map(move |event| (position, event)).boxed());
    }
    loop {
        let item = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            item = watches.next() => item,
        };
        match item {
            Some((position, Ok(event))) => {
                hub.note_error(None);
                if let Some(source) = sources.get_mut(position) {
                    source.apply(prepared(event, plan.transform.as_ref()));
                }
            }
            Some((_, Err(error))) => {
                tracing::warn!(informer = %name, %error, "the watch failed and will be tried again");
                hub.note_error(Some(error.to_string()));
            }
            // A watcher never ends by itself.
            None => return,
        }
    }
}

/// The event with the object as users want it.
fn prepared<K>(event: watcher::Event<Scoped<K>>, transform: Option<&Transform<K>>) -> watcher::Event<K> {
    let prepare = |Scoped(mut object): Scoped<K>| {
        if let Some(transform) = transform {
            transform(&mut object);
        }
        object
    };
    match event {
        watcher::Event::Apply(object) => watcher::Event::Apply(prepare(object)),
        watcher::Event::Delete(object) => watcher::Event::Delete(prepare(object)),
        watcher::Event::Init => watcher::Event::Init,
        watcher::Event::InitApply(object) => watcher::Event::InitApply(prepare(object)),
        watcher::Event::InitDone => watcher::Event::InitDone,
    }
}

/// Ends the queues of all handlers however the task ends, by a panic in a user's function too.
struct CloseOnDrop<K: Resource>(Arc<Hub<K>>);

impl<K: Resource> Drop for CloseOnDrop<K> {
    fn drop(&mut self) {
        self.0.close();
    }
}
