//! Conditions on requests, which decide whether the API server calls a webhook.

use kgen_cel::{Environment, Expression};

use super::mistakes;

/// The problem of a condition.
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Returns why the API server would refuse a condition, which the message calls `what`.
pub(crate) fn condition_refusal(what: &str, text: &str) -> Option<Refusal> {
    let expression = match Expression::parse(text) {
        Ok(expression) => expression,
        Err(error) => {
            return Some(Refusal {
                message: mistakes::cannot_be_parsed(what, text, &error, false),
                help: "correct the CEL expression".to_owned(),
            });
        }
    };
    if expression.is_too_large() {
        return None;
    }
    let mistake = expression.check(&Environment::match_condition()).err()?;
    let (message, help) = mistakes::condition_mistake(what, text, &mistake);
    Some(Refusal {
        message,
        help: help.unwrap_or_else(|| {
            "correct the CEL expression; the API server checks it against the type of a request".to_owned()
        }),
    })
}
