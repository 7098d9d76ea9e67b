//! The error of verbs and listers, and the formatting of errors in logs. Errors of requests contain the [`kube::Error`];
//! errors before a request have their own variants.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use kube::core::Status;

use crate::reading::unquoted;

/// The result of a verb or a lister.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a verb or of a read from the cache.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request failed, or the server rejected it. The message is that of the server. It includes the sources of the
    /// [`kube::Error`], so this error does not have a source; [`Error::kube`] returns it.
    #[error("{}", Causes(.0))]
    Kube(kube::Error),

    /// The cache does not have the object.
    #[error("{resource} \"{}\" not found in the cache", key(namespace.as_deref(), name))]
    NotFound {
        /// Plural and group, as in `deployments.apps`.
        resource: String,
        /// The requested namespace, if any.
        namespace: Option<String>,
        /// The requested name.
        name: String,
    },

    /// The object exists, but could not be deserialized in any version since the start of the informer. Unlike
    /// [`Error::NotFound`], this does not mean that the object was deleted.
    #[error("{resource} \"{}\" cannot be read: {reason}", key(namespace.as_deref(), name))]
    Unreadable {
        /// Plural and group, as in `deployments.apps`.
        resource: String,
        /// The namespace of the object, if it has one.
        namespace: Option<String>,
        /// The name of the object.
        name: String,
        /// The reason, without any value of the object.
        reason: String,
    },

    /// The object or apply configuration does not have a name, which the verb needs.
    #[error("this {kind} has no name: set metadata.name before sending it")]
    MissingName {
        /// The kind of the object.
        kind: String,
    },

    /// The text is not valid in the path of a request.
    #[error(
        "\"{name}\" is not a valid {what}: it must not be empty, `.` or `..`, and must not contain `/`, `%`, `?` or `#`"
    )]
    InvalidName {
        /// The role of the text: a name, a namespace or a subresource.
        what: &'static str,
        /// The text.
        name: String,
    },

    /// The apply configuration and the handle have different namespaces.
    #[error(
        "the apply configuration is for namespace \"{configuration}\", but the handle is for \"{handle}\""
    )]
    NamespaceMismatch {
        /// The namespace of the handle.
        handle: String,
        /// The namespace in the configuration.
        configuration: String,
    },

    /// The object could not be serialized to JSON.
    #[error("cannot serialize the object to JSON")]
    Serialize(#[source] serde_json::Error),

    /// The function that should change an object returned an error.
    #[error("cannot change the object")]
    Change(#[source] crate::manager::BoxError),

    /// The function that should change an object has changed its name or its namespace.
    #[error("the name of an object cannot change: \"{before}\" was renamed to \"{after}\"")]
    Renamed {
        /// The namespace and name before.
        before: String,
        /// The namespace and name after the change.
        after: String,
    },

    /// The server does not have such a kind.
    #[error(
        "the server does not have a kind \"{name}\"{}",
        unavailable_groups(unavailable)
    )]
    UnknownKind {
        /// The requested name.
        name: String,
        /// Groups and versions that the server could not ask.
        unavailable: Vec<String>,
    },

    /// Several groups have a kind of this name.
    #[error("\"{name}\" is ambiguous: it can be {}", candidates.join(", "))]
    AmbiguousKind {
        /// The requested name.
        name: String,
        /// The names to use instead.
        candidates: Vec<String>,
    },

    /// The server does not have aggregated discovery, which Kubernetes has since version 1.27.
    #[error("the server does not support aggregated discovery")]
    Discovery,

    /// The cache does not have this index.
    #[error("unknown index \"{index}\"; known indexes: {}", known.join(", "))]
    UnknownIndex {
        /// The requested name.
        index: String,
        /// The names of the existing indexes.
        known: Vec<String>,
    },

    /// An index of this name already exists.
    #[error("the index \"{index}\" already exists")]
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
    /// Returns whether the object does not exist, in the cache or on the server.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. }) || self.status().is_some_and(Status::is_not_found)
    }

    /// Returns whether the server rejected the write because the object has changed since it was read, or because another
    /// field manager owns a field.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.status().is_some_and(Status::is_conflict)
    }

    /// Returns whether an object of that name already exists.
    #[must_use]
    pub fn is_already_exists(&self) -> bool {
        self.status().is_some_and(Status::is_already_exists)
    }

    /// Returns whether the server rejected the object as invalid. A retry with the same object fails in the same way.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        self.status().is_some_and(Status::is_invalid)
    }

    /// Returns whether no role allows the request, or admission rejected it.
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        self.status().is_some_and(Status::is_forbidden)
    }

    /// Returns whether the server, or the connection to it, took too long. The request can have had an effect.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        match self.kube() {
            Some(kube::Error::Api(status)) => {
                matches!(status.reason.as_str(), "Timeout" | "ServerTimeout") || status.code == 504
            }
            Some(error) => is_slow(error),
            None => false,
        }
    }

    /// Returns whether the resource version or the continue token of the request is too old. List again.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.status()
            .is_some_and(|status| matches!(status.reason.as_str(), "Expired" | "Gone") || status.code == 410)
    }

    /// Returns how long the server asks to wait before the next attempt, for example because it is overloaded.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let seconds = self.status()?.details.as_ref()?.retry_after_seconds;
        (seconds > 0).then(|| Duration::from_secs(seconds.into()))
    }

    /// Returns the `Status` of the server, if it rejected the request.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        match self.kube()? {
            kube::Error::Api(status) => Some(status),
            _ => None,
        }
    }

    /// Returns kube's error, if the request failed or was rejected.
    #[must_use]
    pub fn kube(&self) -> Option<&kube::Error> {
        match self {
            Self::Kube(error) => Some(error),
            _ => None,
        }
    }
}

// Not derived, because a derive would make it the source too, and it would be printed twice.
impl From<kube::Error> for Error {
    fn from(error: kube::Error) -> Self {
        Self::Kube(error)
    }
}

/// Formats an error with all its sources, each once, for logs and messages.
///
/// Many errors repeat their source in their own message. So a source that is part of the text is left out. Responses of
/// the server are printed without the debug output that kube appends, and errors of serde without the values that they
/// quote.
///
/// ```
/// use kgen_runtime::Causes;
/// use kgen_runtime::finalizer::FinalizerError;
///
/// let refusal = kube::core::Status::failure("foos \"a\" is forbidden", "Forbidden").with_code(403);
/// let error = FinalizerError::Apply(kgen_runtime::Error::from(kube::Error::Api(Box::new(refusal))));
/// assert_eq!(error.to_string(), "cannot apply");
/// assert_eq!(Causes(&error).to_string(), "cannot apply: foos \"a\" is forbidden");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Causes<'a>(pub &'a (dyn StdError + 'static));

impl fmt::Display for Causes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let mut next = Some(self.0);
        while let Some(error) = next {
            let part = own_text(error);
            if !text.contains(&part) {
                if !text.is_empty() {
                    text.push_str(": ");
                }
                text.push_str(&part);
            }
            next = if tells_all(error) { None } else { error.source() };
        }
        formatter.write_str(&text)
    }
}

/// Returns whether the message of `error` includes its sources, possibly in other words.
fn tells_all(error: &(dyn StdError + 'static)) -> bool {
    matches!(
        error.downcast_ref::<kube::Error>(),
        Some(kube::Error::Api(_) | kube::Error::SerdeError(_))
    )
}

/// Returns the message of `error` without debug output and quoted values.
fn own_text(error: &(dyn StdError + 'static)) -> String {
    if let Some(status) = status_itself(error) {
        return said(status);
    }
    if let Some(error) = error.downcast_ref::<serde_json::Error>() {
        return unquoted(error);
    }
    match error.downcast_ref::<kube::Error>() {
        Some(kube::Error::Api(status)) => said(status),
        Some(kube::Error::SerdeError(error)) => format!("cannot read the answer: {}", unquoted(error)),
        Some(_) => error.to_string(),
        None => without_dump(error),
    }
}

/// Returns the message of `error`. If it wraps kube's error, the debug output of the status is left out.
fn without_dump(error: &(dyn StdError + 'static)) -> String {
    let text = error.to_string();
    let sources = std::iter::successors(error.source(), |error| (*error).source());
    let statuses = sources.filter_map(status_itself);
    statuses.fold(text, |text, status| {
        text.replace(&format!("ApiError: {status} ({status:?})"), &said(status))
    })
}

/// Returns whether the cause of an error is a timeout of the connection.
fn is_slow(error: &(dyn StdError + 'static)) -> bool {
    std::iter::successors(Some(error), |error| (*error).source()).any(|error| {
        let io = error.downcast_ref::<std::io::Error>();
        let hyper = error.downcast_ref::<hyper::Error>();
        io.is_some_and(|error| error.kind() == std::io::ErrorKind::TimedOut)
            || hyper.is_some_and(hyper::Error::is_timeout)
    })
}

/// Returns the error as the `Status` of a server, boxed or not.
fn status_itself<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Status> {
    error
        .downcast_ref::<Status>()
        .or_else(|| error.downcast_ref::<Box<Status>>().map(|status| &**status))
}

/// Returns the server's message, or its reason if there is no message.
fn said(status: &Status) -> String {
    if status.message.is_empty() {
        format!("{} ({})", status.reason, status.code)
    } else {
        status.message.clone()
    }
}

fn unavailable_groups(groups: &[String]) -> String {
    if groups.is_empty() {
        String::new()
    } else {
        format!("; it could not ask {}", groups.join(", "))
    }
}

/// Returns `namespace/name`, or only the name.
fn key(namespace: Option<&str>, name: &str) -> String {
    match namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    }
}

/// Returns the message of a panic, if it has one.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "no message"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transparent wrapper, whose source is the source of the wrapped error.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    struct Transparent(kube::Error);

    #[derive(Debug, thiserror::Error)]
    #[error("cannot sync")]
    struct Outer<E: StdError + 'static>(#[source] E);

    fn refusal() -> kube::Error {
        let status = Status::failure("foos.example.com \"a\" not found", "NotFound").with_code(404);
        kube::Error::Api(Box::new(status))
    }

    #[test]
    fn a_refusal_reads_as_the_server_worded_it() {
        let error = Error::from(refusal());
        assert_eq!(error.to_string(), "foos.example.com \"a\" not found");
        assert!(error.source().is_none(), "the message would be printed again");
        assert!(error.is_not_found());
        assert!(matches!(error.kube(), Some(kube::Error::Api(_))));
    }

    #[test]
    fn refusals_are_told_apart() {
        let refused = |reason: &str, code| {
            let status = Status::failure("no", reason).with_code(code);
            Error::from(kube::Error::Api(Box::new(status)))
        };
        let kinds = |error: &Error| {
            [
                error.is_invalid(),
                error.is_forbidden(),
                error.is_timeout(),
                error.is_expired(),
            ]
        };
        assert_eq!(kinds(&refused("Invalid", 422)), [true, false, false, false]);
        assert_eq!(kinds(&refused("Forbidden", 403)), [false, true, false, false]);
        assert_eq!(kinds(&refused("Timeout", 504)), [false, false, true, false]);
        assert_eq!(kinds(&refused("ServerTimeout", 500)), [false, false, true, false]);
        assert_eq!(kinds(&refused("Expired", 410)), [false, false, false, true]);
        assert_eq!(kinds(&refused("Conflict", 409)), [false; 4]);
        let slow = std::io::Error::from(std::io::ErrorKind::TimedOut);
        let slow = kube::Error::Service(Box::new(Outer(slow)));
        assert!(Error::from(slow).is_timeout());
        let reset = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        assert!(!Error::from(kube::Error::Service(Box::new(reset))).is_timeout());
    }

    #[test]
    fn the_server_can_ask_to_wait() {
        assert_eq!(Error::from(refusal()).retry_after(), None);
        let status: Status = serde_json::from_value(serde_json::json!({
            "status": "Failure", "reason": "TooManyRequests", "code": 429, "message": "slow down",
            "details": { "retryAfterSeconds": 3 },
        }))
        .unwrap();
        let error = Error::from(kube::Error::Api(Box::new(status)));
        assert_eq!(error.retry_after(), Some(Duration::from_secs(3)));
    }

    #[test]
    fn each_source_is_printed_once() {
        let expected = "cannot sync: foos.example.com \"a\" not found";
        assert_eq!(Causes(&Outer(Error::from(refusal()))).to_string(), expected);
        assert_eq!(Causes(&Outer(refusal())).to_string(), expected);
        assert_eq!(Causes(&Outer(Transparent(refusal()))).to_string(), expected);
        let io = std::io::Error::new(std::io::ErrorKind::ConnectionReset, "connection reset");
        let service = kube::Error::Service(Box::new(Outer(io)));
        assert_eq!(
            Error::from(service).to_string(),
            "ServiceError: cannot sync: connection reset"
        );
    }

    #[test]
    fn values_are_not_quoted() {
        let error = serde_json::from_str::<u8>("\"hunter2\"").unwrap_err();
        assert_eq!(
            Error::from(kube::Error::SerdeError(error)).to_string(),
            "cannot read the answer: invalid type: string, expected u8"
        );
    }
}
