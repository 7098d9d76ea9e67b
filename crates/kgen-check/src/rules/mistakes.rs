//! The messages about the mistakes that `kgen-cel` finds in an expression.

use std::ops::Range;

use kgen_cel::{Mistake, MistakeKind, ParseError, Position, token_at};
use kgen_diagnostics::{Code, Near, Problem, Span};

use super::text;

/// Returns the message about a mistake in a rule.
pub(super) struct Found {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) suggestion: Suggestion,
}

/// The name that was probably meant, or other advice.
pub(super) enum Suggestion {
    Near { name: String, is_certain: bool },
    Help(Vec<String>),
}

impl Suggestion {
    /// Adds the suggestion to a problem: as a fix if the place of the wrong name is known, otherwise as help.
    pub(super) fn add_to(&self, problem: Problem, exact: Option<Span>) -> Problem {
        match (self, exact) {
            (Self::Near { name, is_certain }, Some(span)) => {
                let near = Near {
                    word: name,
                    is_certain: *is_certain,
                };
                problem.fix(span, near)
            }
            (Self::Near { name, .. }, None) => problem.help(format!("did you mean `{name}`?")),
            (Self::Help(help), _) => help
                .iter()
                .fold(problem, |problem, help| problem.help(help.clone())),
        }
    }
}

/// Returns the message for an expression that cannot be parsed. It names the place unless that `is_underlined`.
pub(super) fn cannot_be_parsed(
    what: &str,
    expression: &str,
    error: &ParseError,
    is_underlined: bool,
) -> String {
    let message = format!("the {what} cannot be parsed: {}", error.message);
    if is_underlined {
        return message;
    }
    let place = place_in(expression, error.offset);
    format!("{message} at {place}")
}

/// Returns the part of the expression that is wrong, if the mistake does not concern the whole.
pub(super) fn range(expression: &str, mistake: &Mistake) -> Option<Range<usize>> {
    let offset = mistake.offset?;
    let rest = expression.get(offset..)?;
    if !mistake.name.is_empty() && rest.starts_with(&mistake.name) {
        return Some(offset..offset + mistake.name.len());
    }
    Some(token_at(expression, offset))
}

/// Returns the words for a mistake in a rule or message expression. The message names the place unless that
/// `is_underlined`.
pub(super) fn rule_mistake(what: &str, expression: &str, mistake: &Mistake, is_underlined: bool) -> Found {
    let (code, prefix) = if mistake.kind.is_unknown_name() {
        (Code::CelSyntax, format!("the {what} uses an unknown name"))
    } else {
        (Code::CelType, format!("the types in the {what} do not match"))
    };
    let place = if is_underlined {
        String::new()
    } else {
        column(expression, mistake)
    };
    let (message, suggestion) = with_suggestion(mistake);
    Found {
        code,
        message: format!("{prefix}{place}: {message}"),
        suggestion,
    }
}

/// Returns the message and suggestion for a mistake in a condition. The message names the place unless that
/// `is_underlined`.
pub(super) fn condition_mistake(
    what: &str,
    expression: &str,
    mistake: &Mistake,
    is_underlined: bool,
) -> (String, Suggestion) {
    let (message, suggestion) = with_suggestion(mistake);
    let place = if is_underlined {
        String::new()
    } else {
        column(expression, mistake)
    };
    (format!("the {what} is not valid{place}: {message}"), suggestion)
}

/// Returns the message and suggestion of a mistake. Fields that are not near are listed in the message.
fn with_suggestion(mistake: &Mistake) -> (String, Suggestion) {
    let candidates: Vec<_> = mistake.candidates.iter().map(String::as_str).collect();
    let mut sorted = candidates.clone();
    sorted.sort_unstable();
    if let Some(near) = kgen_diagnostics::nearest(&mistake.name, sorted) {
        let suggestion = Suggestion::Near {
            name: near.word.to_owned(),
            is_certain: near.is_certain,
        };
        return (mistake.message.clone(), suggestion);
    }
    let listed = text::list(candidates).filter(|_| mistake.kind == MistakeKind::UnknownField);
    let listed = listed.map_or_else(String::new, |listed| format!("; {listed}"));
    let help = Suggestion::Help(mistake.help.iter().cloned().collect());
    (format!("{}{listed}", mistake.message), help)
}

/// Returns the place of a mistake, as the message continues with it.
fn column(expression: &str, mistake: &Mistake) -> String {
    let offset = mistake.offset;
    offset.map_or_else(String::new, |offset| {
        format!(", at {}", place_in(expression, offset))
    })
}

/// Returns a place in an expression: the line, if there are several, and the column.
fn place_in(expression: &str, offset: usize) -> String {
    let Position { line, column } = Position::of(expression, offset);
    if expression.contains('\n') {
        format!("line {line}, column {column}")
    } else {
        format!("column {column}")
    }
}

#[cfg(test)]
mod tests {
    use kgen_cel::Expression;

    use super::*;

    #[test]
    fn refusals_name_the_place() {
        let text = |source| cannot_be_parsed("rule", source, &Expression::parse(source).unwrap_err(), false);
        assert_eq!(
            text("self.a &&"),
            "the rule cannot be parsed: an expression is missing before the end at column 10"
        );
        assert_eq!(
            text("true &&\n  é"),
            "the rule cannot be parsed: `é` is not allowed here at line 2, column 3"
        );
    }
}
