//! The error of every verb and every lister. What the server said stays reachable as [`kube::Error`]; what was wrong
//! before a request could be sent has a variant of its own.

/// The result of a verb or a lister.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What the server said, without the dump of its whole answer that kube appends.
fn said(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) if !status.message.is_empty() => status.message.clone(),
        other => other.to_string(),
    }
}

/// Why a verb or a read from the cache failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request failed, or the server refused it.
    #[error("{}", said(.0))]
    Kube(#[from] kube::Error),

    /// The cache holds no such object.
    #[error("{resource} \"{}\" not found in the cache", key(namespace.as_deref(), name))]
    NotFound {
        /// Plural and group, as in `deployments.apps`.
        resource: String,
        /// The namespace that was asked, if any.
        namespace: Option<String>,
        /// The name that was asked for.
        name: String,
    },

    /// The object or apply configuration has no name, and the verb needs one.
    #[error("this {kind} has no name: set metadata.name before sending it")]
    MissingName {
        /// The kind of the object.
        kind: String,
    },

    /// The text cannot stand in the path of a request.
    #[error(
        "\"{name}\" cannot be the {what} of a request: it must not be empty, `.` or `..`, nor hold `/`, `%`, `?` or `#`"
    )]
    InvalidName {
        /// What the text was meant to be: a name, a namespace or a subresource.
        what: &'static str,
        /// The text.
        name: String,
    },

    /// The apply configuration belongs to another namespace than the handle it was given to.
    #[error(
        "the apply configuration is for namespace \"{configuration}\", this handle writes to \"{handle}\""
    )]
    NamespaceMismatch {
        /// The namespace of the handle.
        handle: String,
        /// The namespace in the configuration.
        configuration: String,
    },

    /// The object could not be written as JSON.
    #[error("the object cannot be written as JSON: {0}")]
    Serialize(#[source] serde_json::Error),

    /// No index of the cache has this name.
    #[error("no index is called \"{index}\"; there are: {}", known.join(", "))]
    UnknownIndex {
        /// The name that was asked for.
        index: String,
        /// The names there are.
        known: Vec<String>,
    },

    /// An index of this name is already there.
    #[error("an index called \"{index}\" is already there")]
    DuplicateIndex {
        /// The name.
        index: String,
    },

    /// Some informers have not synced.
    #[error("not synced: {}", unsynced.join("; "))]
    NotSynced {
        /// One line for each informer that has not synced, with the reason.
        unsynced: Vec<String>,
    },
}

impl Error {
    /// Whether the object was not there, be it in the cache or on the server.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. }) || self.status().is_some_and(kube::core::Status::is_not_found)
    }

    /// Whether the server refused the write because the object has changed since it was read, or because another field
    /// manager owns a field.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.status().is_some_and(kube::core::Status::is_conflict)
    }

    /// Whether an object of that name was already there.
    #[must_use]
    pub fn is_already_exists(&self) -> bool {
        self.status().is_some_and(kube::core::Status::is_already_exists)
    }

    /// What the server answered, if it answered.
    #[must_use]
    pub fn status(&self) -> Option<&kube::core::Status> {
        match self {
            Self::Kube(kube::Error::Api(status)) => Some(status),
            _ => None,
        }
    }
}

/// `namespace/name`, or the name alone.
fn key(namespace: Option<&str>, name: &str) -> String {
    match namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_reads_as_the_server_worded_it() {
        let status = kube::core::Status::failure("foos.example.com \"a\" not found", "NotFound");
        let error = Error::from(kube::Error::Api(Box::new(status)));
        assert_eq!(error.to_string(), "foos.example.com \"a\" not found");
    }
}
