//! Why an object was not converted.

use thiserror::Error;

/// Why an object was not converted.
///
/// The content of an object that an API server accepted causes only [`TooLarge`](Self::TooLarge). All other errors are mistakes
/// of the program or of the caller, or limits of Rust types.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// The steps or schemas of the conversion are wrong.
    #[error("the conversion of {kind} is wrong: {reason}")]
    Table {
        /// The kind and its group, such as `Widget.example.com`.
        kind: String,
        /// The mistake.
        reason: String,
    },
    /// The value is not an object of a kind.
    #[error("{0}")]
    NotAnObject(&'static str),
    /// The object is of another kind or group.
    #[error("expected {expected}, got {found}")]
    UnknownKind {
        /// The kinds that can be converted, such as `Widget.example.com`.
        expected: String,
        /// The kind of the object.
        found: String,
    },
    /// The kind does not have this version.
    #[error("{kind} has no version {version:?}; it has: {known}")]
    UnknownVersion {
        /// The kind and its group, such as `Widget.example.com`.
        kind: String,
        /// The unknown version.
        version: String,
        /// The known versions, separated by commas.
        known: String,
    },
    /// The annotations would be larger than the API server allows.
    #[error(
        "{object}: the values that {target} cannot represent need {bytes} bytes of annotations, and {limit} are allowed"
    )]
    TooLarge {
        /// The object, such as `Widget.example.com "default/a"`.
        object: String,
        /// The version that the object should have been converted to.
        target: String,
        /// The size of all annotations.
        bytes: usize,
        /// The limit for all annotations.
        limit: usize,
    },
    /// The value is nested too deeply: for a Rust type, or for every API server, which accept 10,000 levels.
    #[error("the object is nested more than {0} levels deep")]
    TooDeep(usize),
    /// The system did not start the thread that a deeply nested value needs.
    #[error("no thread can be started for a deeply nested object: {0}")]
    Thread(String),
    /// The result does not fit the Rust type, or the Rust type cannot be written as JSON.
    #[error("the object does not fit the Rust type: {0}")]
    Type(String),
}
