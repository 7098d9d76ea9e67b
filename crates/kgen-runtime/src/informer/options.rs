//! The options of informers and handlers.

use std::collections::BTreeSet;
use std::time::Duration;

use kube::discovery::Scope;
use kube::runtime::watcher;

/// The options of an informer. Two requests to one factory with equal options share one watch.
///
/// ```
/// use kgen_runtime::InformerOptions;
///
/// let options = InformerOptions::new().namespaces(["shop", "billing"]).labels("app=web");
/// ```
#[derive(Clone, Debug, Default)]
pub struct InformerOptions {
    pub(super) namespaces: Option<BTreeSet<String>>,
    pub(super) labels: Option<String>,
    pub(super) fields: Option<String>,
    pub(super) scope: Option<Scope>,
    pub(super) optional: bool,
}

impl InformerOptions {
    /// Returns the default options, which are those of the factory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Watches only these namespaces, with one watch per namespace. The default is all namespaces. Cluster-scoped kinds ignore
    /// this setting.
    #[must_use]
    pub fn namespaces<N: Into<String>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.namespaces = Some(namespaces.into_iter().map(Into::into).collect());
        self
    }

    /// Watches only objects that match this label selector.
    #[must_use]
    pub fn labels(mut self, selector: impl Into<String>) -> Self {
        self.labels = Some(selector.into());
        self
    }

    /// Watches only objects that match this field selector.
    #[must_use]
    pub fn fields(mut self, selector: impl Into<String>) -> Self {
        self.fields = Some(selector.into());
        self
    }

    /// Sets the scope of a kind that is known only at run time, for example from
    /// [`ApiCapabilities`](kube::discovery::ApiCapabilities). Without it, the informer asks the server, unless it watches all
    /// namespaces anyway. Other kinds have their scope in their type.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Lets the program work if the server does not have the kind: it is ready, and the cache is empty. The informer
    /// starts to watch as soon as the kind exists. It stays required if another user requests it without this option.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Returns `config` with the selectors of these options.
    pub(super) fn narrow(&self, config: watcher::Config) -> watcher::Config {
        watcher::Config {
            label_selector: self.labels.clone().or(config.label_selector),
            field_selector: self.fields.clone().or(config.field_selector),
            ..config
        }
    }
}

/// The options of a handler or stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandlerOptions {
    pub(super) resync: Option<Resync>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Resync {
    Every(Duration),
    Never,
}

impl HandlerOptions {
    /// Returns the default options, which are those of the factory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replays every cached object as `Updated` once per `period`, after the handler has synced. This does not send requests. A
    /// period of zero means never.
    #[must_use]
    pub fn resync(mut self, period: Duration) -> Self {
        self.resync = Some(if period.is_zero() {
            Resync::Never
        } else {
            Resync::Every(period)
        });
        self
    }

    /// Returns the resync period of this handler; `default` is that of the informer.
    pub(super) fn period(self, default: Option<Duration>) -> Option<Duration> {
        match self.resync {
            Some(Resync::Every(period)) => Some(period),
            Some(Resync::Never) => None,
            None => default,
        }
    }
}
