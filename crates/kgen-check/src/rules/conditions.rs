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
                help: "the API server takes only what CEL can parse".to_owned(),
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
            "the API server knows what a request is, and refuses a condition that cannot hold for any"
                .to_owned()
        }),
    })
}
