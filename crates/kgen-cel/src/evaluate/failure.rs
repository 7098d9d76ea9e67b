//! The message of a failed evaluation, in the words of this crate and in the words of the API server.

use std::fmt::{self, Display};

/// Why an evaluation fails.
///
/// `Display` shows the reason in the words of this crate; [`server_message`](Self::server_message) has the text that the
/// API server puts in its answer.
///
/// ```
/// use kgen_cel::{Environment, EvaluateError, Expression, OpenApi};
/// use serde_json::json;
///
/// let schema = json!({"type": "array", "items": {"type": "integer"}});
/// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
/// let checked = Expression::parse("self[0] == 1")?.check(&environment)?;
/// let Err(EvaluateError::Failed(failure)) = checked.evaluate(&environment.bind([("self", &json!([]))])) else {
///     unreachable!()
/// };
/// assert_eq!(failure.to_string(), "the list has no item 0");
/// assert_eq!(failure.server_message(), "index out of bounds: 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: String,
    server_message: String,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>, server_message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            server_message: server_message.into(),
        }
    }

    /// Returns the message of `cel-go`, as the API server shows it.
    pub fn server_message(&self) -> &str {
        &self.server_message
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
