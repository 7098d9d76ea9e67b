//! The words for what `kgen-cel` finds in an expression.

use kgen_cel::{Mistake, MistakeKind, ParseError, Position};
use kgen_diagnostics::Code;

use super::text;

/// The message for an expression that cannot be parsed.
pub(super) fn cannot_be_parsed(what: &str, expression: &str, error: &ParseError) -> String {
    let place = place_in(expression, error.offset);
    format!("the {what} cannot be parsed: {} at {place}", error.message)
}

/// The code, message and help for a mistake in a rule or message expression.
pub(super) fn rule_mistake(
    what: &str,
    expression: &str,
    mistake: &Mistake,
) -> (Code, String, Option<String>) {
    let (code, prefix) = if mistake.kind.is_unknown_name() {
        (Code::CelSyntax, format!("the {what} reads what does not exist"))
    } else {
        (Code::CelType, format!("the types of the {what} do not fit"))
    };
    let (message, help) = with_suggestion(mistake);
    (
        code,
        format!("{prefix}{}: {message}", column(expression, mistake)),
        help,
    )
}

/// The message and help for a mistake in a condition.
pub(super) fn condition_mistake(what: &str, expression: &str, mistake: &Mistake) -> (String, Option<String>) {
    let (message, help) = with_suggestion(mistake);
    let column = column(expression, mistake);
    (format!("the {what} is wrong{column}: {message}"), help)
}

/// The message and help of a mistake. The suggestion for a field is part of the message, others are the help.
fn with_suggestion(mistake: &Mistake) -> (String, Option<String>) {
    let candidates = || mistake.candidates.iter().map(String::as_str);
    let help = mistake.help.clone();
    match mistake.kind {
        MistakeKind::UnknownField => {
            let suggestion = text::suggestion(&mistake.name, candidates());
            let suggestion = suggestion.map_or_else(String::new, |suggestion| format!("; {suggestion}"));
            (format!("{}{suggestion}", mistake.message), help)
        }
        _ => {
            let near = text::nearest(&mistake.name, candidates());
            let near = near.map(|near| format!("did you mean `{near}`?"));
            (mistake.message.clone(), near.or(help))
        }
    }
}

/// The place of a mistake, as the message continues with it.
fn column(expression: &str, mistake: &Mistake) -> String {
    let offset = mistake.offset;
    offset.map_or_else(String::new, |offset| {
        format!(", at {}", place_in(expression, offset))
    })
}

/// A place in an expression: the line, if there are several, and the column.
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
        let text = |source| cannot_be_parsed("rule", source, &Expression::parse(source).unwrap_err());
        assert_eq!(
            text("self.a &&"),
            "the rule cannot be parsed: an expression is missing before the end at column 10"
        );
        assert_eq!(
            text("true &&\n  é"),
            "the rule cannot be parsed: `é` means nothing here at line 2, column 3"
        );
    }
}
