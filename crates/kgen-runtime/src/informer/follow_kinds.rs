//! Informers for kinds that appear and disappear.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Informer, InformerFactory, Watchable};
use crate::Causes;
use crate::discovery::{Discovery, Kind};

impl InformerFactory {
    /// Starts an informer for each kind that the server has and that `select` wants, now and later, and stops it when the kind
    /// disappears.
    ///
    /// `select` is called once for each version of a kind that appears. It returns an informer of this factory, with its handlers,
    /// or `None`. A kind that disappears and appears again gets a new informer.
    ///
    /// ```no_run
    /// use kgen_runtime::{Connection, Informer, InformerFactory};
    /// use kube::core::DynamicObject;
    ///
    /// fn count_foos(connection: &Connection, factory: &InformerFactory) {
    ///     let informers = factory.clone();
    ///     let following = factory.follow(connection.discovery(), move |kind| {
    ///         let is_ours = kind.resource.group == "example.com" && kind.can_be_watched();
    ///         is_ours.then(|| {
    ///             let informer: Informer<DynamicObject> = informers.informer_of_kind(kind);
    ///             informer.add_handler(|event| async move { println!("{:?}", event.object().metadata.name) }).keep();
    ///             informer
    ///         })
    ///     });
    ///     following.keep();
    /// }
    /// ```
    pub fn follow<K: Watchable>(
        &self,
        discovery: &Discovery,
        select: impl FnMut(&Kind) -> Option<Informer<K>> + Send + 'static,
    ) -> Following {
        discovery.follow_crds();
        let stop = CancellationToken::new();
        let followed = Followed {
            factory: self.clone(),
            discovery: discovery.clone(),
            select,
            informers: BTreeMap::new(),
        };
        match self.connection().runtime() {
            Some(runtime) => drop(runtime.spawn(stop.clone().run_until_cancelled_owned(followed.run()))),
            None => tracing::error!("cannot follow kinds: there is no tokio runtime"),
        }
        Following { stop, is_kept: false }
    }
}

/// Kinds that a factory follows. Dropping it stops to follow them; informers that have started go on.
#[must_use = "dropping it stops to follow kinds; `keep()` follows them until the program ends"]
pub struct Following {
    stop: CancellationToken,
    is_kept: bool,
}

impl Following {
    /// Follows kinds until the program ends.
    pub fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        if !self.is_kept {
            self.stop.cancel();
        }
    }
}

impl fmt::Debug for Following {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Following").finish_non_exhaustive()
    }
}

/// How often kinds are looked up that are not from CRDs.
const PAUSE: Duration = Duration::from_secs(10 * 60);

const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(10);

/// Plural, group and version.
type Key = (String, String, String);

struct Followed<K, S> {
    factory: InformerFactory,
    discovery: Discovery,
    select: S,
    /// The kinds of the server, with the informers that were wanted.
    informers: BTreeMap<Key, Option<Informer<K>>>,
}

impl<K: Watchable, S: FnMut(&Kind) -> Option<Informer<K>>> Followed<K, S> {
    async fn run(mut self) {
        let mut changes = self.discovery.changes();
        loop {
            changes.mark_unchanged();
            let pause = match self.discovery.kinds_and_unavailable().await {
                Ok((kinds, unavailable)) => {
                    self.update(&kinds, &unavailable).await;
                    PAUSE
                }
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "cannot look up the kinds, will retry");
                    PAUSE_AFTER_ERROR
                }
            };
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    async fn update(&mut self, kinds: &[Kind], unavailable: &[String]) {
        let keys: BTreeMap<Key, &Kind> = kinds.iter().map(|kind| (key(kind), kind)).collect();
        // The server of a group that does not answer may still have the kind.
        let is_unavailable = |(_, group, version): &Key| unavailable.contains(&format!("{group}/{version}"));
        let gone: Vec<Key> = self
            .informers
            .keys()
            .filter(|key| !keys.contains_key(*key) && !is_unavailable(key))
            .cloned()
            .collect();
        for key in gone {
            if let Some(informer) = self.informers.remove(&key).flatten() {
                tracing::info!(
                    kind = key.0,
                    group = key.1,
                    "the kind is gone; stopping its informer"
                );
                informer.shutdown().await;
            }
        }
        for (key, kind) in keys {
            if !self.informers.contains_key(&key) {
                let informer = (self.select)(kind);
                if informer.is_some() {
                    tracing::info!(
                        kind = key.0,
                        group = key.1,
                        "the kind exists; starting its informer"
                    );
                }
                self.informers.insert(key, informer);
            }
        }
        self.factory.start();
    }
}

fn key(kind: &Kind) -> Key {
    let resource = &kind.resource;
    (
        resource.plural.clone(),
        resource.group.clone(),
        resource.version.clone(),
    )
}
