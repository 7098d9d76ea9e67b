//! The kinds of the server, for programs that learn about kinds only at run time.
//!
//! [`Discovery`] asks the server once for all groups, and caches the answer. All users of a
//! [`Connection`](crate::Connection) share it.

mod crds;
mod kind;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::ACCEPT;
use kube::core::GroupVersionKind;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use self::kind::Groups;
pub use self::kind::Kind;
use crate::client::transport;
use crate::{Error, Result};

/// The time after which an answer is too old.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// The time between two requests for kinds that do not exist.
const PAUSE_AFTER_MISS: Duration = Duration::from_secs(10);

/// The time between two requests of [`Discovery::wait_for_kind`].
const POLL: Duration = Duration::from_secs(1);

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
                          application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

/// The kinds of a server. Clones share the cache.
///
/// ```no_run
/// use kgen_runtime::Connection;
///
/// # async fn example(connection: Connection) -> kgen_runtime::Result<()> {
/// let foo = connection.discovery().kind("Foo.example.com").await?;
/// let deployments = connection.discovery().kind("deploy").await?;
/// println!("{} {:?}", deployments.full_name(), foo.scope);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Discovery {
    shared: Arc<Shared>,
}

struct Shared {
    client: kube::Client,
    /// Only one task at a time asks the server; the others wait for its answer.
    cache: Mutex<Cache>,
    /// Changes when the kinds of the server may have changed.
    changes: watch::Sender<u64>,
    following: std::sync::Mutex<bool>,
}

#[derive(Default)]
struct Cache {
    known: Option<Known>,
    /// The number of changes at the time of the answer.
    seen: u64,
}

struct Known {
    kinds: Arc<Kinds>,
    since: Instant,
}

/// One answer of the server.
struct Kinds {
    /// The preferred version of a group first.
    kinds: Vec<Kind>,
    /// Groups and versions that the server could not ask.
    stale: Vec<String>,
}

impl Discovery {
    /// Creates a cache of its own. [`Connection::discovery`](crate::Connection::discovery) is shared.
    #[must_use]
    pub fn new(client: kube::Client) -> Self {
        let shared = Shared {
            client,
            cache: Mutex::default(),
            changes: watch::Sender::new(0),
            following: std::sync::Mutex::new(false),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Returns the kind of that name, in the preferred version.
    ///
    /// `name` is the kind, the plural, the singular or a short name. It can be followed by the group, the version or both:
    /// `Foo`, `foos.example.com`, `foos.v1.example.com`, `pods.v1`.
    ///
    /// The answer of the server is cached for ten minutes. If the kind is unknown, the server is asked again, at most every
    /// ten seconds.
    ///
    /// # Errors
    ///
    /// Returns [`Error::UnknownKind`] or, if several groups have such a kind, [`Error::AmbiguousKind`] with all of them.
    pub async fn kind(&self, name: &str) -> Result<Kind> {
        self.find(|kinds| kinds.kind(name)).await
    }

    /// Returns the kind of that group, version and name.
    ///
    /// # Errors
    ///
    /// See [`Discovery::kind`].
    pub async fn exact(&self, kind: &GroupVersionKind) -> Result<Kind> {
        self.find(|kinds| kinds.exact(kind)).await
    }

    /// Returns all kinds of a group in all versions, the preferred version first.
    ///
    /// # Errors
    ///
    /// Returns [`Error::UnknownKind`] if the group does not have kinds.
    pub async fn group(&self, group: &str) -> Result<Vec<Kind>> {
        self.find(|kinds| {
            let found: Vec<_> = kinds
                .kinds
                .iter()
                .filter(|kind| kind.resource.group == group)
                .cloned()
                .collect();
            (!found.is_empty())
                .then_some(found)
                .ok_or_else(|| kinds.unknown(group))
        })
        .await
    }

    /// Returns all kinds in all versions.
    ///
    /// # Errors
    ///
    /// Returns an error if the server does not answer.
    pub async fn kinds(&self) -> Result<Vec<Kind>> {
        Ok(self.known(MAX_AGE).await?.kinds.clone())
    }

    /// Returns all kinds, and the groups and versions that the server could not ask, as in `example.com/v1`.
    pub(crate) async fn kinds_and_unavailable(&self) -> Result<(Vec<Kind>, Vec<String>)> {
        let known = self.known(MAX_AGE).await?;
        Ok((known.kinds.clone(), known.stale.clone()))
    }

    /// Waits until the server has a kind of that name, for programs that install their own CRDs. It never gives up, so use a
    /// timeout.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is ambiguous, or if the server does not answer.
    pub async fn wait_for_kind(&self, name: &str) -> Result<Kind> {
        let mut max_age = MAX_AGE;
        loop {
            match self.known(max_age).await?.kind(name) {
                Err(Error::UnknownKind { .. }) => tokio::time::sleep(POLL).await,
                found => return found,
            }
            max_age = POLL;
        }
    }

    /// Forgets the cached answer.
    pub fn refresh(&self) {
        self.shared.changes.send_modify(|changes| *changes += 1);
    }

    /// Looks something up, and once more in a new answer if it is unknown.
    async fn find<T>(&self, find: impl Fn(&Kinds) -> Result<T>) -> Result<T> {
        match find(&*self.known(MAX_AGE).await?) {
            Err(Error::UnknownKind { .. }) => find(&*self.known(PAUSE_AFTER_MISS).await?),
            found => found,
        }
    }

    /// Returns an answer that is not older than `max_age` and than the last change.
    async fn known(&self, max_age: Duration) -> Result<Arc<Kinds>> {
        let mut cache = self.shared.cache.lock().await;
        let changes = *self.shared.changes.borrow();
        let is_new = cache.seen == changes;
        if let Some(known) = cache.known.as_ref().filter(|_| is_new)
            && known.since.elapsed() < max_age
        {
            return Ok(Arc::clone(&known.kinds));
        }
        let kinds = Arc::new(self.ask().await?);
        *cache = Cache {
            known: Some(Known {
                kinds: Arc::clone(&kinds),
                since: Instant::now(),
            }),
            seen: changes,
        };
        Ok(kinds)
    }

    async fn ask(&self) -> Result<Kinds> {
        let groups = async |path: &str| -> Result<Groups> {
            let request = http::Request::get(path)
                .header(ACCEPT, AGGREGATED)
                .body(Vec::new());
            let request = request.map_err(|error| Error::Kube(kube::Error::HttpError(error)))?;
            let groups: Groups = transport::request(&self.shared.client, Ok(request)).await?;
            if groups.is_aggregated() {
                Ok(groups)
            } else {
                Err(Error::Discovery)
            }
        };
        // The core group has a path of its own.
        let (core, others) = tokio::try_join!(groups("/api"), groups("/apis"))?;
        let (mut kinds, mut stale) = (Vec::new(), Vec::new());
        core.read(&mut kinds, &mut stale);
        others.read(&mut kinds, &mut stale);
        Ok(Kinds { kinds, stale })
    }
}

impl Kinds {
    fn kind(&self, name: &str) -> Result<Kind> {
        let (own, parent) = name.split_once('.').unwrap_or((name, ""));
        let candidates = self
            .kinds
            .iter()
            .filter(|kind| kind.is_called(own) && (parent.is_empty() || kind.is_in(parent)));
        let mut found: Vec<&Kind> = Vec::new();
        for candidate in candidates {
            let is_other_version = |kind: &&Kind| {
                kind.resource.group == candidate.resource.group
                    && kind.resource.plural == candidate.resource.plural
            };
            // The preferred version comes first.
            if !found.iter().any(is_other_version) {
                found.push(candidate);
            }
        }
        match found.as_slice() {
            [] => Err(self.unknown(name)),
            [kind] => Ok((*kind).clone()),
            several => Err(Error::AmbiguousKind {
                name: name.to_owned(),
                candidates: several.iter().map(|kind| kind.full_name()).collect(),
            }),
        }
    }

    fn exact(&self, wanted: &GroupVersionKind) -> Result<Kind> {
        let is_wanted = |kind: &&Kind| {
            let resource = &kind.resource;
            resource.group == wanted.group
                && resource.version == wanted.version
                && resource.kind == wanted.kind
        };
        let found = self.kinds.iter().find(is_wanted).cloned();
        found.ok_or_else(|| {
            let GroupVersionKind { group, version, kind } = wanted;
            self.unknown(&format!("{kind}.{version}.{group}"))
        })
    }

    fn unknown(&self, name: &str) -> Error {
        Error::UnknownKind {
            name: name.to_owned(),
            unavailable: self.stale.clone(),
        }
    }
}

impl fmt::Debug for Discovery {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Discovery").finish_non_exhaustive()
    }
}
