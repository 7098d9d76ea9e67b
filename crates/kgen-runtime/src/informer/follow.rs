//! Follows one collection forever: lists it, watches it from there, and recovers from every failure.
//!
//! After a failure, it waits; only consecutive failures wait longer. A watch that has received an event, or that was
//! open for a while, is not a failure: it is resumed within a second. A list resets the delays of the watch after it,
//! but not those of the next list. Otherwise a server that rejects each watch would be asked for the whole list every
//! second.

use std::time::Duration;

use kube::runtime::watcher::InitialListStrategy;
use tokio::time::{Instant, sleep};

use super::run::Transform;
use super::shared::Watchable;
use super::source::{Item, Source};
use super::wire::{Collection, Failure, Line, Lines};
use crate::metrics::InformerMetrics;
use crate::retry::Backoff;

/// The delays after failures: less than a second at first, and half a minute and more in the end.
const WAITS: Backoff = Backoff {
    steps: u32::MAX,
    wait: Duration::from_millis(500),
    factor: 2.0,
    jitter: 0.8,
    cap: Duration::from_secs(30),
};

/// A watch that was open for this long has worked, even without an event. client-go has the same limit.
const SHORT_WATCH: Duration = Duration::from_secs(1);

/// The delays after consecutive failures.
pub(super) struct Patience {
    waits: Box<dyn Iterator<Item = Duration> + Send>,
    failures: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            waits: Box::new(WAITS.waits()),
            failures: 0,
        }
    }
}

impl Patience {
    /// Returns whether there was more than one failure in a row.
    fn is_tried(&self) -> bool {
        self.failures > 1
    }

    fn reset(&mut self) {
        if self.failures > 0 {
            *self = Self::default();
        }
    }

    /// Waits after one more failure.
    pub(super) async fn wait(&mut self) {
        self.failures = self.failures.saturating_add(1);
        sleep(self.waits.next().unwrap_or(WAITS.cap)).await;
    }
}

/// One collection and the hub that gets its objects.
pub(super) struct Follower<K> {
    collection: Collection,
    source: Source<K>,
    transform: Option<Transform<K>>,
    lists: Patience,
    watches: Patience,
}

/// A complete list.
struct Listed {
    /// Where the watch begins.
    version: String,
    /// The open watch, if the list was streamed.
    watch: Option<Lines>,
}

/// Why a watch is over.
enum Ended {
    /// The server has ended the watch, which is normal.
    Orderly,
    Failed(Failure),
}

impl<K: Watchable> Follower<K> {
    pub(super) fn new(collection: Collection, source: Source<K>, transform: Option<Transform<K>>) -> Self {
        Self {
            collection,
            source,
            transform,
            lists: Patience::default(),
            watches: Patience::default(),
        }
    }

    /// Follows the objects, and never ends by itself.
    pub(super) async fn follow(mut self) {
        loop {
            match self.list().await {
                Ok(listed) => {
                    self.metrics().lists.inc();
                    self.works();
                    self.watches.reset();
                    let failure = self.watch_from(listed).await;
                    self.report(&failure, false);
                    self.lists.wait().await;
                }
                Err(failure) => {
                    if failure.is_missing_kind() {
                        self.report_missing(&failure);
                    } else {
                        self.report(&failure, false);
                    }
                    self.lists.wait().await;
                }
            }
        }
    }

    async fn list(&mut self) -> Result<Listed, Failure> {
        if self.collection.config.initial_list_strategy == InitialListStrategy::StreamingList {
            return self.stream_list().await;
        }
        let mut continue_token = None;
        self.source.begin();
        loop {
            let answer = self.collection.page(continue_token).await?;
            let page = answer.page()?;
            for json in page.items.into_iter().flatten() {
                let item = read(&self.source, self.transform.as_ref(), json);
                self.source.listed(item);
            }
            continue_token = page.metadata.continue_token.filter(|token| !token.is_empty());
            if continue_token.is_none() {
                let version = page
                    .metadata
                    .resource_version
                    .filter(|version| !version.is_empty());
                let version = version.ok_or_else(|| {
                    Failure::nonsense("list", "the list has no resourceVersion, so it cannot be watched")
                })?;
                self.source.complete();
                return Ok(Listed { version, watch: None });
            }
        }
    }

    /// Reads the list from a watch that begins with all objects.
    async fn stream_list(&mut self) -> Result<Listed, Failure> {
        let is_tried = self.lists.is_tried();
        let mut lines = self.collection.watch("0", true, is_tried).await?;
        self.source.begin();
        loop {
            match lines.next().await? {
                Some(Line::Changed(json)) => {
                    let item = read(&self.source, self.transform.as_ref(), json);
                    self.source.listed(item);
                }
                Some(Line::Deleted(json)) => {
                    let item = read(&self.source, self.transform.as_ref(), json);
                    self.source.deleted(item);
                }
                Some(Line::Bookmark {
                    version,
                    ends_list: true,
                }) => {
                    self.source.complete();
                    return Ok(Listed {
                        version,
                        watch: Some(lines.after_list()),
                    });
                }
                Some(Line::Bookmark { .. }) => {}
                None => return Err(Failure::broken("list", "the server has ended the streamed list")),
            }
        }
    }

    /// Watches until a new list is needed, and returns the reason.
    async fn watch_from(&mut self, listed: Listed) -> Failure {
        let Listed { mut version, watch } = listed;
        let mut open = watch;
        loop {
            let (ended, has_worked) = self.watch(open.take(), &mut version).await;
            if let Ended::Failed(_) = ended {
                self.metrics().broken_watches.inc();
            }
            if has_worked {
                self.lists.reset();
                self.watches.reset();
            }
            match ended {
                Ended::Orderly if has_worked => {}
                Ended::Orderly => {
                    let failure = Failure::broken("watch", "the server ends each watch at once");
                    self.report(&failure, false);
                    self.watches.wait().await;
                }
                Ended::Failed(failure) if failure.needs_a_new_list() => return failure,
                Ended::Failed(failure) => {
                    self.report(&failure, has_worked);
                    self.watches.wait().await;
                }
            }
        }
    }

    /// Watches from `version`, which advances with each event. Returns why the watch ended, and whether it had worked.
    async fn watch(&mut self, open: Option<Lines>, version: &mut String) -> (Ended, bool) {
        let mut lines = match open {
            Some(lines) => lines,
            None => {
                let is_tried = self.watches.is_tried();
                match self.collection.watch(version, false, is_tried).await {
                    Ok(lines) => lines,
                    Err(failure) => return (Ended::Failed(failure), false),
                }
            }
        };
        self.works();
        let opened = Instant::now();
        let mut has_shown = false;
        let ended = loop {
            let (json, is_deletion) = match lines.next().await {
                Ok(Some(Line::Changed(json))) => (json, false),
                Ok(Some(Line::Deleted(json))) => (json, true),
                Ok(Some(Line::Bookmark { version: reached, .. })) => {
                    *version = reached;
                    has_shown = true;
                    self.works();
                    continue;
                }
                Ok(None) => break Ended::Orderly,
                Err(failure) => break Ended::Failed(failure),
            };
            let item = read(&self.source, self.transform.as_ref(), json);
            let Some(reached) = item.version() else {
                break Ended::Failed(Failure::nonsense("watch", "an object has no resourceVersion"));
            };
            reached.clone_into(version);
            has_shown = true;
            self.works();
            if is_deletion {
                self.source.deleted(item);
            } else {
                self.source.changed(item);
            }
        };
        (ended, has_shown || opened.elapsed() >= SHORT_WATCH)
    }

    /// Records that the server answers.
    fn works(&self) {
        self.source.hub().note_error(self.source.namespace(), None);
    }

    fn metrics(&self) -> &InformerMetrics {
        self.source.hub().reporter().metrics()
    }

    /// Logs once that the server does not have the kind.
    fn report_missing(&self, failure: &Failure) {
        let (hub, namespace) = (self.source.hub(), self.source.namespace());
        if hub.note_missing() {
            let informer = hub.reporter().name();
            tracing::warn!(informer, namespace, error = %failure, "the server does not have the kind; waiting for it");
        }
        hub.note_error(namespace, Some(failure.to_string()));
    }

    /// Logs and remembers a failure. If the watch has worked until now, it will be resumed within a second.
    fn report(&self, failure: &Failure, has_worked: bool) {
        let informer = self.source.hub().reporter().name();
        let namespace = self.source.namespace();
        if has_worked && failure.is_broken() {
            tracing::info!(informer, namespace, error = %failure, "the watch was interrupted and is resumed");
        } else {
            tracing::warn!(informer, namespace, error = %failure, "the watch failed and will be tried again");
        }
        self.source.hub().note_error(namespace, Some(failure.to_string()));
    }
}

fn read<'a, K: Watchable>(
    source: &Source<K>,
    transform: Option<&Transform<K>>,
    json: &'a serde_json::value::RawValue,
) -> Item<'a, K> {
    Item::read(json, transform, source.hub().reporter())
}
