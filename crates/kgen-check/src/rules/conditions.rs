//! Conditions on requests, which decide whether the API server calls a webhook.

use std::ops::Range;

use kgen_cel::{Environment, Expression, token_at};
use kgen_diagnostics::{Code, Problem, Span, TextOrigin};

use super::mistakes::{self, Suggestion};

/// Returns the problem of a condition that the API server would refuse. `what` is its name in the message. The problem is at the
/// faulty part of the expression if `origin` knows where that is written, and otherwise at `whole`.
pub(crate) fn condition_problem(
    what: &str,
    text: &str,
    origin: Option<&TextOrigin>,
    whole: Span,
) -> Option<Problem> {
    let place = |range: Range<usize>| origin?.span(range);
    let whole = place(0..text.len()).unwrap_or(whole);
    let expression = match Expression::parse(text) {
        Ok(expression) => expression,
        Err(error) => {
            let part = place(token_at(text, error.offset));
            let message = mistakes::cannot_be_parsed(what, text, &error, part.is_some());
            let problem = Problem::error(Code::Webhook, part.unwrap_or(whole), message);
            return Some(problem.help("correct the CEL expression"));
        }
    };
    if expression.is_too_large() {
        return None;
    }
    let mistake = expression.check(&Environment::match_condition()).err()?;
    let range = mistakes::range(text, &mistake);
    let part = range.clone().and_then(place);
    let exact = range.and_then(|range| origin?.exact(range));
    let (message, suggestion) = mistakes::condition_mistake(what, text, &mistake, part.is_some());
    let problem = Problem::error(Code::Webhook, part.unwrap_or(whole), message);
    Some(match suggestion {
        Suggestion::Help(help) if help.is_empty() => {
            problem.help("correct the CEL expression; the API server checks it against the type of a request")
        }
        suggestion => suggestion.add_to(problem, exact),
    })
}
