//! The sync states of the informers of a factory.

use std::fmt;

use crate::{Error, Result};

/// The sync states of all informers of a factory, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct SyncReport {
    /// The results.
    pub results: Vec<SyncResult>,
}

/// The sync state of one informer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncResult {
    /// Plural, group and version, as in `deployments.apps/v1`, with the namespaces and selectors if there are any. Informers
    /// of types that are known only at run time have `(dynamic)` in their name, and those of metadata `(metadata)`.
    pub informer: String,
    /// The state.
    pub outcome: SyncOutcome,
    /// The unreadable objects, as `namespace/name: reason`. They do not prevent a sync.
    pub unreadable: Vec<String>,
}

/// The state of an informer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyncOutcome {
    /// The first list is in the cache.
    Synced,
    /// The first list is not complete yet.
    Pending {
        /// The last error of the watch, for example a missing permission.
        last_error: Option<String>,
    },
    /// The server does not have the kind.
    Missing {
        /// Whether the program can do without it. See [`InformerOptions::optional`](crate::InformerOptions::optional).
        optional: bool,
    },
    /// The informer was requested after the last start.
    NotStarted,
    /// The informer has ended, and its cache is out of date.
    Stopped {
        /// The last error of the watch.
        last_error: Option<String>,
    },
}

impl SyncOutcome {
    /// Returns whether the program can work: the informer has synced, or its kind is optional and missing.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Synced | Self::Missing { optional: true })
    }
}

impl SyncReport {
    /// Returns whether every informer has synced, except those of missing optional kinds.
    #[must_use]
    pub fn is_synced(&self) -> bool {
        self.results.iter().all(|result| result.outcome.is_settled())
    }

    /// Returns an error if any informer has not synced.
    ///
    /// # Errors
    ///
    /// Returns [`Error::NotSynced`] with all informers that have not synced.
    pub fn into_result(self) -> Result<()> {
        let unsynced: Vec<_> = self
            .results
            .iter()
            .filter(|result| !result.outcome.is_settled())
            .map(|result| format!("{}: {}", result.informer, result.outcome))
            .collect();
        if unsynced.is_empty() {
            Ok(())
        } else {
            Err(Error::NotSynced { unsynced })
        }
    }
}

/// The number of unreadable objects of an informer to print.
const PRINTED: usize = 10;

/// Prints one line for each informer, and its unreadable objects.
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
            Self::Missing { optional: true } => ("the server does not have this optional kind", None),
            Self::Missing { optional: false } => ("the server does not have the kind", None),
            Self::NotStarted => ("not started", None),
            Self::Stopped { last_error } => ("stopped", last_error.as_deref()),
        };
        formatter.write_str(state)?;
        error.map_or(Ok(()), |error| write!(formatter, " ({error})"))
    }
}
