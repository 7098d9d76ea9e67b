//! What an informer watches, and how a handler is served.

use std::collections::BTreeSet;
use std::time::Duration;

use kube::discovery::Scope;
use kube::runtime::watcher;

/// What an informer watches. Two requests to one factory with equal options share one watch.
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
}

impl InformerOptions {
    /// Everything, as far as the factory goes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only these namespaces, with one watch for each. None at all means every namespace. Kinds without namespaces take no
    /// notice.
    #[must_use]
    pub fn namespaces<N: Into<String>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.namespaces = Some(namespaces.into_iter().map(Into::into).collect());
        self
    }

    /// Only objects with these labels; the server selects.
    #[must_use]
    pub fn labels(mut self, selector: impl Into<String>) -> Self {
        self.labels = Some(selector.into());
        self
    }

    /// Only objects with these fields; the server selects.
    #[must_use]
    pub fn fields(mut self, selector: impl Into<String>) -> Self {
        self.fields = Some(selector.into());
        self
    }

    /// Says whether a kind that is known only at run time has namespaces, as
    /// [`ApiCapabilities`](kube::discovery::ApiCapabilities) do. Without it, the informer asks the server, unless it watches
    /// all namespaces anyway. The scope of other kinds is known from their types.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// `config` with the selectors of these options, where they have any.
    pub(super) fn narrow(&self, config: watcher::Config) -> watcher::Config {
        watcher::Config {
            label_selector: self.labels.clone().or(config.label_selector),
            field_selector: self.fields.clone().or(config.field_selector),
            ..config
        }
    }
}

/// How one handler or stream is served.
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
    /// As the factory says.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replays every cached object as `Updated` each `period`, from the time the handler has synced. The server is not
    /// asked. A period of zero means never.
    #[must_use]
    pub fn resync(mut self, period: Duration) -> Self {
        self.resync = Some(if period.is_zero() {
            Resync::Never
        } else {
            Resync::Every(period)
        });
        self
    }

    /// The period for this handler, where the informer's own is `default`.
    pub(super) fn period(self, default: Option<Duration>) -> Option<Duration> {
        match self.resync {
            Some(Resync::Every(period)) => Some(period),
            Some(Resync::Never) => None,
            None => default,
        }
    }
}
