//! The text of `format!`, `concat!` and `to_string()`.

use super::value::Value;

/// Returns a value as `{}` writes it. Returns `None` for types that write themselves by code.
pub(super) fn display(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.number().to_string()),
        Value::Boolean(flag) => Some(flag.to_string()),
        Value::Character(character) => Some(character.to_string()),
        _ => None,
    }
}

/// Fills each hole of a pattern with the text that `fill` returns for the text between its braces, which is empty for
/// `{}`. Returns `None` if a brace is not closed, or if `fill` returns `None`.
pub(super) fn filled<E>(
    pattern: &str,
    mut fill: impl FnMut(&str) -> Result<String, E>,
) -> Result<Option<String>, E> {
    let mut text = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('{', Some('{')) | ('}', Some('}')) => {
                letters.next();
                text.push(letter);
            }
            ('{', _) => {
                let mut hole = String::new();
                loop {
                    match letters.next() {
                        Some('}') => break,
                        Some(letter) => hole.push(letter),
                        None => return Ok(None),
                    }
                }
                text.push_str(&fill(&hole)?);
            }
            ('}', _) => return Ok(None),
            _ => text.push(letter),
        }
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_and_braces_stay() {
        let upper = |hole: &str| match hole {
            "bad" => Err(()),
            hole => Ok(format!("<{hole}>")),
        };
        assert_eq!(
            filled("a {} {{b}} {c}", upper),
            Ok(Some("a <> {b} <c>".to_owned()))
        );
        assert_eq!(filled("{bad}", upper), Err(()));
        assert_eq!(filled("{open", upper), Ok(None));
    }
}
