//! Follows the CRDs of the server, so that new kinds are known at once.

use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::ListParams;
use kube::core::PartialObjectMeta;
use tokio::sync::watch;

use super::{Discovery, Shared};
use crate::{Connection, Handle, Informer, InformerOptions};

/// The pauses after a change of a CRD, because the server describes a new kind a little later.
const SETTLES: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_millis(900),
    Duration::from_secs(4),
];

/// How often kinds are looked up if CRDs cannot be watched.
const POLL: Duration = Duration::from_secs(60);

type Crd = PartialObjectMeta<CustomResourceDefinition>;

impl Discovery {
    /// Watches the CRDs in the background, so that [`Discovery::kind`] knows new kinds immediately. If no role allows it, the
    /// server is asked every minute instead. Further calls do nothing.
    ///
    /// The role needs `list` and `watch` on `customresourcedefinitions` in the group `apiextensions.k8s.io`.
    pub fn follow_crds(&self) {
        let mut following = self
            .shared
            .following
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let connection = Connection::new(self.shared.client.clone());
        let Some(runtime) = connection.runtime() else {
            tracing::error!("cannot follow CRDs: there is no tokio runtime");
            return;
        };
        if !std::mem::replace(&mut *following, true) {
            let shared = Arc::downgrade(&self.shared);
            let gone = Arc::downgrade(&self.shared);
            let refresh = move || {
                if let Some(shared) = shared.upgrade() {
                    Discovery { shared }.refresh();
                }
            };
            runtime.spawn(async move {
                tokio::select! {
                    () = follow(&connection, refresh) => {}
                    () = until_gone(&gone) => {}
                }
            });
        }
    }

    /// Returns a receiver that changes when the kinds of the server may have changed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes.subscribe()
    }
}

/// Calls `refresh` after each change.
async fn follow(connection: &Connection, refresh: impl Fn()) {
    if !can_list(connection).await {
        tracing::info!("CRDs cannot be watched, so new kinds are looked up every minute");
        loop {
            tokio::time::sleep(POLL).await;
            refresh();
        }
    }
    let informer = Informer::<Crd>::new(connection, InformerOptions::new());
    let mut events = informer.events();
    informer.start();
    while events.next().await.is_some() {
        for pause in SETTLES {
            tokio::time::sleep(pause).await;
            // Several CRDs are often installed together.
            while futures::FutureExt::now_or_never(events.next())
                .flatten()
                .is_some()
            {}
            refresh();
        }
    }
}

/// Waits until the discovery is no longer used.
async fn until_gone(shared: &Weak<Shared>) {
    while shared.strong_count() > 0 {
        tokio::time::sleep(POLL).await;
    }
}

async fn can_list(connection: &Connection) -> bool {
    let crds: Handle<Crd> = Handle::cluster(connection);
    loop {
        match crds.list(&ListParams::default().limit(1)).await {
            Ok(_) => return true,
            Err(error) if error.is_forbidden() => return false,
            Err(error) => {
                tracing::warn!(%error, "cannot list CRDs, will retry");
                tokio::time::sleep(POLL).await;
            }
        }
    }
}
