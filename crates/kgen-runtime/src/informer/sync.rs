//! How far the informers of a factory are, one result for each.

use std::fmt;

use crate::{Error, Result};

/// One result for each informer, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct SyncReport {
    /// The results.
    pub results: Vec<SyncResult>,
}

/// How far one informer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncResult {
    /// Plural, group and version, as in `deployments.apps/v1`, with the namespaces and selectors if there are any. Informers
    /// of types that are known only at run time have `(dynamic)` in their name, and those of metadata `(metadata)`.
    pub informer: String,
    /// How far it is.
    pub outcome: SyncOutcome,
    /// The objects that cannot be read at present, as `namespace/name: reason`. They do not keep an informer from syncing.
    pub unreadable: Vec<String>,
}

/// How far an informer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncOutcome {
    /// The first list is in the cache.
    Synced,
    /// The first list is not complete yet.
    Pending {
        /// What the watch last complained about: a missing permission, say.
        last_error: Option<String>,
    },
    /// It was asked for after the last start.
    NotStarted,
    /// It has ended, and its cache is no longer up to date.
    Stopped {
        /// What the watch last complained about.
        last_error: Option<String>,
    },
}

impl SyncReport {
    /// Whether every informer has synced.
    #[must_use]
    pub fn is_synced(&self) -> bool {
        self.results
            .iter()
            .all(|result| result.outcome == SyncOutcome::Synced)
    }

    /// An error that names every informer which has not synced, if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::NotSynced`].
    pub fn into_result(self) -> Result<()> {
        let unsynced: Vec<_> = self
            .results
            .iter()
            .filter(|result| result.outcome != SyncOutcome::Synced)
            .map(|result| format!("{}: {}", result.informer, result.outcome))
            .collect();
        if unsynced.is_empty() {
            Ok(())
        } else {
            Err(Error::NotSynced { unsynced })
        }
    }
}

/// How many unreadable objects of an informer are printed.
const PRINTED: usize = 10;

/// One line for each informer, with those of its objects that cannot be read.
impl fmt::Display for SyncReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for result in &self.results {
            writeln!(formatter, "{}: {}", result.informer, result.outcome)?;
            for object in result.unreadable.iter().take(PRINTED) {
                writeln!(formatter, "  cannot read {object}")?;
            }
            if let Some(more @ 1..) = result.unreadable.len().checked_sub(PRINTED) {
                writeln!(formatter, "  and {more} more")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for SyncOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (state, error) = match self {
            Self::Synced => ("synced", None),
            Self::Pending { last_error } => ("the first list is not complete", last_error.as_deref()),
            Self::NotStarted => ("not started", None),
            Self::Stopped { last_error } => ("stopped", last_error.as_deref()),
        };
        formatter.write_str(state)?;
        error.map_or(Ok(()), |error| write!(formatter, " ({error})"))
    }
}
