//! The informer factories of a manager: its own, and those of other clusters.

use futures::future::{join_all, select_all};

use crate::InformerFactory;
use crate::informer::SyncReport;

/// One or more factories that start, sync and stop together.
#[derive(Clone, Debug)]
pub(super) struct Factories(Vec<InformerFactory>);

impl Factories {
    pub(super) fn new(own: InformerFactory, others: Vec<InformerFactory>) -> Self {
        Self(std::iter::once(own).chain(others).collect())
    }

    pub(super) fn start(&self) {
        self.0.iter().for_each(InformerFactory::start);
    }

    pub(super) async fn wait_for_sync(&self) -> SyncReport {
        together(join_all(self.0.iter().map(InformerFactory::wait_for_sync)).await)
    }

    pub(super) fn sync_report(&self) -> SyncReport {
        together(self.0.iter().map(InformerFactory::sync_report).collect())
    }

    /// See [`InformerFactory::broken`].
    pub(super) async fn broken(&self) -> String {
        select_all(self.0.iter().map(|factory| Box::pin(factory.broken())))
            .await
            .0
    }

    pub(super) async fn shutdown(&self) {
        join_all(self.0.iter().map(InformerFactory::shutdown)).await;
    }
}

fn together(reports: Vec<SyncReport>) -> SyncReport {
    SyncReport {
        results: reports.into_iter().flat_map(|report| report.results).collect(),
    }
}
